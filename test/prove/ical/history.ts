import { makeVirtual, runVirtual, seeded } from '../schedule/virtual.ts';
import { Checker, days, emptyOutcome, nightsText, type Outcome, type Own } from './checker.ts';
import { dateText, dayOf, type Manner, type Nights, Platform } from './platform.ts';
import type { Listing } from '../../../shared/domain/listing/listing.entity.ts';
import type { CalendarBug } from './seeded-bugs.ts';
import { familyOf, firstDay, World } from './world.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const longestLagMs = 5 * hourMs;
/** Bookings of three nights that stay, so that one cancellation is no quarantine. */
const farBookings = [30, 50, 70, 90];

/** Behind the bookings that stay. */
const rollingFrom = 150;

type Random = () => number;
const below = (random: Random, end: number): number => Math.floor(random() * end);
const pick = <Value>(random: Random, values: readonly Value[]): Value =>
  values[below(random, values.length)] as Value;

const mannerOf = (random: Random): Manner => {
  const form = pick(random, ['dates', 'dates', 'midnights', 'hours'] as const);
  return {
    form,
    reExports: random() < 0.85,
    newUids: random() < 0.5,
    merges: pick(random, ['never', 'imported', 'imported', 'everything'] as const),
    knowsHours: random() < 0.3,
    everyMs: (1 + below(random, 6)) * hourMs,
    lagMs: pick(random, [0, 0, 30 * minuteMs, 3 * hourMs, longestLagMs]),
  };
};

/** What a history is about: platforms that each have a calendar, or one that links its calendars of a house and its rooms. */
export type HistoryKind = 'apart' | 'linked';

/** One history of guests, hosts and platforms, drawn from its seed, and whether it ended as it should. */
export const playHistory = (
  seed: number,
  { bug, kind = 'apart' }: { bug?: CalendarBug | undefined; kind?: HistoryKind } = {},
): Promise<Outcome> => {
  makeVirtual();
  const random = seeded(seed);
  return runVirtual({ random, pause: async () => undefined }, () => new History(random, kind, bug).play());
};

const platformsApart = (random: Random, listings: readonly Listing[]): Platform[] =>
  Array.from(
    { length: pick(random, [1, 2, 2, 3]) },
    (_, n) => new Platform(`platform-${n}`, pick(random, listings).id, mannerOf(random)),
  );

/** A platform that has each listing of a family and links them; in every third history one more that has one of them. */
const linkedPlatforms = (random: Random, listings: readonly Listing[]): Platform[] => {
  const manner = {
    ...mannerOf(random),
    ...(random() < 0.5 ? { sellsDays: rollingFrom + below(random, 30) } : {}),
  };
  const linked = listings.map(({ id }) => new Platform('linked', id, manner));
  const [house, ...rooms] = linked;
  if (house) house.links.push(...rooms);
  for (const room of rooms) room.links.push(...(house ? [house] : []));
  const apart =
    random() < 0.34 ? [new Platform('platform-0', pick(random, listings).id, mannerOf(random))] : [];
  return [...linked, ...apart];
};

class History {
  readonly #random: Random;
  readonly #kind: HistoryKind;
  readonly #world: World;
  readonly #own: Own[] = [];
  readonly #checker: Checker;
  readonly #outcome = emptyOutcome();

  constructor(random: Random, kind: HistoryKind, bug: CalendarBug | undefined) {
    this.#random = random;
    this.#kind = kind;
    const listings = familyOf(pick(random, kind === 'linked' ? [2, 3] : [0, 0, 2]));
    this.#world = new World(listings, bug);
    this.#checker = new Checker(this.#world, this.#own, this.#outcome);
    this.#world.platforms.push(
      ...(kind === 'linked' ? linkedPlatforms(random, listings) : platformsApart(random, listings)),
    );
    for (const [n, platform] of this.#world.platforms.entries()) {
      // Far away, and each platform's own: real bookings that overlap no other.
      for (const day of farBookings)
        platform.book(
          { from: firstDay + day + 4 * n, to: firstDay + day + 4 * n + 3 },
          this.#world.now - longestLagMs,
        );
    }
  }

  /** The feeds in the order in which they are fetched; of linked calendars any. */
  #inTurn(): readonly Platform[] {
    const { platforms } = this.#world;
    if (this.#kind === 'apart') return platforms;
    return platforms
      .map((platform) => ({ platform, at: this.#random() }))
      .sort((one, other) => one.at - other.at)
      .map(({ platform }) => platform);
  }

  async play(): Promise<Outcome> {
    const world = this.#world;
    await world.open();
    for (const platform of this.#inTurn()) {
      this.#tell(`${platform.url} ${JSON.stringify(platform.manner)}`);
      await world.follow(platform);
    }
    const steps = 15 + below(this.#random, 20);
    for (let step = 0; step < steps; step++) {
      await this.#happen();
      await this.#pass((10 + below(this.#random, 170)) * minuteMs);
    }
    for (const platform of world.platforms) platform.isDown = false;
    this.#tell('quiet from here on');
    await this.#refresh();
    await this.#refresh();
    await this.#checker.check();
    // Nothing comes back later, either.
    await this.#pass(49 * hourMs, 2 * hourMs);
    await this.#refresh();
    await this.#refresh();
    await this.#checker.check();
    return this.#outcome;
  }

  /** Something happens, here or there. */
  async #happen(): Promise<void> {
    const random = this.#random;
    const world = this.#world;
    const platform = pick(random, world.platforms);
    const chance = random();
    if (chance < 0.3) return this.#bookHere();
    if (chance < 0.45) return this.#endHere();
    if (chance < 0.53) return this.#blockHere();
    if (chance < 0.75) {
      this.#bookThere(platform);
      return;
    }
    if (chance < 0.9) {
      const there = platform.bookings.length - farBookings.length;
      if (there <= 0) return;
      const at = farBookings.length + below(random, there);
      this.#tell(`${platform.url} cancels ${nightsText(platform.bookings[at]!)}`);
      platform.cancel(at, world.now);
      return;
    }
    if (chance < 0.95) this.#fail(platform);
  }

  /** A platform fails, or is back: all of its calendars with it. */
  #fail({ host, isDown }: Platform): void {
    for (const platform of this.#world.platforms) if (platform.host === host) platform.isDown = !isDown;
  }

  #someNights(): Nights {
    const from = days.from + below(this.#random, days.to - days.from - 3);
    return { from, to: from + 1 + below(this.#random, 3) };
  }

  async #bookHere(): Promise<void> {
    const listing = pick(this.#random, this.#world.listings);
    const asked = this.#someNights();
    // Day use stays within its date.
    const nights = this.#random() < 0.15 ? { from: asked.from, to: asked.from } : asked;
    const id = await this.#world.book(listing.id, nights);
    if (id === undefined) {
      this.#outcome.counts.refused++;
      return;
    }
    const isDay = nights.from === nights.to;
    this.#own.push({
      id,
      listing,
      kind: 'stay',
      start_at: `${dateText(nights.from)}T${isDay ? '09' : '14'}:00:00`,
      end_at: `${dateText(nights.to)}T${isDay ? '18' : '12'}:00:00`,
    });
    this.#outcome.counts.bookings++;
    this.#tell(`listing ${listing.id} sells ${nightsText(nights)}`);
  }

  async #blockHere(): Promise<void> {
    const listing = pick(this.#random, this.#world.listings);
    const { from } = this.#someNights();
    const id = await this.#world.block(listing.id, dateText(from));
    if (id === undefined) return;
    const [start_at, end_at] = [`${dateText(from)}T14:00:00`, `${dateText(from + 1)}T12:00:00`];
    this.#own.push({ id, listing, kind: 'block', start_at, end_at });
    this.#tell(`listing ${listing.id} is blocked on ${dateText(from)}`);
  }

  async #endHere(): Promise<void> {
    if (this.#own.length === 0) return;
    const [own] = this.#own.splice(below(this.#random, this.#own.length), 1);
    if (!own) return;
    if (own.kind === 'stay') await this.#world.cancel(own.id);
    else await this.#world.unblock(own.listing.id, own.id);
    this.#outcome.counts.cancellations++;
    this.#tell(`listing ${own.listing.id} gives up ${own.start_at} to ${own.end_at}`);
    if (own.kind === 'stay' && this.#random() < 0.5) await this.#resellThere(own);
  }

  /** A platform fetches a calendar without the stay, and sells exactly its nights before its own calendar is read. */
  async #resellThere({ listing, start_at, end_at }: Own): Promise<void> {
    const followers = this.#world.platforms.filter(({ listing_id }) => listing_id === listing.id);
    const platform = followers[below(this.#random, followers.length)];
    const nights = { from: dayOf(start_at.slice(0, 10)), to: dayOf(end_at.slice(0, 10)) };
    if (!platform || nights.from === nights.to) return;
    await this.#world.tell();
    await this.#world.give(platform);
    if (!platform.book(nights, this.#world.now)) return;
    this.#outcome.counts.resold++;
    this.#tell(`${platform.url} fetches, and sells ${nightsText(nights)} again`);
  }

  /** A guest of a platform; now and then for exactly the nights that another one has, or had. */
  #bookThere(platform: Platform): void {
    const twin = this.#random() < 0.3 ? pick(this.#random, [...platform.given, undefined]) : undefined;
    const nights = twin && twin.to <= days.to ? { from: twin.from, to: twin.to } : this.#someNights();
    if (!platform.book(nights, this.#world.now)) {
      this.#outcome.counts.refused++;
      return;
    }
    this.#outcome.counts.there++;
    this.#tell(`${platform.url} sells ${nightsText(nights)}`);
  }

  /** Time passes: workers receive events, feeds are polled, platforms fetch at their intervals. */
  async #pass(ms: number, stepMs = 20 * minuteMs): Promise<void> {
    const world = this.#world;
    const end = world.now + ms;
    while (world.now < end) {
      if (this.#random() < 0.9) await world.tell();
      for (const platform of this.#inTurn()) {
        await this.#poll(platform);
        if (platform.nextFetchAt > world.now) continue;
        platform.nextFetchAt = world.now + platform.manner.everyMs;
        await world.give(platform);
      }
      world.now = Math.min(end, world.now + (1 + below(this.#random, 5)) * stepMs);
    }
  }

  async #poll(platform: Platform): Promise<void> {
    await this.#world.poll(platform, { twice: this.#random() < 0.1 });
    const { echoes, quarantined } = await this.#world.followed(platform);
    this.#outcome.counts.echoes = Math.max(this.#outcome.counts.echoes, echoes ?? 0);
    if (quarantined === 0) return;
    // No platform ever cancels so much at once.
    this.#outcome.counts.quarantines++;
    this.#outcome.problems.push(`quarantined: ${platform.url} has lost ${quarantined} events, says the feed`);
    await this.#world.follow(platform);
  }

  /** Every platform fetches our export, and we fetch each of theirs twice: what has vanished goes at the second good fetch. */
  async #refresh(): Promise<void> {
    const world = this.#world;
    await world.tell();
    for (const platform of world.platforms) await world.give(platform);
    world.now += longestLagMs + 10 * minuteMs;
    for (const platform of this.#inTurn()) await this.#poll(platform);
    // A feed that shares time with another one is due at once when that lets go of it.
    await world.tell();
    world.now += 10 * minuteMs;
    for (const platform of this.#inTurn()) await this.#poll(platform);
    await world.tell();
  }

  #tell(line: string): void {
    this.#outcome.story.push(`${new Date(this.#world.now).toISOString().slice(0, 16)} ${line}`);
  }
}

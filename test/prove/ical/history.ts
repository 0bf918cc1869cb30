import { nightOf } from '../../../shared/domain/pricing/index.ts';
import { concerns, type LocalRange, overlaps } from '../../../shared/domain/calendar/index.ts';
import type { Listing } from '../../../shared/domain/listing/index.ts';
import { makeVirtual, runVirtual, seeded } from '../schedule/virtual.ts';
import { dateText, type Manner, meet, type Nights, Platform, within } from './platform.ts';
import type { CalendarBug } from './seeded-bugs.ts';
import { familyOf, firstDay, World } from './world.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const longestLagMs = 5 * hourMs;
const days: Nights = { from: firstDay, to: firstDay + 10 };
/** Bookings that stay, so that one cancellation is no quarantine. */
const farBookings = [30, 34, 38, 42];

/** What came of a history. */
export interface Outcome {
  problems: string[];
  story: string[];
  /** Nights missing as D94 has it: sold twice with exactly the same dates, and ours stands or was cancelled within 48 hours. */
  sheltered: number;
  counts: Record<'bookings' | 'cancellations' | 'there' | 'refused' | 'echoes' | 'quarantines', number>;
}

interface Own {
  id: number;
  listing: Listing;
  kind: 'stay' | 'block';
  start_at: string;
  end_at: string;
}

type Random = () => number;
const below = (random: Random, end: number): number => Math.floor(random() * end);
const pick = <Value>(random: Random, values: readonly Value[]): Value =>
  values[below(random, values.length)] as Value;

const mannerOf = (random: Random): Manner => ({
  reExports: random() < 0.85,
  newUids: random() < 0.5,
  form: pick(random, ['dates', 'dates', 'midnights', 'hours']),
  merges: pick(random, ['never', 'imported', 'imported']),
  knowsHours: random() < 0.3,
  everyMs: (1 + below(random, 6)) * hourMs,
  lagMs: pick(random, [0, 0, 30 * minuteMs, 3 * hourMs, longestLagMs]),
});

/** One history of guests, hosts and platforms, told by its seed, and whether it ended as it should. */
export const playHistory = (seed: number, bug?: CalendarBug): Promise<Outcome> => {
  makeVirtual();
  const random = seeded(seed);
  return runVirtual({ random, pause: async () => undefined }, () => new History(random, bug).play());
};

class History {
  readonly #random: Random;
  readonly #world: World;
  readonly #own: Own[] = [];
  readonly #outcome: Outcome = {
    problems: [],
    story: [],
    sheltered: 0,
    counts: { bookings: 0, cancellations: 0, there: 0, refused: 0, echoes: 0, quarantines: 0 },
  };

  constructor(random: Random, bug: CalendarBug | undefined) {
    this.#random = random;
    const listings = familyOf(pick(random, [0, 0, 2]));
    this.#world = new World(listings, bug);
    const platforms = pick(random, [1, 2, 2, 3]);
    for (let n = 0; n < platforms; n++) {
      const platform = new Platform(`platform-${n}`, pick(random, listings).id, mannerOf(random));
      // Far away, and each platform's its own: real bookings that meet nobody's.
      for (const day of farBookings)
        platform.book(
          { from: firstDay + day + n, to: firstDay + day + n + 1 },
          this.#world.now - longestLagMs,
        );
      this.#world.platforms.push(platform);
    }
  }

  async play(): Promise<Outcome> {
    const world = this.#world;
    await world.open();
    for (const platform of world.platforms) {
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
    await this.#check(48 * hourMs);
    await this.#pass(49 * hourMs, 2 * hourMs);
    await this.#refresh();
    await this.#refresh();
    await this.#check(0);
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
    if (chance < 0.95) platform.isDown = !platform.isDown;
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
    const [start_at, end_at] = [`${dateText(from)}T00:00:00`, `${dateText(from + 1)}T00:00:00`];
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

  /** Time passes: workers hear, feeds are polled, platforms fetch when they do. */
  async #pass(ms: number, stepMs = 20 * minuteMs): Promise<void> {
    const world = this.#world;
    const end = world.now + ms;
    while (world.now < end) {
      if (this.#random() < 0.9) await world.tell();
      for (const platform of world.platforms) {
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
    // What vanished was cancelled there: the host knows, and says so.
    if (quarantined === 0) return;
    this.#outcome.counts.quarantines++;
    await this.#world.follow(platform);
  }

  /** Everybody fetches from everybody, once. */
  async #refresh(): Promise<void> {
    const world = this.#world;
    await world.tell();
    for (const platform of world.platforms) await world.give(platform);
    world.now += longestLagMs + 10 * minuteMs;
    for (const platform of world.platforms) await this.#poll(platform);
    // A feed that shares time with another one is due at once when that lets go of it.
    await world.tell();
    for (const platform of world.platforms) await this.#poll(platform);
    await world.tell();
  }

  /** What was cancelled longer ago than `shelterMs` hides no booking any more. */
  async #check(shelterMs: number): Promise<void> {
    for (const listing of this.#world.listings) {
      const taken = await this.#world.taken(listing, days);
      for (let night = days.from; night < days.to; night++)
        this.#checkNight(listing, { night, taken, shelterMs });
    }
    for (const platform of this.#world.platforms) await this.#checkFeed(platform);
  }

  #checkNight(
    listing: Listing,
    { night, taken, shelterMs }: { night: number; taken: ReadonlySet<number>; shelterMs: number },
  ): void {
    const there = this.#world.platforms
      .filter(({ listing_id }) => this.#concerns(listing_id, listing))
      .flatMap((platform) => platform.bookings.map((nights) => ({ platform, nights })))
      .filter(({ platform, nights }) =>
        overlaps(hoursThere(platform.manner, nights), nightOf(listing, dateText(night))),
      );
    const isOurs = this.#ownAt(listing.id, nightOf(listing, dateText(night))).length > 0;
    const what = `listing ${listing.id}, night of ${dateText(night)}`;
    if (taken.has(night) && !isOurs && there.length === 0)
      this.#outcome.problems.push(`phantom: ${what} is taken, and sold to nobody`);
    // Over a stay of its own listing a booking there is a conflict, which takes nothing of the family (D64).
    const wanted = there.filter(
      ({ platform: { listing_id } }) =>
        listing_id === listing.id || this.#ownAt(listing_id, nightOf(listing, dateText(night))).length === 0,
    );
    if (taken.has(night) || (!isOurs && wanted.length === 0)) return;
    const isSheltered = wanted.every(({ platform, nights }) => this.#looksGiven(platform, nights, shelterMs));
    if (!isOurs && isSheltered) this.#outcome.sheltered++;
    else this.#outcome.problems.push(`missing: ${what} is sold, and not taken`);
  }

  /** A conflict is told of where a booking there meets something of ours, and nowhere else. */
  async #checkFeed(platform: Platform): Promise<void> {
    const { conflicts, status, problem } = await this.#world.feed(platform);
    if (['FAILING', 'STALE', 'QUARANTINED'].includes(status))
      this.#outcome.problems.push(`${platform.url} is ${status}: ${problem}`);
    for (const nights of platform.bookings) {
      const sold = hoursThere(platform.manner, nights);
      for (const own of this.#ownAt(platform.listing_id, sold))
        if (!this.#looksGiven(platform, nights, 48 * hourMs) && !conflicts.some((one) => overlaps(one, own)))
          this.#outcome.problems.push(
            `silent: ${platform.url} has sold ${nightsText(nights)}, and so have we`,
          );
    }
    for (const { start_at, end_at } of conflicts) {
      const isReal = platform.bookings.some((nights) =>
        overlaps({ start_at, end_at }, hoursThere(platform.manner, nights)),
      );
      if (!isReal)
        this.#outcome.problems.push(`false conflict: ${platform.url}, ${start_at} to ${end_at} is an echo`);
    }
  }

  #concerns(listing_id: number, listing: Pick<Listing, 'id'>): boolean {
    return concerns({ listing_id, calendar_id: this.#world.listings[0]?.id ?? 0 }, listing.id);
  }

  /** What of ours holds time of a listing. */
  #ownAt(id: number, time: LocalRange): Own[] {
    return this.#own.filter((own) => this.#concerns(own.listing.id, { id }) && overlaps(own, time));
  }

  /** Nights that the platform was given exactly so: they stand, or were cancelled less than `shelterMs` before its last fetch. */
  #looksGiven({ given, manner, givenAt }: Platform, nights: Nights, shelterMs: number): boolean {
    const live = given
      .filter(
        ({ lastAt }) =>
          lastAt === givenAt || (shelterMs > 0 && this.#world.now - lastAt < shelterMs + manner.everyMs),
      )
      .filter((one) => within(one, nights) && meet(one, nights))
      .sort((one, other) => one.from - other.from);
    let reached = nights.from;
    for (const { from, to } of live) if (from <= reached) reached = Math.max(reached, to);
    return reached >= nights.to;
  }

  #tell(line: string): void {
    this.#outcome.story.push(`${new Date(this.#world.now).toISOString().slice(0, 16)} ${line}`);
  }
}

const nightsText = ({ from, to }: Nights): string => `${dateText(from)} to ${dateText(to)}`;

/** What a booking there takes here: times are taken as they are (D64), also from midnight to midnight. */
const hoursThere = ({ form }: Manner, { from, to }: Nights): LocalRange => ({
  start_at: `${dateText(from)}T${form === 'midnights' ? '00' : '14'}:00:00`,
  end_at: `${dateText(to)}T${form === 'midnights' ? '00' : '12'}:00:00`,
});

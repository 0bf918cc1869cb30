import { nightOf } from '../../../shared/domain/pricing/index.ts';
import { concerns, type LocalRange, overlaps } from '../../../shared/domain/calendar/index.ts';
import type { Listing } from '../../../shared/domain/listing/index.ts';
import { dateText, type Manner, meet, type Nights, type Platform, within } from './platform.ts';
import { firstDay, type World } from './world.ts';

const hourMs = 3_600_000;
/** The nights that are sold and looked at. */
export const days: Nights = { from: firstDay, to: firstDay + 10 };

/** What came of a history. */
export interface Outcome {
  problems: string[];
  story: string[];
  /** Nights missing as D94 has it: sold twice with exactly the same dates, and ours stands or was cancelled within 48 hours. */
  sheltered: number;
  /** Nights taken too many: behind one event of a booking there and other time, or an echo of exactly the nights cancelled there. */
  joined: number;
  counts: Record<'bookings' | 'cancellations' | 'there' | 'refused' | 'echoes' | 'quarantines', number>;
}

/** A stay or a block of ours. */
export interface Own {
  id: number;
  listing: Listing;
  kind: 'stay' | 'block';
  start_at: string;
  end_at: string;
}

/** Looks for phantoms, missing nights, and conflicts that are none or were not told of. */
export class Checker {
  readonly #world: World;
  readonly #own: readonly Own[];
  readonly #outcome: Outcome;

  constructor(world: World, own: readonly Own[], outcome: Outcome) {
    this.#world = world;
    this.#own = own;
    this.#outcome = outcome;
  }

  /** What was cancelled longer ago than `shelterMs` hides no booking any more. */
  async check(shelterMs: number): Promise<void> {
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
    if (taken.has(night) && !isOurs && there.length === 0) {
      if (this.#isJoined(listing, night) || this.#isSettling(shelterMs) || this.#wasTwin(listing, night))
        this.#outcome.joined++;
      else this.#outcome.problems.push(`phantom: ${what} is taken, and sold to nobody`);
    }
    // Where its own listing's time is held, by us or behind another feed, a booking there takes nothing of the family (D64).
    const hours = nightOf(listing, dateText(night));
    const wanted = there.filter(
      ({ platform }) =>
        platform.listing_id === listing.id || !this.#isHeld(platform.listing_id, hours, platform),
    );
    if (taken.has(night) || (!isOurs && wanted.length === 0)) return;
    const isSheltered = wanted.every(({ platform, nights }) => this.#looksGiven(platform, nights, shelterMs));
    if (!isOurs && isSheltered) this.#outcome.sheltered++;
    else this.#outcome.problems.push(`missing: ${what} is sold, and not taken`);
  }

  /**
   * A night of a sibling that a platform shows as one event with a booking of its own: it was given that night, as the family
   * has sold it or another platform has, and the event is taken as a whole.
   */
  #isJoined(listing: Listing, night: number): boolean {
    return this.#world.platforms.some((platform) => {
      const { listing_id, manner } = platform;
      const hours = nightOf(listing, dateText(night));
      const isSold = this.#isHeld(listing_id, hours);
      const isShown = platform.bookings.some((nights) =>
        overlaps(hoursThere(manner, platform.eventOf(nights)), hours),
      );
      return isSold && isShown && listing_id !== listing.id && this.#concerns(listing_id, listing);
    });
  }

  /** Where a platform shows its own and what it imports as one event, a change goes round more than twice. */
  #isSettling(shelterMs: number): boolean {
    return shelterMs > 0 && this.#world.platforms.some(({ manner }) => manner.merges === 'everything');
  }

  /** A booking there that was cancelled while exactly its nights were given: from midnight to midnight its echo looks the same. */
  #wasTwin(listing: Listing, night: number): boolean {
    const hours = nightOf(listing, dateText(night));
    return this.#world.platforms.some((platform) =>
      platform.ended.some(
        (nights) =>
          overlaps(hoursThere(platform.manner, nights), hours) && this.#looksGiven(platform, nights, 0),
      ),
    );
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
        overlaps({ start_at, end_at }, hoursThere(platform.manner, platform.eventOf(nights))),
      );
      // It was real, and our time of exactly those nights took its place between two looks at the feed.
      const wasReal = platform.ended.some(
        (nights) =>
          overlaps({ start_at, end_at }, hoursThere(platform.manner, nights)) &&
          this.#looksGiven(platform, nights, 0),
      );
      if (!isReal && !wasReal)
        this.#outcome.problems.push(`false conflict: ${platform.url}, ${start_at} to ${end_at} is an echo`);
    }
  }

  /** Whether another than a platform has sold time of a listing. */
  #isHeld(listing_id: number, hours: LocalRange, but?: Platform): boolean {
    return (
      this.#ownAt(listing_id, hours).length > 0 ||
      this.#world.platforms.some(
        (other) =>
          other !== but &&
          this.#concerns(other.listing_id, { id: listing_id }) &&
          other.bookings.some((nights) => overlaps(hoursThere(other.manner, nights), hours)),
      )
    );
  }

  #concerns(listing_id: number, listing: Pick<Listing, 'id'>): boolean {
    return concerns({ listing_id, calendar_id: this.#world.listings[0]?.id ?? 0 }, listing.id);
  }

  /** What of ours holds time of a listing. */
  #ownAt(id: number, time: LocalRange): Own[] {
    return this.#own.filter((own) => this.#concerns(own.listing.id, { id }) && overlaps(own, time));
  }

  /**
   * A booking whose event is nights that the platform was given exactly so: they stand, or were cancelled less than
   * `shelterMs` before its last fetch.
   */
  #looksGiven(platform: Platform, booking: Nights, shelterMs: number): boolean {
    const { given, manner, givenAt } = platform;
    const nights = platform.eventOf(booking);
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
}

export const nightsText = ({ from, to }: Nights): string => `${dateText(from)} to ${dateText(to)}`;

/** What a booking there takes here: times are taken as they are (D64), also from midnight to midnight. */
const hoursThere = ({ form }: Manner, { from, to }: Nights): LocalRange => ({
  start_at: `${dateText(from)}T${form === 'midnights' ? '00' : '14'}:00:00`,
  end_at: `${dateText(to)}T${form === 'midnights' ? '00' : '12'}:00:00`,
});

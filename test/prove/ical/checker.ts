import {
  affectsListing,
  type LocalRange,
  overlaps,
} from '../../../shared/domain/calendar/listing-time.rules.ts';
import type { CalendarFeed } from '../../../shared/domain/ical/ical.schema.ts';
import type { Listing } from '../../../shared/domain/listing/listing.entity.ts';
import { nightOf } from '../../../shared/domain/pricing/rate-card.rules.ts';
import { toLocal } from '../../../shared/platform/time/time.ts';
import {
  type Booking,
  dateText,
  type Given,
  meet,
  type Nights,
  type Platform,
  reExportMs,
  within,
} from './platform.ts';
import { firstDay } from './world.ts';

/** The nights that are sold and looked at. */
export const days: Nights = { from: firstDay, to: firstDay + 10 };

/** Nights that no reader of these calendars could know better; nothing else is tolerated. */
interface Tolerated {
  /**
   * Missing: a platform sold exactly the nights of a time that it was given before its sale could be seen, and the text it
   * fetched last still holds that time, or one less than 6 hours before that: its calendar looks as if it had sold nothing.
   * Taken too many, where such a sale of a room does not explain that the platform closes the house for it.
   */
  hidden: number;
  /** Taken too many: a platform shows a booking, or what it closes for one, and time it was given as one event, taken as a whole. */
  joined: number;
  /**
   * A conflict with nights that were sold there and cancelled since, while exactly those were given, or exactly the event
   * that they were a part of: what is left of the echo looks as the booking did. Or with an event that was read first after the
   * platform was given a text without a time of it, and before one with it: that looks as a sale in between.
   */
  twins: number;
  /**
   * Missing, or a conflict that is not reported: a platform sold a house beside a sale of one of its rooms. What is sold of the
   * house looks as on a platform that closes it for the room (D113). The same where the calendar of a room shows the house's sale as
   * exactly time that it was given, and that of another room does not.
   */
  explained: number;
}

/** What came of a history. */
export interface Outcome {
  problems: string[];
  story: string[];
  tolerated: Tolerated;
  counts: Record<
    'bookings' | 'cancellations' | 'there' | 'resold' | 'refused' | 'echoes' | 'quarantines',
    number
  >;
}

export const emptyOutcome = (): Outcome => ({
  problems: [],
  story: [],
  tolerated: { hidden: 0, joined: 0, twins: 0, explained: 0 },
  counts: { bookings: 0, cancellations: 0, there: 0, resold: 0, refused: 0, echoes: 0, quarantines: 0 },
});

/** A stay or a block of ours. */
export interface Own {
  id: number;
  listing: Listing;
  /** Astray: a stay of the platform that cannot follow its event. */
  kind: 'stay' | 'block' | 'astray';
  start_at: string;
  end_at: string;
}

/** What is compared: the calendars of one family of listings, and the platforms that follow them. */
interface Compared {
  now: number;
  /** The nights that are looked at; by default {@link days}. */
  days?: Nights;
  /** The parent first. */
  listings: readonly Listing[];
  platforms: readonly Platform[];
  taken: (listing: Listing, range: Nights) => Promise<Set<number>>;
  /** The feed as its host sees it. */
  feed: (platform: Platform) => Promise<Pick<CalendarFeed, 'conflicts' | 'status' | 'problem'>>;
}

/** Looks for phantoms, missing nights, and conflicts that are none or are not reported. */
export class Checker {
  readonly #world: Compared;
  readonly #own: readonly Own[];
  readonly #outcome: Outcome;

  constructor(world: Compared, own: readonly Own[], outcome: Outcome) {
    this.#world = world;
    this.#own = own;
    this.#outcome = outcome;
  }

  /** To be called after two refreshes of every platform. */
  async check(): Promise<void> {
    const { listings, days: looked = days } = this.#world;
    for (const listing of listings) {
      const taken = await this.#world.taken(listing, looked);
      for (let night = looked.from; night < looked.to; night++)
        this.#checkNight(listing, night, taken.has(night));
    }
    for (const platform of this.#world.platforms) await this.#checkFeed(platform);
  }

  #checkNight(listing: Listing, night: number, isTaken: boolean): void {
    const hours = nightOf(listing, dateText(night));
    const isOurs = this.#ownAt(listing.id, hours).length > 0;
    const sold = this.#soldThere(listing.id, hours);
    const isSold = isOurs || sold.length > 0;
    if (isTaken === isSold) return;
    const what = `listing ${listing.id}, night of ${dateText(night)}`;
    if (isTaken) {
      if (this.#isJoined(listing, hours)) this.#outcome.tolerated.joined++;
      else if (this.#isOfHiddenRoom(listing, hours)) this.#outcome.tolerated.hidden++;
      else this.#outcome.problems.push(`phantom: ${what} is taken, and not sold`);
    } else if (!isOurs && sold.every(({ platform, nights }) => looksGiven(platform, nights, this.#world.now)))
      this.#outcome.tolerated.hidden++;
    else if (this.#isExplained(listing, hours, sold)) this.#outcome.tolerated.explained++;
    else this.#outcome.problems.push(`missing: ${what} is sold, and not taken`);
  }

  /** What is sold of the house alone, where another room is sold, or where the calendar of this one shows it as exactly given time. */
  #isExplained(listing: Listing, hours: LocalRange, sold: readonly Sold[]): boolean {
    const isOfRoom = (id: number) => id !== this.#house && id !== listing.id;
    const isGivenHere = (platform: Platform): boolean => {
      const closed = platform.linkedEvents().filter((event) => overlaps(hoursOf(event), hours));
      return (
        closed.length > 0 && closed.every((event) => isGiven(platform, event, isHandedOn(this.#world.now)))
      );
    };
    return (
      sold.every(({ platform }) => platform.listing_id === this.#house) &&
      (this.#own.some((own) => isOfRoom(own.listing.id) && overlaps(own, hours)) ||
        this.#world.platforms.some((platform) =>
          platform.listing_id === listing.id
            ? isGivenHere(platform)
            : isOfRoom(platform.listing_id) &&
              eventsOf(platform).some((event) => overlaps(hoursOf(event), hours)),
        ))
    );
  }

  get #house(): number {
    return this.#world.listings[0]?.id ?? 0;
  }

  /** A platform shows the night now as part of one event with a booking of its own, or with what it closes for a linked one. */
  #isJoined(listing: Listing, hours: LocalRange): boolean {
    return this.#world.platforms.some(
      (platform) =>
        this.#concerns(platform.listing_id, listing) &&
        closedBy(platform).some((event) => overlaps(hoursOf(event), hours)) &&
        !platform.linked().some((nights) => overlaps(hoursOf(nights), hours)),
    );
  }

  /** The house is closed there for a sale of another room, which nothing explains here while that one is hidden. */
  #isOfHiddenRoom(listing: Listing, hours: LocalRange): boolean {
    return this.#world.platforms
      .filter(({ listing_id }) => listing_id === this.#house)
      .flatMap(({ links }) => links)
      .filter(({ listing_id }) => listing_id !== listing.id)
      .some((room) =>
        room.bookings.some(
          (nights) => overlaps(hoursOf(nights), hours) && looksGiven(room, nights, this.#world.now),
        ),
      );
  }

  /** A conflict is reported where a booking there meets something of ours, and nowhere else. */
  async #checkFeed(platform: Platform): Promise<void> {
    const { conflicts, status, problem } = await this.#world.feed(platform);
    if (['FAILING', 'STALE', 'QUARANTINED'].includes(status))
      this.#outcome.problems.push(`${platform.url} is ${status}: ${problem}`);
    // What the calendars of the rooms explain of a house is in conflict there.
    const ofRooms = await Promise.all(
      (platform.listing_id === this.#house ? platform.links : []).map((room) => this.#world.feed(room)),
    );
    const reported = [{ conflicts }, ...ofRooms].flatMap((one) => one.conflicts);
    for (const nights of platform.bookings) {
      const sold = hoursOf(nights);
      const standing = this.#ownAt(platform.listing_id, sold).filter((own) => !this.#isOver(own, sold));
      for (const own of standing)
        if (!looksGiven(platform, nights, this.#world.now) && !reported.some((one) => overlaps(one, own))) {
          if (platform.listing_id === this.#house && own.listing.id !== this.#house)
            this.#outcome.tolerated.explained++;
          else
            this.#outcome.problems.push(
              `silent: ${platform.url} has sold ${nightsText(nights)}, and so have we`,
            );
        }
    }
    for (const conflict of conflicts) {
      if (this.#own.some((own) => own.kind === 'astray' && own.start_at === conflict.start_at)) continue;
      if (closedBy(platform).some((event) => overlaps(conflict, hoursOf(event)))) continue;
      const ended = [platform, ...platform.links].flatMap((one) => one.ended);
      const isTwin = ended.some((nights) => {
        const event = platform.eventOf(nights);
        return overlaps(conflict, hoursOf(event)) && isGiven(platform, event);
      });
      if (isTwin || isGivenLater(platform, conflict)) this.#outcome.tolerated.twins++;
      else
        this.#outcome.problems.push(
          `false conflict: ${platform.url}, ${conflict.start_at} to ${conflict.end_at} is an echo`,
        );
    }
  }

  /** Whether the time that both take has passed: a conflict ends with it, and the sale stays in the calendar. */
  #isOver({ listing, end_at }: Own, sold: LocalRange): boolean {
    const now = toLocal(this.#world.now, listing.timezone);
    return end_at <= now || sold.end_at <= now;
  }

  /** What platforms have sold of a listing's time. */
  #soldThere(listing_id: number, hours: LocalRange): Sold[] {
    return this.#world.platforms
      .filter((platform) => this.#concerns(platform.listing_id, { id: listing_id }))
      .flatMap((platform) => platform.bookings.map((nights) => ({ platform, nights })))
      .filter(({ nights }) => overlaps(hoursOf(nights), hours));
  }

  #concerns(listing_id: number, listing: Pick<Listing, 'id'>): boolean {
    return affectsListing({ listing_id, calendar_id: this.#house }, listing.id);
  }

  /** What of ours holds time of a listing. */
  #ownAt(id: number, time: LocalRange): Own[] {
    return this.#own.filter((own) => this.#concerns(own.listing.id, { id }) && overlaps(own, time));
  }
}

/** The events that hold a sale of a platform; of one that makes one event of everything, those that were read last too. */
const eventsOf = (platform: Platform): Nights[] => [
  ...platform.bookings.map((nights) => platform.eventOf(nights)),
  ...(platform.manner.merges === 'everything' ? platform.eventsShown().map(({ event }) => event) : []),
];

/** The events that hold a sale of a platform, or what it closes for one. */
const closedBy = (platform: Platform): Nights[] => [
  ...platform.bookings.map((nights) => platform.eventOf(nights)),
  ...platform.linkedEvents(),
];

/** Whether an event was shown before the platform was given a time of it, again: it looks like a sale in between. */
const isGivenLater = (platform: Platform, conflict: LocalRange): boolean =>
  platform
    .eventsShown()
    .filter(({ event }) => overlaps(hoursOf(event), conflict))
    .some(({ event, since }) =>
      platform.given.some((time) => within(time, event) && (time.againAt ?? 0) >= since),
    );

interface Sold {
  platform: Platform;
  nights: Booking;
}

/**
 * Whether the event of a booking is exactly nights that the platform was given before that event could be seen, with the
 * text it fetched last or less than 6 hours before one without them. Where it renames its events at every export, also
 * nights that it was given later: nothing connects such an event with the one before.
 */
const looksGiven = (platform: Platform, booking: Booking, now: number): boolean => {
  const event = platform.eventOf(booking);
  const shownAt = platform.manner.newUids ? now : (platform.shownSince(booking, event) ?? now);
  return isGiven(platform, event, (time) => time.firstAt <= shownAt && isHandedOn(now)(time));
};

/** Whether the text that a platform fetched last holds a time, or one less than six hours before one without it. */
const isHandedOn =
  (now: number) =>
  ({ droppedAt }: Given): boolean =>
    droppedAt === null || now - droppedAt < reExportMs;

/** Whether nights are exactly those that a platform was given: with the text that it fetched last, or as stated. */
const isGiven = (
  { given }: Platform,
  nights: Nights,
  counts = ({ droppedAt }: Given) => droppedAt === null,
): boolean => {
  let reached = nights.from;
  for (const { from, to } of given
    .filter((one) => counts(one) && within(one, nights) && meet(one, nights))
    .sort((one, other) => one.from - other.from))
    if (from <= reached) reached = Math.max(reached, to);
  return reached >= nights.to;
};

export const nightsText = ({ from, to }: Nights): string => `${dateText(from)} to ${dateText(to)}`;

/** What nights take here, however a platform writes them. */
const hoursOf = ({ from, to }: Nights): LocalRange => ({
  start_at: `${dateText(from)}T14:00:00`,
  end_at: `${dateText(to)}T12:00:00`,
});

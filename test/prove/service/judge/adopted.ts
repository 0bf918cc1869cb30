import type { CalendarFeed } from '../../../../shared/domain/ical/ical.schema.ts';
import { nightsText } from '../../ical/checker.ts';
import { type Booking, dateText, dayOf, meet, type Nights, type Platform } from '../../ical/platform.ts';
import { type Item, itemsOf } from '../../memory/values.ts';
import type { Followed, Home, Town } from '../town.ts';

/** A calendar as its host sees it, with the platform behind it. */
export interface Seen {
  followed: Followed;
  platform: Platform;
  feed: CalendarFeed;
}

interface Adopted {
  reservation_id: number;
  listing_id: number;
  /** Absent: its calendar is not followed any more. */
  feed_id?: number;
  payment_method: string;
  state: string;
  start_at: string;
  end_at: string;
  check_in_date: string;
  check_out_date: string;
  created_at: string;
  cancel_reason?: string;
}

interface Entry {
  listing_id: number;
  state: string;
  feed_id?: number;
  reservation_id: number | null;
  start_at: string;
  end_at: string;
}

type Times = Pick<Entry, 'start_at' | 'end_at'>;

const goneReason = 'The platform has cancelled it.';
const open = new Set(['CONFIRMED', 'CHECKED_IN']);

const nightsOf = ({ check_in_date, check_out_date }: Pick<Adopted, 'check_in_date' | 'check_out_date'>) => ({
  from: dayOf(check_in_date),
  to: dayOf(check_out_date),
});
const timesOf = ({ from, to }: Nights): Times => ({
  start_at: `${dateText(from)}T14:00:00`,
  end_at: `${dateText(to)}T12:00:00`,
});
const overlap = (one: Times, other: Times): boolean =>
  one.start_at < other.end_at && one.end_at > other.start_at;
const isSame = (one: Nights, other: Nights): boolean => one.from === other.from && one.to === other.to;

const adoptedIn = (items: readonly Item[]): Adopted[] =>
  itemsOf<Adopted>(items, 'Reservation').filter(({ payment_method }) => payment_method === 'PLATFORM');

/** The stays that calendars lead elsewhere, and that could not follow. */
export const astrayIn = (items: readonly Item[], seen: readonly Seen[]): Adopted[] =>
  adoptedIn(items).filter((stay) => {
    const own = seen.find(({ feed }) => feed.id === stay.feed_id);
    return (
      own &&
      open.has(stay.state) &&
      isReported(own, stay) &&
      !own.platform.bookings.some((sale) => isSame(sale, nightsOf(stay)))
    );
  });

const isReported = ({ feed }: Seen, { reservation_id }: Adopted): boolean =>
  feed.conflicts.some(({ booking_id }) => booking_id === reservation_id);

/** Whether events of a platform show its sales one by one. */
const showsSales = ({ platform }: Seen): boolean => platform.manner.merges !== 'everything';

const countsAs = ({ summary }: Booking, word: string): boolean =>
  word === 'STAYS' || (word === 'BY_TEXT' && summary !== undefined && !/closed/i.test(summary));

/** Whether a sale is a stay by every word of its host, and nothing that the platform was given looks like it. */
const isPlain = ({ followed, platform }: Seen, sale: Booking): boolean =>
  [...followed.counted].every((word) => countsAs(sale, word)) &&
  !platform.given.some((given) => meet(given, sale));

/** Stays of platforms against what the platforms have sold, as each model knows it. */
export class AdoptedJudge {
  readonly #town: Town;
  readonly #items: readonly Item[];
  readonly #seen: readonly Seen[];
  readonly #now: string;

  constructor(town: Town, items: readonly Item[], seen: readonly Seen[]) {
    this.#town = town;
    this.#items = items;
    this.#seen = seen;
    this.#now = new Date(town.sim.now() + 7 * 3_600_000).toISOString().slice(0, 19);
  }

  async problems(): Promise<string[]> {
    const stays = adoptedIn(this.#items);
    const shown = await Promise.all(this.#town.hosts.map((host) => this.#shownProblems(host)));
    return [...stays.flatMap((stay) => this.#stayProblems(stay)), ...shown.flat()];
  }

  #stayProblems(stay: Adopted): string[] {
    const own = this.#seen.find(({ feed }) => feed.id === stay.feed_id);
    if (!own) return this.#leftProblems(stay);
    if (!showsSales(own)) return [];
    const { bookings } = own.platform;
    const tracked = this.#saleOf(stay, own);
    const sale = bookings.find((one) => one.sale === tracked && tracked !== undefined);
    const name = `adopted stay ${stay.reservation_id} of ${own.platform.url}, ${nightsText(nightsOf(stay))},`;
    const there = sale ? `sold as ${nightsText(sale)} there` : 'not sold there';
    const isSure = sale !== undefined && isPlain(own, sale) && this.#isConnected(own, sale);
    if (stay.state === 'CANCELLED')
      return isSure || stay.cancel_reason !== goneReason ? [`${name} is cancelled, and ${there}`] : [];
    if (!open.has(stay.state) || stay.end_at <= this.#now) return [];
    const led = this.#saleLike(stay, bookings);
    if (isSure ? led === sale : led) return this.#soldTwice(stay, own, name);
    if (!isReported(own, stay)) return [`${name} is ${stay.state}, and ${there}`];
    const hasBegun = stay.state === 'CHECKED_IN' || stay.start_at <= this.#now;
    const isHeld = sale ? this.#isTaken(own.followed.home, timesOf(sale), own, stay) : tracked === undefined;
    return hasBegun || isHeld || (sale && !isSure) ? [] : [`${name} does not follow, and ${there}`];
  }

  /** A calendar that is followed no more leaves its stays to the host, and cancels none of them. */
  #leftProblems({ reservation_id: id, feed_id, state, end_at }: Adopted): string[] {
    const isOpen = open.has(state) && end_at > this.#now;
    return feed_id !== undefined && isOpen ? [`adopted stay ${id} has a calendar that is not followed`] : [];
  }

  /** The sale that a stay was when it became a booking; undefined: what was read by then does not say. */
  #saleOf({ reservation_id: id, created_at }: Adopted, { platform }: Seen): number | undefined {
    const created = this.#items.find(
      ({ event_type, data }) => event_type === 'booking.created' && (data as { id: number }).id === id,
    );
    const sold = created && nightsOf(created['data'] as Adopted);
    return platform.seen.findLast(
      ({ nights, at }) => sold && isSame(nights, sold) && at <= Date.parse(created_at),
    )?.sale;
  }

  /** Whether each event of a sale says by its UID that it is that of the one before. */
  #isConnected({ platform: { manner, seen } }: Seen, { sale }: Booking): boolean {
    const [first, ...more] = seen.filter((one) => one.sale === sale);
    return !manner.newUids || more.every(({ nights }) => first && isSame(first.nights, nights));
  }

  /** A sale with the nights of a stay; of one that has started calendars may have cut what is past. */
  #saleLike(stay: Adopted, sales: readonly Booking[]): Booking | undefined {
    const { from, to } = nightsOf(stay);
    const isCut = (sale: Booking): boolean => stay.start_at <= this.#now && dateText(sale.from) <= this.#now;
    return sales.find((sale) => sale.to === to && (sale.from === from || isCut(sale)));
  }

  /** What another platform sells over an adopted stay is a conflict. */
  #soldTwice(stay: Adopted, own: Seen, name: string): string[] {
    return this.#seen
      .filter((other) => other !== own && other.followed.home === own.followed.home && showsSales(other))
      .filter(({ feed }) => !feed.conflicts.some((conflict) => overlap(conflict, stay)))
      .flatMap((other) =>
        other.platform.bookings
          .filter((sale) => meet(sale, nightsOf(stay)) && isPlain(other, sale))
          .map((sale) => `${name} is sold by ${other.platform.url} as ${nightsText(sale)} too, in silence`),
      );
  }

  /** Whether something of ours or of another calendar holds time of a home. */
  #isTaken(home: Home, times: Times, { feed }: Seen, stay?: Adopted): boolean {
    const ids = this.#town.homes
      .filter((one) => one === home || one.id === home.parent || one.parent === home.id)
      .map(({ id }) => id);
    return itemsOf<Entry>(this.#items, 'AvailabilityEntry').some(
      (entry) =>
        ids.includes(entry.listing_id) &&
        overlap(entry, times) &&
        (entry.feed_id !== feed.id || entry.state === 'BOOKED') &&
        entry.reservation_id !== (stay?.reservation_id ?? 0),
    );
  }

  /** The list of a team has the sales that are no bookings yet, as their platforms have them; its day has those of today. */
  async #shownProblems(host: Town['hosts'][number]): Promise<string[]> {
    const today = this.#town.today();
    const query = { from: dateText(dayOf(today) - 10), to: dateText(this.#lastListed), limit: 100 };
    const ask = async (verb: string, path: string, more: object = {}) =>
      (await this.#town.must(host, { verb, method: 'GET', path: `/api/v1${path}`, ...more })).json;
    const { items } = (await ask('listImportedStays', '/imported-stays', { query })) as { items: Shown[] };
    const day = (await ask('readToday', '/today')) as Record<
      'imported_arrivals' | 'imported_departures',
      Shown[]
    >;
    const seen = this.#seen.filter((one) => one.followed.home.team === host && showsSales(one));
    const idsOf = (all: readonly Shown[]): string =>
      all
        .map(({ availability_id: id }) => id)
        .toSorted()
        .join();
    const listed = (name: 'check_in_date' | 'check_out_date') =>
      idsOf(items.filter((one) => one[name] === today));
    return [
      ...seen.flatMap((one) => this.#listProblems(one, items)),
      ...(idsOf(day.imported_arrivals) === listed('check_in_date') &&
      idsOf(day.imported_departures) === listed('check_out_date')
        ? []
        : [`${host.name} has other imported stays today than in the list`]),
    ];
  }

  get #lastListed(): number {
    return dayOf(this.#town.today()) + 60;
  }

  #listProblems(one: Seen, items: readonly Shown[]): string[] {
    const { feed, platform, followed } = one;
    const today = this.#town.today();
    const { said } = followed;
    const word = feed.counts_as;
    const wrong =
      said && (said.counts_as ?? 'BY_TEXT') !== word
        ? [`${platform.url} counts as ${word}, not as its host said`]
        : [];
    const listed = items.filter(
      ({ feed_id, check_out_date }) => feed_id === feed.id && check_out_date > today,
    );
    const saleIn = (shown: Shown): Booking | undefined => {
      const { from, to } = nightsOf(shown);
      return platform.bookings.find(
        (sale) =>
          sale.to === to && (sale.from === from || (sale.from < from && shown.check_in_date === today)),
      );
    };
    const textOf = ({ summary }: Booking): string => summary ?? `[${platform.url}] Not available`;
    return [
      ...wrong,
      ...listed
        .filter((shown) => {
          const sale = saleIn(shown);
          return (
            !sale || !countsAs(sale, word) || textOf(sale) !== shown.summary || shown.label !== feed.label
          );
        })
        .map((shown) => `${platform.url} has sold nothing like ${JSON.stringify(shown)}`),
      ...platform.bookings
        .filter((sale) => dateText(sale.from) > today && sale.from < this.#lastListed)
        .filter((sale) => countsAs(sale, word) && isPlain(one, sale))
        .filter((sale) => !this.#isTaken(followed.home, timesOf(sale), one))
        .filter((sale) => !listed.some((shown) => isSame(nightsOf(shown), sale)))
        .map((sale) => `${platform.url} has sold ${nightsText(sale)}, which is in no list`),
    ];
  }
}

interface Shown {
  availability_id: number;
  feed_id: number;
  label: string;
  summary: string;
  check_in_date: string;
  check_out_date: string;
}

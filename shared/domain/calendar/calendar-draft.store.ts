import { ServiceError } from '../../platform/errors.ts';
import {
  absent,
  ConflictError,
  equals,
  put,
  readOf,
  type Table,
  type Write,
} from '../../platform/table/index.ts';
import { type CalendarMonth, CalendarMonthEntity } from './calendar.store.ts';
import {
  type Hours,
  hoursInMonth,
  hourText,
  isTaken,
  type MonthSpan,
  monthSpans,
  takenWithin,
} from './hours.rules.ts';
import { unavailableHours } from './overlap.rules.ts';
import {
  emptyMonth,
  hasLeft,
  normalised,
  withHold,
  withListing,
  withoutHold,
  withoutListing,
  withoutHoldsOf,
  withoutTaken,
  withTaken,
} from './month.rules.ts';

/**
 * Returns LISTING_NOT_AVAILABLE with the taken times (D44), and for each listing when it is free again, as far as the
 * months that were read show it.
 */
export const notAvailable = (taken: readonly TakenTime[]): ServiceError =>
  new ServiceError('LISTING_NOT_AVAILABLE', undefined, {
    unavailable: taken.map(({ listing_id, start_at, end_at }) => ({ listing_id, start_at, end_at })),
    free_again: [...Map.groupBy(taken, ({ listing_id }) => listing_id)].map(([listingId, stretches]) => ({
      listing_id: listingId,
      at: stretches.at(-1)?.free_again_at ?? null,
    })),
  });

/** An interval of a listing, in its local time. */
export interface ListingTime {
  calendar_id: number;
  listing_id: number;
  start_at: string;
  end_at: string;
}

/** A soft lock: hours held until `until` (epoch milliseconds). */
interface Hold extends ListingTime {
  availability_id: number;
  order_id: number;
  holder: string;
  until: number;
}

/** A taken interval. */
export interface TakenTime extends Omit<ListingTime, 'calendar_id'> {
  /** When the listing is free again, which may be after the requested time; null: not within the months that were read. */
  free_again_at: string | null;
}

type MonthIds = Pick<CalendarMonth, 'calendar_id' | 'month'>;

const monthsOf = (time: ListingTime): MonthIds[] =>
  monthSpans(time).map(({ month }) => ({ calendar_id: time.calendar_id, month }));

/** Returns the BatchGet request for a month. */
export const monthRead = (ids: MonthIds) => readOf(CalendarMonthEntity, ids);

/**
 * Months of calendars as read, changed in memory, and written back on condition that their version is unchanged. If it is
 * not, the write fails with a ConflictError and the verb reads again. D32 is enforced here.
 */
export class CalendarDraft {
  readonly #now: number;
  readonly #read = new Map<string, CalendarMonth>();
  readonly #months = new Map<string, CalendarMonth>();
  /** What was taken or held, and for whom; decides the error on a conflict. */
  readonly #wanted: { time: ListingTime; holder: string | undefined }[] = [];

  constructor(now: number) {
    this.#now = now;
  }

  static async load(table: Table, times: readonly ListingTime[], now: number): Promise<CalendarDraft> {
    const draft = new CalendarDraft(now);
    await draft.complete(table, times);
    return draft;
  }

  /** Returns the months of the times that were not read yet. */
  unread(times: readonly ListingTime[]): MonthIds[] {
    return times.flatMap(monthsOf).filter((id) => !this.#read.has(monthKey(id)));
  }

  /** Reads the months of the times that were not read yet; without such months it makes no request. */
  async complete(table: Table, times: readonly ListingTime[]): Promise<void> {
    const ids = this.unread(times);
    if (ids.length > 0) this.add(ids, await table.getAll(ids.map(monthRead)));
  }

  /** Adds months as read; a month that does not exist is empty. */
  add(ids: readonly MonthIds[], items: readonly (CalendarMonth | undefined)[]): void {
    ids.forEach((id, position) => {
      const month = items[position] ?? emptyMonth(id.calendar_id, id.month);
      this.#read.set(monthKey(id), month);
    });
  }

  /**
   * Returns the part of the time that is taken by stays, blocks and live soft locks, parent and children included (D26).
   * Soft locks of `exceptHolder` on the listing itself are ignored.
   */
  taken(time: ListingTime, exceptHolder?: string): TakenTime[] {
    const stretches = monthSpans(time).flatMap((span) => {
      const hours = unavailableHours(this.#month(time, span), time.listing_id, this.#now, exceptHolder);
      return takenWithin(hours, span).map(({ from, to }) => ({
        listing_id: time.listing_id,
        start_at: hourText(span.month, from),
        end_at: hourText(span.month, to),
        free_again_at: freeAgainAt(hours, { ...span, to }),
      }));
    });
    return joinAdjacent(stretches);
  }

  /**
   * Throws ConflictError if the listing was read before it moved to another calendar; without it, outdated hours would be
   * reported as free or taken.
   */
  requireCurrentCalendar(time: ListingTime): void {
    for (const span of monthSpans(time)) requireCurrentCalendar(this.#month(time, span), time);
  }

  /** Takes hours permanently; the caller has checked that `taken` is empty. */
  take(time: ListingTime, holder?: string): void {
    this.#wanted.push({ time, holder });
    this.#change(time, (month, span) => {
      requireCurrentCalendar(month, time);
      return withTaken(month, { ...span, listing_id: time.listing_id });
    });
  }

  /** Holds hours under a soft lock; the caller has checked that `taken` is empty. An id that is in use is a conflict. */
  hold({ availability_id, order_id, holder, until, ...time }: Hold): void {
    this.#wanted.push({ time, holder });
    this.#change(time, (month, { from, to }) => {
      requireCurrentCalendar(month, time);
      if (month.claims[availability_id]) throw new ConflictError('CalendarMonth');
      const claim = { listing_id: time.listing_id, order_id, holder, from, to, until };
      return withHold(month, availability_id, claim);
    });
  }

  /** Frees hours that were taken. */
  free(time: ListingTime): void {
    this.#change(time, (month, span) => withoutTaken(month, { ...span, listing_id: time.listing_id }));
  }

  /** Removes a soft lock, live or expired. */
  releaseHold(time: ListingTime & { availability_id: number }): void {
    this.#change(time, (month) => withoutHold(month, time.availability_id));
  }

  /** Closes months to a listing that has left this calendar (D18, D21). */
  close(time: ListingTime): void {
    this.#change(time, (month) => withoutListing(month, time.listing_id));
  }

  /** Reopens the months that the listing has left; other months are not written. */
  reopen(time: ListingTime): void {
    for (const span of monthSpans(time))
      if (hasLeft(this.#month(time, span), time.listing_id))
        this.#change({ ...time, ...intervalOf(span) }, (month) => withListing(month, time.listing_id));
  }

  /** Writes months unchanged, so that concurrent bookings with an earlier reading of the listing conflict. */
  touch(time: ListingTime): void {
    this.#change(time, (month) => month);
  }

  /** Returns the orders of a holder's live soft locks on a listing's time. */
  ordersHeldBy(holder: string, time: ListingTime): number[] {
    const orders = monthSpans(time).flatMap((span) =>
      Object.values(this.#month(time, span).claims)
        .filter((claim) => claim.holder === holder && claim.listing_id === time.listing_id)
        .filter(
          (claim) =>
            claim.until !== null && claim.until > this.#now && claim.from < span.to && claim.to > span.from,
        )
        .map((claim) => claim.order_id),
    );
    return [...new Set(orders)];
  }

  /** Returns one write for each changed month. */
  writes(): Write[] {
    return [...this.#months.values()].map((month) =>
      put(
        CalendarMonthEntity,
        { ...month, version: month.version + 1 },
        {
          when: month.version === 0 ? absent() : equals('version', month.version),
          onConflict: (current) => this.#conflictWith(current),
        },
      ),
    );
  }

  /**
   * Returns the error for a month that another writer changed: LISTING_NOT_AVAILABLE if the requested time is now taken,
   * else ConflictError, after which the verb reads again. The holder's own soft locks do not count: the verb decides
   * which of them it replaces.
   */
  #conflictWith(current: CalendarMonth | undefined): Error {
    if (!current) return new ConflictError('CalendarMonth');
    const { calendar_id, month } = current;
    const taken = this.#wanted
      .filter(({ time }) => time.calendar_id === calendar_id)
      .flatMap(({ time, holder }) => {
        const now = new CalendarDraft(this.#now);
        now.add([current], [withoutHoldsOf(current, holder)]);
        return within(month, time).flatMap((part) => now.taken(part));
      });
    return taken.length > 0 ? notAvailable(taken) : new ConflictError('CalendarMonth');
  }

  #month(time: ListingTime, { month }: MonthSpan): CalendarMonth {
    const key = monthKey({ calendar_id: time.calendar_id, month });
    const changed = this.#months.get(key);
    if (changed) return changed;
    const read = this.#read.get(key);
    if (!read) throw new Error(`calendar month ${key} was not read`);
    return normalised(read, this.#now);
  }

  #change(time: ListingTime, step: (month: CalendarMonth, span: MonthSpan) => CalendarMonth): void {
    for (const span of monthSpans(time)) {
      this.#months.set(
        monthKey({ calendar_id: time.calendar_id, month: span.month }),
        step(this.#month(time, span), span),
      );
    }
  }
}

/** Throws ConflictError for a listing that has left this calendar: the verb reads the listing again. */
const requireCurrentCalendar = (month: CalendarMonth, { listing_id }: ListingTime): void => {
  if (hasLeft(month, listing_id)) throw new ConflictError('Listing');
};

const intervalOf = ({ month, from, to }: MonthSpan) => ({
  start_at: hourText(month, from),
  end_at: hourText(month, to),
});

/** Returns the part of a time that is in a month. */
const within = (month: string, time: ListingTime): ListingTime[] =>
  monthSpans(time)
    .filter((span) => span.month === month)
    .map((span) => ({ ...time, ...intervalOf(span) }));

/** Returns the first free hour of a month at or after the end of a span. */
const freeAgainAt = (hours: Hours, { month, to }: MonthSpan): string | null => {
  const end = hoursInMonth(month);
  let hour = to;
  while (hour < end && isTaken(hours, hour)) hour++;
  return hour < end ? hourText(month, hour) : null;
};

const monthKey = ({ calendar_id, month }: MonthIds): string => `${calendar_id} ${month}`;

/** Joins stretches that touch at the end of a month. */
const joinAdjacent = (stretches: TakenTime[]): TakenTime[] =>
  stretches.reduce<TakenTime[]>((result, stretch) => {
    const last = result.at(-1);
    if (last?.end_at === stretch.start_at)
      Object.assign(last, { end_at: stretch.end_at, free_again_at: stretch.free_again_at });
    else result.push({ ...stretch });
    return result;
  }, []);

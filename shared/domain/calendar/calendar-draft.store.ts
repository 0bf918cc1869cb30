import { ServiceError } from '../../platform/errors.ts';
import { absent, ConflictError, equals, put, type Table, type Write } from '../../platform/table/index.ts';
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
import {
  emptyMonth,
  hasLeft,
  tidied,
  unavailableHours,
  withClaim,
  withListing,
  withoutClaim,
  withoutListing,
  withoutLocksOf,
  withoutTaken,
  withTaken,
} from './month.rules.ts';

/** LISTING_NOT_AVAILABLE, with what is taken (D44), and for each listing when it is free again, as far as that is known. */
export const notAvailable = (taken: readonly TakenTime[]): ServiceError =>
  new ServiceError('LISTING_NOT_AVAILABLE', undefined, {
    unavailable: taken.map(({ listing_id, start_at, end_at }) => ({ listing_id, start_at, end_at })),
    free_again: [...Map.groupBy(taken, ({ listing_id }) => listing_id)].map(([listing_id, stretches]) => ({
      listing_id,
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

/** Hours to be held: as a soft lock until `until` (epoch milliseconds), or for good. */
export interface Hold extends ListingTime {
  availability_id: number;
  order_id: number;
  holder: string;
  until: number;
}

/** A stretch of time that stands against a wish. */
export interface TakenTime extends Omit<ListingTime, 'calendar_id'> {
  /** When the listing is free again, also behind the wish; null: not in the months that were read. */
  free_again_at: string | null;
}

type MonthIds = Pick<CalendarMonth, 'calendar_id' | 'month'>;

const monthsOf = (time: ListingTime): MonthIds[] =>
  monthSpans(time).map(({ month }) => ({ calendar_id: time.calendar_id, month }));

/** What a BatchGet takes to read a month. */
export const monthRead = (ids: MonthIds) => ({ key: CalendarMonthEntity.key(ids) });

/**
 * Months of calendars as they were read, changed on paper, and written back with one condition each: that nobody wrote in
 * between. Whoever did makes the write a ConflictError; the verb reads again. This is where D32 is kept.
 */
export class CalendarDraft {
  readonly #now: number;
  readonly #read = new Map<string, CalendarMonth>();
  readonly #months = new Map<string, CalendarMonth>();
  /** What was taken or held, and for whom: whoever was faster is judged by it. */
  readonly #wanted: { time: ListingTime; holder: string | undefined }[] = [];

  constructor(now: number) {
    this.#now = now;
  }

  static async load(table: Table, times: readonly ListingTime[], now: number): Promise<CalendarDraft> {
    const draft = new CalendarDraft(now);
    await draft.complete(table, times);
    return draft;
  }

  /** Reads the months that the times touch and that were not read yet; no round trip when there is none. */
  async complete(table: Table, times: readonly ListingTime[]): Promise<void> {
    const ids = times.flatMap(monthsOf).filter((id) => !this.#read.has(monthKey(id)));
    if (ids.length > 0) this.add(ids, await table.getAll(ids.map(monthRead)));
  }

  /** Adds months as they were read; one that does not exist yet is empty. */
  add(ids: readonly MonthIds[], items: readonly (object | undefined)[]): void {
    ids.forEach((id, position) => {
      const month = (items[position] as CalendarMonth | undefined) ?? emptyMonth(id.calendar_id, id.month);
      this.#read.set(monthKey(id), month);
    });
  }

  /**
   * What of the time is taken, by stays, blocks and live soft locks, parent and children included (D26); soft locks that
   * `apartFrom` has on the very listing are overlooked.
   */
  taken(time: ListingTime, apartFrom?: string): TakenTime[] {
    const stretches = monthSpans(time).flatMap((span) => {
      const hours = unavailableHours(this.#month(time, span), time.listing_id, this.#now, apartFrom);
      return takenWithin(hours, span).map(({ from, to }) => ({
        listing_id: time.listing_id,
        start_at: hourText(span.month, from),
        end_at: hourText(span.month, to),
        free_again_at: freeAgainAt(hours, { ...span, to }),
      }));
    });
    return joined(stretches);
  }

  /** Whoever has read an old listing looks for its hours where they are no longer: a lost race, before he is told anything. */
  requireCurrentCalendar(time: ListingTime): void {
    for (const span of monthSpans(time)) requireCurrentCalendar(this.#month(time, span), time);
  }

  /** Takes hours for good, for a holder if any; the caller has seen that `taken` is empty. */
  take(time: ListingTime, holder?: string): void {
    this.#wanted.push({ time, holder });
    this.#change(time, (month, span) => {
      requireCurrentCalendar(month, time);
      return withTaken(month, { ...span, listing_id: time.listing_id });
    });
  }

  /** Holds hours under a soft lock; the caller has seen that `taken` is empty. An id that is in use is a lost race. */
  hold({ availability_id, order_id, holder, until, ...time }: Hold): void {
    this.#wanted.push({ time, holder });
    this.#change(time, (month, { from, to }) => {
      requireCurrentCalendar(month, time);
      if (month.claims[availability_id]) throw new ConflictError('CalendarMonth');
      const claim = { listing_id: time.listing_id, order_id, holder, from, to, until };
      return withClaim(month, availability_id, claim);
    });
  }

  /** Frees hours that were taken for good. */
  free(time: ListingTime): void {
    this.#change(time, (month, span) => withoutTaken(month, { ...span, listing_id: time.listing_id }));
  }

  /** Drops a soft lock, live or not. */
  unhold(time: ListingTime & { availability_id: number }): void {
    this.#change(time, (month) => withoutClaim(month, time.availability_id));
  }

  /** Closes months to a listing that keeps its hours elsewhere from now on, or nowhere (D18, D21). */
  close(time: ListingTime): void {
    this.#change(time, (month) => withoutListing(month, time.listing_id));
  }

  /** Opens the months that a listing has left before; others are not written. */
  reopen(time: ListingTime): void {
    for (const span of monthSpans(time))
      if (hasLeft(this.#month(time, span), time.listing_id))
        this.#change({ ...time, ...intervalOf(span) }, (month) => withListing(month, time.listing_id));
  }

  /** Writes months as they are: whoever is on his way with an older reading of the listing loses the race. */
  touch(time: ListingTime): void {
    this.#change(time, (month) => month);
  }

  /** The orders whose live soft locks a holder has on a listing's time. */
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

  /** One write a changed month. */
  writes(): Write[] {
    return [...this.#months.values()].map((month) =>
      put(
        CalendarMonthEntity,
        { ...month, version: month.version + 1 },
        {
          when: month.version === 0 ? absent() : equals('version', month.version),
          onConflict: (current) => this.#beatenBy(current),
        },
      ),
    );
  }

  /**
   * Whoever was faster took the wanted time, which needs no further reading to be told, or something else. The holder's own
   * soft locks are none of it: the verb reads again which of them it gives up.
   */
  #beatenBy(current: CalendarMonth | undefined): Error {
    if (!current) return new ConflictError('CalendarMonth');
    const { calendar_id, month } = current;
    const taken = this.#wanted
      .filter(({ time }) => time.calendar_id === calendar_id)
      .flatMap(({ time, holder }) => {
        const now = new CalendarDraft(this.#now);
        now.add([current], [withoutLocksOf(current, holder)]);
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
    return tidied(read, this.#now);
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

/** A booking by an older reading of the listing would take hours where nobody looks for them: it reads the listing again. */
const requireCurrentCalendar = (month: CalendarMonth, { listing_id }: ListingTime): void => {
  if (hasLeft(month, listing_id)) throw new ConflictError('Listing');
};

const intervalOf = ({ month, from, to }: MonthSpan) => ({
  start_at: hourText(month, from),
  end_at: hourText(month, to),
});

/** The part of a time that lies in a month. */
const within = (month: string, time: ListingTime): ListingTime[] =>
  monthSpans(time)
    .filter((span) => span.month === month)
    .map((span) => ({ ...time, ...intervalOf(span) }));

/** The first free hour of a month at the end of a span or behind it. */
const freeAgainAt = (hours: Hours, { month, to }: MonthSpan): string | null => {
  const end = hoursInMonth(month);
  let hour = to;
  while (hour < end && isTaken(hours, hour)) hour++;
  return hour < end ? hourText(month, hour) : null;
};

const monthKey = ({ calendar_id, month }: MonthIds): string => `${calendar_id} ${month}`;

/** Stretches that touch at a month's border are one. */
const joined = (stretches: TakenTime[]): TakenTime[] =>
  stretches.reduce<TakenTime[]>((result, stretch) => {
    const last = result.at(-1);
    if (last?.end_at === stretch.start_at)
      Object.assign(last, { end_at: stretch.end_at, free_again_at: stretch.free_again_at });
    else result.push({ ...stretch });
    return result;
  }, []);

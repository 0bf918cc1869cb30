import { ConflictError, type Table, type Write } from '../../platform/table/index.ts';
import { type CalendarMonth, isHome, type MonthIds, readMonths } from './calendar.store.ts';
import { familyWrites } from './draft-month.store.ts';
import { DraftMonths } from './draft-months.store.ts';
import {
  daysIn,
  daysOf,
  hourText,
  type MonthSpan,
  monthSpans,
  takenWithin,
  withoutSpan,
  withSpan,
} from './hours.rules.ts';
import { familyMonth, type ListingHours, withoutLocksOf } from './month.rules.ts';
import { isLiveLock, unavailableHours } from './overlap.rules.ts';
import { replaceMonths } from './replace-months.store.ts';
import {
  freeAgainAt,
  joinAdjacentTimes,
  type ListingTime,
  notAvailable,
  type TakenTime,
  within,
} from './taken-time.rules.ts';

/** A soft lock: hours held until `until` (epoch milliseconds). */
interface Hold extends ListingTime {
  availability_id: number;
  order_id: number;
  holder: string;
  until: number;
}

/**
 * Months of calendars as read, changed in memory, and written back on condition that the days which are touched are
 * unchanged. If they are not, the write fails with a ConflictError and the verb reads again. D32 is enforced here.
 */
export class CalendarDraft {
  readonly #now: number;
  #months = new DraftMonths();
  #table: Table | undefined;
  /** What was taken or held, and for whom; decides the error on a conflict. */
  readonly #wanted: { time: ListingTime; holder: string | undefined }[] = [];
  /** What was freed for it in the same write, and takes nothing from it. */
  readonly #freed: ListingTime[] = [];

  constructor(now: number) {
    this.#now = now;
  }

  static async load(table: Table, times: readonly ListingTime[], now: number): Promise<CalendarDraft> {
    const draft = new CalendarDraft(now);
    await draft.complete(table, times);
    return draft;
  }

  /** Returns a draft of the same months, which is changed apart from this one. */
  copy(): CalendarDraft {
    const draft = new CalendarDraft(this.#now);
    draft.#table = this.#table;
    draft.#freed.push(...this.#freed);
    draft.#wanted.push(...this.#wanted);
    draft.#months = this.#months.copy();
    return draft;
  }

  /** Reads the months of the times that were not read yet; without such months it makes no request. */
  async complete(table: Table, times: readonly ListingTime[]): Promise<void> {
    this.#table = table;
    const ids = this.#months.unread(times);
    if (ids.length > 0) this.add(ids, await readMonths(table, ids));
  }

  /** Adds months as read; one that is not among the items does not exist. */
  add(wanted: readonly MonthIds[], items: readonly CalendarMonth[]): void {
    this.#months.add(wanted, items);
  }

  /**
   * Returns the part of the time that is taken by stays, blocks and live soft locks, parent and children included (D26).
   * Soft locks of `exceptHolder` on the listing itself are ignored.
   */
  taken(time: ListingTime, exceptHolder?: string): TakenTime[] {
    const stretches = monthSpans(time).flatMap((span) => {
      const ids = { calendar_id: time.calendar_id, listing_id: time.listing_id, month: span.month };
      const months = [...this.#months.family(ids)].map(([id, { hours }]) => [id, hours] as const);
      const hours = unavailableHours(familyMonth(ids, months), time.listing_id, this.#now, exceptHolder);
      return takenWithin(hours, span).map(({ from, to }) => ({
        listing_id: time.listing_id,
        start_at: hourText(span.month, from),
        end_at: hourText(span.month, to),
        free_again_at: freeAgainAt(hours, { ...span, to }),
      }));
    });
    return joinAdjacentTimes(stretches);
  }

  /**
   * Throws ConflictError if the listing was read before it moved to another calendar or time zone; without it, outdated hours
   * would be reported as free or taken.
   */
  requireCurrentCalendar(time: ListingTime): void {
    for (const { hours, ids } of this.#months.ofTime(time))
      if (hours.left || this.#months.homeOf(ids).isOfOtherZone(time.timezone))
        throw new ConflictError('Listing');
  }

  /** Takes hours permanently; the caller has checked that `taken` is empty. */
  take(time: ListingTime, holder?: string): void {
    this.requireCurrentCalendar(time);
    this.#wanted.push({ time, holder });
    this.#rely(time);
    this.#change(time, (hours, span) => ({ ...hours, taken: withSpan(hours.taken, span) }));
  }

  /** Holds hours under a soft lock; the caller has checked that `taken` is empty. An id that is in use is a conflict. */
  hold({ availability_id, order_id, holder, until, ...time }: Hold): void {
    this.requireCurrentCalendar(time);
    this.#wanted.push({ time, holder });
    this.#rely(time);
    this.#change(time, (hours, { from, to }) => {
      if (hours.locks[availability_id]) throw new ConflictError('CalendarMonth');
      const lock = { order_id, holder, from, to, until };
      return { ...hours, locks: { ...hours.locks, [availability_id]: lock } };
    });
  }

  /** Frees hours that were taken. */
  free(time: ListingTime): void {
    this.#freed.push(time);
    this.#change(time, (hours, span) => ({ ...hours, taken: withoutSpan(hours.taken, span) }));
  }

  /** Removes a soft lock, live or expired. */
  releaseHold(time: ListingTime & { availability_id: number }): void {
    this.#change(time, ({ locks: { [String(time.availability_id)]: _, ...locks }, ...hours }) => ({
      ...hours,
      locks,
    }));
  }

  /** Closes months to a listing that has left this calendar (D18, D21). */
  close(time: ListingTime): void {
    for (const month of this.#months.ofTime(time)) {
      month.isWhole = true;
      month.hours = { ...month.hours, left: true };
    }
  }

  /** Has the months of the parent unchanged when a child leaves: the parent's stays and blocks take its hours. */
  requireUnchangedParent(time: ListingTime): void {
    for (const { ids } of this.#months.ofTime(time))
      if (!isHome(ids)) this.#months.homeOf(ids).isWhole = true;
  }

  /** Reopens the months that the listing has left. Those of its own calendar name its time zone, which may have changed meanwhile. */
  reopen(time: ListingTime): void {
    for (const month of this.#months.ofTime(time)) month.reopen(time.timezone);
  }

  /** Has months of a listing without parent name its time zone: concurrent bookings with an earlier reading of it conflict. */
  changeTimeZone(time: ListingTime & { timezone: string }): void {
    for (const month of this.#months.ofTime(time)) {
      month.touch(daysIn(month.ids.month));
      month.timezone = time.timezone;
    }
  }

  /** Returns the orders of a holder's live soft locks on a listing's time. */
  ordersHeldBy(holder: string, time: ListingTime): number[] {
    const orders = monthSpans(time).flatMap((span) =>
      Object.values(this.#months.of({ ...time, month: span.month }).hours.locks)
        .filter((lock) => lock.holder === holder && isLiveLock(lock, this.#now))
        .filter((lock) => lock.from < span.to && lock.to > span.from)
        .map((lock) => lock.order_id),
    );
    return [...new Set(orders)];
  }

  /** Returns one write for each changed month. Throws ConflictError for months of version 1, which are replaced first. */
  writes(): Write[] {
    const written = this.#months.families().map((family) => ({
      home: family.home,
      writes: familyWrites(family, this.#now, (current) => this.#conflictWith(current)),
    }));
    const old = written.flatMap(({ home: { read }, writes }) =>
      read?.before && writes.length > 0 ? [read] : [],
    );
    if (old.length > 0) throw new ConflictError('CalendarMonth', () => this.#replace(old));
    return written.flatMap(({ writes }) => writes);
  }

  async #replace(old: readonly CalendarMonth[]): Promise<void> {
    if (this.#table) await replaceMonths(this.#table, old);
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
        const freed = this.#freed.filter((one) => one.calendar_id === calendar_id);
        const ids = [time, ...freed].map(({ listing_id }) => ({ calendar_id, listing_id, month }));
        now.add(ids, [withoutLocksOf(current, holder)]);
        for (const part of freed.flatMap((one) => within(month, one))) now.free(part);
        return within(month, time).flatMap((part) => now.taken(part));
      });
    return taken.length > 0 ? notAvailable(taken) : new ConflictError('CalendarMonth');
  }

  /** Has what was found free still free when it is written: a child's time in its parent's month, a parent's in its children's. */
  #rely(time: ListingTime): void {
    for (const span of monthSpans(time)) {
      const ids = { ...time, month: span.month };
      const { on, onChildren } = this.#months.homeOf(ids).relied;
      for (const day of daysOf(span)) (isHome(ids) ? onChildren : on).add(day);
    }
  }

  #change(time: ListingTime, step: (hours: ListingHours, span: MonthSpan) => ListingHours): void {
    for (const span of monthSpans(time)) {
      const month = this.#months.of({ ...time, month: span.month });
      month.hours = step(month.hours, span);
      month.touch(daysOf(span));
    }
  }
}

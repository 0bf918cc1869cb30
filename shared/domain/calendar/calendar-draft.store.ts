import { ConflictError, type Table, type Write } from '../../platform/table/index.ts';
import { type CalendarMonth, isHome, type MonthIds, readMonths } from './calendar.store.ts';
import { addMonths, type DraftFamily, DraftMonth, familyWrites } from './draft-month.store.ts';
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

const monthsOf = (time: ListingTime): MonthIds[] =>
  monthSpans(time).map(({ month }) => ({
    calendar_id: time.calendar_id,
    listing_id: time.listing_id,
    month,
  }));

const familyKey = ({ calendar_id, month }: Omit<MonthIds, 'listing_id'>): string => `${calendar_id} ${month}`;

/** The months of one calendar and one month that were read. */
interface Family {
  /** By listing id. */
  months: Map<number, DraftMonth>;
  /** Those of all children are among them. */
  isWhole: boolean;
}

/**
 * Months of calendars as read, changed in memory, and written back on condition that the days which are touched are
 * unchanged. If they are not, the write fails with a ConflictError and the verb reads again. D32 is enforced here.
 */
export class CalendarDraft {
  readonly #now: number;
  readonly #families = new Map<string, Family>();
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
    for (const [key, { months, isWhole }] of this.#families)
      draft.#families.set(key, {
        isWhole,
        months: new Map([...months].map(([id, month]) => [id, month.copy()])),
      });
    return draft;
  }

  /** Reads the months of the times that were not read yet; without such months it makes no request. */
  async complete(table: Table, times: readonly ListingTime[]): Promise<void> {
    this.#table = table;
    const ids = this.#unread(times);
    if (ids.length > 0) this.add(ids, await readMonths(table, ids));
  }

  /** Adds months as read; one that is not among the items does not exist. */
  add(wanted: readonly MonthIds[], items: readonly CalendarMonth[]): void {
    const found = Map.groupBy(items, familyKey);
    for (const ids of wanted) {
      const key = familyKey(ids);
      const family = this.#families.get(key) ?? { months: new Map<number, DraftMonth>(), isWhole: false };
      this.#families.set(key, family);
      family.isWhole ||= isHome(ids);
      addMonths(family.months, ids, found.get(key) ?? []);
    }
  }

  /**
   * Returns the part of the time that is taken by stays, blocks and live soft locks, parent and children included (D26).
   * Soft locks of `exceptHolder` on the listing itself are ignored.
   */
  taken(time: ListingTime, exceptHolder?: string): TakenTime[] {
    const stretches = monthSpans(time).flatMap((span) => {
      const ids = { calendar_id: time.calendar_id, listing_id: time.listing_id, month: span.month };
      const months = [...this.#readFamily(ids).months].map(([id, { hours }]) => [id, hours] as const);
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
    for (const { hours, ids } of this.#months(time))
      if (hours.left || this.#home(ids).isOfOtherZone(time.timezone)) throw new ConflictError('Listing');
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
    for (const month of this.#months(time)) {
      month.isWhole = true;
      month.hours = { ...month.hours, left: true };
    }
  }

  /** Has the months of the parent unchanged when a child leaves: the parent's stays and blocks take its hours. */
  requireUnchangedParent(time: ListingTime): void {
    for (const { ids } of this.#months(time)) if (!isHome(ids)) this.#home(ids).isWhole = true;
  }

  /** Reopens the months that the listing has left. Those of its own calendar name its time zone, which may have changed meanwhile. */
  reopen(time: ListingTime): void {
    for (const month of this.#months(time)) month.reopen(time.timezone);
  }

  /** Has months of a listing without parent name its time zone: concurrent bookings with an earlier reading of it conflict. */
  changeTimeZone(time: ListingTime & { timezone: string }): void {
    for (const month of this.#months(time)) {
      month.touch(daysIn(month.ids.month));
      month.timezone = time.timezone;
    }
  }

  /** Returns the orders of a holder's live soft locks on a listing's time. */
  ordersHeldBy(holder: string, time: ListingTime): number[] {
    const orders = monthSpans(time).flatMap((span) =>
      Object.values(this.#month({ ...time, month: span.month }).hours.locks)
        .filter((lock) => lock.holder === holder && isLiveLock(lock, this.#now))
        .filter((lock) => lock.from < span.to && lock.to > span.from)
        .map((lock) => lock.order_id),
    );
    return [...new Set(orders)];
  }

  /** Returns one write for each changed month. Throws ConflictError for months of version 1, which are replaced first. */
  writes(): Write[] {
    const written = [...this.#families.values()].flatMap(({ months }) => {
      const all = [...months.values()];
      const home = all.find(({ ids }) => isHome(ids));
      if (!home) return [];
      const family: DraftFamily = { home, children: all.filter((month) => month !== home) };
      return { home, writes: familyWrites(family, this.#now, (current) => this.#conflictWith(current)) };
    });
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

  /** Returns the months of the times that were not read yet. */
  #unread(times: readonly ListingTime[]): MonthIds[] {
    const wanted = times.flatMap(monthsOf).filter((ids) => !this.#isRead(ids));
    return [...new Map(wanted.map((ids) => [`${familyKey(ids)} ${ids.listing_id}`, ids])).values()];
  }

  #isRead(ids: MonthIds): boolean {
    const family = this.#families.get(familyKey(ids));
    return family !== undefined && (family.isWhole || (!isHome(ids) && family.months.has(ids.listing_id)));
  }

  #readFamily(ids: MonthIds): Family {
    const family = this.#families.get(familyKey(ids));
    if (!family || !this.#isRead(ids)) throw new Error(`calendar month ${familyKey(ids)} was not read`);
    return family;
  }

  #month({ calendar_id, listing_id, month }: MonthIds): DraftMonth {
    const ids = { calendar_id, listing_id, month };
    const { months } = this.#readFamily(ids);
    const found = months.get(listing_id) ?? new DraftMonth(ids);
    months.set(listing_id, found);
    return found;
  }

  #home(ids: MonthIds): DraftMonth {
    const home = this.#readFamily(ids).months.get(ids.calendar_id);
    if (!home) throw new Error(`the month of the parent was not read: ${familyKey(ids)}`);
    return home;
  }

  #months(time: ListingTime): DraftMonth[] {
    return monthsOf(time).map((ids) => this.#month(ids));
  }

  /** Has what was found free still free when it is written: a child's time in its parent's month, a parent's in its children's. */
  #rely(time: ListingTime): void {
    for (const span of monthSpans(time)) {
      const ids = { ...time, month: span.month };
      const { on, onChildren } = this.#home(ids).relied;
      for (const day of daysOf(span)) (isHome(ids) ? onChildren : on).add(day);
    }
  }

  #change(time: ListingTime, step: (hours: ListingHours, span: MonthSpan) => ListingHours): void {
    for (const span of monthSpans(time)) {
      const month = this.#month({ ...time, month: span.month });
      month.hours = step(month.hours, span);
      month.touch(daysOf(span));
    }
  }
}

import { type CalendarMonth, isHome, type MonthIds } from './calendar.store.ts';
import { type DraftFamily, DraftMonth } from './draft-month.store.ts';
import { monthSpans } from './hours.rules.ts';
import { listingHours, type ListingHours } from './month.rules.ts';
import type { ListingTime } from './taken-time.rules.ts';

const familyKey = ({ calendar_id, month }: Omit<MonthIds, 'listing_id'>): string => `${calendar_id} ${month}`;

/** The months of one calendar and one month that were read. */
interface Family {
  /** By listing id. */
  months: Map<number, DraftMonth>;
  /** Those of all children are among them. */
  isWhole: boolean;
}

/** The months of calendars that were read, to be changed in memory; asked for another one, it throws. */
export class DraftMonths {
  readonly #families = new Map<string, Family>();

  copy(): DraftMonths {
    const read = new DraftMonths();
    for (const [key, { months, isWhole }] of this.#families)
      read.#families.set(key, {
        isWhole,
        months: new Map([...months].map(([id, month]) => [id, month.copy()])),
      });
    return read;
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

  /** Returns the months of the times that were not read yet. */
  unread(times: readonly ListingTime[]): MonthIds[] {
    const wanted = times.flatMap(monthsOf).filter((ids) => !this.#isRead(ids));
    return [...new Map(wanted.map((ids) => [`${familyKey(ids)} ${ids.listing_id}`, ids])).values()];
  }

  #isRead(ids: MonthIds): boolean {
    const family = this.#families.get(familyKey(ids));
    return family !== undefined && (family.isWhole || (!isHome(ids) && family.months.has(ids.listing_id)));
  }

  /** Returns the months of a family's calendar that were read, by listing. */
  family(ids: MonthIds): Map<number, DraftMonth> {
    const family = this.#families.get(familyKey(ids));
    if (!family || !this.#isRead(ids)) throw new Error(`calendar month ${familyKey(ids)} was not read`);
    return family.months;
  }

  /** Returns the month of a listing; one that does not exist is empty. */
  of({ calendar_id, listing_id, month }: MonthIds): DraftMonth {
    const ids = { calendar_id, listing_id, month };
    const months = this.family(ids);
    const found = months.get(listing_id) ?? new DraftMonth(ids);
    months.set(listing_id, found);
    return found;
  }

  /** Returns the month of the parent, or of a listing without one. */
  homeOf(ids: MonthIds): DraftMonth {
    const home = this.family(ids).get(ids.calendar_id);
    if (!home) throw new Error(`the month of the parent was not read: ${familyKey(ids)}`);
    return home;
  }

  /** Returns the months of a listing's time. */
  ofTime(time: ListingTime): DraftMonth[] {
    return monthsOf(time).map((ids) => this.of(ids));
  }

  /** The families that have a month of their parent or of a single listing. */
  families(): DraftFamily[] {
    return [...this.#families.values()].flatMap(({ months }) => {
      const all = [...months.values()];
      const home = all.find(({ ids }) => isHome(ids));
      return home ? [{ home, children: all.filter((month) => month !== home) }] : [];
    });
  }
}

const monthsOf = (time: ListingTime): MonthIds[] =>
  monthSpans(time).map(({ month }) => ({
    calendar_id: time.calendar_id,
    listing_id: time.listing_id,
    month,
  }));

/** Adds the months of one family and month that are not known yet: as read, or none for the listing and its parent. */
const addMonths = (
  months: Map<number, DraftMonth>,
  { calendar_id, listing_id, month }: MonthIds,
  items: readonly CalendarMonth[],
): void => {
  const add = (id: number, read: CalendarMonth | undefined, hours?: ListingHours): void => {
    if (!months.has(id)) months.set(id, new DraftMonth({ calendar_id, listing_id: id, month }, read, hours));
  };
  for (const item of items)
    for (const [id, hours] of listingHours(item)) add(id, id === item.listing_id ? item : undefined, hours);
  add(calendar_id, items.find(isHome));
  add(listing_id, undefined);
};

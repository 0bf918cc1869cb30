import { ConflictError, create, equals, put, type Table, type Write } from '../../platform/table/index.ts';
import { type CalendarMonth, CalendarMonthEntity, homeOf } from './calendar.store.ts';
import { byDay, daysIn } from './hours.rules.ts';
import { listingHours, type ListingHours, noListingHours, occupied } from './month.rules.ts';

/**
 * Gives each listing of months of version 1 its own month with the same hours, in one transaction for each month. A month
 * that another writer has changed meanwhile stays as that one has left it.
 */
export const replaceMonths = async (table: Table, months: readonly CalendarMonth[]): Promise<void> => {
  const replace = async (month: CalendarMonth): Promise<void> => {
    try {
      await table.transact(replacingWrites(month));
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
    }
  };
  await Promise.all(months.map(replace));
};

const replacingWrites = (item: CalendarMonth): Write[] => {
  const { calendar_id, month, before } = item;
  const listings = new Map(listingHours(item));
  const home = listings.get(calendar_id) ?? noListingHours;
  listings.delete(calendar_id);
  const counts = (count: number) => Object.fromEntries(daysIn(month).map((day) => [day, count]));
  const monthOf = (id: number, hours: ListingHours): Omit<CalendarMonth, CountName> => ({
    ...homeOf(item),
    listing_id: id,
    days: byDay(month, occupied(hours)),
    locks: hours.locks,
    ...(hours.left ? { left: true as const } : {}),
  });
  // Every day of a child counts, so that a parent that reads only some of these months finds that the counts differ.
  return [
    put(
      CalendarMonthEntity,
      {
        ...monthOf(calendar_id, home),
        changes: {},
        child_changes: listings.size === 0 ? {} : counts(listings.size),
      },
      { when: equals('version', before?.version) },
    ),
    ...[...listings].map(([id, hours]) =>
      create(CalendarMonthEntity, { ...monthOf(id, hours), changes: counts(1), child_changes: {} }),
    ),
  ];
};

type CountName = 'changes' | 'child_changes';

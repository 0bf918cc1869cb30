import type { Context } from '../../platform/context.ts';
import { toLocal } from '../../platform/time.ts';
import { type AvailabilityEntry, calendarOf, overlappingEntries } from '../calendar/index.ts';
import type { Listing } from '../listing/index.ts';

const endOfTime = '9999-12-31T00:00:00';

/** A listing's own stays, blocks and soft locks that have not ended yet. */
export const futureEntries = async (
  { table, clock }: Pick<Context, 'table' | 'clock'>,
  listing: Listing,
): Promise<AvailabilityEntry[]> => {
  const range = { start_at: toLocal(clock.now(), listing.timezone), end_at: endOfTime };
  const entries = await overlappingEntries(table, calendarOf(listing), range);
  return entries.filter(({ listing_id }) => listing_id === listing.id);
};

import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { remove, type Write } from '../../platform/table/index.ts';
import { AvailabilityEntryEntity, CalendarDraft } from '../calendar/index.ts';
import type { Listing } from '../listing/index.ts';
import { bookableWindow } from './calendar-window.ts';
import { futureEntries, openStays } from './future-entries.ts';

/** Entries of soft locks that one transaction removes beside the months; what is left expires by itself. */
const maxRemovedEntries = 40;

/**
 * The writes that end a listing's calendar: soft locks are dropped, and bookings in flight lose their race. The months are
 * read before the entries, so a booking is either among the entries or has changed a month since. Refused while a stay lies
 * ahead or is not checked out of (D18).
 */
export const closeCalendar = async (ctx: Context, listing: Listing): Promise<Write[]> => {
  const window = bookableWindow(ctx, listing);
  const draft = await CalendarDraft.load(ctx.table, [window], ctx.clock.now());
  const entries = await futureEntries(ctx, listing);
  const booked = await openStays(ctx, entries);
  if (booked.length > 0)
    throw new ServiceError(
      'INVALID_STATE_TRANSITION',
      'A listing with bookings that have not ended cannot be archived.',
      { booking_ids: booked.map(({ reservation_id }) => reservation_id) },
    );
  const holds = entries.filter(({ state }) => state === 'SOFT_LOCK');
  await draft.complete(ctx.table, holds);
  draft.close(window);
  for (const hold of holds) draft.unhold(hold);
  return [
    ...draft.writes(),
    ...holds.slice(0, maxRemovedEntries).map((hold) => remove(AvailabilityEntryEntity, hold)),
  ];
};

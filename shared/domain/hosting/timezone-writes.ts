import type { Context } from '../../platform/context.ts';
import { invalid, ServiceError } from '../../platform/errors.ts';
import type { Write } from '../../platform/table/index.ts';
import { isSameTimeZone } from '../../platform/time.ts';
import { CalendarDraft } from '../calendar/index.ts';
import type { Listing } from '../listing/index.ts';
import { bookableWindow } from './calendar-window.ts';
import { futureEntries, openStays } from './future-entries.ts';

/**
 * What has to hold when a listing changes its time zone. A family has one (VALIDATION_ERROR), and local hours that are taken
 * would be other moments: INVALID_STATE_TRANSITION while stays, blocks or live soft locks lie ahead. Its months are written
 * as they are, so that a booking on its way with the old zone loses its race; a listing that moves has written them already.
 */
export const timezoneWrites = async (ctx: Context, listing: Listing, next: Listing): Promise<Write[]> => {
  if (isSameTimeZone(listing.timezone, next.timezone)) return [];
  const moves = listing.parent_listing_id !== next.parent_listing_id;
  if (next.child_listing_ids.length > 0 || (!moves && next.parent_listing_id !== null))
    throw invalid({
      path: 'timezone',
      message: `cannot change within a family: parent and children share ${listing.timezone}`,
    });
  const draft = new CalendarDraft(ctx.clock.now());
  if (!moves) {
    const window = bookableWindow(ctx, listing);
    await draft.complete(ctx.table, [window]);
    draft.touch(window);
  }
  await requireNothingAhead(ctx, listing);
  return draft.writes();
};

const requireNothingAhead = async (ctx: Context, listing: Listing): Promise<void> => {
  const entries = await futureEntries(ctx, listing);
  const stays = await openStays(ctx, entries);
  const now = ctx.clock.now();
  const others = entries.filter(
    ({ state, locked_until }) => state !== 'BOOKED' && (locked_until === null || locked_until > now),
  );
  if (stays.length + others.length === 0) return;
  throw new ServiceError(
    'INVALID_STATE_TRANSITION',
    'The time zone cannot change while stays, blocks or soft locks lie ahead: their local hours would be other moments.',
    {
      booking_ids: stays.map(({ reservation_id }) => reservation_id),
      availability_ids: [...stays, ...others].map(({ availability_id }) => availability_id),
    },
  );
};

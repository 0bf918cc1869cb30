import { actingTeam } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { invalid } from '../../platform/errors.ts';
import type { PageOf, PagingQuery } from '../../platform/schema.ts';
import { all, atLeast, atMost, type Condition, equals, pageThrough } from '../../platform/table/index.ts';
import type { Reservation } from './booking.entity.ts';
import type { Booking, BookingState } from './booking.schema.ts';
import { presentBooking } from './present-booking.ts';

interface Filter {
  state?: BookingState | undefined;
  listing_id?: number | undefined;
  /** Stays that touch these dates, both included. */
  from?: string | undefined;
  to?: string | undefined;
}

/** The acting team's bookings, newest first (D50). Dates in the wrong order are VALIDATION_ERROR. */
export const listTeamBookings = async (
  ctx: Context,
  { state, listing_id, from, to }: Filter,
  paging: PagingQuery,
): Promise<PageOf<Booking>> => {
  const teamId = actingTeam(ctx.caller, ctx.teamHeader, 'read');
  if (from !== undefined && to !== undefined && to < from)
    throw invalid({ path: 'to', message: 'to is before from' });
  const conditions: Condition[] = [
    ...(state === undefined ? [] : [equals('state', state)]),
    ...(listing_id === undefined ? [] : [equals('listing_id', listing_id)]),
    ...(from === undefined ? [] : [atLeast('check_out_date', from)]),
    ...(to === undefined ? [] : [atMost('check_in_date', to)]),
  ];
  const source = {
    index: 'by_team' as const,
    pk: `TEAM#${teamId}#RESERVATIONS`,
    descending: true,
    ...(conditions.length > 0 ? { filter: all(...conditions) } : {}),
  };
  const page = await pageThrough<Reservation>(ctx.table, source, paging);
  return { ...page, items: page.items.map(presentBooking) };
};

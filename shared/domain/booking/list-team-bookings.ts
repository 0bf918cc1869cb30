import { actingTeam } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import type { PageOf, PagingQuery } from '../../platform/schema.ts';
import type { BookingFilter } from './booking-filter.schema.ts';
import type { Booking } from './booking.schema.ts';
import { pageStays } from './page-stays.ts';
import { presentBooking } from './present-booking.ts';
import { ownerTeam } from './stay-list.ts';

/** The acting team's bookings (D50, D81). */
export const listTeamBookings = async (
  ctx: Context,
  filter: BookingFilter,
  paging: PagingQuery,
): Promise<PageOf<Booking>> => {
  const teamId = actingTeam(ctx.caller, ctx.teamHeader, 'read');
  const page = await pageStays(ctx, [ownerTeam(teamId)], filter, paging);
  return { ...page, items: page.items.map(presentBooking) };
};

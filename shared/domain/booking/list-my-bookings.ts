import type { UserCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import type { PageOf, PagingQuery } from '../../platform/schema.ts';
import type { BookingFilter } from './booking-filter.schema.ts';
import type { MyBooking } from './booking.schema.ts';
import { pageStays } from './page-stays.ts';
import { presentBooking, withListingText } from './present-booking.ts';
import { ownerGuest } from './stay-list.ts';

/** The caller's own stays (D81). */
export const listMyBookings = async (
  ctx: Context<UserCaller>,
  filter: BookingFilter,
  paging: PagingQuery,
): Promise<PageOf<MyBooking>> => {
  const page = await pageStays(ctx, [ownerGuest(ctx.caller.user_id)], filter, paging);
  return { ...page, items: page.items.map((stay) => withListingText(presentBooking(stay))) };
};

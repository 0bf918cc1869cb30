import type { UserCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import type { Reservation } from './booking.entity.ts';
import type { MyBooking } from './booking.schema.ts';
import { presentBooking, withListingText } from './present-booking.ts';

/** The caller's own stays, newest first (spec 4.1). */
export const listMyBookings = async (ctx: Context<UserCaller>): Promise<MyBooking[]> => {
  const { items } = await ctx.table.queryAll({
    index: 'by_audience',
    pk: `GUEST#${ctx.caller.user_id}`,
    descending: true,
  });
  return (items as unknown as Reservation[]).map((stay) => withListingText(presentBooking(stay)));
};

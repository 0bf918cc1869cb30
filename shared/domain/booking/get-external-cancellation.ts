import type { PartnerCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import type { Cancellation } from './cancellation.schema.ts';
import { accessibleBooking, refusalOfOthers } from './external-bookings.ts';
import { cancellationOf } from './get-cancellation.ts';

/** What a partner's cancellation of a booking refunds now and later (D48b); of one that another made, that it is refused. */
export const getExternalCancellation = async (
  ctx: Context<PartnerCaller>,
  bookingId: number,
): Promise<Cancellation> => {
  const found = await accessibleBooking(ctx, bookingId);
  return cancellationOf(ctx, bookingId, found, refusalOfOthers(ctx, found));
};

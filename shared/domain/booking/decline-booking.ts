import type { Context } from '../../platform/context.ts';
import { retryOnConflict } from '../../platform/table/index.ts';
import { needs } from './allowed-actions.rules.ts';
import type { CancelledBooking } from './booking.schema.ts';
import { requireOneTransaction } from './booking.store.ts';
import { cancelReservations } from './cancel-booking.ts';
import { hostedBooking } from './move-booking.ts';
import { presentDetail } from './present-booking.ts';

/**
 * Declines a booking, or every stay of a master that waits for its host (D83): it becomes CANCELLED, its time is free in
 * the same transaction, and all that was paid goes back. Throws INVALID_STATE_TRANSITION if no stay is PENDING.
 */
export const declineBooking = (ctx: Context, bookingId: number, reason?: string): Promise<CancelledBooking> =>
  retryOnConflict(async () => {
    const found = await hostedBooking(ctx, bookingId, needs.DECLINE);
    const { writes, cancelled, refund } = await cancelReservations(ctx, found, reason, { move: 'decline' });
    const detail = await presentDetail(ctx, bookingId, cancelled);
    return ctx.commit(requireOneTransaction(writes, 'decline'), { ...detail, refund });
  });

import { callerRef } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { retryOnConflict } from '../../platform/table/index.ts';
import { hourMs, toInstant } from '../../platform/time/time.ts';
import { dueFor } from '../folio/model.ts';
import { needs } from './allowed-actions.rules.ts';
import type { BookingDetail } from './booking.schema.ts';
import { emitBookingEvent, onlyStay } from './booking.store.ts';
import { commitMoved, hostedBooking } from './move-booking.ts';
import { extendRefusal } from './money-refusals.rules.ts';
import { movedStay } from './move-reservation.ts';

/**
 * Gives the guest more time for a bank transfer, not beyond check-in (D130). Throws INVALID_STATE_TRANSITION where no transfer has a
 * time limit, or it ends at check-in already.
 */
export const extendPayment = (ctx: Context, bookingId: number, hours: number): Promise<BookingDetail> =>
  retryOnConflict(async () => {
    const found = await hostedBooking(ctx, bookingId, needs.EXTEND_PAYMENT);
    const before = onlyStay(found);
    const refusal = extendRefusal(before);
    if (refusal) throw refusal;
    const { pay_until = 0, start_at, timezone, folio_version = 0 } = before;
    const until = Math.min(pay_until + hours * hourMs, toInstant(start_at, timezone));
    // The schedule, which cancels what it has read as unpaid, conflicts.
    const fields = { pay_until: until, folio_version: folio_version + 1 };
    const moved = movedStay(ctx, before, fields, (after) => [
      emitBookingEvent(
        ctx,
        after,
        'payment.extended',
        { amount: dueFor(after), charge: null },
        callerRef(ctx.caller),
      ),
    ]);
    return commitMoved(ctx, bookingId, found, [moved], { verb: 'extend' });
  });

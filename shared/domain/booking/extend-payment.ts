import { callerRef } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { retryOnConflict } from '../../platform/table/index.ts';
import { hourMs, toInstant } from '../../platform/time/time.ts';
import { dueFor } from '../folio/model.ts';
import type { BookingDetail } from './booking.schema.ts';
import { emitBookingEvent, onlyStay } from './booking.store.ts';
import { commitMoved, hostedBooking } from './move-booking.ts';
import { movedStay, waitsForPayment } from './move-reservation.ts';

/**
 * Gives the guest more time for a bank transfer, not beyond check-in (D130). Throws INVALID_STATE_TRANSITION where no transfer has a
 * time limit, or it ends at check-in already.
 */
export const extendPayment = (ctx: Context, bookingId: number, hours: number): Promise<BookingDetail> =>
  retryOnConflict(async () => {
    const found = await hostedBooking(ctx, bookingId, 'manage');
    const before = onlyStay(found);
    const { payment_method, pay_until, start_at, timezone, state, folio_version = 0 } = before;
    if (payment_method !== 'BANK_TRANSFER' || pay_until === undefined || !waitsForPayment(before))
      throw new ServiceError('INVALID_STATE_TRANSITION', 'No bank transfer with a time limit is due.', {
        state,
      });
    const until = Math.min(pay_until + hours * hourMs, toInstant(start_at, timezone));
    if (until <= pay_until)
      throw new ServiceError('INVALID_STATE_TRANSITION', 'The time to pay ends at check-in already.', {
        state,
      });
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

import { renderSVG } from 'uqr';
import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { readAccounts, transferOf } from './booking-transfer.ts';
import { visibleBooking } from './read-bookings.ts';

/** Returns the VietQR code of the transfer that is due of a booking, as a picture (D130). Throws INVALID_STATE_TRANSITION where there is
 * none. */
export const transferCode = async (ctx: Context, bookingId: number): Promise<string> => {
  const { reservations } = await visibleBooking(ctx, bookingId);
  const transfer = transferOf(await readAccounts(ctx, reservations), reservations);
  if (!transfer?.qr_text)
    throw new ServiceError('INVALID_STATE_TRANSITION', 'No bank transfer in VND is due of this booking.', {
      state: reservations[0]?.state ?? null,
    });
  return renderSVG(transfer.qr_text, { border: 4 });
};

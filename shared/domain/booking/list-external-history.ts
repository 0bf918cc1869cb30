import type { PartnerCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { findHistory } from './booking.store.ts';
import type { BookingHistory } from './booking-history.schema.ts';
import { accessibleBooking } from './external-bookings.ts';
import { changesOf, presentChange } from './present-history.ts';

/** The history of a booking of the key's teams, without the people of the host and without other partners' keys (D62b). */
export const listExternalHistory = async (
  ctx: Context<PartnerCaller>,
  bookingId: number,
): Promise<BookingHistory> => {
  const [{ reservations }, events] = await Promise.all([
    accessibleBooking(ctx, bookingId),
    findHistory(ctx.table, bookingId),
  ]);
  const reader = {
    host: () => ({ id: null, name: null }),
    partner: (id: number) => ({ id: id === ctx.caller.key_id ? id : null, name: null }),
  };
  return { items: changesOf(reservations, events).map((change) => presentChange(change, reader)) };
};

import * as z from 'zod';

export const BookingState = z
  .enum(['PENDING', 'CONFIRMED', 'CHECKED_IN', 'CHECKED_OUT', 'COMPLETED', 'CANCELLED', 'NO_SHOW'])
  .meta({
    id: 'BookingState',
    description: 'State of a booking; a declined one is CANCELLED.',
    example: 'CONFIRMED',
  });
export type BookingState = z.infer<typeof BookingState>;

/** Whether a booking will not take place, or did not: no stay and no payment is expected any more. */
export const fellThrough = (state: BookingState): boolean => state === 'CANCELLED' || state === 'NO_SHOW';

/** Whether a stay takes place, or has: accepted, and not fallen through. */
export const takesPlace = (state: BookingState): boolean => state !== 'PENDING' && !fellThrough(state);

export const PaymentStatus = z.enum(['PENDING', 'PAID', 'REFUNDED']).meta({
  id: 'PaymentStatus',
  description: 'Whether the booking is paid, or its money refunded.',
  example: 'PENDING',
});
export type PaymentStatus = z.infer<typeof PaymentStatus>;

import * as z from 'zod';
import { CancelledBooking, ReadBooking } from './booking.schema.ts';

/** The number of the guest is what opens the access information, so a link shows none of it (D122). */
const guestNameFields = {
  guest_info: z.object({ name: z.string(), full_name: z.string() }).meta({ id: 'GuestName' }),
};

/** A stay as the guest reads it by its link. */
export const GuestBooking = ReadBooking.extend(guestNameFields).meta({ id: 'GuestBooking' });

/** What a guest has cancelled by the link. */
export const CancelledByGuest = CancelledBooking.pick({ id: true, state: true, refund: true }).meta({
  id: 'CancelledByGuest',
});

export const GuestAccessRequest = z
  .strictObject({
    phone_digits: z
      .string()
      .regex(/^\d{4}$/, 'must be four digits')
      .meta({
        description: 'The last four digits of the telephone number of the booking.',
        examples: ['4567'],
      }),
  })
  .meta({ id: 'GuestAccessRequest' });
export type GuestAccessRequest = z.infer<typeof GuestAccessRequest>;

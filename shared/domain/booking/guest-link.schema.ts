import * as z from 'zod';
import { Id } from '../../platform/schema/schema.ts';

/** The link by which a guest opens a stay (D122). */
const GuestUrl = z.string().meta({
  description:
    'The page on which the guest reads, pays, changes and cancels the stay without an account. Who has it has these rights: give it to the guest alone. It ends 30 days after the stay.',
  examples: ['https://api.example.com/g#2a6nzx1k5g.0h.kq3vJm0bXcT5oWlD8aZr2Q'],
});

/** What details of a booking have for those who hand the link to the guest. */
export const guestUrlFields = {
  guest_url: GuestUrl.nullable().optional().meta({
    description:
      'The link of the guest, for the hosts of the team and the key that made the booking; null for others, for an order of several stays, and where the key wants no links. `POST /bookings/{booking_id}/guest-link/rotate` replaces it.',
  }),
};

/** The link that replaces the ones before. */
export const GuestLink = z.object({ booking_id: Id, guest_url: GuestUrl }).meta({ id: 'GuestLink' });
export type GuestLink = z.infer<typeof GuestLink>;

import * as z from 'zod';
import { DateText, Id, Instant, LocalDateTime, Money, SignedMoney } from '../../platform/schema/schema.ts';
import { QuotedService } from '../pricing/quote.schema.ts';

/** A change that takes effect when it is paid (D84). */
export const PendingChange = z
  .object({
    booking_id: Id.meta({ description: 'The stay that is to be changed.' }),
    listing_id: Id,
    listing_name: z.string(),
    check_in_date: DateText,
    check_out_date: DateText,
    start_at: LocalDateTime,
    end_at: LocalDateTime,
    nights: z.int(),
    guest_number: z.int(),
    adult_number: z.int().nullable(),
    children_number: z.int().nullable(),
    extra_services: z.array(QuotedService),
    total_price: Money.meta({ description: 'What the stay costs after the change.' }),
    difference: SignedMoney.meta({ description: 'The new price less the present one.' }),
    amount_due: Money.meta({ description: 'What the page asks for.' }),
    payment_url: z.string().nullable().meta({
      description: 'Where the change is paid; the booking stays as it is until then.',
    }),
    payment_expires_at: Instant.meta({
      description: 'Until when it can be paid; then the new time is free again.',
    }),
    asked_by: z.enum(['guest', 'host', 'partner']).meta({
      description: 'guest; host: a member of the team, or platform staff; partner: a key.',
    }),
  })
  .meta({ id: 'PendingChange' });
export type PendingChange = z.infer<typeof PendingChange>;

/** The change that a booking waits for, as it is read by itself. */
export const pendingChangeFields = {
  pending_change: PendingChange.nullable().meta({
    description:
      'The change that takes effect when it is paid; null when none waits, or its page can no longer be paid. Of an order of several stays the one whose page ends first; read each stay by its own id.',
  }),
};

import * as z from 'zod';
import { CurrencyCode, Id, Instant, Money } from '../../platform/schema.ts';
import { BookingState, Refund } from './booking.schema.ts';

/** What the caller's cancellation of a booking would do, now and later (D48b). */
export const Cancellation = z.object({
  booking_id: Id,
  state: BookingState,
  can_cancel: z.boolean().meta({ description: 'Whether the caller may cancel it now.' }),
  refusal: z
    .object({ code: z.string(), message: z.string() })
    .nullable()
    .meta({ description: 'What a cancellation would be answered instead; null when it can be cancelled.' }),
  paid: Money.meta({ description: 'What has been paid for the booking and not been refunded.' }),
  refund_now: Refund.meta({ description: 'The `refund` of a cancellation at this moment.' }),
  schedule: z
    .array(
      z.object({
        until: Instant.nullable().meta({
          description: 'The last moment of this refund, that millisecond included; null: it stays so.',
        }),
        refund: Money,
      }),
    )
    .meta({
      description:
        'What a cancellation refunds, in the order of time: the first holds from now on, each further one from after the `until` before. Empty when it cannot be cancelled.',
    }),
  currency: CurrencyCode,
});
export type Cancellation = z.infer<typeof Cancellation>;

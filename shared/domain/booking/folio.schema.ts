import * as z from 'zod';
import { CurrencyCode, Id, Instant, Money } from '../../platform/schema/schema.ts';
import { takenMethods } from '../folio/taken-method.schema.ts';
import { PaymentStatus } from './booking-state.schema.ts';

/** How money came (D127). */
export const TakenMethod = z.enum(takenMethods).meta({ id: 'TakenMethod' });

/** Money that a host has taken (D127). */
export const TakePaymentRequest = z
  .strictObject({
    amount: Money.positive().meta({ description: 'A part of what is due, or all of it.' }),
    method: z.enum(['CASH', 'BANK_TRANSFER', 'CARD_ON_SITE', 'OTHER']),
    reference: z
      .string()
      .trim()
      .regex(/^[A-Za-z0-9 ._/#-]{1,40}$/, 'must be up to 40 letters without accents, digits and . _ / # -')
      .optional()
      .meta({
        description: 'The number of your receipt or of the transfer. It is kept with the payment: no names.',
      }),
    received_at: Instant.optional().meta({ description: 'When the money came, if not now.' }),
    overpaid: z.boolean().optional().meta({ description: 'The amount may be more than is due.' }),
  })
  .meta({ id: 'TakePayment' });
export type TakePaymentRequest = z.infer<typeof TakePaymentRequest>;

/** Why a payment is taken out again. */
export const correctPaymentQuery = z.strictObject({
  reason: z.string().trim().min(1).max(500).meta({ description: 'Why; it stands in the history.' }),
});

/** One movement of a folio (D126). */
const Posting = z
  .object({
    id: z.int().min(0).meta({ description: 'Its number in the folio of the stay; 0 is what it cost first.' }),
    booking_id: Id,
    at: Instant.meta({ description: 'When it was posted, or the money came.' }),
    kind: z.enum(['stay', 'change', 'fee', 'payment', 'refund', 'correction']).meta({
      description:
        'stay, change: the price, negative once the booking fell through; fee: what is payable then. correction: of a payment, negative.',
    }),
    amount: z.number(),
    method: TakenMethod.nullable(),
    reference: z.string().nullable().meta({ description: 'Of the charge, or as the host wrote it.' }),
    collected_by: z.enum(['HOST', 'PARTNER', 'GATEWAY']).nullable(),
    payment_id: Id.nullable().meta({ description: 'Of an online payment.' }),
    of: z.int().nullable().meta({ description: 'The `id` of the payment that is refunded or corrected.' }),
  })
  .meta({ id: 'Posting' });
export type PresentedPosting = z.infer<typeof Posting>;

export const moneyFields = {
  amount_due: Money.meta({ description: 'What is still to be paid.' }),
  amount_paid: Money.meta({ description: 'What came in, refunded or not.' }),
  amount_refunded: Money,
  secured: z.boolean().meta({ description: 'Whether all is paid, or a payment is authorised.' }),
};

export const Folio = z
  .object({
    booking_id: Id,
    currency: CurrencyCode,
    payment_status: PaymentStatus,
    balance: z.number().meta({ description: 'What is payable less what was paid; negative: credit.' }),
    ...moneyFields,
    postings: z.array(Posting).meta({ description: 'Oldest first, stay by stay.' }),
  })
  .meta({ id: 'Folio' });
export type Folio = z.infer<typeof Folio>;

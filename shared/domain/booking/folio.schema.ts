import * as z from 'zod';
import { CurrencyCode, Id, Instant, LineLabel, Money } from '../../platform/schema/schema.ts';
import { takenMethods } from '../folio/taken-method.schema.ts';
import { PaymentStatus } from './booking-state.schema.ts';

/** How money came (D127). */
export const TakenMethod = z.enum(takenMethods).meta({ id: 'TakenMethod' });

/** How a host takes or hands over money. */
const HandedMethod = z.enum(['CASH', 'BANK_TRANSFER', 'CARD_ON_SITE', 'OTHER']);

const reference = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9 ._/#-]{1,40}$/, 'must be up to 40 letters without accents, digits and . _ / # -')
  .optional()
  .meta({
    description: 'The number of your receipt or of the transfer. It is kept with the payment: no names.',
  });

export const folioQuery = z.strictObject({
  format: z
    .enum(['json', 'html'])
    .default('json')
    .meta({ description: 'html: one page to print, as `text/html`.' }),
  language: z.enum(['vi', 'en']).optional().meta({
    description: 'Of the page; default: that of the mails of the team to its guests.',
  }),
});

/** Money that a host has taken (D127). */
export const TakePaymentRequest = z
  .strictObject({
    amount: Money.positive().meta({ description: 'A part of what is due, or all of it.' }),
    method: HandedMethod,
    reference,
    received_at: Instant.optional().meta({ description: 'When the money came, if not now.' }),
    overpaid: z.boolean().optional().meta({ description: 'The amount may be more than is due.' }),
  })
  .meta({ id: 'TakePayment' });
export type TakePaymentRequest = z.infer<typeof TakePaymentRequest>;

const reason = z.string().trim().min(1).max(500).meta({ description: 'Why; it stands in the history.' });

/** Why a payment or charge is taken out again. */
export const correctionQuery = z.strictObject({ reason });

/** What a booking is charged for beside its price (D127). */
export const ChargeRequest = z
  .strictObject({
    label: LineLabel.meta({
      description: 'What it is for, as the guest reads it. It is kept with the money: no names.',
      example: 'Minibar',
    }),
    amount: Money.positive().meta({ description: 'Of one.' }),
    quantity: z.int().min(1).max(1000).optional().meta({ description: 'Default 1.' }),
  })
  .meta({ id: 'ChargeBooking' });
export type ChargeRequest = z.infer<typeof ChargeRequest>;

/** A charge of a booking, as long as it was not taken out. */
export const ExtraCharge = z
  .object({
    id: z.int().meta({ description: 'The number of its posting in the folio of the stay.' }),
    booking_id: Id,
    label: z.string(),
    quantity: z.int(),
    amount: Money.meta({ description: 'Of all of them.' }),
  })
  .meta({ id: 'ExtraCharge' });

/** A refund that a host asks for (D127). */
export const RefundRequest = z
  .strictObject({
    amount: Money.positive(),
    reason,
    posting_id: z
      .int()
      .min(1)
      .optional()
      .meta({ description: 'Of this payment, by its number in the folio; default: the newest first.' }),
    method: HandedMethod.optional().meta({
      description:
        'You hand it over so, also what was paid online. Default: each payment goes back as it came.',
    }),
    returned: z.boolean().optional().meta({ description: 'You have handed it over already.' }),
  })
  .meta({ id: 'RefundBooking' });
export type RefundRequest = z.infer<typeof RefundRequest>;

/** How a refund was handed over. */
export const ReturnedRequest = z
  .strictObject({ method: HandedMethod.optional(), reference })
  .meta({ id: 'ReturnRefund' });
export type ReturnedRequest = z.infer<typeof ReturnedRequest>;

/** What a host does with a security deposit (D131). */
const DepositAction = z.enum(['TAKE', 'RETURN', 'KEEP']).meta({ id: 'DepositAction' });

/** What has become of a security deposit. */
export const DepositChange = z.enum([...DepositAction.options, 'FAIL']).meta({
  id: 'DepositChange',
  description: 'FAIL: it was not authorised.',
});
export type DepositChange = z.infer<typeof DepositChange>;

export const DepositRequest = z
  .strictObject({
    action: DepositAction,
    amount: Money.positive().meta({ description: 'A part of it, or all.' }),
    method: z
      .enum([...HandedMethod.options, 'ONLINE_GATEWAY'])
      .optional()
      .meta({
        description:
          'How you take or return it: required for both. ONLINE_GATEWAY authorises, releases or captures it on the card of the guest; any other is refused for KEEP.',
      }),
    note: z.string().trim().min(1).max(500).optional().meta({
      description: 'Required for KEEP: the reason, as the guest reads it. Partners and the history have it.',
    }),
  })
  .meta({ id: 'ChangeSecurityDeposit' });
export type DepositRequest = z.infer<typeof DepositRequest>;

/** What became of a security deposit; in no other sum. */
export const SecurityDeposit = z
  .object({
    amount: Money.meta({ description: 'As frozen with the booking: the most that can be taken.' }),
    held: Money.meta({ description: 'What was taken and neither returned nor kept.' }),
    authorised: Money.meta({
      description: 'The part of `held` that is authorised on the card of the guest.',
    }),
    kept: Money,
    returned: Money,
    payment_url: z
      .string()
      .nullable()
      .meta({ description: 'Where the guest authorises it; null: no page is open.' }),
    payment_expires_at: Instant.nullable(),
  })
  .meta({ id: 'SecurityDeposit' });
export type SecurityDeposit = z.infer<typeof SecurityDeposit>;

const PostingKind = z
  .enum([
    ...(['stay', 'change', 'charge', 'fee', 'payment', 'refund', 'correction'] as const),
    ...(['deposit_taken', 'deposit_returned', 'deposit_kept'] as const),
  ])
  .meta({
    id: 'PostingKind',
    description:
      'stay, change: the price; charge: beside it; both negative once the booking fell through; fee: what is payable then. correction: of a payment, negative. deposit_…: of the security deposit, in no sum but its own. More may come.',
  });

/** One movement of a folio (D126). */
const Posting = z
  .object({
    id: z.int().min(0).meta({ description: 'Its number in the folio of the stay; 0 is what it cost first.' }),
    booking_id: Id,
    at: Instant.meta({ description: 'When it was posted, or the money came.' }),
    kind: PostingKind,
    amount: z.number(),
    label: z.string().nullable().meta({ description: 'Of a charge.' }),
    quantity: z.int().nullable(),
    method: TakenMethod.nullable(),
    reference: z.string().nullable().meta({ description: 'Of the charge, or as the host wrote it.' }),
    collected_by: z.enum(['HOST', 'PARTNER', 'GATEWAY', 'PLATFORM']).nullable(),
    payment_id: Id.nullable().meta({ description: 'Of an online payment.' }),
    of: z.int().nullable().meta({ description: 'The `id` of what is refunded, corrected or taken out.' }),
    to_return: z
      .boolean()
      .meta({ description: 'Of a refund: the host has not handed it over yet, as far as is recorded.' }),
  })
  .meta({ id: 'Posting' });
export type PresentedPosting = z.infer<typeof Posting>;

export const ExtendPaymentRequest = z
  .strictObject({ hours: z.int().min(1).max(168) })
  .meta({ id: 'ExtendPaymentRequest' });

export const moneyFields = {
  amount_due: Money.meta({ description: 'What is to be paid now.' }),
  amount_due_later: Money.meta({ description: 'The balance of its payment plan, which is not due yet.' }),
  balance_due_at: Instant.nullable().meta({
    description: 'When the balance falls due; null: nothing is due later.',
  }),
  amount_paid: Money.meta({ description: 'What came in, refunded or not.' }),
  amount_refunded: Money,
  secured: z.boolean().meta({
    description:
      'Whether the price or the deposit of its payment plan is paid, or a payment is authorised. Charges do not count.',
  }),
};

/** What the host has to hand over, for who may read the folio. */
export const handoverFields = {
  amount_to_return: Money.optional().meta({
    description: 'For members of the team alone: refunds that are to be handed over.',
  }),
  deposit_to_return: Money.optional().meta({
    description:
      'For members of the team alone: the security deposit in hand of a guest who has left or does not come.',
  }),
};

export const Folio = z
  .object({
    booking_id: Id,
    currency: CurrencyCode,
    payment_status: PaymentStatus,
    balance: z.number().meta({ description: 'What is payable less what was paid; negative: credit.' }),
    ...moneyFields,
    amount_to_return: Money.meta({ description: 'What of the refunds the host has yet to hand over.' }),
    security_deposit: SecurityDeposit,
    postings: z.array(Posting).meta({ description: 'Oldest first, stay by stay.' }),
  })
  .meta({ id: 'Folio' });
export type Folio = z.infer<typeof Folio>;

import * as z from 'zod';
import { dueFields, type DueList, dueShardOf } from '../../platform/due/due-list.ts';
import { isOrderId, orderIdOf } from '../../platform/ids.ts';
import { defineEntity, defineRecord, type RecordOf } from '../../platform/table/index.ts';
import { paymentStates } from './payment.rules.ts';

/**
 * The online payment of an order, with the order's id as `payment_id`; or of one stay that is paid separately because its
 * host must accept it, with the stay's id (D86).
 */
const PaymentRecord = defineRecord(() => ({
  payment_id: z.int(),
  /** Name of the gateway: `stripe`. */
  provider: z.string(),
  amount: z.number(),
  currency: z.string(),
  state: z.enum(paymentStates),
  /** The gateway's id of the current attempt. */
  reference: z.string(),
  /** Where the customer pays; null for a charge by token. */
  url: z.string().nullable(),
  /** 1 for the first; a failed attempt is followed by another until the window ends. */
  attempt: z.int(),
  /** Epoch milliseconds at which the attempt was opened. */
  opened_at: z.int(),
  /** The stays of the attempt; absent: all of the payment. */
  stays: z.array(z.int()).exactOptional(),
  /** Earlier attempts; a payment may still arrive by one of them. */
  earlier: z.array(AttemptRecord()).exactOptional(),
  /** Epoch milliseconds until which it can be paid (D46, D73). */
  ends_at: z.int(),
  /** The gateway's id of the charge; null before it. */
  transaction_id: z.string().nullable(),
  /** The stay whose change it pays; the payment has the id of the order of that change (D84). */
  change_of: z.int().exactOptional(),
  /** The stay of which it takes what is due, on a page that its host has opened; the payment has an id of its own (D127). */
  due_of: z.int().exactOptional(),
  /** The stay whose security deposit its page authorises; the payment has an id of its own (D131). */
  deposit_of: z.int().exactOptional(),
  /** Authorised first, captured when the host of its stay accepts (D86), or keeps the deposit of it. */
  captured_later: z.literal(true).exactOptional(),
  /** Of a deposit, from CAPTURING on: what the host keeps of it; 0: it is released. */
  captures: z.number().exactOptional(),
  /** The order has several payments by one token. */
  shares_token: z.literal(true).exactOptional(),
  /** Who has accepted its stay, or keeps or releases its deposit; from CAPTURING on. */
  accepted_by: z.string().exactOptional(),
  /** The refunded amount so far. */
  refunded: z.number(),
  /** Checked and incremented by each write. */
  version: z.int(),
  /** UTC. */
  created_at: z.string(),
  updated_at: z.string(),
}));
export type Payment = RecordOf<typeof PaymentRecord>;

/** One page of a payment as it was opened. */
const AttemptRecord = defineRecord(() => ({
  reference: z.string(),
  amount: z.number(),
  /** Epoch milliseconds. */
  opened_at: z.int(),
  /** Epoch milliseconds until which it can be paid; absent: as long as the payment. */
  ends_at: z.int().exactOptional(),
  /** The stays of the attempt; absent: all of the payment. */
  stays: z.array(z.int()).exactOptional(),
  /** It was replaced because its amount was too high, or another was paid, and the gateway may not have closed it. */
  may_be_paid: z.literal(true).exactOptional(),
}));
export type Attempt = RecordOf<typeof AttemptRecord>;

export const PaymentEntity = defineEntity<Payment, Pick<Payment, 'payment_id'>>({
  name: 'Payment',
  meaning:
    'The online payment of an order, of one stay that is paid apart, or of what is due of one; or its security deposit.',
  patterns: ['the payment of an order (one Query with its reservations)'],
  record: PaymentRecord,
  key: [
    {
      pk: 'ORDER#{payment_id}',
      sk: 'PAYMENT',
      when: { says: 'of an order', holds: ({ payment_id }) => isOrderId(payment_id) },
    },
    {
      pk: 'ORDER#{order_id}',
      sk: 'PAYMENT#{payment_id}',
      derived: { order_id: ({ payment_id }) => orderIdOf(payment_id) },
    },
  ],
  example: { payment_id: 16 },
});

/** A refund through the gateway; its id makes it idempotent. */
const PaymentRefundRecord = defineRecord(() => ({
  payment_id: z.int(),
  refund_id: z.string(),
  /**
   * UNSURE: the gateway does not report whether it was made; a person has to check, and it is not repeated. FAILED: it was made
   * and counted, and the gateway reported later that it has not reached the customer; a person has to send the money.
   */
  state: z.enum(['DUE', 'DONE', 'UNSURE', 'FAILED']),
  /** The charge to refund: the payment's own, or another one for which nothing was due. */
  transaction_id: z.string(),
  /** Of another charge: the gateway's id of its attempt; absent: the payment's, like the next two. */
  reference: z.string().exactOptional(),
  /** Epoch milliseconds at which the attempt of that charge was opened. */
  opened_at: z.int().exactOptional(),
  amount: z.number(),
  /** The whole amount of that charge. */
  paid: z.number().exactOptional(),
  currency: z.string(),
  /** The stays that are refunded. */
  reservation_ids: z.array(z.int()),
  reason: z.string().nullable(),
  /** UTC. */
  created_at: z.string(),
  updated_at: z.string(),
}));
export type PaymentRefund = RecordOf<typeof PaymentRefundRecord>;

export const PaymentRefundEntity = defineEntity<
  PaymentRefund,
  Pick<PaymentRefund, 'payment_id' | 'refund_id'>
>({
  name: 'PaymentRefund',
  meaning: 'Money that goes back through the gateway, or went.',
  patterns: ['the refunds of an order (one Query with its payment)'],
  record: PaymentRefundRecord,
  upgrades: [({ ends_stay: _, ...refund }) => refund],
  key: {
    pk: 'ORDER#{order_id}',
    sk: 'REFUND#{refund_id}',
    derived: { order_id: ({ payment_id }) => orderIdOf(payment_id) },
  },
  example: { payment_id: 16, refund_id: 'cancel-17' },
});

/** When a payment is reconciled: the gateway is asked for its state, and due refunds are executed (D47). */
const DuePaymentRecord = defineRecord(() => ({ ...dueFields(), payment_id: z.int() }));
export type DuePayment = RecordOf<typeof DuePaymentRecord>;

const partition = 'DUE_PAYMENTS';

export const DuePaymentEntity = defineEntity<DuePayment, DuePayment>({
  name: 'DuePayment',
  meaning: 'A payment that the gateway is to be asked about.',
  patterns: ['the payments whose time has come (16 shards by the id)'],
  record: DuePaymentRecord,
  key: {
    pk: `${partition}#{shard}`,
    sk: '{due_at:sortable}#{payment_id}',
    derived: { shard: ({ payment_id }) => dueShardOf(payment_id) },
  },
  example: { due_at: 1_800_000_000_000, payment_id: 16 },
});

export const duePayments: DueList<DuePayment> = {
  partition,
  entity: DuePaymentEntity,
  stuckMetric: 'payment_unreconciled',
};

import { isOrderId, orderIdOf, orderPartition } from '../../platform/ids.ts';
import { type DueItem, dueKey, type DueList } from '../../platform/due/due-list.ts';
import { defineEntity } from '../../platform/table/index.ts';
import type { PaymentState } from './payment-moves.ts';

/**
 * The online payment of an order: what the gateway knows under `payment_id`, which is the order's own id; or of one stay that
 * is paid apart, because its host accepts it by hand: then the id is the stay's (D86).
 */
export interface Payment {
  payment_id: number;
  /** The gateway's name: `stripe`. */
  provider: string;
  amount: number;
  currency: string;
  state: PaymentState;
  /** What the gateway calls the attempt at hand. */
  reference: string;
  /** Where the customer pays; null for a charge by token. */
  url: string | null;
  /** 1 for the first; each failed attempt is followed by another until the window ends. */
  attempt: number;
  /** Epoch milliseconds: when the attempt was opened. */
  opened_at: number;
  /** The stays that the attempt is for; absent: all that the payment is of. */
  stays?: number[];
  /** The attempts before the one at hand: money may come by one of them yet. */
  earlier?: Attempt[];
  /** Epoch milliseconds until which it may be paid (D46, D73). */
  ends_at: number;
  /** The gateway's id of the charge, once there is one. */
  transaction_id: string | null;
  /** By token, authorised first and captured when the host of its one stay accepts (D86). */
  captured_later?: true;
  /** One of several of its order by one token. */
  shares_token?: true;
  /** Who has accepted its stay: from CAPTURING on. */
  accepted_by?: string;
  /** What went back of it so far. */
  refunded: number;
  /** Every write checks and bumps it. */
  version: number;
  /** UTC. */
  created_at: string;
  updated_at: string;
}

/** One page of a payment, as it was opened. */
export interface Attempt {
  reference: string;
  amount: number;
  /** Epoch milliseconds. */
  opened_at: number;
  /** The stays that it is for; absent: all that the payment is of. */
  stays?: number[];
  /** It was followed by another because it asked for too much, and the gateway may not have closed it. */
  may_be_paid?: true;
}

export const PaymentEntity = defineEntity<Payment, Pick<Payment, 'payment_id'>>({
  name: 'Payment',
  meaning: 'The online payment of an order, or of one stay that is paid apart.',
  patterns: ['the payment of an order (one Query with its reservations)'],
  key: ({ payment_id }) => ({
    pk: orderPartition(orderIdOf(payment_id)),
    sk: isOrderId(payment_id) ? 'PAYMENT' : `PAYMENT#${payment_id}`,
  }),
  example: { payment_id: 16 },
});

/** Money that goes back through the gateway; its id makes it happen once, however often it is asked for. */
export interface PaymentRefund {
  payment_id: number;
  refund_id: string;
  /** UNSURE: the gateway does not say whether it was made; a person finds out, and it is not asked for again. */
  state: 'DUE' | 'DONE' | 'UNSURE';
  /** The charge that it is of: the payment's own, or another that nothing was due for. */
  transaction_id: string;
  reference: string;
  /** Epoch milliseconds: when that charge's attempt was opened; absent: when the payment's was. */
  opened_at?: number;
  amount: number;
  /** The whole of that charge. */
  paid: number;
  currency: string;
  /** The stays that it is for. */
  reservation_ids: number[];
  reason: string | null;
  /** UTC. */
  created_at: string;
  updated_at: string;
}

export const PaymentRefundEntity = defineEntity<
  PaymentRefund,
  Pick<PaymentRefund, 'payment_id' | 'refund_id'>
>({
  name: 'PaymentRefund',
  meaning: 'Money that goes back through the gateway, or went.',
  patterns: ['the refunds of an order (one Query with its payment)'],
  key: ({ payment_id, refund_id }) => ({
    pk: orderPartition(orderIdOf(payment_id)),
    sk: `REFUND#${refund_id}`,
  }),
  example: { payment_id: 16, refund_id: 'cancel-17' },
});

/** When a payment is to be looked at: the gateway is asked how it stands, and what is due goes back (D47). */
export interface DuePayment extends DueItem {
  payment_id: number;
}

const partition = 'DUE_PAYMENTS';

export const DuePaymentEntity = defineEntity<DuePayment, DuePayment>({
  name: 'DuePayment',
  meaning: 'A payment that the gateway is to be asked about.',
  patterns: ['the payments whose time has come (16 shards by the id)'],
  key: ({ due_at, payment_id }) => dueKey(partition, due_at, payment_id),
  example: { due_at: 1_800_000_000_000, payment_id: 16 },
});

export const duePayments: DueList<DuePayment> = { partition, entity: DuePaymentEntity };

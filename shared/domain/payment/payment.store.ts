import * as z from 'zod';
import { instantText } from '../../platform/clock.ts';
import type { Context } from '../../platform/context.ts';
import { dueFields, type DueList, dueShardOf } from '../../platform/due/due-list.ts';
import { isOrderId, orderIdOf } from '../../platform/ids.ts';
import { readSettings } from '../../platform/settings.ts';
import {
  change,
  create,
  defineEntity,
  equals,
  put,
  type Write,
  defineRecord,
  type RecordOf,
} from '../../platform/table/index.ts';

/** The states of an online payment. Refunds have states of their own. */
const paymentStates = [
  'OPEN',
  'CHARGING',
  'AUTHORISED',
  'CAPTURING',
  'PAID',
  'FAILED',
  'EXPIRED',
  'VOIDED',
  'REFUNDED',
] as const;
type PaymentState = (typeof paymentStates)[number];

/** The state transitions of a payment; conditions, errors and the diagram are derived from them. */
export const paymentMoves = {
  // Also from final states: a late payment is recorded and refunded.
  pay: {
    from: ['OPEN', 'CHARGING', 'AUTHORISED', 'CAPTURING', 'EXPIRED', 'FAILED', 'VOIDED'],
    to: 'PAID',
  },
  // By token, for a stay that its host must accept; the acceptance captures it (D86).
  authorise: { from: ['CHARGING'], to: 'AUTHORISED' },
  capture: { from: ['AUTHORISED'], to: 'CAPTURING' },
  void: { from: ['AUTHORISED', 'CAPTURING'], to: 'VOIDED' },
  decline: { from: ['CHARGING'], to: 'FAILED' },
  expire: { from: ['OPEN'], to: 'EXPIRED' },
  refund: { from: ['PAID'], to: 'REFUNDED' },
} as const satisfies Record<string, { from: readonly PaymentState[]; to: PaymentState }>;

type PaymentMove = keyof typeof paymentMoves;

export const mayMovePayment = (state: PaymentState, move: PaymentMove): boolean =>
  (paymentMoves[move].from as readonly PaymentState[]).includes(state);

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
  /** By token: authorised first, captured when the host of its stay accepts (D86). */
  captured_later: z.literal(true).exactOptional(),
  /** The order has several payments by one token. */
  shares_token: z.literal(true).exactOptional(),
  /** Who has accepted its stay; from CAPTURING on. */
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
  /** The stays of the attempt; absent: all of the payment. */
  stays: z.array(z.int()).exactOptional(),
  /** It was replaced because its amount was too high, or another was paid, and the gateway may not have closed it. */
  may_be_paid: z.literal(true).exactOptional(),
}));
export type Attempt = RecordOf<typeof AttemptRecord>;

export const PaymentEntity = defineEntity<Payment, Pick<Payment, 'payment_id'>>({
  name: 'Payment',
  meaning: 'The online payment of an order, or of one stay that is paid apart.',
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
  /** UNSURE: the gateway does not report whether it was made; a person has to check, and it is not repeated. */
  state: z.enum(['DUE', 'DONE', 'UNSURE']),
  /** The charge to refund: the payment's own, or another one for which nothing was due. */
  transaction_id: z.string(),
  reference: z.string(),
  /** Epoch milliseconds at which the attempt of that charge was opened; absent: the payment's. */
  opened_at: z.int().exactOptional(),
  amount: z.number(),
  /** The whole amount of that charge. */
  paid: z.number(),
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

const minuteMs = 60_000;
/** The shortest payment window, however near the check-in is (D73). */
const minWindowMs = 30 * minuteMs;

/** The longest payment window (D46: 24 hours unless `PAYMENT_WINDOW_MINUTES` is set). */
const maxWindowMs = (): number => readSettings().PAYMENT_WINDOW_MINUTES * minuteMs;

const hourMs = 60 * minuteMs;
const minTransferMs = 2 * hourMs;

/** Returns the time limit of a bank transfer in epoch milliseconds: not later than check-in, but at least 2 hours (D85). */
export const transferWindowEnd = (now: number, checkIn: number, hours: number): number =>
  Math.max(now + minTransferMs, Math.min(now + hours * hourMs, checkIn));

/**
 * Returns the end of a payment window in epoch milliseconds: not later than the first check-in, but at least 30 minutes
 * (D73).
 */
export const paymentWindowEnd = (now: number, checkIns: readonly number[]): number =>
  Math.max(now + minWindowMs, Math.min(now + maxWindowMs(), ...checkIns));

type Clocked = Pick<Context, 'clock'>;

/** How often the gateway is asked about an open payment (D47). */
export const reconciliationIntervalMs = 5 * minuteMs;

/** Returns the write that has a payment reconciled from an instant on; idempotent. */
export const scheduleReconciliation = (paymentId: number, dueAt: number): Write =>
  put(DuePaymentEntity, { payment_id: paymentId, due_at: dueAt });

/** Returns the writes of a new payment and its first reconciliation. */
export const createPayment = ({ clock }: Clocked, payment: Payment): Write[] => [
  create(PaymentEntity, payment),
  scheduleReconciliation(payment.payment_id, clock.now() + reconciliationIntervalMs),
];

type Changes = Partial<Omit<Payment, 'payment_id' | 'version' | 'state'>>;

/** Returns the write that changes a payment if its version is unchanged. */
export const changePayment = (
  { clock }: Clocked,
  payment: Payment,
  set: Changes & { state?: Payment['state'] },
): Write =>
  change(
    PaymentEntity,
    payment,
    { set: { ...set, updated_at: instantText(clock.now()) }, add: { version: 1 } },
    { when: equals('version', payment.version) },
  );

/** Returns the write of a transition; the caller has checked that it is allowed. */
export const movePayment = (ctx: Clocked, payment: Payment, move: PaymentMove, set: Changes = {}): Write => {
  if (!mayMovePayment(payment.state, move))
    throw new Error(`a payment that is ${payment.state} does not allow ${move}`);
  return changePayment(ctx, payment, { ...set, state: paymentMoves[move].to });
};

export type RefundRequest = Omit<PaymentRefund, 'state' | 'created_at' | 'updated_at'>;

/**
 * Returns the writes that schedule refunds and the immediate reconciliation of their payments, once each: a transaction
 * takes one write of an item. They conflict if a refund exists.
 */
export const scheduleRefunds = ({ clock }: Clocked, refunds: readonly RefundRequest[]): Write[] => {
  const now = clock.now();
  const at = instantText(now);
  const payments = new Set(refunds.map(({ payment_id }) => payment_id));
  return [
    ...refunds.map((refund) =>
      create(PaymentRefundEntity, { ...refund, state: 'DUE', created_at: at, updated_at: at }),
    ),
    ...Array.from(payments, (paymentId) => scheduleReconciliation(paymentId, now)),
  ];
};

/** The most attempts kept; a payment by an older one is matched with the current one. */
const maxEarlierAttempts = 50;

/**
 * Returns the attempt of a charge, which may have had another amount and time. A gateway may report the charge under
 * another id (Stripe's intent of a session); then the amount decides.
 */
export const attemptOf = (payment: Payment, charge: Pick<Attempt, 'reference' | 'amount'>): Attempt => {
  const attempts = [presentAttempt(payment), ...(payment.earlier ?? [])];
  return (
    attempts.find(({ reference }) => reference === charge.reference) ??
    attempts.find(({ amount }) => amount === charge.amount) ??
    presentAttempt(payment)
  );
};

const presentAttempt = ({ reference, amount, opened_at, stays }: Payment): Attempt => ({
  reference,
  amount,
  opened_at,
  ...(stays ? { stays } : {}),
});

/**
 * Returns the earlier attempts with the current one added; `may_be_paid`: its page has too high an amount and may still
 * be paid.
 */
export const earlierAttempts = (
  payment: Payment,
  { may_be_paid }: { may_be_paid: boolean },
): Pick<Payment, 'earlier'> => ({
  earlier: [
    ...(payment.earlier ?? []),
    { ...presentAttempt(payment), ...(may_be_paid ? { may_be_paid: true as const } : {}) },
  ].slice(-maxEarlierAttempts),
});

import { instantText } from '../../platform/clock.ts';
import type { Context } from '../../platform/context.ts';
import { type DueItem, type DueList, dueShardOf } from '../../platform/due/due-list.ts';
import { isOrderId, orderIdOf } from '../../platform/ids.ts';
import { readSettings } from '../../platform/settings.ts';
import { change, create, defineEntity, equals, put, type Write } from '../../platform/table/index.ts';

/** The states of an order's online payment. What goes back of it are refunds, each with a state of its own. */
type PaymentState =
  'OPEN' | 'CHARGING' | 'AUTHORISED' | 'CAPTURING' | 'PAID' | 'FAILED' | 'EXPIRED' | 'VOIDED' | 'REFUNDED';

/** The moves of a payment: conditions, refusals and the diagram come from here. */
export const paymentMoves = {
  // Also from where nothing was expected any more: the money came in, and goes back.
  pay: {
    from: ['OPEN', 'CHARGING', 'AUTHORISED', 'CAPTURING', 'EXPIRED', 'FAILED', 'VOIDED'],
    to: 'PAID',
  },
  // By token, of a stay that its host has yet to accept; the acceptance captures it (D86).
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
  key: {
    pk: 'ORDER#{order_id}',
    sk: 'REFUND#{refund_id}',
    derived: { order_id: ({ payment_id }) => orderIdOf(payment_id) },
  },
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
  key: {
    pk: `${partition}#{shard}`,
    sk: '{due_at:sortable}#{payment_id}',
    derived: { shard: ({ payment_id }) => dueShardOf(payment_id) },
  },
  example: { due_at: 1_800_000_000_000, payment_id: 16 },
});

export const duePayments: DueList<DuePayment> = { partition, entity: DuePaymentEntity };

const minuteMs = 60_000;
/** However near the check-in is, so long a customer has (D73). */
const shortestMs = 30 * minuteMs;

/** How long an online payment may take (D46: 24 hours unless `PAYMENT_WINDOW_MINUTES` says otherwise). */
const windowMs = (): number => readSettings().PAYMENT_WINDOW_MINUTES * minuteMs;

const hourMs = 60 * minuteMs;
const shortestTransferMs = 2 * hourMs;

/** Until when a bank transfer has to come, in epoch milliseconds: never later than check-in, but at least 2 hours (D85). */
export const transferWindowEnd = (now: number, checkIn: number, hours: number): number =>
  Math.max(now + shortestTransferMs, Math.min(now + hours * hourMs, checkIn));

/** Until when an order may be paid, in epoch milliseconds: never later than its first check-in, but at least 30 minutes (D73). */
export const paymentWindowEnd = (now: number, checkIns: readonly number[]): number =>
  Math.max(now + shortestMs, Math.min(now + windowMs(), ...checkIns));

type Clocked = Pick<Context, 'clock'>;

/** How often the gateway is asked about a payment that is open (D47). */
export const reconciliationIntervalMs = 5 * minuteMs;

/** Has the payment looked at from an instant on; twice at one instant is once. */
export const scheduleReconciliation = (payment_id: number, due_at: number): Write =>
  put(DuePaymentEntity, { payment_id, due_at });

/** A new payment, and the first look at it. */
export const createPayment = ({ clock }: Clocked, payment: Payment): Write[] => [
  create(PaymentEntity, payment),
  scheduleReconciliation(payment.payment_id, clock.now() + reconciliationIntervalMs),
];

type Changes = Partial<Omit<Payment, 'payment_id' | 'version' | 'state'>>;

/** Changes a payment as it was read; anybody's write in between is a lost race. */
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

/** Moves a payment; the caller has seen that it may. */
export const movePayment = (ctx: Clocked, payment: Payment, move: PaymentMove, set: Changes = {}): Write => {
  if (!mayMovePayment(payment.state, move))
    throw new Error(`a payment that is ${payment.state} cannot ${move}`);
  return changePayment(ctx, payment, { ...set, state: paymentMoves[move].to });
};

type Asked = Omit<PaymentRefund, 'state' | 'created_at' | 'updated_at'>;

/** Owes money back, and has it looked after at once. The one who finds it owed already has lost a race. */
export const scheduleRefund = ({ clock }: Clocked, refund: Asked): Write[] => {
  const now = instantText(clock.now());
  return [
    create(PaymentRefundEntity, { ...refund, state: 'DUE', created_at: now, updated_at: now }),
    scheduleReconciliation(refund.payment_id, clock.now()),
  ];
};

/** As many attempts as are remembered; money that comes by one before them is judged as if it came by the one at hand. */
const mostEarlier = 50;

/**
 * The attempt that a charge came by: an earlier one may have been opened for more, and at another time. A gateway may report
 * the charge by its own name (Stripe's intent of a session): then the amount says which it was.
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

/** The attempts before one that follows the one at hand; `may_be_paid`: its page asks for too much, and may still take money. */
export const earlierOf = (
  payment: Payment,
  { may_be_paid }: { may_be_paid: boolean },
): Pick<Payment, 'earlier'> => ({
  earlier: [
    ...(payment.earlier ?? []),
    { ...presentAttempt(payment), ...(may_be_paid ? { may_be_paid: true as const } : {}) },
  ].slice(-mostEarlier),
});

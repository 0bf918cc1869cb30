import { isOrderId, orderIdOf } from '../../platform/ids.ts';
import { money } from '../../platform/money.ts';
import { fellThrough, type OrderItem, type Reservation, thawQuote, totalOf } from '../booking/model.ts';
import {
  dueFor,
  isByPartner,
  isPaidToPartner,
  isRefunded,
  isUnused,
  type Posting,
  unpaidFor,
} from '../folio/model.ts';
import type { Payment, PaymentRefund } from '../payment/model.ts';
import type { AuditRule, Figures } from './audit-rule.rules.ts';
import { type AuditedOrder, eventsOf, stayFigures, usedPayments } from './order-audit.rules.ts';

/** Returns every payment of an order. */
export const paymentsOf = ({ payment, separatePayments }: AuditedOrder): Payment[] => [
  ...(payment ? [payment] : []),
  ...separatePayments,
];

export const paymentFigures = ({ payment_id, state, amount }: Payment): Figures => ({
  payment_id,
  order_id: orderIdOf(payment_id),
  state,
  amount,
});

const isPaid = ({ state }: Payment): boolean => state === 'PAID' || state === 'REFUNDED';

/** The refunds of the payment's own charge, without those of a second one. */
const ownRefunds = ({ refunds }: AuditedOrder, { payment_id, transaction_id }: Payment): PaymentRefund[] =>
  refunds.filter((refund) => refund.payment_id === payment_id && refund.transaction_id === transaction_id);

const sumOf = (refunds: readonly PaymentRefund[]): number => totalOf(refunds.map(({ amount }) => amount));

const staysOf = ({ reservations, changed }: AuditedOrder): Reservation[] => [
  ...reservations,
  ...(changed?.reservations ?? []),
];

/** Returns what a payment has paid by the folios of its stays. */
const postedOf = (audited: AuditedOrder, { payment_id }: Payment): number =>
  totalOf(
    staysOf(audited)
      .flatMap(usedPayments)
      .filter((posting) => posting.payment_id === payment_id)
      .map(({ amount }) => amount),
  );

/** Returns what the current attempt of a payment is for. */
const dueOf = (audited: AuditedOrder, payment: Payment): number =>
  audited.order?.change?.due ??
  totalOf(
    itemsOf(audited, payment).map(({ quote, plan }) =>
      dueFor({ total: thawQuote(quote).total, ...(plan && { plan }) }),
    ),
  );

/** Returns the stays that the current attempt of a payment is for. */
const itemsOf = ({ order }: AuditedOrder, { payment_id, stays }: Payment): OrderItem[] =>
  (order?.items ?? []).filter(({ reservation_id, instant_book }) =>
    isOrderId(payment_id) ? (stays?.includes(reservation_id) ?? instant_book) : reservation_id === payment_id,
  );

const promising = ['booking.cancelled', 'booking.declined', 'booking.no_show'] as const;

/** Returns what the events by which a stay fell through promised. */
const promised = (audited: AuditedOrder, stay: Reservation): number =>
  totalOf(promising.flatMap((type) => eventsOf(audited, stay, type)).map(({ data }) => data.refund ?? 0));

/** Returns what the folio of a stay refunds by its end; a refund by hand lowers the fee once more. */
const refundedAtEnd = (stay: Reservation): number => {
  const { postings = [] } = stay;
  // What the host took beside is not announced.
  const isAnnounced = ({ of = 0 }: Posting): boolean =>
    !isPaidToPartner(stay) || isByPartner(postings[of - 1] ?? { kind: 'payment', amount: 0, at: 0 });
  const [end, byHand] = [...postings.keys()].filter((at) => postings[at]?.kind === 'fee');
  const after = end === undefined ? [] : postings.slice(end, byHand);
  return totalOf(
    after
      .filter((posting) => posting.kind === 'refund' && !isUnused(posting) && isAnnounced(posting))
      .map(({ amount }) => amount),
  );
};

/** Whether a record had no folio once: what had been refunded before may not be in it. */
const isOpenedLater = ({ postings = [] }: Reservation): boolean =>
  postings.some(({ is_opening }) => is_opening);

/** Returns the refunds of an order's stays, with those of what their changes had cost more. */
const refundsOfStays = ({ refunds, changed, change_orders }: AuditedOrder): PaymentRefund[] =>
  changed
    ? []
    : [...refunds, ...change_orders.flatMap((order) => order.refunds)].filter((refund) => !isUnused(refund));

/** Returns the refunds through the gateway in the folios of stays, with their stays. */
const postedRefunds = ({ reservations }: AuditedOrder) =>
  reservations.flatMap((stay) =>
    (stay.postings ?? [])
      .filter((posting) => posting.refund_id !== undefined && !isUnused(posting))
      .map((posting) => ({ stay, ...posting })),
  );

const refundFigures = ({ payment_id, refund_id, state, amount }: PaymentRefund): Figures => ({
  payment_id,
  order_id: orderIdOf(payment_id),
  refund_id,
  state,
  amount,
});

/** Whether a payment can be made no more; its stays may be changed and paid otherwise. */
const hasEnded = ({ state }: Payment): boolean =>
  state === 'EXPIRED' || state === 'FAILED' || state === 'VOIDED';

/** Whether a refund was made, also if it has not reached the customer. */
const isMade = ({ state }: PaymentRefund): boolean => state === 'DONE' || state === 'FAILED';

/** Rules of the payments and refunds of an order. */
export const paymentRules: readonly AuditRule<AuditedOrder>[] = [
  {
    name: 'payment-amount',
    holds:
      'A payment that is not made yet is for exactly the frozen prices of its stays, or the deposits of their plans, or for what a change costs more.',
    violations: (audited) =>
      paymentsOf(audited).flatMap((payment) => {
        if (isPaid(payment) || hasEnded(payment) || !audited.order) return [];
        const due = dueOf(audited, payment);
        return due === payment.amount && payment.currency === audited.order.currency
          ? []
          : [{ ...paymentFigures(payment), due }];
      }),
  },
  {
    name: 'payment-state',
    holds: 'A payment is being charged only while its order is; no booked order has one that is.',
    violations: (audited) => {
      const charging = paymentsOf(audited).filter(({ state }) => state === 'CHARGING');
      const { order, order_id } = audited;
      if (order?.state === 'CHARGING' && charging.length === 0) return [{ order_id, state: order.state }];
      return order?.state === 'BOOKED' || order?.state === 'HELD' ? charging.map(paymentFigures) : [];
    },
  },
  {
    name: 'paid-stay-without-payment',
    holds: 'A stay that the gateway has charged has a payment in a paid state with the same charge.',
    violations: (audited) => {
      const payments = [...paymentsOf(audited), ...audited.change_orders.flatMap(paymentsOf)].filter(isPaid);
      return audited.reservations
        .filter((stay) =>
          usedPayments(stay).some(
            ({ payment_id, reference }) =>
              payment_id !== undefined &&
              !payments.some((one) => one.payment_id === payment_id && one.transaction_id === reference),
          ),
        )
        .map(stayFigures);
    },
  },
  {
    name: 'payment-without-stays',
    holds:
      'What a payment has taken is in the folios of the stays that it paid, or was returned because nothing was due for it.',
    violations: (audited) =>
      paymentsOf(audited)
        .filter(isPaid)
        .flatMap((payment) => {
          if (staysOf(audited).some(isOpenedLater)) return [];
          const returned = ownRefunds(audited, payment).filter(isUnused);
          const sum = totalOf([postedOf(audited, payment), sumOf(returned)]);
          return sum === payment.amount ? [] : [{ ...paymentFigures(payment), accounted: sum }];
        }),
  },
  {
    name: 'refund-above-paid',
    holds: 'The refunds of a charge are together never more than the charge.',
    violations: (audited) =>
      [...Map.groupBy(audited.refunds, ({ transaction_id }) => transaction_id).values()].flatMap((some) => {
        const [first] = some;
        const payment = paymentsOf(audited).find(({ payment_id }) => payment_id === first?.payment_id);
        const paid = first?.paid ?? payment?.amount ?? 0;
        return first && money(sumOf(some)).gt(paid)
          ? [{ ...refundFigures(first), paid, refunds: sumOf(some) }]
          : [];
      }),
  },
  {
    name: 'refund-count',
    holds:
      'A payment counts the refunds of its charge that are done, and is REFUNDED exactly when they are all of it.',
    violations: (audited) =>
      paymentsOf(audited)
        .filter(isPaid)
        .flatMap((payment) => {
          const done = sumOf(ownRefunds(audited, payment).filter(isMade));
          const isWhole = payment.amount > 0 && money(done).gte(payment.amount);
          return payment.refunded === done && isWhole === (payment.state === 'REFUNDED')
            ? []
            : [{ ...paymentFigures(payment), refunded: payment.refunded, done }];
        }),
  },
  {
    name: 'refund-missing',
    holds: 'What the folios of stays refund of a charge is in a refund, with exactly that amount.',
    violations: (audited) => {
      if (audited.reservations.some(isOpenedLater)) return [];
      const posted = Map.groupBy(postedRefunds(audited), ({ refund_id }) => refund_id);
      const refunds = refundsOfStays(audited);
      const missing = [...posted].filter(([id]) => !refunds.some(({ refund_id }) => refund_id === id));
      const wrong = refunds.filter(
        ({ refund_id, amount }) => totalOf((posted.get(refund_id) ?? []).map((one) => one.amount)) !== amount,
      );
      return [
        ...missing.flatMap(([, some]) => some.map(({ stay, amount }) => ({ ...stayFigures(stay), amount }))),
        ...wrong.map(refundFigures),
      ];
    },
  },
  {
    name: 'refund-promised',
    holds: 'What the event by which a stay fell through promised is what its folio refunds from then on.',
    violations: (audited) =>
      audited.reservations
        .filter((stay) => !isOpenedLater(stay) && promised(audited, stay) !== refundedAtEnd(stay))
        .map((stay) => ({
          ...stayFigures(stay),
          promised: promised(audited, stay),
          posted: refundedAtEnd(stay),
        })),
  },
  {
    name: 'refund-status',
    holds: 'The folio of a stay has a refund as made exactly when it was made.',
    violations: (audited) => {
      const made = new Set(
        refundsOfStays(audited)
          .filter(isMade)
          .map(({ refund_id }) => refund_id),
      );
      return postedRefunds(audited)
        .filter(
          ({ stay, refund_id = '', is_due }) =>
            !isOpenedLater(stay) && made.has(refund_id) === (is_due === true),
        )
        .map(({ stay }) => stayFigures(stay));
    },
  },
  {
    name: 'payment-status',
    holds:
      'A stay is PAID only when nothing of it is unpaid, PENDING only when something is or it is free, and REFUNDED exactly when it fell through and all that was paid has gone back.',
    violations: ({ reservations }) => reservations.filter((stay) => !isStatusRight(stay)).map(stayFigures),
  },
];

const isStatusRight = (stay: Reservation): boolean => {
  const { state, payment_status, total } = stay;
  if (fellThrough(state)) return isRefunded(stay) === (payment_status === 'REFUNDED');
  const unpaid = unpaidFor(stay);
  return payment_status === 'PAID'
    ? unpaid === 0
    : payment_status === 'PENDING' && (unpaid > 0 || total === 0);
};

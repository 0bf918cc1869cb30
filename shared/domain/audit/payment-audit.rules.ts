import { isDeepStrictEqual } from 'node:util';
import { isOrderId, orderIdOf } from '../../platform/ids.ts';
import { money } from '../../platform/money.ts';
import {
  fellThrough,
  isPaidOnline,
  type OrderItem,
  paymentOf,
  type Reservation,
  thawQuote,
  totalOf,
} from '../booking/model.ts';
import type { Payment, PaymentRefund } from '../payment/model.ts';
import type { AuditRule, Figures } from './audit-rule.rules.ts';
import { type AuditedOrder, eventsOf, stayFigures } from './order-audit.rules.ts';

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

const paidBy = ({ reservations, changed }: AuditedOrder, { transaction_id }: Payment): Reservation[] =>
  [...reservations, ...(changed?.reservations ?? [])].filter(
    ({ payment_transaction_id, charges = [] }) =>
      payment_transaction_id === transaction_id ||
      charges.some((charge) => charge.transaction_id === transaction_id),
  );

/** Returns what the current attempt of a payment is for. */
const dueOf = (audited: AuditedOrder, payment: Payment): number =>
  audited.order?.change?.due ?? totalOf(itemsOf(audited, payment).map(({ quote }) => thawQuote(quote).total));

/** Returns the stays that the current attempt of a payment is for. */
const itemsOf = ({ order }: AuditedOrder, { payment_id, stays }: Payment): OrderItem[] =>
  (order?.items ?? []).filter(({ reservation_id, instant_book }) =>
    isOrderId(payment_id) ? (stays?.includes(reservation_id) ?? instant_book) : reservation_id === payment_id,
  );

const promising = ['booking.cancelled', 'booking.declined', 'booking.no_show'] as const;

/** Returns what the events by which a stay fell through promised. */
const promised = (audited: AuditedOrder, stay: Reservation): number =>
  totalOf(promising.flatMap((type) => eventsOf(audited, stay, type)).map(({ data }) => data.refund ?? 0));

/** Returns what of it goes through the gateway. */
const promisedOnline = (audited: AuditedOrder, stay: Reservation): number => {
  const all = promised(audited, stay);
  return stay.charges ? Math.min(all, totalOf(stay.charges.map(({ amount }) => amount))) : all;
};

/** Whether a refund was promised when its stays fell through. */
const isPromised = ({ refund_id }: PaymentRefund): boolean => /^(cancel|no-show)-/.test(refund_id);

/** Returns the refunds of an order's stays, with those of what their changes had cost more. */
const allRefunds = ({ refunds, changed, change_orders }: AuditedOrder): PaymentRefund[] =>
  changed ? [] : [...refunds, ...change_orders.flatMap((order) => order.refunds)];

/** Returns the stays that fell through with a refund through the gateway. */
const owed = (audited: AuditedOrder): Reservation[] =>
  audited.reservations.filter(
    (stay) => fellThrough(stay.state) && isPaidOnline(stay) && promised(audited, stay) > 0,
  );

/** Whether a stay was changed for a lower price. */
const isOfChange = ({ refund_id }: PaymentRefund): boolean => refund_id.startsWith('change-');

/** Returns how much of a stay a charge has paid. */
const chargedFor = ({ charges, total }: Reservation, { transaction_id }: Payment): number =>
  charges
    ? totalOf(
        charges.filter((charge) => charge.transaction_id === transaction_id).map(({ amount }) => amount),
      )
    : total;

/** A refund of stays that the charge had paid; others return what came when nothing was due. */
const isForPaidStays = (refund: PaymentRefund, paid: readonly Reservation[]): boolean =>
  paid.some(({ reservation_id }) => refund.reservation_ids.includes(reservation_id));

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
      'A payment that is not made yet is for exactly the frozen prices of its stays, or for what a change costs more.',
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
    violations: (audited) =>
      audited.reservations
        .filter(isPaidOnline)
        .filter((stay) => {
          const payments = [paymentOf(audited, stay), ...audited.change_orders.map(({ payment }) => payment)];
          const isMatch = payments.some(
            (payment) => payment && isPaid(payment) && payment.transaction_id === stay.payment_transaction_id,
          );
          return !isMatch || (stay.payment_status === 'PENDING' && stay.paid_before === undefined);
        })
        .map(stayFigures),
  },
  {
    name: 'payment-without-stays',
    holds:
      'What a payment has taken is the price of the stays that it paid, and what was returned because nothing was due for it.',
    violations: (audited) =>
      paymentsOf(audited)
        .filter(isPaid)
        .flatMap((payment) => {
          const stays = paidBy(audited, payment);
          const own = ownRefunds(audited, payment);
          const returned = own.filter((refund) => !isForPaidStays(refund, stays) || isOfChange(refund));
          const sum = totalOf([...stays.map((stay) => chargedFor(stay, payment)), sumOf(returned)]);
          return sum === payment.amount ? [] : [{ ...paymentFigures(payment), accounted: sum }];
        }),
  },
  {
    name: 'refund-above-paid',
    holds: 'The refunds of a charge are together never more than the charge.',
    violations: ({ refunds }) =>
      [...Map.groupBy(refunds, ({ transaction_id }) => transaction_id).values()].flatMap((some) => {
        const [first] = some;
        return first && money(sumOf(some)).gt(first.paid)
          ? [{ ...refundFigures(first), paid: first.paid, refunds: sumOf(some) }]
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
    holds: 'What a cancellation or a no-show promised of a charge is in a refund, with exactly that amount.',
    violations: (audited) => {
      const stays = owed(audited);
      const refunds = allRefunds(audited).filter(isPromised);
      const missing = stays.filter(
        ({ reservation_id }) =>
          !refunds.some(({ reservation_ids }) => reservation_ids.includes(reservation_id)),
      );
      const wrong = refunds.filter((refund) => {
        const named = stays.filter(({ reservation_id }) => refund.reservation_ids.includes(reservation_id));
        // Several charges have paid a stay whose price was changed; each goes back by a refund of its own.
        const amount = named.some(({ charges }) => charges)
          ? sumOf(
              refunds.filter(({ reservation_ids }) =>
                isDeepStrictEqual(reservation_ids, refund.reservation_ids),
              ),
            )
          : refund.amount;
        return totalOf(named.map((stay) => promisedOnline(audited, stay))) !== amount;
      });
      return [
        ...missing.map((stay) => ({ ...stayFigures(stay), promised: promised(audited, stay) })),
        ...wrong.map(refundFigures),
      ];
    },
  },
  {
    name: 'refund-status',
    holds: 'A stay that fell through is REFUNDED exactly when the refund of its whole price is done.',
    violations: (audited) =>
      owed(audited)
        .filter((stay) => {
          const isDone = allRefunds(audited).some(
            (refund) =>
              isMade(refund) && isPromised(refund) && refund.reservation_ids.includes(stay.reservation_id),
          );
          const isWhole = promised(audited, stay) >= (stay.paid_before ?? stay.total);
          return (isDone && isWhole) !== (stay.payment_status === 'REFUNDED');
        })
        .map(stayFigures),
  },
];

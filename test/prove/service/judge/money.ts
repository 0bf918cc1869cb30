import type { Item } from '../../memory/values.ts';
import { type Bank, type Charge, refundedOf } from '../bank.ts';

interface Stay {
  reservation_id: number;
  order_id: number;
  state: string;
  payment_status: string;
  payment_method: string;
  total: number;
  postings?: {
    kind: string;
    amount: number;
    method?: string;
    reference?: string;
    of?: number;
    is_due?: true;
  }[];
  cancel_reason?: string;
}

interface Payment {
  payment_id: number;
  state: string;
  /** Of its last page. */
  reference: string;
  transaction_id: string | null;
  amount: number;
  refunded: number;
  /** The stay whose change it pays. */
  change_of?: number;
  /** The stay of which it takes what is due. */
  due_of?: number;
}

const of = <Type>(items: readonly Item[], entity: string): Type[] =>
  items.filter((item) => item['entity'] === entity) as Type[];

const sum = (amounts: Iterable<number>): number => [...amounts].reduce((total, one) => total + one, 0);

/** Compares the service with the bank's ledger when all is quiet: charged = booked + refunded. */
export const moneyProblems = (items: readonly Item[], bank: Bank): string[] => {
  const stays = of<Stay>(items, 'Reservation');
  const payments = of<Payment>(items, 'Payment');
  return [
    ...bank.problems,
    ...bank.charges.flatMap((charge) => chargeProblems(charge, stays)),
    ...lostStays(bank.charges, stays, payments),
    ...stays.flatMap((stay) => stayProblems(stay, bank)),
    ...stays.flatMap(folioProblems),
    ...stays
      .filter(isLostForChange)
      .map(({ reservation_id }) => `stay ${reservation_id} was paid, and cancelled for what was added since`),
    ...payments.flatMap((payment) => paymentProblems(payment, bank)),
    ...stays.flatMap((stay) => failureProblems(stay, items, bank)),
  ];
};

const chargeProblems = (charge: Charge, stays: readonly Stay[]): string[] => {
  const { reference, payment_id, state, amount, transaction_id } = charge;
  if (state === 'processing') return [`${reference} is still processing`];
  if (state === 'authorised') {
    const waits = stays.some((stay) => stay.reservation_id === payment_id && stay.state === 'PENDING');
    return waits ? [] : [`${amount} stay authorised at ${reference}, for no stay that waits`];
  }
  if (state !== 'paid') return [];
  const booked = sum(stays.map((stay) => keptOf(stay, transaction_id)));
  const refunded = refundedOf(charge);
  return amount === booked + refunded
    ? []
    : [`${reference}: charged ${amount}, booked ${booked}, refunded ${refunded}`];
};

/** What a charge has paid of a stay and does not go back. */
const keptOf = ({ postings = [] }: Stay, transaction: string): number =>
  sum(
    postings.map(({ kind, amount, of, reference }) => {
      if (kind === 'payment') return reference === transaction ? amount : 0;
      return kind === 'refund' && postings[(of ?? 0) - 1]?.reference === transaction ? -amount : 0;
    }),
  );

/** A folio adds up: what is payable, or is kept of a stay that fell through, is what was paid and not refunded. */
const folioProblems = (stay: Stay): string[] => {
  const { reservation_id, state, payment_status, total, postings = [] } = stay;
  const sumOf = (...kinds: string[]): number =>
    sum(postings.filter(({ kind }) => kinds.includes(kind)).map(({ amount }) => amount));
  const charges = postings.some(({ kind }) => kind === 'charge');
  const payable = postings.some(({ kind }) => kind === 'fee') ? sumOf('fee') : total + sumOf('charge');
  const kept = sumOf('payment', 'correction') - sumOf('refund');
  const hasEnded = state === 'CANCELLED' || state === 'NO_SHOW';
  const isSettled = hasEnded ? kept > 0 : payment_status === 'PAID';
  const due = postings.filter(({ is_due }) => is_due);
  return [
    // What was paid for a charge that was taken out is credit until the host refunds it.
    ...(isSettled && (charges && !hasEnded ? payable > kept : payable !== kept)
      ? [`stay ${reservation_id}: payable ${payable}, kept ${kept}`]
      : []),
    ...due.map(({ amount }) => `stay ${reservation_id}: a refund of ${amount} is still due`),
    ...(kept > 0 && payment_status === 'REFUNDED'
      ? [`stay ${reservation_id} is REFUNDED, kept ${kept}`]
      : []),
  ];
};

/** A stay whose last page was paid before its end is not cancelled for want of payment. */
const lostStays = (
  charges: readonly Charge[],
  stays: readonly Stay[],
  payments: readonly Payment[],
): string[] => {
  // A stay that its host accepted is paid apart; the page of the rest of its order is not its own.
  const pages = new Map(payments.map(({ payment_id, reference }) => [payment_id, reference]));
  return stays
    .filter(({ cancel_reason }) => cancel_reason === 'The payment was not made in time.')
    .flatMap(({ reservation_id, order_id }) => {
      const last = pages.get(reservation_id) ?? pages.get(order_id);
      const page = charges.find(({ kind, reference }) => kind === 'page' && reference === last);
      return page?.paidAt !== undefined && page.paidAt <= page.ends_at
        ? [`stay ${reservation_id} was cancelled as unpaid; ${page.reference} was paid in time`]
        : [];
    });
};

/**
 * Whether a stay was cancelled for want of payment although its price was paid once, and what was paid is there still: what has been
 * added since is less than the stay (D147).
 */
const isLostForChange = ({ total, postings = [], cancel_reason }: Stay): boolean => {
  if (cancel_reason !== 'The payment was not made in time.') return false;
  const end = postings.findIndex(({ kind }) => kind === 'fee');
  const before = end < 0 ? postings : postings.slice(0, end);
  const paidAt = (at: number): number =>
    sum(
      before
        .slice(0, at)
        .map(({ kind, amount }) =>
          ['payment', 'correction'].includes(kind) ? amount : kind === 'refund' ? -amount : 0,
        ),
    );
  const priceAt = (at: number): number =>
    total - sum(before.slice(at).map(({ kind, amount }) => (kind === 'change' ? amount : 0)));
  return before.some((_, at) => {
    const price = priceAt(at + 1);
    return price > 0 && paidAt(at + 1) >= price && paidAt(before.length) >= price;
  });
};

/** What counts as paid online was charged; what is open and paid is not cancelled. */
const stayProblems = (stay: Stay, bank: Bank): string[] => {
  const { reservation_id, payment_status, payment_method, state, postings = [] } = stay;
  const uncharged = postings
    // Transfers have a bank of their own.
    .filter(
      ({ kind, method, reference }) =>
        kind === 'payment' && reference !== undefined && method !== 'BANK_TRANSFER',
    )
    .filter(
      ({ reference }) =>
        !bank.charges.some((one) => one.transaction_id === reference && one.state === 'paid'),
    );
  if (uncharged.length > 0)
    return uncharged.map(
      ({ reference }) => `stay ${reservation_id} is paid by ${reference}, which the bank never charged`,
    );
  if (payment_method !== 'ONLINE_GATEWAY') return [];
  const isSettled = payment_status === 'PAID' || payment_status === 'PENDING';
  return state === 'CANCELLED' || state === 'NO_SHOW' || isSettled
    ? []
    : [`stay ${reservation_id} is ${state} and ${payment_status}`];
};

interface Failure {
  event_type: string;
  data: { id: number; reason?: string | null };
}

/** Each declined charge has one event of its stay, those of its changes included. */
const failureProblems = (
  { reservation_id, order_id }: Stay,
  items: readonly Item[],
  { charges }: Bank,
): string[] => {
  const announced = of<Failure>(items, 'Event').filter(
    ({ event_type, data }) =>
      event_type === 'payment.failed' && data.id === reservation_id && data.reason === 'declined',
  ).length;
  const ofChanges = of<Payment>(items, 'Payment')
    .filter(({ change_of, due_of }) => change_of === reservation_id || due_of === reservation_id)
    .map((payment) => payment.payment_id);
  const own = new Set([reservation_id, order_id, ...ofChanges]);
  const declined = charges.filter(
    ({ payment_id, state }) => state === 'declined' && own.has(payment_id),
  ).length;
  return announced <= declined
    ? []
    : [`stay ${reservation_id} has ${announced} events of ${declined} declined charges`];
};

const paymentProblems = (payment: Payment, bank: Bank): string[] => {
  if (payment.transaction_id === null) return [];
  const charge = bank.charges.find(({ transaction_id }) => transaction_id === payment.transaction_id);
  const refunded = charge ? refundedOf(charge) : 0;
  const name = `payment ${payment.payment_id}`;
  const state = refunded > 0 && refunded === charge?.amount ? 'REFUNDED' : 'PAID';
  return [
    ...(refunded === payment.refunded
      ? []
      : [`${name} notes ${payment.refunded} refunded, the bank ${refunded}`]),
    ...(payment.state === state ? [] : [`${name} is ${payment.state}, not ${state}`]),
    ...(payment.amount === charge?.amount
      ? []
      : [`${name} notes ${payment.amount}, the bank ${charge?.amount}`]),
  ];
};

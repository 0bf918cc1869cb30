import { money, toNumber } from '../../platform/money.ts';
import {
  chargePosting,
  endPostings,
  paidFor,
  type Posting,
  splitRefund,
  takenPosting,
} from '../folio/model.ts';
import type { PaymentMethod } from '../payment/model.ts';
import { type BookingState, fellThrough, type PaymentStatus } from './booking-state.schema.ts';

/** What a stay of version 1 says of its payment. */
interface StayOfVersion1 {
  reservation_id: number;
  order_id: number;
  state: BookingState;
  total: number;
  payment_status: PaymentStatus;
  payment_method: PaymentMethod;
  created_at: string;
  pays_apart?: true;
  paid_to_partner?: true;
  payment_transaction_id?: string;
  paid_before?: number;
  charges?: { payment_id: number; transaction_id: string; amount: number }[];
  part_refunded?: number;
}

const oldFields = new Set([
  'paid_to_partner',
  'payment_transaction_id',
  'paid_before',
  'charges',
  'part_refunded',
]);

/** Returns a stay of version 1 with its folio. */
export const stayOfVersion1 = (item: object): Record<string, unknown> => {
  const stay = Object.fromEntries(Object.entries(item).filter(([name]) => !oldFields.has(name)));
  // A write of version 2 has posted already.
  if ('folio_version' in stay) return stay;
  const postings = openedFolio(item as StayOfVersion1);
  return postings.length === 0 ? stay : { ...stay, postings };
};

const openedFolio = (stay: StayOfVersion1): Posting[] => {
  const { reservation_id, state, payment_status, part_refunded = 0 } = stay;
  const opening = openingOf(stay);
  const payments = paymentsOf(stay);
  const back = payment_status === 'REFUNDED' ? paidFor({ ...stay, postings: payments }) : part_refunded;
  // The id that it had where its stay was refunded alone.
  const kind = state === 'NO_SHOW' ? 'no-show' : 'cancel';
  const postings = [
    ...payments,
    ...(fellThrough(state) && payments.length > 0
      ? endPostings({ ...stay, postings: payments }, back, opening)
      : []),
  ];
  const refunds = splitRefund({ ...stay, postings }, back).map(({ of, amount, payment }, place): Posting => {
    const ofOne = { kind: 'refund' as const, amount, ...opening, of };
    return payment.payment_id === undefined
      ? ofOne
      : { ...ofOne, refund_id: `${kind}-${reservation_id}${place === 0 ? '' : `-${place + 1}`}` };
  });
  return [...postings, ...refunds];
};

/** Dated by the booking: the record does not say when it was paid. */
const openingOf = ({ created_at }: StayOfVersion1) => ({
  at: Date.parse(created_at),
  is_opening: true as const,
});

const paymentsOf = (stay: StayOfVersion1): Posting[] => {
  const { total, payment_status, payment_method, paid_to_partner } = stay;
  const opening = openingOf(stay);
  const paid = stay.paid_before ?? (payment_status === 'PENDING' ? 0 : total);
  const charges = chargesOf(stay, paid);
  const onSite = toNumber(charges.reduce((left, { amount }) => left.minus(amount), money(paid)));
  return [
    ...(onSite > 0 || paid_to_partner
      ? [takenPosting({ payment_method }, onSite, paid_to_partner ? 'PARTNER' : 'HOST', opening)]
      : []),
    ...charges.map((charge) => ({ ...chargePosting(charge, charge.amount, opening.at), ...opening })),
  ];
};

const chargesOf = (
  { charges, payment_transaction_id, pays_apart, order_id, reservation_id }: StayOfVersion1,
  amount: number,
): NonNullable<StayOfVersion1['charges']> => {
  if (charges || payment_transaction_id === undefined) return charges ?? [];
  return [
    { payment_id: pays_apart ? reservation_id : order_id, transaction_id: payment_transaction_id, amount },
  ];
};

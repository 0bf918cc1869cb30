import * as z from 'zod';
import { money, toNumber } from '../../platform/money.ts';
import {
  chargePosting,
  endPostings,
  paidFor,
  type Posting,
  splitRefund,
  takenPosting,
} from '../folio/model.ts';
import { PaymentMethod } from '../payment/model.ts';
import { BookingState, fellThrough, PaymentStatus } from './booking-state.schema.ts';

/** What a stay of version 1 says of its payment. */
const StayOfVersion1 = z.object({
  reservation_id: z.int(),
  order_id: z.int(),
  state: BookingState,
  total: z.number(),
  payment_status: PaymentStatus,
  payment_method: PaymentMethod,
  created_at: z.string(),
  pays_apart: z.literal(true).exactOptional(),
  paid_to_partner: z.literal(true).exactOptional(),
  payment_transaction_id: z.string().exactOptional(),
  paid_before: z.number().exactOptional(),
  charges: z
    .array(z.object({ payment_id: z.int(), transaction_id: z.string(), amount: z.number() }))
    .exactOptional(),
  part_refunded: z.number().exactOptional(),
});
type StayOfVersion1 = z.infer<typeof StayOfVersion1>;

/** Returns a stay of version 1 with its folio. */
export const stayOfVersion1 = (item: Record<string, unknown>): Record<string, unknown> => {
  const {
    paid_to_partner: _partner,
    payment_transaction_id: _transaction,
    paid_before: _before,
    charges: _charges,
    part_refunded: _refunded,
    ...stay
  } = item;
  // A write of version 2 has posted already.
  if (stay['folio_version'] !== undefined) return stay;
  const postings = openedFolio(StayOfVersion1.parse(item));
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
  const payment_id = pays_apart ? reservation_id : order_id;
  return [{ payment_id, transaction_id: payment_transaction_id, amount }];
};

import { exampleIds } from '../../platform/http/example-records.ts';
import { bookingDetailExample, bookingExample, nothingLater } from './booking-example.schema.ts';
import type { Folio } from './folio.schema.ts';

const price = bookingExample.total_price;
const posting = (bookingId: number) =>
  ({
    ...{ booking_id: bookingId, at: bookingExample.created_at, amount: price, method: null, reference: null },
    ...{ collected_by: null, payment_id: null, of: null, label: null, quantity: null, to_return: false },
  }) as const;
const cash = { id: 1, kind: 'payment', method: 'CASH', collected_by: 'HOST' } as const;
const { security_deposit } = bookingDetailExample;
const folio = {
  ...{ currency: 'VND', amount_refunded: 0, amount_to_return: 0, security_deposit },
  ...nothingLater,
} as const;
const unpaid = { ...folio, payment_status: 'PENDING', secured: false } as const;

export const folioExample = {
  ...folio,
  booking_id: exampleIds.booking,
  payment_status: 'PAID',
  secured: true,
  ...{ balance: 0, amount_due: 0, amount_paid: price },
  postings: [
    { ...posting(exampleIds.booking), id: 0, kind: 'stay' },
    { ...posting(exampleIds.booking), ...cash },
  ],
} satisfies Folio;

export const folioPageExample =
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Receipt 4711</title>…</html>';

export const takenExample = {
  ...unpaid,
  booking_id: exampleIds.toPayInPart,
  ...{ balance: price - 500_000, amount_due: price - 500_000, amount_paid: 500_000 },
  postings: [
    { ...posting(exampleIds.toPayInPart), id: 0, kind: 'stay' },
    { ...posting(exampleIds.toPayInPart), ...cash, amount: 500_000, reference: 'Receipt 118' },
  ],
} satisfies Folio;

const mistake = posting(exampleIds.paidByMistake);
export const correctedExample = {
  ...unpaid,
  booking_id: exampleIds.paidByMistake,
  ...{ balance: price, amount_due: price, amount_paid: 0 },
  postings: [
    { ...mistake, id: 0, kind: 'stay' },
    { ...mistake, ...cash },
    { ...mistake, id: 2, kind: 'correction', amount: -price, of: 1 },
  ],
} satisfies Folio;

const minibar = { kind: 'charge', amount: 60_000, label: 'Minibar', quantity: 2 } as const;

export const chargedExample = {
  ...unpaid,
  booking_id: exampleIds.toCharge,
  ...{ balance: price + 60_000, amount_due: price + 60_000, amount_paid: 0 },
  postings: [
    { ...posting(exampleIds.toCharge), id: 0, kind: 'stay' },
    { ...posting(exampleIds.toCharge), id: 1, ...minibar },
  ],
} satisfies Folio;

const uncharged = posting(exampleIds.chargedByMistake);
export const unchargedExample = {
  ...unpaid,
  booking_id: exampleIds.chargedByMistake,
  ...{ balance: price, amount_due: price, amount_paid: 0 },
  postings: [
    { ...uncharged, id: 0, kind: 'stay' },
    { ...uncharged, id: 1, ...minibar },
    { ...uncharged, id: 2, kind: 'charge', amount: -60_000, of: 1 },
  ],
} satisfies Folio;

const overpaid = posting(exampleIds.toRefund);
export const refundedExample = {
  ...folio,
  booking_id: exampleIds.toRefund,
  payment_status: 'PAID',
  secured: true,
  ...{ balance: 0, amount_due: 0, amount_paid: price + 50_000 },
  ...{ amount_refunded: 50_000, amount_to_return: 50_000 },
  postings: [
    { ...overpaid, id: 0, kind: 'stay' },
    { ...overpaid, ...cash },
    { ...overpaid, ...cash, id: 2, amount: 50_000 },
    { ...overpaid, id: 3, kind: 'refund', amount: 50_000, of: 2, to_return: true },
  ],
} satisfies Folio;

const cancelled = posting(exampleIds.toReturn);
export const returnedExample = {
  ...folio,
  booking_id: exampleIds.toReturn,
  payment_status: 'REFUNDED',
  secured: true,
  ...{ balance: 0, amount_due: 0, amount_paid: price, amount_refunded: price },
  postings: [
    { ...cancelled, id: 0, kind: 'stay' },
    { ...cancelled, ...cash },
    { ...cancelled, id: 0, kind: 'stay', amount: -price },
    { ...cancelled, id: 3, kind: 'refund', of: 1, method: 'CASH', reference: 'Receipt 121' },
  ],
} satisfies Folio;

const secured = posting(exampleIds.withDeposit);
export const depositExample = {
  ...unpaid,
  booking_id: exampleIds.withDeposit,
  ...{ balance: price, amount_due: price, amount_paid: 0 },
  security_deposit: { ...security_deposit, held: 300_000, kept: 200_000 },
  postings: [
    { ...secured, id: 0, kind: 'stay' },
    { ...secured, id: 1, kind: 'deposit_taken', amount: security_deposit.amount, method: 'CASH' },
    { ...secured, id: 2, kind: 'deposit_kept', amount: 200_000 },
  ],
} satisfies Folio;

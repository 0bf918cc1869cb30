import { instantText } from '../../platform/time/clock.ts';
import type { Posting } from '../folio/model.ts';
import { fellThrough } from './booking-state.schema.ts';
import { totalOf } from './booking.rules.ts';
import type { PresentedPosting } from './folio.schema.ts';
import type { Reservation } from './reservation.entity.ts';

/** Whether a stay fell through that was never paid: nothing is payable, and its folio has no fee. */
export const isUnpaidEnd = ({ state, postings = [] }: Reservation): boolean =>
  fellThrough(state) && !hasFee(postings);

const hasFee = (postings: readonly Posting[]): boolean => postings.some(({ kind }) => kind === 'fee');

/** Returns the postings of a stay as its folio shows them: those that were made, with what it cost first and, once it fell through, the reversal of that. */
export const shownPostings = (stay: Reservation): PresentedPosting[] => {
  const { created_at, updated_at, total, postings = [] } = stay;
  const changed = totalOf(postings.filter(({ kind }) => kind === 'change').map(({ amount }) => amount));
  const cost = { kind: 'stay', amount: totalOf([total, -changed]), at: Date.parse(created_at) } as const;
  const end = endOf(postings);
  const charged = totalOf(postings.filter(({ kind }) => kind === 'charge').map(({ amount }) => amount));
  const at = postings[end]?.at ?? Date.parse(updated_at);
  const reversals = [
    { kind: 'stay', amount: -total, at } as const,
    ...(charged === 0 ? [] : [{ kind: 'charge', amount: -charged, at } as const]),
  ];
  const made = (from: number, to: number) =>
    postings.slice(from, to).flatMap((posting, place) => {
      const isShown = !posting.is_due && (posting.kind !== 'fee' || posting.amount !== 0);
      return isShown ? [presentPosting(stay, from + place + 1, posting)] : [];
    });
  return [
    presentPosting(stay, 0, cost),
    ...made(0, end),
    ...(fellThrough(stay.state) ? reversals.map((posting) => presentPosting(stay, 0, posting)) : []),
    ...made(end, postings.length),
  ];
};

/** Returns where a stay that fell through did: at its fee, else before what came when nothing was due. */
const endOf = (postings: readonly Posting[]): number => {
  const last = hasFee(postings) ? 'fee' : 'payment';
  const end = postings.findIndex(({ kind }) => kind === last);
  return end < 0 ? postings.length : end;
};

const presentPosting = (
  { reservation_id }: Reservation,
  id: number,
  posting: Omit<Posting, 'kind'> & { kind: PresentedPosting['kind'] },
): PresentedPosting => {
  const { kind, amount, at, received_at, payment_id, collected_by } = posting;
  const isMoney = kind === 'payment';
  return {
    id,
    booking_id: reservation_id,
    at: instantText(received_at ?? at),
    kind,
    amount,
    label: posting.label ?? null,
    quantity: posting.quantity ?? null,
    method: posting.method ?? (isMoney ? 'ONLINE_GATEWAY' : null),
    reference: posting.reference ?? null,
    collected_by: collected_by ?? (isMoney ? 'GATEWAY' : null),
    payment_id: payment_id ?? null,
    of: posting.of ?? null,
    to_return: posting.to_return ?? false,
  };
};

import { larger, money, toNumber, zero } from '../../platform/money.ts';
import {
  endPostings,
  isRefunded,
  isByPartner,
  isPaidToPartner,
  paidFor,
  post,
  type Posted,
  type Posting,
  type RefundSource,
  splitRefund,
} from '../folio/model.ts';
import type { RefundRequest } from '../payment/model.ts';
import type { Reservation } from './reservation.entity.ts';
import { totalOf } from './booking.rules.ts';
import type { Refund } from './booking.schema.ts';
import { cancellationFee } from './terms.rules.ts';

/**
 * Returns the refund of a cancellation at an instant: what was paid, less the fee of the frozen terms if the guest cancels
 * (D48, D128); what was paid above the price always goes back, also for charges: a guest who has not come has used nothing.
 */
export const refundAt = (stay: Reservation, instant: number, byGuest: boolean): number => {
  const paid = money(paidFor(stay));
  return toNumber(byGuest ? larger(zero, paid.minus(cancellationFee(stay, instant))) : paid);
};

/** How a host asks for a refund. */
interface RefundByHand {
  /** The host hands it over, also what came through the gateway. */
  method?: Posting['method'];
  /** The host has done so. */
  isReturned?: boolean | undefined;
}

/** The refund of one stay. */
export interface StayRefund {
  before: Reservation;
  refund: number;
  /** Of which payments; default: of all, the newest first. */
  isFrom?: RefundSource;
  byHand?: RefundByHand;
}

const isElsewhere = ({ payment_id }: Posting, { method }: RefundByHand): boolean =>
  payment_id === undefined || method !== undefined;

/** Returns what of a refund the host or the partner makes, who took the money. */
export const refundedElsewhere = (stay: StayRefund): number =>
  partOf(stay, (payment) => isElsewhere(payment, stay.byHand ?? {}));

const partOf = ({ before, refund, isFrom }: StayRefund, isIn: (payment: Posting) => boolean): number =>
  totalOf(
    splitRefund(before, refund, isFrom)
      .filter(({ payment }) => isIn(payment))
      .map(({ amount }) => amount),
  );

/**
 * Returns a refund as it is answered and announced: of a stay of which a partner has collected the price what the partner has to
 * refund, so that it does not refund as well what the host took beside it (D127).
 */
export const announcedRefund = (stay: StayRefund): number =>
  isPaidToPartner(stay.before) ? partOf(stay, isByPartner) : stay.refund;

export const refundOf = (refunds: readonly StayRefund[]): Refund => {
  const amount = totalOf(refunds.map(announcedRefund));
  const waits = refunds.some((stay) => announcedRefund(stay) > refundedElsewhere(stay));
  return { amount, status: amount === 0 ? 'NONE' : waits ? 'PENDING' : 'REFUNDED' };
};

/** A refund with what it posts to the folio of its stay. */
export interface PostedRefund extends StayRefund {
  postings: Posting[];
}

/** Why stays are refunded. */
interface RefundCause {
  kind: 'cancel' | 'no-show' | 'change' | 'refund';
  reason?: string | null | undefined;
  posted: Posted;
  /** What is posted before the refund; by default the end of a stay that falls through. */
  first?: readonly Posting[];
}

/**
 * Returns what refunds post to the folios of their stays, and the requests to the gateway: one of each charge, whichever of
 * the stays it has paid. The host or the partner makes the rest.
 */
export const postRefunds = (
  refunds: readonly StayRefund[],
  { kind, reason = null, posted, first }: RefundCause,
): { posted: PostedRefund[]; requests: RefundRequest[] } => {
  const requests = new Map<number, RefundRequest>();
  const all = refunds.map((stay): PostedRefund => {
    const { before, refund, isFrom, byHand = {} } = stay;
    const postings = [...(first ?? endPostings(before, refund, posted))];
    for (const { of, payment, amount } of splitRefund(before, refund, isFrom)) {
      const part = { kind: 'refund' as const, amount, ...posted, of };
      if (isElsewhere(payment, byHand)) {
        postings.push({ ...part, ...handedOver(payment, byHand) });
        continue;
      }
      const { payment_id = 0, reference = '' } = payment;
      const { reservation_id, currency } = before;
      const place = (before.postings?.length ?? 0) + postings.length + 1;
      const request = requests.get(payment_id) ?? {
        payment_id,
        // Ids of before ended with a number.
        refund_id: `${kind}-${reservation_id}-p${place}`,
        transaction_id: reference,
        amount: 0,
        currency,
        reservation_ids: [],
        reason,
      };
      requests.set(payment_id, {
        ...request,
        amount: totalOf([request.amount, amount]),
        reservation_ids: [...request.reservation_ids, reservation_id],
      });
      postings.push({ ...part, refund_id: request.refund_id, is_due: true });
    }
    return { ...stay, postings };
  });
  return { posted: all, requests: [...requests.values()] };
};

/** What a partner has collected, it refunds itself; the host has yet to hand the rest over. */
const handedOver = (
  payment: Posting,
  { method, isReturned }: RefundByHand,
): Pick<Posting, 'method' | 'to_return'> => ({
  ...(method === undefined ? {} : { method }),
  ...(isReturned || (method === undefined && isByPartner(payment)) ? {} : { to_return: true }),
});

/** Returns the fields of a stay that falls through with its refund; it is REFUNDED when all that was paid has gone back. */
export const endedFields = ({ before, postings }: PostedRefund) => {
  const fields = post(before, postings);
  return { ...fields, payment_status: endedStatus({ ...before, ...fields }) };
};

/** Returns the payment status of a stay that has fallen through. */
export const endedStatus = (stay: Reservation): Reservation['payment_status'] =>
  isRefunded(stay) ? 'REFUNDED' : stay.payment_status;

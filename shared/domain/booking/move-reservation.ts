import { instantText } from '../../platform/time/clock.ts';
import type { Context } from '../../platform/context.ts';
import { all, change, type Condition, isOneOf, type Write } from '../../platform/table/index.ts';
import {
  chargePosting,
  dueFor,
  type GatewayCharge,
  post,
  type Posting,
  priceOnly,
  takenPosting,
  unpaidFor,
} from '../folio/model.ts';
import { type Reservation, ReservationEntity } from './reservation.entity.ts';
import {
  type BookingMove,
  bookingMoves,
  isSecured,
  mayMove,
  samePending,
  unchangedPrice,
  unchangedSince,
  withoutUnset,
} from './booking.rules.ts';
import type { BookingState } from './booking-state.schema.ts';
import { emitBookingEvent, postedBy } from './booking.store.ts';
import { reschedule } from './due-booking.store.ts';
import { atPayEnd } from './unpaid-change.rules.ts';

/** Transitions that refund nothing and take no time. */
export type StayMove = Exclude<BookingMove, 'cancel' | 'decline' | 'no_show' | 'restore'>;

/** A stay before and after a transition, with its writes. */
export interface MovedStay {
  before: Reservation;
  after: Reservation;
  writes: Write[];
}

/** Returns the transition of one stay; `reason` explains an automatic one. */
export const moveReservation = (
  ctx: Context,
  before: Reservation,
  move: StayMove,
  { reason, fields = {} }: { reason?: string; fields?: Pick<Reservation, 'pay_until' | 'taken_from'> } = {},
): MovedStay => {
  const { from, to, event } = bookingMoves[move];
  const now = instantText(ctx.clock.now());
  const changed = {
    ...fields,
    state: to,
    updated_at: now,
    ...stampOf(move, now),
    ...dueOnArrival(before, move),
  };
  const undone = move === 'undo_check_in' ? { checked_in_at: undefined, taken_from: undefined } : {};
  const set = { ...changed, ...undone };
  const after = withoutUnset({ ...before, ...set }) as Reservation;
  return {
    before,
    after,
    writes: [
      change(
        ReservationEntity,
        before,
        { set },
        { when: all(isOneOf('state', from), unchangedPrice(before)) },
      ),
      ...reschedule(before, after),
      emitBookingEvent(ctx, after, event, reason === undefined ? {} : { reason }),
    ],
  };
};

const stampOf = (
  move: StayMove,
  now: string,
): Pick<Reservation, 'checked_in_at' | 'checked_out_at' | 'unattended'> => {
  if (move === 'check_in') return { checked_in_at: now };
  if (move === 'check_out') return { checked_out_at: now };
  return move === 'close' ? { unattended: true } : {};
};

/** What the guest has not paid of a plan falls due with the arrival (D129). */
const dueOnArrival = ({ plan }: Reservation, move: StayMove): Pick<Reservation, 'plan'> =>
  plan && move === 'check_in' ? { plan: { ...plan, is_due: true } } : {};

/** Whether an open stay is neither paid nor authorised (D85). */
export const isUnsecured = (stay: Reservation): boolean => mayMove(stay.state, 'cancel') && !isSecured(stay);

/**
 * Returns the writes of a payment of all that is due, or an amount of it. A host who records it thereby accepts the booking. A payment through the
 * gateway (`charge`) confirms a PENDING booking only if it was captured on the host's acceptance (D86).
 */
export const payReservation = (
  ctx: Context,
  before: Reservation,
  {
    charge,
    acceptedBy,
    amount = dueFor(before),
  }: { charge?: GatewayCharge; acceptedBy?: string | undefined; amount?: number } = {},
): MovedStay => {
  const payment = charge
    ? chargePosting(charge, amount, ctx.clock.now())
    : takenPosting({ payment_method: atTheDesk(before) }, amount, 'HOST', postedBy(ctx));
  const isAccepted = charge === undefined || acceptedBy !== undefined;
  const state = before.state === 'PENDING' && isAccepted ? bookingMoves.confirm.to : before.state;
  return postPayment(ctx, before, payment, { state, acceptedBy });
};

/** Of a platform's stay the host takes what was charged beside its price, without saying how. */
const atTheDesk = ({ payment_method: method }: Reservation): Reservation['payment_method'] =>
  method === 'PLATFORM' ? 'CASH' : method;

/**
 * Returns the writes of a payment. The stay is PAID when nothing is unpaid any more; a part ends the time to pay too: the host who
 * took it waits for the rest (D127). One that came by itself does not (`keepsTime`), or a đồng would hold a home, unless it pays all
 * that the end of the time would take the stay, or a change, for (D147). A stay that lapsed,
 * given as it is to be restored, is CONFIRMED again; its time is taken beside (D130).
 */
export const postPayment = (
  ctx: Context,
  before: Reservation,
  payment: Posting,
  {
    state = mayMove(before.state, 'restore') ? bookingMoves.restore.to : before.state,
    acceptedBy,
    keepsTime = payment.payment_id !== undefined,
  }: { state?: BookingState; acceptedBy?: string | undefined; keepsTime?: boolean } = {},
): MovedStay => {
  const isRestored = before.state !== state && mayMove(before.state, 'restore');
  const posted = post(before, [payment]);
  const now = { ...before, ...posted };
  const isPaid = unpaidFor(now) === 0;
  const { amount, payment_id, reference = null, method = 'ONLINE_GATEWAY' } = payment;
  const charge = payment_id === undefined ? null : reference;
  const changed = {
    state,
    payment_status: isPaid ? ('PAID' as const) : before.payment_status,
    pay_until: keepsTime && atPayEnd(now) ? before.pay_until : undefined,
    unpaid_change: unpaidFor(priceOnly(now)) > 0 ? before.unpaid_change : undefined,
    ...posted,
    ...(isRestored
      ? {
          ...{ calendar_id: before.calendar_id, lapsed_at: undefined, cancel_reason: undefined },
          deposit_hold: unreleased(before),
        }
      : {}),
  };
  const events = (after: Reservation): Write[] => [
    ...(isRestored ? [emitBookingEvent(ctx, after, bookingMoves.restore.event)] : []),
    emitBookingEvent(ctx, after, 'payment.paid', { amount, method, charge }),
    ...(before.state === 'PENDING' && after.state !== 'PENDING'
      ? [emitBookingEvent(ctx, after, bookingMoves.confirm.event, {}, acceptedBy)]
      : []),
  ];
  // A change that has come to wait meanwhile asks for what was unpaid before.
  return movedStay(ctx, before, changed, events, samePending(before));
};

/** A stay that is restored keeps what is authorised of its security deposit. */
const unreleased = ({ deposit_hold: hold }: Reservation): Reservation['deposit_hold'] | undefined => {
  if (!hold) return undefined;
  const { is_released: _, ...kept } = hold;
  return kept;
};

/**
 * Returns a stay with other fields, of which `undefined` removes one, and its writes: they conflict if it was moved, paid or
 * changed since it was read.
 */
export const movedStay = (
  ctx: Context,
  before: Reservation,
  fields: { [Name in keyof Reservation]?: Reservation[Name] | undefined },
  events: (after: Reservation) => Write[],
  also: Condition = unchangedSince(before),
): MovedStay => {
  const set = { ...fields, updated_at: instantText(ctx.clock.now()) };
  const after = withoutUnset({ ...before, ...set }) as Reservation;
  return {
    before,
    after,
    writes: [
      change(ReservationEntity, before, { set }, { when: all(unchangedSince(before), also) }),
      ...reschedule(before, after),
      ...events(after),
    ],
  };
};

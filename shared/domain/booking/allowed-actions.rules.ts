import { type Caller, hasPermission, type Permission } from '../../platform/auth.ts';
import type { ListingRates } from '../pricing/model.ts';
import { BookingAction } from './booking-action.schema.ts';
import { managedElsewhere, type Refusal } from './booking.rules.ts';
import type { FoundBooking } from './booking.store.ts';
import {
  chargeRefusal,
  depositRefusal,
  duePageRefusal,
  extendRefusal,
  guestPageRefusal,
  markPaidRefusal,
  refundRefusal,
  returnRefusal,
  takeRefusal,
} from './money-refusals.rules.ts';
import { correctionRefusal, correctorOf } from './guest-correction.rules.ts';
import { noShowRefusal } from './no-show.rules.ts';
import type { Order } from './order.entity.ts';
import type { Reservation } from './reservation.entity.ts';
import {
  chargedChangeRefusal,
  changeStateRefusal,
  changeTimeRefusal,
  mayEnd,
  moveRefusal,
  releaseRefusal,
  reviewRefusal,
  rotateRefusal,
} from './stay-refusals.rules.ts';

/** What a host needs for each action. */
export const needs = {
  CONFIRM: 'manage',
  DECLINE: 'manage',
  CHECK_IN: 'operate',
  UNDO_CHECK_IN: 'operate',
  CHECK_OUT: 'operate',
  COMPLETE: 'operate',
  NO_SHOW: 'manage',
  RELEASE_ACCESS: 'operate',
  MARK_PAID: 'manage',
  TAKE_PAYMENT: 'operate',
  OPEN_PAYMENT_PAGE: 'operate',
  ADD_CHARGE: 'operate',
  REFUND: 'manage',
  RETURN_REFUND: 'operate',
  EXTEND_PAYMENT: 'manage',
  TAKE_DEPOSIT: 'operate',
  RETURN_DEPOSIT: 'operate',
  KEEP_DEPOSIT: 'manage',
  ROTATE_GUEST_LINK: 'manage',
} as const satisfies Partial<Record<BookingAction, Permission>>;
type HostAction = keyof typeof needs;

const moves = ['CONFIRM', 'DECLINE', 'CHECK_IN', 'UNDO_CHECK_IN', 'CHECK_OUT', 'COMPLETE'] as const;
type Move = (typeof moves)[number];

/** What is asked of a booking: the stays that the caller sees, read with their pages. */
interface AskedBooking {
  caller: Caller;
  found: FoundBooking;
  /** Returns the home of a stay of which a no-show may be recorded. */
  homeOf: (stay: Reservation) => ListingRates | undefined;
  /** The orders of changes that wait. */
  pending: readonly (Order | undefined)[];
  now: number;
}

type AllRule = (asked: AskedBooking) => Refusal;

const moveRefusalOf =
  (action: Move): AllRule =>
  ({ found, now }) =>
    moveRefusal(found.reservations, action.toLowerCase() as Lowercase<Move>, now);

/** Of a booking, or every stay of a master. */
const ofAll = {
  ...(Object.fromEntries(moves.map((action) => [action, moveRefusalOf(action)])) as Record<Move, AllRule>),
  NO_SHOW: ({ found, homeOf, now }) => noShowRefusal(found, homeOf, now),
  RELEASE_ACCESS: ({ found, now }) => releaseRefusal(found.reservations, now),
  MARK_PAID: ({ found }) => markPaidRefusal(found),
  TAKE_PAYMENT: ({ found }) => takeRefusal(found),
} satisfies Partial<Record<HostAction, AllRule>>;

/** Of one stay. */
const ofOne: Record<
  Exclude<HostAction, keyof typeof ofAll>,
  (asked: AskedBooking, stay: Reservation) => Refusal
> = {
  OPEN_PAYMENT_PAGE: ({ found }, stay) => duePageRefusal(found, stay),
  ADD_CHARGE: ({ found }, stay) => chargeRefusal(found, stay),
  REFUND: (_, stay) => refundRefusal(stay),
  RETURN_REFUND: (_, stay) => returnRefusal(stay),
  EXTEND_PAYMENT: (_, stay) => extendRefusal(stay),
  TAKE_DEPOSIT: ({ found }, stay) => depositRefusal(found.order, stay, 'TAKE'),
  RETURN_DEPOSIT: ({ found }, stay) => depositRefusal(found.order, stay, 'RETURN'),
  KEEP_DEPOSIT: ({ found }, stay) => depositRefusal(found.order, stay, 'KEEP'),
  ROTATE_GUEST_LINK: ({ now }, stay) => rotateRefusal(stay, now),
};

const isOfAll = (action: HostAction): action is keyof typeof ofAll => action in ofAll;

const changeRefusal = ({ caller, pending, now }: AskedBooking, stay: Reservation): Refusal =>
  managedElsewhere([stay]) ??
  changeStateRefusal(stay.state) ??
  changeTimeRefusal(stay, hasPermission(caller, 'manage', stay.team_id), now) ??
  chargedChangeRefusal(
    pending.find((order) => order?.order_id === stay.pending_change),
    stay,
  );

/** Returns what the caller may do with a booking now: what its verb does not refuse in any case (D142). */
export const allowedActions = (asked: AskedBooking): BookingAction[] => {
  const { caller, found, now } = asked;
  const { reservations: stays } = found;
  const one = stays.length === 1 ? stays[0] : undefined;
  const byHost = (action: HostAction): boolean => {
    if (!stays.every(({ team_id }) => hasPermission(caller, needs[action], team_id))) return false;
    return isOfAll(action) ? !ofAll[action](asked) : one !== undefined && !ofOne[action](asked, one);
  };
  const ends = stays.every((stay) => mayEnd(caller, stay));
  const beside: Partial<Record<BookingAction, boolean>> = {
    CANCEL: ends && !(managedElsewhere(stays) ?? moveRefusal(stays, 'cancel', now)),
    CHANGE: ends && one !== undefined && !changeRefusal(asked, one),
    REVIEW: !reviewRefusal(caller, stays),
    CORRECT_GUEST: caller.kind === 'user' && !correctionRefusal(stays, correctorOf(caller, stays), now),
    ...(caller.kind === 'guest' && one ? { OPEN_PAYMENT_PAGE: !guestPageRefusal(found, one, now) } : {}),
  };
  return BookingAction.options.filter(
    (action) => beside[action] ?? (action in needs && byHost(action as HostAction)),
  );
};

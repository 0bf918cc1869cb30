import { ServiceError } from '../../platform/errors.ts';
import { orderIdOf } from '../../platform/ids.ts';
import { money, sum, toNumber } from '../../platform/money.ts';
import { all, type Condition, equals, lacks } from '../../platform/table/index.ts';
import { normalEmail } from '../../platform/text/normal-email.ts';
import { chargesOf, dueFor, isDepositPaid, sameFolio, unpaidFor, withoutEnd } from '../folio/model.ts';
import type { Guest, HeldTime, Order } from './order.entity.ts';
import type { Reservation } from './reservation.entity.ts';
import type { BookingEventType } from './booking.events.ts';
import { type BookingState, fellThrough } from './booking-state.schema.ts';

/** The state transitions of a booking (D48, D50, D83); conditions, errors and the diagram are derived from them. */
export const bookingMoves = {
  confirm: { from: ['PENDING'], to: 'CONFIRMED', event: 'booking.confirmed' },
  decline: { from: ['PENDING'], to: 'CANCELLED', event: 'booking.declined' },
  cancel: { from: ['PENDING', 'CONFIRMED'], to: 'CANCELLED', event: 'booking.cancelled' },
  check_in: { from: ['CONFIRMED'], to: 'CHECKED_IN', event: 'booking.checked_in' },
  // By money that came late (D130).
  restore: { from: ['CANCELLED'], to: 'CONFIRMED', event: 'booking.restored' },
  undo_check_in: { from: ['CHECKED_IN'], to: 'CONFIRMED', event: 'booking.check_in_undone' },
  check_out: { from: ['CHECKED_IN'], to: 'CHECKED_OUT', event: 'booking.checked_out' },
  complete: { from: ['CHECKED_OUT'], to: 'COMPLETED', event: 'booking.completed' },
  // By the schedule, of a paid stay that ended without check-in (D83).
  close: { from: ['CONFIRMED'], to: 'COMPLETED', event: 'booking.completed' },
  no_show: { from: ['CONFIRMED', 'COMPLETED'], to: 'NO_SHOW', event: 'booking.no_show' },
} as const satisfies Record<
  string,
  { from: readonly BookingState[]; to: BookingState; event: BookingEventType }
>;

export type BookingMove = keyof typeof bookingMoves;

export const mayMove = (state: BookingState, move: BookingMove): boolean =>
  (bookingMoves[move].from as readonly BookingState[]).includes(state);

/**
 * Whether a stay lapsed: the schedule cancelled it because no transfer had come in time, and no money came for it before or since
 * (D130).
 */
export const isLapsed = (stay: Reservation): boolean =>
  mayMove(stay.state, 'restore') && stay.lapsed_at !== undefined && withoutEnd(stay) !== undefined;

export const refuseMove = (state: BookingState | undefined, move: BookingMove): ServiceError =>
  new ServiceError(
    'INVALID_STATE_TRANSITION',
    `A booking that is ${state ?? 'gone'} does not allow ${move}.`,
    {
      state: state ?? null,
      allowed_from: bookingMoves[move].from,
    },
  );

/** The error that a verb answers in any case; undefined: it may go on. `allowed_actions` asks for the same (D142). */
export type Refusal = ServiceError | undefined;

export const refused = (message: string, details: Record<string, unknown> = {}): ServiceError =>
  new ServiceError('INVALID_STATE_TRANSITION', message, details);

/** Whether a stay is not paid in full. */
export const isUnpaid = ({ state, payment_status }: Reservation): boolean =>
  !fellThrough(state) && payment_status === 'PENDING';

/** Whether a stay is to be paid now: not one of which only the balance of its plan is unpaid, until that falls due (D129). */
export const waitsForPayment = (stay: Reservation): boolean =>
  isUnpaid(stay) && (dueFor(stay) > 0 || unpaidFor(stay) === 0);

/** Whether the price of a stay, or the deposit of its plan, is paid, to a partner too, or authorised (D126); not what is charged beside it. */
export const isSecured = (stay: Reservation): boolean =>
  stay.payment_status === 'PAID' || isAuthorised(stay) || (stay.state !== 'PENDING' && isDepositPaid(stay));

/** Whether a payment is authorised until the host accepts the stay (D86); the acceptance captures it. */
export const isAuthorised = ({ state, authorised }: Pick<Reservation, 'state' | 'authorised'>): boolean =>
  authorised === true && state === 'PENDING';

/** The condition that a stay was not moved, paid or changed since it was read. */
export const unchangedSince = (stay: Pick<Reservation, 'state' | 'changes' | 'folio_version'>): Condition =>
  all(equals('state', stay.state), unchangedPrice(stay), sameFolio(stay));

/** Returns the reference of a guest as the recipient of mails and reader of messages: `user:<id>`, or `mail:<address>` without an account. */
export const guestRef = ({ user_id, email }: Pick<Guest, 'user_id' | 'email'>): string =>
  user_id === null ? `mail:${normalEmail(email)}` : `user:${user_id}`;

/** The condition that no change has given a stay, or an order, another time or price since it was read. */
export const unchangedPrice = ({ changes }: Pick<Reservation, 'changes'>): Condition =>
  changes === undefined ? lacks('changes') : equals('changes', changes);

/** The condition that the stay waits for the same change, or for none, since it was read. */
export const samePending = ({ pending_change }: Pick<Reservation, 'pending_change'>): Condition =>
  pending_change === undefined ? lacks('pending_change') : equals('pending_change', pending_change);

/** Whether another platform has sold a stay (D120): for partners it is taken time and nothing else. */
export const isOfPlatform = ({ payment_method }: Pick<Reservation, 'payment_method'>): boolean =>
  payment_method === 'PLATFORM';

/**
 * Returns the error for stays of which a followed calendar leads time and cancellation (D120); undefined: they are the host's to
 * change.
 */
export const managedElsewhere = (stays: readonly Reservation[]): ServiceError | undefined => {
  const led = stays.find(
    ({ feed_id, state }) => feed_id !== undefined && (state === 'CONFIRMED' || state === 'CHECKED_IN'),
  );
  return led && new ServiceError('MANAGED_BY_CHANNEL', undefined, { external_system: led.external_system });
};

/** The states in which a stay can be changed; after check-in only its check-out (D84). */
export const changeableStates = ['PENDING', 'CONFIRMED', 'CHECKED_IN'] as const satisfies BookingState[];

/** The states in which the price of a stay can be adjusted (D121). */
export const adjustableStates = [
  ...changeableStates,
  'CHECKED_OUT',
  'COMPLETED',
] as const satisfies BookingState[];

/** Returns the hours that an order holds while it is not booked. */
export const heldTimes = ({ change, items }: Pick<Order, 'change' | 'items'>): readonly HeldTime[] =>
  change?.holds ?? items;

/** Returns the orders of the changes that a stay refers to, and that of its deposit on a card. */
export const changeOrdersOf = (stay: Reservation): number[] =>
  [
    ...chargesOf(stay).map(({ payment_id }) => orderIdOf(payment_id)),
    stay.pending_change ?? stay.order_id,
    stay.deposit_hold?.payment_id ?? stay.order_id,
  ].filter((id) => id !== stay.order_id);

export const totalOf = (amounts: readonly number[]): number => toNumber(sum(amounts.map(money)));

/** Returns fields without those that are undefined. */
export const withoutUnset = <Fields extends object>(fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;

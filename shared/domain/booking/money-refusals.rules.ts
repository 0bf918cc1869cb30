import { invalid, type ServiceError } from '../../platform/errors.ts';
import { instantText } from '../../platform/time/clock.ts';
import { toInstant } from '../../platform/time/time.ts';
import {
  creditOf,
  type DepositAction,
  dueFor,
  isByPartner,
  mostOfDeposit,
  paidFor,
  type RefundSource,
  splitRefund,
  unpaidFor,
} from '../folio/model.ts';
import type { Payment } from '../payment/model.ts';
import { fellThrough } from './booking-state.schema.ts';
import { isAuthorised, isUnpaid, type Refusal, refused, totalOf, waitsForPayment } from './booking.rules.ts';
import { duePageOf, type FoundBooking, paymentOf } from './booking.store.ts';
import type { Order } from './order.entity.ts';
import type { Reservation } from './reservation.entity.ts';
import { frozenDeposit, takesDeposit } from './security-deposit.rules.ts';

export const nothingDue = (): ServiceError => refused('No payment is due.');

/** While an online payment may still succeed, which would pay the stays twice. */
const onlineRefusal = (found: FoundBooking, due: readonly Reservation[]): Refusal => {
  if (due.some(isAuthorised)) return refused('The payment is authorised. Accept the booking to charge it.');
  const open = due.map((stay) => paymentOf(found, stay)).find((payment) => payment?.state === 'OPEN');
  return (
    open && refused('The guest may still pay online.', { payment_window_ends_at: instantText(open.ends_at) })
  );
};

export const markPaidRefusal = (found: FoundBooking): Refusal => {
  const due = found.reservations.filter(waitsForPayment);
  return due.length === 0 ? nothingDue() : onlineRefusal(found, due);
};

/** Before the host has accepted the stays, and while they may be paid online, a change of them too. */
export const payableRefusal = (found: FoundBooking, stays: readonly Reservation[]): Refusal => {
  if (stays.some(({ state }) => state === 'PENDING'))
    return refused('Accept the booking first.', { state: 'PENDING' });
  const isChanging = stays.some(({ pending_change }) => pending_change !== undefined);
  return (
    onlineRefusal(found, stays.filter(isUnpaid)) ??
    (isChanging ? refused('A change of the booking waits for its payment.') : undefined)
  );
};

/** Where nothing is unpaid, unless more than that is taken. */
export const takeRefusal = (found: FoundBooking, isOverpaid = false): Refusal => {
  const standing = found.reservations.filter(({ state }) => !fellThrough(state));
  const isDue = standing.some((stay) => isUnpaid(stay) && unpaidFor(stay) > 0);
  return isDue || (isOverpaid && standing.length > 0) ? payableRefusal(found, standing) : nothingDue();
};

/** Where no page can be opened for what is due of a stay (D127). */
export const duePageRefusal = (found: FoundBooking, stay: Reservation): Refusal => {
  const { state } = stay;
  if (state === 'PENDING' || !waitsForPayment(stay) || dueFor(stay) === 0)
    return refused('No payment is due.', { state });
  const payment = paymentOf(found, stay);
  return payment?.state === 'OPEN'
    ? refused('The guest can pay on the page of the booking.', {
        payment_window_ends_at: instantText(payment.ends_at),
      })
    : undefined;
};

/** Returns the page on which the first unpaid stay can be paid now; undefined: none is open (D51). */
export const openPageOf = (
  now: number,
  found: Pick<FoundBooking, 'payment' | 'separatePayments'>,
  reservations: readonly Reservation[],
): Payment | undefined =>
  reservations
    .filter(waitsForPayment)
    .flatMap((stay) => [paymentOf(found, stay), duePageOf(found, stay)])
    .find((payment) => payment?.state === 'OPEN' && now < payment.ends_at);

/** Returns the page of the booking itself, if a stay can be paid on it now. */
export const ownPageOf = (found: FoundBooking, stay: Reservation, now: number): Payment | undefined => {
  const page = openPageOf(now, found, [stay]);
  return page?.due_of === undefined ? page : undefined;
};

/** Where the guest of a link has no page to pay on: neither that of the booking, nor one for what is due (D122). */
export const guestPageRefusal = (found: FoundBooking, stay: Reservation, now: number): Refusal => {
  if (ownPageOf(found, stay, now)) return undefined;
  const item = found.order.items.find(({ reservation_id }) => reservation_id === stay.reservation_id);
  return (item?.payment_methods?.includes('ONLINE_GATEWAY') ?? true)
    ? duePageRefusal(found, stay)
    : refused('This home is not paid online; ask the host.');
};

/** The most charges of a stay; its record holds them. */
const maxCharges = 50;

/** Of a stay that cannot be charged for something beside its price (D127). */
export const chargeRefusal = (found: FoundBooking, stay: Reservation): Refusal => {
  const { state, postings = [] } = stay;
  if (state === 'PENDING' || fellThrough(state)) return notChargeable(stay);
  if (waitsForPayment(stay) && paymentOf(found, stay)?.state === 'OPEN')
    return refused('The guest may still pay online.');
  return postings.filter(({ kind }) => kind === 'charge').length >= maxCharges
    ? invalid({ path: 'label', message: `the booking has had ${maxCharges} charges` })
    : undefined;
};

export const notChargeable = ({ state }: Reservation): ServiceError =>
  refused(
    'Only a booking that was accepted and takes place can be charged, and each charge be taken out once.',
    { state },
  );

/** Of a stay whose guest cannot have more time for a bank transfer (D130). */
export const extendRefusal = (stay: Reservation): Refusal => {
  const { payment_method, pay_until, start_at, timezone, state } = stay;
  if (payment_method !== 'BANK_TRANSFER' || pay_until === undefined || !waitsForPayment(stay))
    return refused('No bank transfer with a time limit is due.', { state });
  return pay_until < toInstant(start_at, timezone)
    ? undefined
    : refused('The time to pay ends at check-in already.', { state });
};

/** Where nothing of a security deposit can be taken, returned or kept, at the desk or by the gateway (D131). */
export const depositRefusal = (order: Order, stay: Reservation, action: DepositAction): Refusal => {
  const { state } = stay;
  if (action === 'TAKE' && !takesDeposit(stay))
    return refused('A security deposit is taken of a booking that was accepted and is not completed.', {
      state,
    });
  const amount = frozenDeposit(order, stay);
  if (amount === 0 && action === 'TAKE')
    return refused('The stay was booked without a security deposit, as those of platforms are.', { state });
  return [false, true].some((byGateway) => mostOfDeposit(stay, action, amount, byGateway) > 0)
    ? undefined
    : refused(
        action === 'TAKE' ? 'Nothing is left of the security deposit.' : 'No security deposit is held.',
        { state },
      );
};

/** What a partner has collected, only the partner can refund. */
export const sourceOf =
  (of: number | undefined): RefundSource =>
  (payment, id) =>
    !isByPartner(payment) && (of === undefined || of === id);

/** Returns the most that a host can refund of a stay, or of one of its payments (D127). */
export const refundable = (stay: Reservation, of?: number): number => {
  const most = fellThrough(stay.state) ? paidFor(stay) : creditOf(stay);
  return totalOf(splitRefund(stay, most, sourceOf(of)).map(({ amount }) => amount));
};

export const refundRefusal = (stay: Reservation): Refusal =>
  refundable(stay) > 0
    ? undefined
    : refused(
        fellThrough(stay.state)
          ? 'Nothing that was paid for the booking is left.'
          : 'Only what was paid above the price can be refunded; lower the price first.',
        { state: stay.state },
      );

/** Where the host has no refund to hand over, or not this one, by its number in the folio. */
export const returnRefusal = ({ postings = [] }: Reservation, id?: number): Refusal =>
  postings.some(({ to_return }, at) => to_return && (id === undefined || at + 1 === id))
    ? undefined
    : refused('The refund was returned, or is not made by the host.');

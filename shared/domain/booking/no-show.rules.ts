import { invalid } from '../../platform/errors.ts';
import { fitsMinorUnit, money, smaller, sum, toNumber } from '../../platform/money.ts';
import { instantText } from '../../platform/time/clock.ts';
import { addDays, atTime, dateOf, timeOf, toInstant } from '../../platform/time/time.ts';
import { paidFor } from '../folio/model.ts';
import { checkInCutOff, type ItemQuote, type ListingRates } from '../pricing/model.ts';
import type { Reservation } from './reservation.entity.ts';
import { mayMove, type Refusal, refused, refuseMove } from './booking.rules.ts';
import type { FoundBooking } from './booking.store.ts';
import { thawQuote } from './frozen-quote.rules.ts';
import type { Order } from './order.entity.ts';
import { refundAt, type StayRefund } from './refund.rules.ts';

/** For how many days a host may say that the guest did not come. */
const openDays = 30;

/** Whether the state of a stay allows it: of the completed ones, those that the schedule completed without a check-in. */
export const mayBeNoShow = ({ state, unattended }: Reservation): boolean =>
  mayMove(state, 'no_show') && (state !== 'COMPLETED' || unattended === true);

/**
 * Returns from when to when (epoch milliseconds, both included) a host may say that the guest of a stay did not come
 * (D83): from the check-in cut-off of the listing, else from the midnight after check-in, for 30 days.
 */
export const noShowWindow = (
  stay: Reservation,
  listing: ListingRates | undefined,
  { pricing_type, combo_id }: Pick<ItemQuote, 'pricing_type' | 'combo_id'>,
): { from: number; until: number } => {
  const { check_in_date, start_at, nights, timezone } = stay;
  const last =
    listing &&
    checkInCutOff(listing, {
      checkInDate: check_in_date,
      nights,
      pricingType: pricing_type,
      combo: combo_id === null ? null : { start_time: timeOf(start_at) },
    });
  const cutOff = last ?? atTime(addDays(check_in_date, 1), '00:00:00');
  // The host may have set an earlier one since.
  const from = cutOff < start_at ? start_at : cutOff;
  return {
    from: toInstant(from, timezone),
    until: toInstant(atTime(addDays(dateOf(from), openDays), timeOf(from)), timezone),
  };
};

/** Where no stay allows it, or one that does is too early or too late; `homeOf` returns the listing of such a stay. */
export const noShowRefusal = (
  { order, reservations }: Pick<FoundBooking, 'order' | 'reservations'>,
  homeOf: (stay: Reservation) => ListingRates | undefined,
  now: number,
): Refusal => {
  const missed = reservations.filter(mayBeNoShow);
  if (missed.length === 0) return refuseMove(reservations[0]?.state, 'no_show');
  return missed
    .map((stay) => windowRefusal(noShowWindow(stay, homeOf(stay), soldOf(order, stay)), now))
    .find((refusal) => refusal !== undefined);
};

const soldOf = ({ items }: Order, { reservation_id: id }: Reservation): ItemQuote => {
  const item = items.find(({ reservation_id }) => reservation_id === id);
  if (!item) throw new Error(`the order of ${id} does not have it`);
  return thawQuote(item.quote);
};

const windowRefusal = ({ from, until }: ReturnType<typeof noShowWindow>, now: number): Refusal =>
  now >= from && now <= until
    ? undefined
    : refused(
        now < from
          ? `The guest may arrive until ${instantText(from)}.`
          : `A no-show can be recorded until ${instantText(until)}.`,
        { no_show_from: instantText(from), no_show_until: instantText(until) },
      );

/**
 * Returns the refund of each stay whose guest did not come: by the frozen terms, or more, up to what was paid, where the
 * host names the amount of all of them; the first stays get the difference first. Throws VALIDATION_ERROR for another
 * amount.
 */
export const noShowRefunds = (
  stays: readonly Reservation[],
  instant: number,
  refundAmount: number | undefined,
): StayRefund[] => {
  const due = stays.map((before) => ({ before, refund: refundAt(before, instant, true) }));
  if (refundAmount === undefined) return due;
  const least = sum(due.map(({ refund }) => money(refund)));
  const most = sum(stays.map((stay) => money(paidFor(stay))));
  const currency = stays[0]?.currency ?? '';
  const path = 'refund_amount';
  if (least.gt(refundAmount) || most.lt(refundAmount))
    throw invalid({ path, message: `must be from ${least.toFixed()} to ${most.toFixed()} ${currency}` });
  if (!fitsMinorUnit(refundAmount, currency))
    throw invalid({ path, message: `has more decimals than ${currency}` });
  let left = money(refundAmount).minus(least);
  return due.map(({ before, refund }) => {
    const more = smaller(left, money(paidFor(before)).minus(refund));
    left = left.minus(more);
    return { before, refund: toNumber(more.plus(refund)) };
  });
};

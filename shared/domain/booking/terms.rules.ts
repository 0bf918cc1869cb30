import {
  type Amount,
  isZero,
  larger,
  money,
  roundMoney,
  smaller,
  sum,
  toNumber,
  zero,
} from '../../platform/money.ts';
import { instantText } from '../../platform/time/clock.ts';
import { hourMs, toInstant } from '../../platform/time/time.ts';
import { type CancellationTerms, fullRefundUntil } from '../listing/model.ts';
import type { ItemQuote } from '../pricing/model.ts';
import type { FrozenTerm, OrderItem } from './order.entity.ts';
import type { Reservation } from './reservation.entity.ts';

/** The cancellation terms in the record of a stay. */
type FrozenTerms = Pick<OrderItem, 'refund_notice_hours' | 'cancellation_terms'>;

/** Returns the steps of the terms that were frozen with a stay. */
export const termsOf = ({ refund_notice_hours, cancellation_terms }: FrozenTerms): readonly FrozenTerm[] =>
  cancellation_terms ?? fullRefundUntil(refund_notice_hours);

/** Returns terms as they are frozen with the price of a stay (D128); of one full refund the hours suffice. */
export const freezeTerms = (terms: readonly FrozenTerm[], quote: ItemQuote): FrozenTerms => {
  const free = isFree(terms[0]) ? terms[0] : undefined;
  const hours = { refund_notice_hours: free?.until_hours_before ?? null };
  if (terms.length === (free ? 1 : 0)) return hours;
  const priced = terms.map(({ until_hours_before, refund_percent, keep_nights }): FrozenTerm => ({
    ...{ until_hours_before, refund_percent, keep_nights },
    ...(keep_nights === 0 ? {} : { kept_price: toNumber(priceOfFirst(quote, keep_nights)) }),
  }));
  return { ...hours, cancellation_terms: priced };
};

const isFree = (term: FrozenTerm | undefined): term is FrozenTerm =>
  term?.refund_percent === 100 && term.keep_nights === 0;

/**
 * Returns what the first nights of a stay cost, with their share of its discounts and adjustments; of a stay that has no price by the night,
 * their share of the whole.
 */
const priceOfFirst = (quote: ItemQuote, count: number): Amount => {
  const { total, currency, total_discount: discount } = quote;
  const prices = quote.lines.filter(({ kind }) => kind === 'night').map(({ amount }) => money(amount));
  if (prices.length === 0) {
    // A stay without a night counts as one.
    const nights = Math.max(1, quote.nights);
    return roundMoney(money(total).times(Math.min(count, nights)).div(nights), currency);
  }
  const all = sum(prices);
  const adjustments = quote.lines
    .filter(({ kind }) => kind === 'adjustment')
    .map(({ amount }) => money(amount));
  const basis = money(total).minus(sum(adjustments));
  if (isZero(all) || isZero(basis)) return zero;
  const discounted = larger(zero, all.minus(discount));
  const kept = sum(prices.slice(0, count)).times(discounted).div(all);
  return roundMoney(kept.times(total).div(basis), currency);
};

/** A step with the last millisecond (epoch) at which it applies. */
interface EndingTerm extends FrozenTerm {
  end: number;
}

/** Returns the check-in from which the steps count back: of a changed stay the earliest that it has had (D84). */
const countedFrom = (stay: Reservation): number => {
  const checkIn = toInstant(stay.start_at, stay.timezone);
  if (stay.refund_until === undefined) return checkIn;
  const [{ until_hours_before: hours } = { until_hours_before: 0 }] = termsOf(stay);
  return Math.min(checkIn, stay.refund_until + hours * hourMs);
};

/** Returns the steps of a stay's terms in order of time, each with its end. */
export const endingTerms = (stay: Reservation): EndingTerm[] => {
  const from = countedFrom(stay);
  // A notice that reaches before 1970 is a mistake of the host; the step then ends in 1970.
  return termsOf(stay).map((term) => ({
    ...term,
    end: Math.max(0, from - term.until_hours_before * hourMs),
  }));
};

/** Returns the steps as they are shown: in whole hours before the present check-in. */
export const shownTerms = (stay: Reservation): CancellationTerms => {
  const moved = Math.ceil((toInstant(stay.start_at, stay.timezone) - countedFrom(stay)) / hourMs);
  return termsOf(stay).map(({ until_hours_before: hours, refund_percent, keep_nights }) => ({
    until_hours_before: hours + moved,
    ...{ refund_percent, keep_nights },
  }));
};

/** Returns the last millisecond at which a cancellation by the guest refunds all that was paid (D48b); null: it never does. */
export const cancellationDeadline = (stay: Reservation): string | null => {
  const [first] = endingTerms(stay);
  return isFree(first) ? instantText(first.end) : null;
};

/** Returns what a cancellation by the guest at an instant costs: by the first step that has not ended, else the price. */
export const cancellationFee = (stay: Reservation, instant: number): Amount => {
  const price = money(stay.total);
  const term = endingTerms(stay).find(({ end }) => instant <= end);
  if (term === undefined) return price;
  const refundable = price.minus(smaller(price, money(term.kept_price ?? 0)));
  return roundMoney(price.minus(refundable.times(term.refund_percent).times('0.01')), stay.currency);
};

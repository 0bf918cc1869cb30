import { type Amount, money, roundMoney, sum, zero } from '../../platform/money.ts';
import { atTime, timeOf } from '../../platform/time/time.ts';
import { isFlat } from './base-price.rules.ts';
import { type Line, sumOf } from './charges.rules.ts';
import {
  type DiscountInput,
  type Discounts,
  discountsOf,
  isByTheMonth,
  nightDiscounts,
} from './discounts.rules.ts';
import type { ItemQuote, LineKind, QuoteLine } from './quote.schema.ts';
import type { Stay } from './stay.rules.ts';

/** The base price of a changed stay, and its discounts. */
interface KeptBase {
  lines: Line[];
  discounts: Discounts;
}

/** Returns the base price of a changed stay; null if it is priced anew. `priced` are its lines as of now. */
export type KeepPrice = (priced: readonly Line[], anew: DiscountInput) => KeptBase | null;

const baseKinds: readonly LineKind[] = ['night', 'day', 'hours', 'package', 'combo'];

const lineOf = ({ kind, label, quantity, unit_price, date, source = '' }: QuoteLine): Line => ({
  kind,
  label,
  quantity,
  unitPrice: money(unit_price),
  ...(date === undefined ? {} : { date }),
  source,
});

const linesOf = (sold: ItemQuote, kinds: readonly LineKind[]): Line[] =>
  sold.lines.filter(({ kind }) => kinds.includes(kind)).map(lineOf);

/**
 * Returns the base price of a changed stay, of which the nights that it keeps cost what they were sold at (D84), with their
 * share of the discounts; null if it is priced anew: another listing, and a combo, flat price or other time of day use when
 * it changes.
 */
export const soldAt =
  (sold: ItemQuote): KeepPrice =>
  (priced, anew) => {
    const { stay, rule } = anew;
    if (isSameStay(sold, stay)) return { lines: linesOf(sold, baseKinds), discounts: soldDiscounts(sold) };
    const before = new Map(linesOf(sold, ['night']).map((line) => [line.date, line]));
    const isByNight = priced.every(({ kind }) => kind === 'night') && (!rule || !isFlat(rule));
    if (!isByNight || before.size === 0) return null;
    const lines = priced.map((line) => before.get(line.date) ?? line);
    const base = sumOf(lines);
    // A price by the month is one for all nights.
    if (isByTheMonth(anew)) return { lines, discounts: discountsOf({ ...anew, base }) };
    const newNights = priced.filter(({ date }) => !before.has(date));
    const keptLines = lines.filter(({ date }) => before.has(date));
    return { lines, discounts: discountsByNight(sold, keptLines, newNights, anew) };
  };

const isSameStay = (sold: ItemQuote, stay: Stay): boolean =>
  sold.check_in_date === stay.checkInDate &&
  sold.check_out_date === stay.checkOutDate &&
  sold.combo_id === (stay.combo?.id ?? null) &&
  (stay.nights > 0 || (sold.pricing_type === stay.pricingType && sold.hours === stay.hours));

const soldDiscounts = (sold: ItemQuote): Discounts => {
  const [nightShort, monthly, lastMinute] = [
    money(sold.night_short_discount),
    money(sold.monthly_discount),
    money(sold.last_minute_discount),
  ];
  return {
    combo: money(sold.total_discount).minus(sum([nightShort, monthly, lastMinute])),
    nightShort,
    monthly,
    lastMinute,
    lines: linesOf(sold, ['discount']),
  };
};

/** Kept nights keep their share of what they were discounted by; new ones are discounted like a stay of their own. */
const discountsByNight = (
  sold: ItemQuote,
  keptNights: readonly Line[],
  newNights: readonly Line[],
  anew: DiscountInput,
): Discounts => {
  const { listing, stay } = anew;
  const soldBase = sumOf(linesOf(sold, ['night']));
  const share = (discount: number): Amount =>
    soldBase.eq(0)
      ? zero
      : roundMoney(money(discount).times(sumOf(keptNights)).div(soldBase), listing.currency);
  const ofNew = discountsOf({ ...anew, base: sumOf(newNights), stay: stayOf(stay, newNights) });
  return nightDiscounts(
    share(sold.night_short_discount).plus(ofNew.nightShort),
    share(sold.last_minute_discount).plus(ofNew.lastMinute),
  );
};

const stayOf = (stay: Stay, nights: readonly Line[]): Stay => ({
  ...stay,
  nights: nights.length,
  start: atTime(nights[0]?.date ?? stay.checkInDate, timeOf(stay.start)),
});

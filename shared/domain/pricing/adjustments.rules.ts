import { invalid, type Issue } from '../../platform/errors.ts';
import {
  type Amount,
  fitsMinorUnit,
  isPayable,
  money,
  percentOf,
  sum,
  toNumber,
} from '../../platform/money.ts';
import { type Adjustment, maxAdjustments, type StayAdjustment } from './adjustment.schema.ts';
import { earningOf } from './charges.rules.ts';
import type { ItemQuote, QuoteLine } from './quote.schema.ts';

const isAdjustment = ({ kind }: QuoteLine): boolean => kind === 'adjustment';

const amountsOf = (basis: Amount, adjustments: readonly Adjustment[], currency: string): Amount[] =>
  adjustments.map(({ amount, percent = 0 }) =>
    amount === undefined ? percentOf(basis, percent, currency) : money(amount),
  );

/** Returns by how much adjustments would change a price that has none. */
export const adjustmentsTotal = (
  { total, currency }: Pick<ItemQuote, 'total' | 'currency'>,
  adjustments: readonly Adjustment[],
): Amount => sum(amountsOf(money(total), adjustments, currency));

/** Returns adjustments with their ids; those that are known at the same place have the same. */
export const adjustmentsOf = (
  asked: readonly (Adjustment & { id?: number })[],
  known: readonly StayAdjustment[],
  nextId: () => number,
): StayAdjustment[] =>
  asked.map((adjustment, at) => {
    const same = known[at];
    const id = same && isSame(same, adjustment) ? same.id : undefined;
    return { ...adjustment, id: adjustment.id ?? id ?? nextId() };
  });

const isSame = ({ id: _, ...one }: StayAdjustment, other: Adjustment): boolean =>
  (['label', 'amount', 'percent', 'reason'] as const).every((field) => one[field] === other[field]);

/**
 * Returns a price with other adjustments than it has (D121), one line each, in their order; percents are of the price before all
 * of them. Returns every reason to refuse it beside it.
 */
export const withAdjustments = (
  quote: ItemQuote,
  adjustments: readonly StayAdjustment[] = [],
): { quote: ItemQuote; issues: Issue[] } => {
  if (adjustments.length === 0 && !quote.lines.some(isAdjustment)) return { quote, issues: [] };
  const { currency, commission_rate: rate } = quote;
  const priced = quote.lines.filter((line) => !isAdjustment(line));
  const basis = sum(priced.map(({ amount }) => money(amount)));
  const amounts = amountsOf(basis, adjustments, currency);
  const total = basis.plus(sum(amounts));
  const issues: Issue[] = adjustments.flatMap(({ amount }, at) =>
    amount === undefined || fitsMinorUnit(amount, currency)
      ? []
      : [{ path: `adjustments[${at}].amount`, message: `has more decimals than ${currency}` }],
  );
  if (adjustments.length > maxAdjustments)
    issues.push({ path: 'adjustments', message: `are ${maxAdjustments} at most` });
  if (total.lt(0))
    issues.push({ path: 'adjustments', message: `leave a price of ${total.toFixed()}, below 0` });
  if (!isPayable(total, currency))
    issues.push({ path: 'adjustments', message: 'make a price that is too large to be represented exactly' });
  if (issues.length > 0) return { quote, issues };
  const lines = adjustments.map(({ id, label, reason }, at): QuoteLine => {
    const amount = toNumber(amounts[at] ?? money(0));
    return { kind: 'adjustment', label, quantity: 1, unit_price: amount, amount, source: `${reason}:${id}` };
  });
  const earning = rate === null ? null : earningOf(total, rate, currency);
  return { quote: { ...quote, earning, total: toNumber(total), lines: [...priced, ...lines] }, issues };
};

/** Returns the same. Throws VALIDATION_ERROR with every reason to refuse it. */
export const adjusted = (quote: ItemQuote, adjustments: readonly StayAdjustment[] | undefined): ItemQuote => {
  const result = withAdjustments(quote, adjustments);
  if (result.issues.length > 0) throw invalid(...result.issues);
  return result.quote;
};

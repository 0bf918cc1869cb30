import { sum, toNumber, type Amount } from '../../platform/money.ts';
import type { LineKind, QuoteLine } from './quote.schema.ts';

/** A summand of the total before it is written out; its amount is quantity × unitPrice. */
export interface Line {
  kind: LineKind;
  label: string;
  quantity: number;
  unitPrice: Amount;
  date?: string;
  source: string;
}

export const amountOf = ({ quantity, unitPrice }: Line): Amount => unitPrice.times(quantity);

export const sumOf = (lines: readonly Line[]): Amount => sum(lines.map(amountOf));

/** Fees and discounts of nothing are not worth a line. */
export const withoutNothing = (lines: readonly Line[]): Line[] =>
  lines.filter((line) => line.quantity > 0 && !line.unitPrice.eq(0));

export const quoteLine = (line: Line): QuoteLine => ({
  kind: line.kind,
  label: line.label,
  quantity: line.quantity,
  unit_price: toNumber(line.unitPrice),
  amount: toNumber(amountOf(line)),
  ...(line.date === undefined ? {} : { date: line.date }),
  source: line.source,
});

import { type DayRule, limitsOf, type StayLimits } from '../pricing/model.ts';
import { type Column, packNumberColumns, unpackNumberColumns } from './number-columns.ts';
import { rangeOf, startsOf } from './price-plane.ts';
import type { SearchDocument } from './search-document.ts';

const limitFields = ['min_notice_hours', 'booking_window_days'] as const;
const ruleFields = [
  'from',
  'to',
  'weekdays',
  'min_nights',
  'max_nights',
  'closed_to_arrival',
  'closed_to_departure',
  'closed',
] as const satisfies readonly (keyof DayRule)[];

/** The stay rules of one listing as numbers: those of the whole stay, and those of dates, the last one the strongest. */
interface StayRuleRow {
  limits: readonly number[];
  rules: readonly (readonly number[])[];
}

/** Returns the row of a listing; undefined without stay rules. */
export const stayRuleRow = ({ rateCard: { stayRules } }: SearchDocument): StayRuleRow | undefined => {
  if (!stayRules) return undefined;
  const limits = limitsOf(stayRules);
  return {
    limits: limitFields.map((field) => limits[field]),
    rules: limits.days.map((rule) => ruleFields.map((field) => rule[field])),
  };
};

export const packStayRules = (rows: readonly (StayRuleRow | undefined)[]): Uint8Array => {
  const rules = rows.flatMap((row) => row?.rules ?? []);
  return packNumberColumns({
    numbers: [
      rows.map((row) => row?.rules.length ?? 0),
      ...limitFields.map((_, at) => rows.map((row) => row?.limits[at] ?? NaN)),
      ...ruleFields.map((_, at) => rules.map((rule) => rule[at] ?? NaN)),
    ],
  });
};

/** The stay rules of a chunk: those of a listing are from `starts[slot]` to `starts[slot + 1]`. */
export class StayRulePlane {
  readonly length: number;
  readonly bytes: number;
  readonly #starts: Uint32Array;
  readonly #limits: readonly Column[];
  readonly #rules: readonly Column[];
  /** Made when a search first asks for them. */
  readonly #known = new Map<number, StayLimits>();

  constructor(packed: Uint8Array) {
    const { numbers, bytes } = unpackNumberColumns(packed);
    const [counts, ...columns] = numbers;
    this.length = counts?.length ?? 0;
    this.#starts = startsOf(counts);
    this.#limits = columns.slice(0, limitFields.length);
    this.#rules = columns.slice(limitFields.length);
    this.bytes = bytes * 8 + this.#starts.byteLength;
  }

  row(slot: number): StayRuleRow | undefined {
    const at = (columns: readonly Column[], row: number) => columns.map((column) => column[row] ?? NaN);
    const rules = rangeOf(this.#starts, slot).map((row) => at(this.#rules, row));
    return rules.length > 0 ? { limits: at(this.#limits, slot), rules } : undefined;
  }

  /** Returns the rules of a listing; undefined if it has none. */
  limits(slot: number): StayLimits | undefined {
    if (this.#starts[slot] === this.#starts[slot + 1]) return undefined;
    const known = this.#known.get(slot);
    if (known) return known;
    const row = this.row(slot);
    if (!row) return undefined;
    const limits = {
      ...named(limitFields, row.limits),
      days: row.rules.map((rule) => named(ruleFields, rule)),
    };
    this.#known.set(slot, limits);
    return limits;
  }
}

const named = <Name extends string>(
  names: readonly Name[],
  values: readonly number[],
): Record<Name, number> =>
  Object.fromEntries(names.map((name, at) => [name, values[at] ?? NaN])) as Record<Name, number>;

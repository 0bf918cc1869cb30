import { type HourStretch, hourText, monthSpans } from '../calendar/model.ts';
import { type Column, packNumberColumns, unpackNumberColumns } from './number-columns.ts';
import { rangeOf, startsOf } from './price-plane.ts';

const dayHours = 24;
const localHour = (hour: number): string => hourText('1970-01', hour);

/** Splits taken stretches by month, in hours since the beginning of each. */
export const hoursByMonth = (taken: readonly HourStretch[]): Map<string, HourStretch[]> => {
  const byMonth = new Map<string, HourStretch[]>();
  for (const [start, end] of taken)
    for (const { month, from, to } of monthSpans({ start_at: localHour(start), end_at: localHour(end) })) {
      const stretches = byMonth.get(month) ?? [];
      stretches.push([from, to]);
      byMonth.set(month, stretches);
    }
  return byMonth;
};

/** Packs the taken hours of one month. Days and hours of the day are apart: most stays begin and end at the same hours. */
export const packHours = (rows: readonly (readonly HourStretch[] | undefined)[]): Uint8Array => {
  const all = rows.flatMap((row) => row ?? []);
  return packNumberColumns({
    numbers: [
      rows.map((row) => row?.length ?? 0),
      all.map(([from]) => Math.floor(from / dayHours)),
      all.map(([from]) => from % dayHours),
      all.map(([from, to]) => to - from),
    ],
  });
};

/** The taken hours of one month: those of a listing are from `starts[slot]` to `starts[slot + 1]`. */
export class HourPlane {
  readonly length: number;
  readonly bytes: number;
  readonly #starts: Uint32Array;
  readonly #from: Column;
  readonly #to: Column;

  constructor(packed: Uint8Array) {
    const { numbers, bytes } = unpackNumberColumns(packed);
    const [counts, days, hours, lengths] = numbers;
    this.length = counts?.length ?? 0;
    this.#starts = startsOf(counts);
    this.#from = Uint16Array.from(days ?? [], (day, at) => day * dayHours + (hours?.[at] ?? 0));
    this.#to = this.#from.map((from, at) => from + (lengths?.[at] ?? 0));
    this.bytes = bytes * 2 + this.#starts.byteLength;
  }

  row(slot: number): HourStretch[] {
    return rangeOf(this.#starts, slot).map((at) => [this.#from[at] ?? 0, this.#to[at] ?? 0]);
  }

  /** Whether a listing is taken in one of the hours of the month from `from` to `to`. */
  isTaken(slot: number, from: number, to: number): boolean {
    const end = this.#starts[slot + 1] ?? 0;
    for (let at = this.#starts[slot] ?? 0; at < end; at++)
      if ((this.#from[at] ?? 0) < to && (this.#to[at] ?? 0) > from) return true;
    return false;
  }
}

import { describe, expect, it } from 'vitest';
import { lift } from './calendar-changes.ts';
import type { Calendar, Stay } from './calendar-stays.ts';

const night = (day: number, nights = 1) => ({ from: day * 24 + 14, to: (day + nights) * 24 + 12 });

describe('a block of which nights are lifted', () => {
  const block = {
    home: '20',
    ids: [1],
    who: 'hoa',
    until: null,
    looseFrom: Infinity,
    isBlock: true as const,
  };
  const calendar = { parents: {}, stays: [{ ...block, ...night(6, 3) }] } as unknown as Calendar;
  const left = (...places: { from: number; to: number }[]) =>
    lift(calendar, { did: 'lift', places: places.map((place) => ({ home: '20', ...place })) }).stays.map(
      ({ from, to, looseFrom }: Stay) => [from, to, looseFrom],
    );

  it('holds its other nights, and perhaps the hours between them and those that are lifted', () => {
    const [first, , last] = [night(6), night(7), night(8)];
    expect(left(night(7))).toEqual([
      [first.from, first.to, Infinity],
      [first.to, first.to + 2, -Infinity],
      [last.from - 2, last.from, -Infinity],
      [last.from, last.to, Infinity],
    ]);
    expect(left(night(6, 2))).toEqual([
      [last.from - 2, last.from, -Infinity],
      [last.from, last.to, Infinity],
    ]);
    expect(left(night(6, 3))).toEqual([]);
  });
});

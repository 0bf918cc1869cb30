import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nightRates } from '../../../shared/domain/pricing/night-rate.rules.ts';
import {
  bulkNights,
  packNights,
  priorityOver,
  unpackNights,
  withNights,
} from '../../../shared/domain/pricing/price-layer.rules.ts';
import type { PriceParts } from '../../../shared/domain/pricing/price-parts.entity.ts';
import type { RateCard } from '../../../shared/domain/pricing/rate-card.rules.ts';
import { addDays } from '../../../shared/platform/time/time.ts';

type Rule = PriceParts['rules'][number];
const first = '2027-02-01';
const dayAt = (days: number) => addDays(first, days);
const all = Array.from({ length: 40 }, (_, at) => dayAt(at));
const today = dayAt(3);

/** What happens to the rules of a listing: a bulk change, its undo, or a rule of the host. */
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('bulk' as const),
      days: fc.uniqueArray(fc.nat({ max: 36 }), { minLength: 1, maxLength: 20 }),
      price: fc.integer({ min: 1, max: 5 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('undo' as const), at: fc.nat({ max: 9 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('rule' as const),
      date_type: fc.constantFrom(
        'ALWAYS' as const,
        'WEEKDAY' as const,
        'DATE_RANGE' as const,
        'SPECIFIC_DATE' as const,
      ),
      from: fc.nat({ max: 30 }),
      length: fc.nat({ max: 10 }),
      priority: fc.integer({ min: -1, max: 3 }),
      price: fc.integer({ min: 10, max: 15 }),
    }),
  },
);

const cardOf = (rules: Rule[]): RateCard =>
  ({ listing: { currency: 'VND', full_rate: 100 }, rules, combos: [], services: [] }) as unknown as RateCard;
const pricesOf = (rules: Rule[]) => {
  const rateOn = nightRates(cardOf(rules), 'OVERNIGHT');
  return new Map(all.map((date) => [date, rateOn(date).price]));
};

describe('the nights of bulk changes', () => {
  it('have the price of the last bulk change, until a host’s stronger rule or the undo; no other night changes', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 10 }), (steps) => {
        let id = 1;
        const options = { listingId: 1, today, newId: () => id++ };
        let rules: Rule[] = [];
        const bulks: { id: number; dates: string[]; was: ReturnType<typeof packNights> }[] = [];
        for (const one of steps) {
          const before = pricesOf(rules);
          if (one.kind === 'rule') {
            const range = one.date_type === 'DATE_RANGE' || one.date_type === 'SPECIFIC_DATE';
            rules = [
              ...rules,
              {
                ...{ id: id++, listing_id: 1, date_type: one.date_type, is_active: true, price: one.price },
                ...{ charge_unit: 'PER_NIGHT', stay_type: 'ANY', priority: one.priority },
                day_of_week: one.date_type === 'WEEKDAY' ? one.from % 7 : null,
                date_from: range ? dayAt(one.from) : null,
                date_to: one.date_type === 'DATE_RANGE' ? dayAt(one.from + one.length) : null,
              },
            ];
            continue;
          }
          if (one.kind === 'bulk') {
            const dates = one.days.map((day) => dayAt(day + 3)).sort();
            const bulkId = id++;
            const priority = priorityOver(rules, dates);
            const night = { price: one.price, priority, bulk_id: bulkId, rule_id: Number.MAX_SAFE_INTEGER };
            const was = [...bulkNights(rules)].filter(([date]) => dates.includes(date));
            bulks.push({ id: bulkId, dates, was: packNights(was) });
            rules = withNights(rules, new Map(dates.map((date) => [date, night])), options);
            const after = pricesOf(rules);
            for (const date of all)
              expect(after.get(date), date).toBe(dates.includes(date) ? one.price : before.get(date));
            continue;
          }
          const bulk = bulks.at(one.at);
          if (!bulk) continue;
          const still = [...bulkNights(rules)].filter(([, night]) => night.bulk_id === bulk.id);
          const was = unpackNights(bulk.was);
          rules = withNights(rules, new Map(still.map(([date]) => [date, was.get(date) ?? null])), options);
          const after = pricesOf(rules);
          const undone = new Set(still.map(([date]) => date));
          for (const date of all) if (!undone.has(date)) expect(after.get(date), date).toBe(before.get(date));
          for (const date of undone) expect(bulkNights(rules).get(date)?.price).toBe(was.get(date)?.price);
        }
        const covered = rules.filter(({ bulk_id }) => bulk_id !== undefined);
        expect([...bulkNights(rules)]).toHaveLength(
          covered.flatMap((rule) => [...bulkNights([rule])]).length,
        );
      }),
      { numRuns: 1500 },
    );
  });

  it('that have passed are dropped at the next change', () => {
    let id = 10;
    const options = { listingId: 1, newId: () => id++ };
    const night = { price: 5, priority: 0, bulk_id: 1, rule_id: 99 };
    const rules = withNights(
      [],
      new Map([
        ['2027-02-01', night],
        ['2027-02-02', night],
      ]),
      { ...options, today: '2027-02-01' },
    );
    const next = withNights(rules, new Map([['2027-02-09', night]]), { ...options, today: '2027-02-02' });
    expect([...bulkNights(next).keys()].sort()).toEqual(['2027-02-02', '2027-02-09']);
  });
});

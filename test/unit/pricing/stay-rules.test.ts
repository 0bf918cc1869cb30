import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listingExample } from '../../../shared/domain/listing/listing-example.schema.ts';
import type { Listing } from '../../../shared/domain/listing/listing.entity.ts';
import { type BrokenRule, brokenRules, limitedStay, limitsOf } from '../../../shared/domain/pricing/model.ts';
import type { ListedStayRules } from '../../../shared/domain/pricing/stay-rules.schema.ts';
import type { SearchCriteria } from '../../../shared/domain/search/search-criteria.ts';
import { searchDocument } from '../../../shared/domain/search/search-document.ts';
import { datesBetween, toInstant, weekday } from '../../../shared/platform/time/time.ts';
import { offersAt } from '../../support/search-columns.ts';
import { day, rulesOf, zone } from '../../support/stay-rules.ts';

/** 2027-01-15 10:00 in the listing's zone. */
const now = Date.parse('2027-01-15T03:00:00Z');

const stays = fc.record({ from: fc.integer({ min: 0, max: 25 }), nights: fc.integer({ min: 0, max: 7 }) });

/** The rules read from the decision, date by date. */
const expected = (rules: ListedStayRules, check_in: string, check_out: string): BrokenRule[] => {
  if (check_in === check_out) return [];
  type Name = keyof ListedStayRules['default'];
  const on = (name: Name, date: string) =>
    rules.date_rules
      .filter(({ date_from, date_to, weekdays }) => {
        const isWeekday = weekdays === null || weekdays.includes(weekday(date));
        return date_from <= date && date <= date_to && isWeekday;
      })
      .reduce<number | boolean | null>((value, rule) => rule[name] ?? value, rules.default[name]);
  const nights = datesBetween(check_in, check_out);
  const broken: Omit<BrokenRule, 'listing_id'>[] = [];
  const [least, most] = [on('min_nights', check_in), on('max_nights', check_in)];
  if (typeof least === 'number' && nights.length < least)
    broken.push({ rule: 'min_nights', date: check_in, allowed: least });
  if (typeof most === 'number' && nights.length > most)
    broken.push({ rule: 'max_nights', date: check_in, allowed: most });
  if (on('closed_to_arrival', check_in) === true)
    broken.push({ rule: 'closed_to_arrival', date: check_in, allowed: true });
  const { min_notice_hours: notice, booking_window_days: window } = rules;
  if (notice !== null && toInstant(`${check_in}T14:00:00`, zone) < now + notice * 3_600_000)
    broken.push({ rule: 'min_notice_hours', date: check_in, allowed: notice });
  if (window !== null && check_in > day(window))
    broken.push({ rule: 'booking_window_days', date: check_in, allowed: window });
  if (on('closed_to_departure', check_out) === true)
    broken.push({ rule: 'closed_to_departure', date: check_out, allowed: true });
  const closed = nights.find((date) => on('closed', date) === true);
  if (closed !== undefined) broken.push({ rule: 'closed', date: closed, allowed: true });
  return broken.map((one) => ({ listing_id: 7, ...one }));
};

describe('stay rules', () => {
  it('are those of the decision, for any rules and stay', () => {
    let refused = 0;
    fc.assert(
      fc.property(rulesOf, stays, (rules, { from, nights }) => {
        const [check_in_date, check_out_date] = [day(from), day(from + nights)];
        const stay = { check_in_date, check_out_date, start_at: `${check_in_date}T14:00:00` };
        const broken = brokenRules(7, limitsOf(rules), limitedStay(zone, stay, now));
        expect(broken).toEqual(expected(rules, check_in_date, check_out_date));
        if (broken.length > 0) refused++;
      }),
      { numRuns: 10_000 },
    );
    expect(refused).toBeGreaterThan(3000);
    expect(refused).toBeLessThan(9000);
  });

  it('are the same in search, for any listings and stay', () => {
    let wanted = 0;
    let all = 0;
    const party = { guests: 2, adults: null, children: null };
    fc.assert(
      fc.property(
        fc.array(fc.option(rulesOf), { minLength: 12, maxLength: 20, size: 'max' }),
        stays,
        (homes, asked) => {
          const dates = { check_in: day(asked.from), check_out: day(asked.from + asked.nights) };
          const criteria: SearchCriteria = {
            ...{ party, dates: { ...dates, nights: asked.nights }, amenityIds: [], propertyTypes: [] },
            ...{ currency: null, teamIds: null },
          };
          const documents = homes.map((stay_rules, at) => documentOf(at + 1, stay_rules));
          const offers = offersAt(
            documents,
            documents.map(() => 0),
            criteria,
            now,
          );
          const found = homes.map((_, row) => offers.isWanted(row, 2));
          expect(found).toEqual(
            homes.map(
              (rules) => rules === null || expected(rules, dates.check_in, dates.check_out).length === 0,
            ),
          );
          wanted += found.filter(Boolean).length;
          all += found.length;
        },
      ),
      { numRuns: 700 },
    );
    expect(all).toBeGreaterThan(8000);
    expect(wanted / all).toBeGreaterThan(0.2);
    expect(wanted / all).toBeLessThan(0.8);
  });
});

const documentOf = (id: number, stay_rules: ListedStayRules | null) =>
  searchDocument(
    {
      listing: { ...(listingExample as unknown as Listing), id, timezone: zone, capacity: 4, amenities: [] },
      parts: {
        ...{ listing_id: id, version: 1, combos: [], services: [], rules: [] },
        ...(stay_rules ? { stay_rules } : {}),
      },
      taken: [],
    },
    '2027-01-15',
  );

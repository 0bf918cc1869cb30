import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listingExample } from '../../../shared/domain/listing/listing-example.schema.ts';
import type { Listing } from '../../../shared/domain/listing/listing.entity.ts';
import { tryQuoteItem } from '../../../shared/domain/pricing/model.ts';

import { quickTotal, unitOf, weekdayOf } from '../../../shared/domain/search/quick-total.ts';
import { itemOf, type SearchCriteria } from '../../../shared/domain/search/search-criteria.ts';
import { searchDocument } from '../../../shared/domain/search/search-document.ts';
import { minorDigits } from '../../../shared/platform/money.ts';
import { addDays, datesBetween, dayNumber } from '../../../shared/platform/time/time.ts';
import { chunkOf, offersAt } from '../../support/search-columns.ts';

const now = Date.parse('2027-01-15T03:00:00Z');
const currencies = ['VND', 'USD', 'KWD'] as const;

/** Amounts of a currency, some of them with more decimals than it has, some near the largest. */
const amount = (currency: string, most = 1_000_000) => {
  const unit = 10 ** minorDigits(currency);
  const exact = fc.integer({ min: 0, max: most }).map((minor) => minor / unit);
  return fc.oneof(
    { weight: 20, arbitrary: exact },
    { weight: 3, arbitrary: fc.constant(0) },
    {
      weight: 1,
      arbitrary: fc.integer({ min: 0, max: most }).map((minor) => Number((minor / unit / 10).toFixed(4))),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(999_999_999_999_999, 450_000_000_000_000).map((minor) => minor / unit),
    },
  );
};

const ruleOf = (currency: string) =>
  fc.record({
    date_type: fc.constantFrom('ALWAYS', 'WEEKDAY', 'DATE_RANGE', 'SPECIFIC_DATE'),
    day_of_week: fc.nat({ max: 6 }),
    date_from: fc.nat({ max: 40 }).map((days) => addDays('2027-01-10', days)),
    days: fc.nat({ max: 20 }),
    weekdays: fc.option(fc.uniqueArray(fc.nat({ max: 6 }), { minLength: 1 })),
    charge_unit: fc.constantFrom('PER_BOOKING', 'PER_NIGHT', 'PER_NIGHT', 'PER_HOUR', 'PACKAGE', 'PER_MONTH'),
    stay_type: fc.constantFrom('DAY', 'OVERNIGHT', 'ANY'),
    ...{ price: amount(currency), priority: fc.nat({ max: 2 }) },
  });

const homeOf = (currency: string) => {
  const money = amount(currency);
  return fc.record({
    currency: fc.constant(currency),
    fields: fc.record({
      ...{ full_rate: money, minimum_rate: money, extra_adult_rate: money, extra_child_rate: money },
      ...{ cleaning_fee: money, monthly_price: amount(currency, 20_000_000) },
      guest_included_in_rate: fc.nat({ max: 4 }),
      last_minute_hour: fc.constantFrom(0, 24, 48, 480),
      last_minute_discount: fc.constantFrom(0, 10, 12.5, 33.33, 7.12345),
      price_rate_in_day: fc.constantFrom(0, 0.5, 1, 1.5, 1.333, 1.23456),
      prices_by_week: fc.dictionary(fc.constantFrom('0', '1', '5', '6'), money),
    }),
    rules: fc.array(ruleOf(currency), { maxLength: 4 }),
    services: fc.array(
      fc.record({ price: money, price_unit: fc.constantFrom('per_use', 'per_night', 'per_person') }),
      { maxLength: 2 },
    ),
  });
};

const asked = fc.record({
  from: fc.nat({ max: 30 }),
  nights: fc.oneof(fc.nat({ max: 4 }), fc.integer({ min: 27, max: 62 })),
  guests: fc.integer({ min: 1, max: 8 }),
  children: fc.option(fc.nat({ max: 3 })),
});

type Home = ReturnType<typeof homeOf> extends fc.Arbitrary<infer Made> ? Made : never;

const documentOf = ({ currency, fields, rules, services }: Home) =>
  searchDocument(
    {
      listing: {
        ...{ ...listingExample, currency, ...fields, id: 1, capacity: 8, maximum_guest: 0 },
        ...{ amenities: [], standard_check_in_time: '14:00:00', no_checkin_after_hour: null },
      } as unknown as Listing,
      parts: {
        ...{ listing_id: 1, version: 1, combos: [] },
        rules: rules.map(({ days, date_from, date_type, ...rule }, at) => ({
          ...{ ...rule, date_type, date_from, id: at + 1, listing_id: 1, is_active: true },
          date_to: date_type === 'DATE_RANGE' ? addDays(date_from, days) : null,
        })),
        services: services.map((service, at) => ({
          ...{ ...service, id: at + 1, listing_id: 1, service_name: '', description: null, created_at: '' },
          ...{ is_required: true, is_active: true },
        })),
      },
      taken: [],
    },
    '2027-01-01',
  );

const partyOf = ({ guests, children }: { guests: number; children: number | null }) => {
  const some = children === null ? null : Math.min(children, guests - 1);
  return { guests, children: some, adults: some === null ? null : guests - some };
};

describe('a price from columns', () => {
  it('is that of a checkout, of every stay and listing', () => {
    let quick = 0;
    let all = 0;
    fc.assert(
      fc.property(
        fc.constantFrom(...currencies).chain(homeOf),
        asked,
        (home, { from, nights, ...guests }) => {
          const check_in = addDays('2027-01-15', from);
          const dates = { check_in, check_out: addDays(check_in, nights), nights };
          const party = partyOf(guests);
          const document = documentOf(home);
          const { quote } = tryQuoteItem({ rateCard: document.rateCard, item: itemOf(1, dates, party), now });
          const criteria: SearchCriteria = {
            ...{ party, dates, amenityIds: [], propertyTypes: [], currency: null, teamIds: null },
          };
          const offers = offersAt([document], [0], criteria, now);
          expect(offers.totalFor(0, party)).toBe(quote?.total ?? null);
          expect(offers.totalOf(document, party)).toBe(quote?.total ?? null);
          all++;
          const days = (nights === 0 ? [check_in] : datesBetween(check_in, dates.check_out)).map(dayNumber);
          const beginsIn = Date.parse(`${check_in}T07:00:00Z`) - now;
          const dated = { days, weekdays: days.map(weekdayOf), nights, beginsIn };
          const stay = { ...dated, guests: party.guests, children: party.children ?? 0 };
          const total = quickTotal(chunkOf([document]).plane('price')!, 0, stay, unitOf(home.currency));
          if (total !== undefined) quick++;
        },
      ),
      { numRuns: 500 },
    );
    expect(quick / all).toBeGreaterThan(0.5);
  });
});

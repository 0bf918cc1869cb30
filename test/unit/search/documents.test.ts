import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HourStretch } from '../../../shared/domain/calendar/committed-hours.store.ts';
import { listingExample } from '../../../shared/domain/listing/listing-example.schema.ts';
import type { Listing } from '../../../shared/domain/listing/listing.entity.ts';
import { monthSpans } from '../../../shared/domain/calendar/model.ts';
import { distanceKm } from '../../../shared/domain/search/grid.ts';
import { rowsOf } from '../../../shared/domain/search/planes.ts';
import {
  packDocument,
  searchDocument,
  unpackDocument,
} from '../../../shared/domain/search/search-document.ts';
import { addHours } from '../../../shared/platform/time/time.ts';
import { chunkOf } from '../../support/search-columns.ts';

const listing = {
  ...listingExample,
  wifi_password: 'hoang-hon',
  commission_rate: 0.15,
  amenities: [],
  child_listing_ids: [],
  search_name: '',
  version: 1,
} as unknown as Listing;

const gaps = fc.array(fc.tuple(fc.integer({ min: 1, max: 3000 }), fc.integer({ min: 1, max: 500 })), {
  maxLength: 50,
});
const stretches = (lengths: [number, number][], from = 500_000): HourStretch[] => {
  let at = from;
  return lengths.map(([gap, length]) => {
    const begin = at + gap;
    at = begin + length;
    return [begin, at];
  });
};

describe('a search document', () => {
  it('comes out of its entry as it went in', () => {
    fc.assert(
      fc.property(gaps, (lengths) => {
        const document = searchDocument(
          { listing, parts: undefined, taken: stretches(lengths) },
          '2027-01-15',
        );
        expect(unpackDocument(packDocument(document))).toEqual(document);
      }),
    );
  });

  it('knows nothing that a stranger may not see, and of rules and services what can still matter', () => {
    const rule = { id: 1, listing_id: 4711, day_of_week: null, charge_unit: 'PER_NIGHT', stay_type: 'ANY' };
    const dated = (date_from: string, date_to: string | null, is_active = true) =>
      ({
        ...rule,
        date_type: date_to ? 'DATE_RANGE' : 'SPECIFIC_DATE',
        date_from,
        date_to,
        is_active,
      }) as never;
    const parts = {
      listing_id: 4711,
      version: 1,
      combos: [],
      services: [{ is_active: true, is_required: false } as never],
      rules: [
        dated('2026-01-01', '2027-01-14'),
        dated('2026-01-01', '2027-01-15'),
        dated('2027-01-14', null),
        dated('2027-01-15', null),
        dated('2027-02-01', '2027-02-02', false),
      ],
    };
    const { rateCard, ...document } = searchDocument({ listing, parts, taken: [] }, '2027-01-15');
    expect(rateCard.rules).toEqual([parts.rules[1], parts.rules[3]]);
    expect(rateCard.services).toEqual([]);
    expect(JSON.stringify([rateCard, document])).not.toMatch(/hoang-hon|wifi|door_code|commission/);
  });
});

describe('the columns of documents', () => {
  const firstMonth = '1970-01';

  it('have the rows of each', () => {
    const money = fc.constantFrom(0, 1, 250_000, 12.5, 0.001);
    const rule = fc.record({
      date_type: fc.constantFrom('ALWAYS', 'WEEKDAY', 'DATE_RANGE', 'SPECIFIC_DATE'),
      day_of_week: fc.option(fc.nat({ max: 6 })),
      date_from: fc.constantFrom(null, '2027-02-01'),
      date_to: fc.constantFrom(null, '2027-02-09'),
      charge_unit: fc.constantFrom('PER_BOOKING', 'PER_NIGHT', 'PER_HOUR', 'PACKAGE', 'PER_MONTH'),
      stay_type: fc.constantFrom('DAY', 'OVERNIGHT', 'ANY'),
      ...{ price: money, priority: fc.nat({ max: 3 }), is_active: fc.constant(true), id: fc.nat() },
    });
    const given = fc.record({
      fields: fc.record({ full_rate: money, cleaning_fee: money, capacity: fc.integer({ min: 1, max: 50 }) }),
      amenities: fc.uniqueArray(fc.integer({ min: 100, max: 400 }), { maxLength: 5 }),
      rules: fc.array(rule, { maxLength: 3 }),
      lengths: gaps,
      isLocated: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(given, { minLength: 1, maxLength: 6 }), (all) => {
        const documents = all.map(({ fields, amenities, rules, lengths, isLocated }, at) =>
          searchDocument(
            {
              listing: {
                ...{ ...listing, ...fields, id: at + 1, latitude: isLocated ? 16.054407 : null },
                amenities: amenities.toSorted((a, b) => a - b).map((amenity_id) => ({ amenity_id })),
              } as unknown as Listing,
              parts: { listing_id: at + 1, version: 1, combos: [], services: [], rules: rules as never },
              taken: stretches(lengths, 0),
            },
            '1970-01-01',
          ),
        );
        const chunk = chunkOf(documents, { firstMonth });
        documents.forEach((document, slot) => {
          for (const [name, row] of rowsOf(document, { revision: 1, firstMonth }))
            expect((chunk.plane(name as 'place') ?? chunk.hours(name))?.row(slot), name).toEqual(row);
        });
      }),
    );
  });

  it('have the same taken hours as a comparison of every hour', () => {
    const local = (hour: number) => addHours('1970-01-01T00:00:00', hour);
    fc.assert(
      fc.property(
        gaps,
        fc.integer({ min: 0, max: 20_000 }),
        fc.integer({ min: 1, max: 2000 }),
        (lengths, at, hours) => {
          const taken = stretches(lengths, 0);
          const meets = taken.some(([begin, end]) => begin < at + hours && end > at);
          const chunk = chunkOf([searchDocument({ listing, parts: undefined, taken }, '2027-01-15')], {
            firstMonth,
          });
          const found = monthSpans({ start_at: local(at), end_at: local(at + hours) }).some(
            ({ month, from, to }) => chunk.hours(month)?.isTaken(0, from, to) ?? false,
          );
          expect(found).toBe(meets);
        },
      ),
    );
  });

  it('keep the distances from one point at a time', () => {
    const at = (latitude: number, longitude: number) =>
      searchDocument(
        { listing: { ...listing, latitude, longitude }, parts: undefined, taken: [] },
        '2027-01-15',
      );
    const place = chunkOf([at(16, 108), at(16.1, 108.1)]).plane('place')!;
    for (const from of [
      { latitude: 16, longitude: 108 },
      { latitude: 16, longitude: 109 },
      { latitude: 17, longitude: 109 },
      { latitude: 16, longitude: 108 },
    ]) {
      const expected = [
        distanceKm(from, { latitude: 16, longitude: 108 }),
        distanceKm(from, { latitude: 16.1, longitude: 108.1 }),
      ];
      expect([...place.distances(from)]).toEqual(expected);
      expect([...place.distances({ ...from })]).toEqual(expected);
    }
  });
});

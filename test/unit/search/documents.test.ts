import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HourStretch } from '../../../shared/domain/calendar/committed-hours.store.ts';
import { listingExample } from '../../../shared/domain/listing/listing-example.schema.ts';
import type { Listing } from '../../../shared/domain/listing/listing.entity.ts';
import {
  documentLine,
  packLines,
  searchDocument,
  unpackDocuments,
} from '../../../shared/domain/search/search-document.ts';
import { hoursOf, isFree } from '../../../shared/domain/search/stay-hours.ts';
import { addHours } from '../../../shared/platform/time.ts';

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
  it('comes out of its chunk as it went in', () => {
    fc.assert(
      fc.property(gaps, (lengths) => {
        const document = searchDocument(
          { listing, parts: undefined, taken: stretches(lengths) },
          '2027-01-15',
        );
        const [unpacked] = unpackDocuments(packLines([documentLine(document)]));
        expect(unpacked!.document).toEqual(document);
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

describe('isFree', () => {
  it('agrees with comparing every hour', () => {
    const local = (hour: number) => addHours('1970-01-01T00:00:00', hour);
    fc.assert(
      fc.property(
        gaps,
        fc.integer({ min: 0, max: 20_000 }),
        fc.integer({ min: 1, max: 200 }),
        (lengths, at, hours) => {
          const taken = stretches(lengths);
          const [from, to] = [500_000 + at, 500_000 + at + hours];
          const meets = taken.some(([begin, end]) => begin < to && end > from);
          expect(isFree(taken, hoursOf({ start_at: local(from), end_at: local(to) }).hours)).toBe(!meets);
        },
      ),
    );
  });

  it('counts a started hour as whole', () => {
    const taken: HourStretch[] = [[10, 12]];
    const between = (start: string, end: string) =>
      isFree(taken, hoursOf({ start_at: `1970-01-01T${start}:00`, end_at: `1970-01-01T${end}:00` }).hours);
    expect(between('08:00', '10:00')).toBe(true);
    expect(between('08:00', '10:01')).toBe(false);
    expect(between('11:59', '13:00')).toBe(false);
    expect(between('12:00', '13:00')).toBe(true);
  });
});

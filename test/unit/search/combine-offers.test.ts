import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { listingExample } from '../../../shared/domain/listing/listing-example.schema.ts';
import type { Listing } from '../../../shared/domain/listing/listing.entity.ts';
import { combineOffers } from '../../../shared/domain/search/combine-offers.ts';
import { divideGuests } from '../../../shared/domain/search/combo-candidates.ts';
import { distanceKm } from '../../../shared/domain/search/grid.ts';
import { type Offer, Offers } from '../../../shared/domain/search/offer.ts';
import type { Party, SearchCriteria } from '../../../shared/domain/search/search-criteria.ts';
import { searchDocument } from '../../../shared/domain/search/search-document.ts';
import { offersAt } from '../../support/search-columns.ts';

const now = Date.parse('2027-01-15T03:00:00Z');
const party = (guests: number, children: number | null = null): Party => ({
  guests,
  children,
  adults: children === null ? null : guests - children,
});
const criteria = (of: Party): SearchCriteria => ({
  party: of,
  dates: { check_in: '2027-02-10', check_out: '2027-02-12', nights: 2 },
  amenityIds: [],
  propertyTypes: [],
  currency: null,
  teamIds: null,
});

interface Home {
  capacity: number;
  full_rate: number;
  extra_adult_rate: number;
  extra_child_rate: number;
  guest_included_in_rate: number;
  /** Kilometres to the north. */
  km: number;
  parent: number | null;
}

const offersOf = (homes: readonly Home[], of: Party, unread: readonly string[] = []): Offer[] => {
  const documents = homes.map(({ km, parent, ...home }, position) => {
    const listing = {
      ...listingExample,
      ...home,
      id: position + 1,
      parent_listing_id: parent === null || parent >= position ? null : parent + 1,
      latitude: 10 + km / 111.195,
      longitude: 106,
      maximum_guest: 0,
      monthly_price: 0,
      prices_by_week: {},
      amenities: [],
    } as unknown as Listing;
    return searchDocument({ listing, parts: undefined, taken: [] }, '2027-01-15');
  });
  const offers = offersAt(
    documents,
    homes.map(({ km }) => km),
    criteria(of),
    now,
    unread,
  );
  return homes.map((_, row) => offers.offer(row));
};

const home = fc.record<Home>({
  capacity: fc.integer({ min: 1, max: 5 }),
  full_rate: fc.integer({ min: 100, max: 2000 }),
  extra_adult_rate: fc.integer({ min: 0, max: 300 }),
  extra_child_rate: fc.integer({ min: 0, max: 100 }),
  guest_included_in_rate: fc.integer({ min: 0, max: 3 }),
  km: fc.double({ min: 0, max: 4, noNaN: true }),
  parent: fc.option(fc.nat({ max: 3 }), { freq: 3 }),
});

const subsets = <Item>(items: readonly Item[], most: number): Item[][] =>
  items.reduce<Item[][]>(
    (all, item) => [...all, ...all.filter(({ length }) => length < most).map((some) => [...some, item])],
    [[]],
  );

/** D59 as it stands there. */
const isGroup = (group: readonly Offer[], { guests, adults }: Party): boolean =>
  group.length >= 2 &&
  group.length <= 5 &&
  group.length <= (adults ?? guests) &&
  group.reduce((sum, { capacity }) => sum + capacity, 0) >= guests &&
  group.every((one) =>
    group.every((other) => one === other || (one.calendar_id !== other.id && distanceKm(one, other) <= 2)),
  );

const totalOf = (offer: Offer, share: Party): number => offer.totalFor(share) ?? Infinity;

const priceOf = (group: readonly Offer[], shares: readonly Party[]): number =>
  group.reduce((sum, offer, position) => sum + offer.totalFor(shares[position]!)!, 0);

describe('combineOffers', () => {
  it('finds the cheapest groups of all that there are', () => {
    fc.assert(
      fc.property(
        fc.array(home, { maxLength: 9 }),
        fc.integer({ min: 1, max: 14 }),
        fc.option(fc.nat({ max: 4 })),
        (homes, guests, children) => {
          const of = party(guests, children === null || children >= guests ? null : children);
          const offers = offersOf(homes, of);
          const all = subsets(offers, 5)
            .filter((group) => isGroup(group, of))
            .map((group) => priceOf(group, divideGuests(group, of, totalOf)!))
            .sort((one, other) => one - other);
          const found = combineOffers(offers, { party: of, isAffordable: () => true });
          expect(found.map(({ total }) => total)).toEqual(all.slice(0, 20));
          for (const { offers: group } of found) expect(isGroup(group, of)).toBe(true);
        },
      ),
      { numRuns: 150 },
    );
  });

  const plain = {
    ...{ extra_adult_rate: 0, extra_child_rate: 0, guest_included_in_rate: 0, parent: null },
    ...{ km: 0, capacity: 2, full_rate: 100 },
  };
  const homesOf = (count: number, of: (position: number) => Partial<Home>): Home[] =>
    Array.from({ length: count }, (_, position) => ({ ...plain, ...of(position) }));
  const combined = (homes: readonly Home[], of: Party) =>
    combineOffers(offersOf(homes, of), { party: of, isAffordable: () => true });
  it('leaves out listings whose prices were not read', () => {
    const homes = homesOf(3, () => ({}));
    const groupsOf = (offers: readonly Offer[]) =>
      combineOffers(offers, { party: party(4), isAffordable: () => true });
    expect(groupsOf(offersOf(homes, party(4)))).not.toEqual([]);
    expect(groupsOf(offersOf(homes, party(4), ['price']))).toEqual([]);
    expect(offersOf(homes, party(4), ['price'])[0]).toMatchObject({ id: 1, fullRate: Infinity });
  });

  const perStay = (rate: number) =>
    offersOf([{ ...plain, full_rate: rate }], party(1))[0]!.totalFor(party(1))!;

  it('finds two houses elsewhere beside dozens of small rooms', () => {
    const houses = homesOf(2, (position) => ({ capacity: 6, full_rate: 5000, km: 5 + position / 10 }));
    for (const rate of [() => 100, (position: number) => 100 + position]) {
      const rooms = homesOf(48, (position) => ({ full_rate: rate(position) }));
      const found = combined([...rooms, ...houses], party(12));
      expect(found.map(({ offers }) => offers.map(({ id }) => id))).toEqual([[49, 50]]);
    }
  });

  it('begins with a room and the house where dozens of rooms are cheaper than the house', () => {
    for (const rate of [() => 100, (position: number) => 100 + position]) {
      const rooms = homesOf(45, (position) => ({ full_rate: rate(position) }));
      const found = combined([...rooms, { ...plain, capacity: 10, full_rate: 1000 }], party(12));
      expect(found).toHaveLength(20);
      expect(found.every(({ offers }) => offers.length === 2)).toBe(true);
      expect(found[0]!.total).toBe(perStay(100) + perStay(1000));
    }
  });

  it('finds what needs five where most are equal', () => {
    const homes = [...homesOf(200, () => ({})), ...homesOf(3, () => ({ capacity: 5, full_rate: 2000 }))];
    const found = combined(homes, party(19));
    expect(found).toHaveLength(20);
    expect(found[0]!.total).toBe(2 * perStay(100) + 3 * perStay(2000));
  });

  it('keeps apart equal listings with different parents', () => {
    const homes = [...homesOf(2, () => ({ capacity: 4 })), ...homesOf(2, (at) => ({ parent: at }))];
    const found = combined(homes, party(6));
    expect(found.map(({ offers }) => offers.map(({ id }) => id))).toEqual([
      [1, 2],
      [1, 4],
      [2, 3],
    ]);
  });

  describe('prices no more than it must', () => {
    const fees = { extra_adult_rate: 50, extra_child_rate: 20, guest_included_in_rate: 2 };
    const large = homesOf(40, (position) => ({ ...fees, capacity: 10, full_rate: 1000 + position * 7 }));
    const many = homesOf(400, (position) => ({
      ...{ ...fees, capacity: 1 + (position % 12), full_rate: 100 + ((position * 37) % 401) },
      ...{ extra_adult_rate: 10 + (position % 9), km: (position % 20) / 10 },
    }));
    it.each([12, 20, 25, 33, 41, 50])('for %i guests', (guests) => {
      for (const homes of [large, many])
        for (const children of [null, 0, Math.floor(guests / 3)]) {
          const priced = vi.spyOn(Offers.prototype, 'totalFor').mockClear();
          const of = party(guests, children);
          expect(combined(homes, of)).toHaveLength(20);
          expect(priced.mock.calls.length).toBeLessThan(1300);
        }
    });

    it('and among large homes with fees for each guest begins with the cheapest', () => {
      const dear = homesOf(30, () => ({ ...fees, capacity: 10, full_rate: 100, extra_adult_rate: 900 }));
      const cheap = homesOf(5, (position) => ({
        ...fees,
        capacity: 10,
        full_rate: 500 + position,
        extra_adult_rate: 1,
      }));
      const [first] = combined([...dear, ...cheap], party(50));
      expect(first!.offers.map(({ id }) => id)).toEqual([31, 32, 33, 34, 35]);
    });
  });
});

describe('divideGuests', () => {
  it('gives each listing a grown-up and no more guests than it holds, at the least price without children', () => {
    fc.assert(
      fc.property(
        fc.array(home, { minLength: 2, maxLength: 3 }),
        fc.integer({ min: 2, max: 12 }),
        fc.nat({ max: 5 }),
        (homes, guests, children) => {
          const of = party(guests, children < guests ? children : null);
          const group = offersOf(homes, of);
          const shares = divideGuests(group, of, totalOf);
          const places = group.reduce((sum, { capacity }) => sum + capacity, 0);
          if (places < guests || group.length > (of.adults ?? guests)) {
            expect(shares).toBeNull();
            return;
          }
          const sums = (of: (share: Party) => number | null) =>
            shares!.reduce((sum, share) => sum + (of(share) ?? 0), 0);
          expect(sums((share) => share.guests)).toBe(guests);
          expect(sums((share) => share.children)).toBe(of.children ?? 0);
          for (const [position, share] of shares!.entries()) {
            expect(share.guests).toBeLessThanOrEqual(group[position]!.capacity);
            if (share.adults !== null) expect(share.adults).toBeGreaterThanOrEqual(1);
          }
          if (of.children !== null) return;
          const every = divisions(group, guests).map((division) => priceOf(group, division));
          expect(priceOf(group, shares!)).toBe(Math.min(...every));
        },
      ),
      { numRuns: 150 },
    );
  });

  const divisions = ([first, ...others]: readonly Offer[], guests: number): Party[][] => {
    if (!first) return guests === 0 ? [[]] : [];
    return Array.from({ length: Math.min(guests, first.capacity) }, (_, share) => share + 1).flatMap(
      (share) => divisions(others, guests - share).map((rest) => [party(share), ...rest]),
    );
  };
});

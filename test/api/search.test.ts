import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { SearchTermEntity } from '../../shared/domain/search/search.entity.ts';
import type { FoundListing } from '../../shared/domain/search/search.schema.ts';
import { put } from '../../shared/platform/table/index.ts';
import { ok, refusal, stay, stopClock } from '../support/order-scene.ts';
import { at, freshSpot, idsOf, north, type SearchScene, searchScene } from '../support/search-scene.ts';

let s: SearchScene;
let spot: ReturnType<typeof freshSpot>;
beforeAll(async () => {
  s = await searchScene();
});
beforeEach(async () => {
  stopClock();
  await s.renew();
  spot = freshSpot();
});
afterAll(() => void vi.useRealTimers());

const dates = { check_in: '2027-02-10', check_out: '2027-02-12' };
const here = () => ({ location: at(spot), ...dates });
/** A word that no other listing of this file has. */
const freshWord = () => `q${Math.trunc(performance.now() * 1000).toString(36)}z`;

describe('GET /api/v1/search (searchListings)', () => {
  it('answers a free listing with its price, as the summary and what search adds', async () => {
    const listing = await s.home({ ...spot, rating_average: 4.5, review_count: 2 });
    const { items, ...envelope } = await s.found({ ...here(), guests: 2 });
    expect(envelope).toEqual({
      total: 1,
      total_is_exact: true,
      page: 1,
      limit: 20,
      total_pages: 1,
      next_cursor: null,
      combos: [],
    });
    const { id, name, slug, listing_type, province_name, country_name, full_rate, minimum_rate } = listing;
    expect(items).toEqual([
      {
        ...{ id, name, slug, listing_type, province_name, country_name, full_rate, minimum_rate },
        state: 'ACTIVE',
        rating_average: 4.5,
        review_count: 2,
        images: listing.images,
        capacity: 6,
        currency: 'VND',
        total_price: 2_200_000,
        nights: 2,
        distance_km: 0,
        ...spot,
      },
    ]);
  });

  it('adds no fee for an early check-in or a late check-out, which it does not ask for', async () => {
    const fees = { early_check_in_fee: 150_000, late_check_out_fee: 250_000 };
    await s.home({ ...spot, ...fees, flexible_check_in_time: '09:00:00', standard_check_in_time: null });
    expect((await s.found({ ...here(), guests: 2 })).items).toMatchObject([{ total_price: 2_200_000 }]);
  });

  it('without dates asks no calendar and states no total', async () => {
    const listing = await s.home(spot);
    ok(await s.confirm(s.other, { items: [stay(listing)], payment_method: 'CASH' }), 201);
    await s.index(listing);
    const { items, combos } = await s.found({ location: at(spot), guests: 2 });
    expect(items).toMatchObject([{ id: listing.id, total_price: null, nights: null }]);
    expect(combos).toEqual([]);
  });

  it('does not find a listing for nights that have no price', async () => {
    const friday = { check_in: '2027-02-12', check_out: '2027-02-13' };
    const listing = await s.home({ ...spot, full_rate: 0, prices_by_week: { '5': 900_000 } });
    expect((await s.found(here())).items).toEqual([]);
    expect((await s.found({ ...here(), ...friday })).items).toMatchObject([{ id: listing.id }]);
  });

  it('finds day use of a date, priced by the day', async () => {
    const listing = await s.home({ ...spot, price_rate_in_day: 1.5 });
    const { items } = await s.found({ ...here(), check_out: dates.check_in });
    expect(items).toMatchObject([{ id: listing.id, nights: 0, total_price: 1_700_000 }]);
  });

  it('never shows what only the host side may know', async () => {
    await s.home({ ...spot, wifi_password: 'hoang-hon', door_code: { code: '2580' }, commission_rate: 0.17 });
    const { text } = await s.search(here());
    for (const secret of ['hoang-hon', '2580', '0.17', 'wifi', 'door_code', 'commission'])
      expect(text).not.toContain(secret);
  });

  it('shows open listings alone', async () => {
    for (const state of ['DRAFT', 'INACTIVE', 'ARCHIVED'] as const) await s.home({ ...spot, state });
    expect(idsOf(await s.found({ location: at(spot) }))).toEqual([]);
  });
});

describe('the location', () => {
  it('is a circle around a point, 10 km wide by default', async () => {
    const homes = [];
    for (const km of [0, 9.9, 10.1, 99, 101]) homes.push((await s.home(north(spot, km))).id);
    const within = async (query: object) =>
      idsOf(await s.found({ location: at(spot), sort: 'distance', ...query }));
    expect(await within({})).toEqual(homes.slice(0, 2));
    expect(await within({ radius_km: 100 })).toEqual(homes.slice(0, 4));
    expect(await within({ radius_km: 0.5 })).toEqual(homes.slice(0, 1));
    const { items } = await s.found({ location: at(spot), sort: 'distance', radius_km: 50 });
    expect(items.map(({ distance_km }) => distance_km)).toEqual([0, 9.9, 10.1]);
  });

  it('is a province by any of its codes', async () => {
    const word = freshWord();
    const { id } = await s.home({ province_code: 'HCM', province_name: 'Thành phố Hồ Chí Minh', name: word });
    const nowhere = await s.home({ province_code: 'SG', latitude: null, longitude: null, name: word });
    for (const location of ['SG', 'hcm', 'TPHCM']) {
      const found = idsOf(await s.found({ location, limit: 100 }));
      expect(found).toEqual(expect.arrayContaining([id, nowhere.id]));
    }
    expect(idsOf(await s.found({ location: 'HN' }))).not.toContain(id);
    const { items } = await s.found({ location: word, sort: 'distance' });
    expect(items.map(({ distance_km }) => distance_km)).toEqual([0, null]);
  });

  it.each([
    ['the name, without diacritics', (word: string) => `nha ${word}`],
    ['the name, in capitals with other diacritics', (word: string) => `NHÀ ${word.toUpperCase()}`],
    ['the name, without spaces', (word: string) => `nha${word}`],
    ['the beginning of a word of the name', (word: string) => word.slice(0, -1)],
    ['the address', (word: string) => `hàng đào ${word}`],
    ['address and province together', (word: string) => `${word}, Hà Nội`],
    ['the province, where only a comma stands between', (word: string) => `ha noi, ${word}`],
  ])('is a text that stands in %s', async (_, textOf) => {
    const word = freshWord();
    const { id } = await s.home({
      ...spot,
      name: `Nhà ${word} xinh`,
      address: `7 Hàng Đào ${word}, Hoàn Kiếm`,
      province_code: 'HN',
      province_name: 'Hà Nội',
    });
    expect(idsOf(await s.found({ location: textOf(word) }))).toEqual([id]);
  });

  it.each([
    'Thành phố Đà Lạt',
    'TP Đà Lạt',
    'Tỉnh Lâm Đồng',
    'Biệt thự Đà Lạt',
    'Tran Hung Dao Da Lat',
    'Đà Lạt Việt Nam',
    'Đà Lạt, Việt Nam',
    'Đà Lạt, Lâm Đồng, Vietnam',
    'dalat',
    'Phường 10, Đà Lạt',
  ])('is what a place picker sends: %s', async (location) => {
    const name = 'Biệt thự Thông Xanh Đà Lạt';
    const address = '12 Trần Hưng Đạo, Phường 10, Đà Lạt';
    const { id } = await s.home({ ...spot, name, address, province_code: 'LD', province_name: 'Lâm Đồng' });
    const hanoi = { name: 'Nhà', province_code: 'HN', province_name: 'Hà Nội', address: '10 Hàng Đào' };
    const elsewhere = await s.home({ ...spot, ...hanoi });
    const found = idsOf(await s.found({ location, limit: 100 }));
    expect(found).toContain(id);
    expect(found).not.toContain(elsewhere.id);
    expect(idsOf(await s.found({ location: 'Phường 1', limit: 100 }))).not.toContain(id);
  });

  it('names the country of the listing and no other', async () => {
    const hue = { province_code: 'TTH', province_name: 'Thừa Thiên Huế' };
    const { id } = await s.home({ ...spot, ...hue });
    expect(idsOf(await s.found({ location: 'Huế, Việt Nam' }))).toContain(id);
    const word = freshWord();
    const abroad = await s.home({ ...spot, name: word, country_code: 'TH', country_name: 'Thái Lan' });
    for (const country of ['Thailand', 'Thái Lan', 'ไทย'])
      expect(idsOf(await s.found({ location: `${word}, ${country}` }))).toEqual([abroad.id]);
    expect(idsOf(await s.found({ location: `${word}, Campuchia` }))).toEqual([]);
  });

  it('is no text that stands in the middle of a word', async () => {
    const word = freshWord();
    await s.home({ ...spot, name: `Nhà ${word}` });
    for (const location of [word.slice(1), `a${word}`, `${word} xx`, `${word},xx yy`])
      expect(idsOf(await s.found({ location }))).toEqual([]);
  });

  it('puts what is named so before what stands in a street of that name', async () => {
    const word = freshWord();
    const street = await s.home({ ...spot, address: `1 ${word}`, rating_average: 5, review_count: 90 });
    const named = await s.home({ ...spot, name: word });
    expect(idsOf(await s.found({ location: word }))).toEqual([named.id, street.id]);
  });

  it('crosses the 180th meridian', async () => {
    const { id } = await s.home({ latitude: 71, longitude: 179.98 });
    expect(idsOf(await s.found({ location: '71,-179.98' }))).toEqual([id]);
  });
});

describe('the parameters', () => {
  it('guests: only listings that hold them, counted as checkout counts', async () => {
    const small = await s.home({ ...spot, capacity: 8, maximum_guest: 2 });
    const large = await s.home({ ...spot, capacity: 4, maximum_guest: 6 });
    const { items } = await s.found({ ...here(), guests: 5 });
    expect(items).toMatchObject([{ id: large.id, capacity: 6 }]);
    expect(idsOf(await s.found({ ...here(), guests: 2 })).sort()).toEqual([small.id, large.id].sort());
  });

  it.each([
    [{ guests: 4 }, { guest_number: 4 }],
    [
      { adults: 3, children: 1 },
      { guest_number: 4, adult_number: 3, children_number: 1 },
    ],
    [
      { guests: 4, children: 2 },
      { guest_number: 4, adult_number: 2, children_number: 2 },
    ],
    [{ adults: 2 }, { guest_number: 2, adult_number: 2, children_number: 0 }],
    [{}, { guest_number: 1 }],
  ])('%o are priced as the preview prices %o', async (people, item) => {
    const listing = await s.home({ ...spot, extra_adult_rate: 100_000, extra_child_rate: 50_000 });
    const { items } = await s.found({ ...here(), ...people });
    const preview = ok(await s.preview(s.guest, { items: [stay(listing, item)] }));
    expect(items).toMatchObject([{ id: listing.id, total_price: preview.estimated_total }]);
  });

  it('min_price and max_price: of the total, in VND unless another currency is named', async () => {
    const [cheap, dear] = [
      await s.home({ ...spot, full_rate: 500_000, cleaning_fee: 0 }),
      await s.home({ ...spot, full_rate: 900_000, cleaning_fee: 0 }),
    ];
    const dollars = await s.home({ ...spot, full_rate: 90.5, cleaning_fee: 0, currency: 'USD' });
    const priced = async (query: object) => idsOf(await s.found({ ...here(), ...query }));
    expect(await priced({ min_price: 1_000_001 })).toEqual([dear.id]);
    expect(await priced({ max_price: 1_000_000 })).toEqual([cheap.id]);
    expect(await priced({ min_price: 1_000_000, max_price: 1_800_000, sort: 'price' })).toEqual([
      cheap.id,
      dear.id,
    ]);
    expect(await priced({ max_price: 181, currency: 'USD' })).toEqual([dollars.id]);
    expect(await priced({ max_price: 180.99, currency: 'USD' })).toEqual([]);
    expect(await priced({ currency: 'USD' })).toEqual([dollars.id]);
    const byNight = { location: at(spot), max_price: 500_000 };
    expect(idsOf(await s.found(byNight))).toEqual([cheap.id]);
  });

  it('property_type: one or several, in small letters too', async () => {
    const villa = await s.home({ ...spot, property_type: 'VILLA' });
    const house = await s.home({ ...spot, property_type: 'HOUSE' });
    await s.home({ ...spot, property_type: 'CONDO' });
    const of = async (property_type: string) => idsOf(await s.found({ ...here(), property_type })).sort();
    expect(await of('villa')).toEqual([villa.id]);
    expect(await of('VILLA, house')).toEqual([villa.id, house.id].sort());
  });

  it('amenities: all of them, by id or code', async () => {
    const chosen = (amenity_id: number) => ({
      ...{ id: amenity_id, amenity_id, is_private: false, is_chargeable: false, price: 0 },
    });
    const catalog = ok(await s.get<{ categories: { amenities: Amenity[] }[] }>({}, '/api/v1/amenities'));
    const [one, two] = catalog.categories.flatMap(({ amenities }) => amenities);
    const both = await s.home({ ...spot, amenities: [chosen(one!.amenity_id), chosen(two!.amenity_id)] });
    const single = await s.home({ ...spot, amenities: [chosen(one!.amenity_id)] });
    const having = async (amenities: string) => idsOf(await s.found({ ...here(), amenities })).sort();
    expect(await having(`${one!.amenity_code},${two!.amenity_id}`)).toEqual([both.id]);
    expect(await having(String(one!.amenity_id))).toEqual([both.id, single.id].sort());
  });

  it('sort: price within its currency, distance, rating, and stars that many guests gave', async () => {
    const near = await s.home({ ...north(spot, 1), full_rate: 3_000_000 });
    const far = await s.home({
      ...north(spot, 8),
      full_rate: 1_000_000,
      rating_average: 5,
      review_count: 1,
    });
    const loved = await s.home({
      ...north(spot, 2),
      full_rate: 2_000_000,
      rating_average: 4.9,
      review_count: 80,
    });
    const dollars = await s.home({
      ...north(spot, 9),
      ...{ full_rate: 10, currency: 'USD', cleaning_fee: 0, rating_average: 1, review_count: 90 },
    });
    const sorted = async (sort: string) => idsOf(await s.found({ ...here(), sort }));
    expect(await sorted('price')).toEqual([far.id, loved.id, near.id, dollars.id]);
    expect(await sorted('distance')).toEqual([near.id, loved.id, far.id, dollars.id]);
    expect(await sorted('rating')).toEqual([far.id, loved.id, dollars.id, near.id]);
    expect(await sorted('relevance')).toEqual([loved.id, near.id, far.id, dollars.id]);
    expect(idsOf(await s.found(here()))).toEqual(await sorted('relevance'));
  });

  it('page, limit and cursor: every listing once, whatever comes meanwhile', async () => {
    const ids: number[] = [];
    for (let km = 1; km <= 7; km++) ids.push((await s.home(north(spot, km))).id);
    const query = { ...here(), sort: 'distance', limit: 3 };
    const second = await s.found({ ...query, page: 2 });
    expect(second).toMatchObject({ total: 7, page: 2, limit: 3, total_pages: 3 });
    expect(idsOf(second)).toEqual(ids.slice(3, 6));
    expect(await s.found({ ...query, page: 4 })).toMatchObject({ items: [], total: 7, next_cursor: null });
    const first = await s.found(query);
    await s.home(spot);
    const next = await s.found({ ...query, cursor: first.next_cursor ?? '' });
    expect([...idsOf(first), ...idsOf(next)]).toEqual(ids.slice(0, 6));
    const last = await s.found({ ...query, cursor: next.next_cursor ?? '' });
    expect(last).toMatchObject({ items: [{ id: ids[6] }], page: 3, total: 7, next_cursor: null });
    const strange = refusal(await s.search({ ...query, sort: 'price', cursor: first.next_cursor ?? '' }));
    expect(strange).toMatchObject({ code: 'VALIDATION_ERROR', paths: ['cursor'] });
  });

  it.each([
    [{}, ['location']],
    [{ location: ' ' }, ['location']],
    [{ location: '91,10' }, ['location']],
    [{ location: '10,181' }, ['location']],
    [{ radius_km: 0 }, ['radius_km']],
    [{ radius_km: 101 }, ['radius_km']],
    [{ check_in: '2027-02-30', check_out: '2027-03-01' }, ['check_in']],
    [{ check_in: '2027-02-10' }, ['check_out']],
    [{ check_out: '2027-02-10' }, ['check_in']],
    [{ check_in: '2027-02-10', check_out: '2027-02-09' }, ['check_out']],
    [{ check_in: '2027-01-10', check_out: '2027-02-09' }, ['check_in']],
    [{ check_in: '2029-02-10', check_out: '2029-02-12' }, ['check_in']],
    [{ check_in: '2027-02-10', check_out: '2028-02-11' }, ['check_out']],
    [{ guests: 0 }, ['guests']],
    [{ guests: 1.5, adults: 'x' }, ['guests', 'adults']],
    [{ guests: 3, adults: 1, children: 1 }, ['adults']],
    [{ guests: 3, adults: 4 }, ['adults']],
    [{ guests: 3, children: 3 }, ['children']],
    [{ children: 1 }, ['adults']],
    [{ min_price: -1 }, ['min_price']],
    [{ min_price: 2, max_price: 1 }, ['max_price']],
    [{ currency: 'XXX' }, ['currency']],
    [{ property_type: 'villa,castle' }, ['property_type[1]']],
    [{ amenities: 'moat,201' }, ['amenities[0]']],
    [{ sort: 'best' }, ['sort']],
    [{ page: 0 }, ['page']],
    [{ limit: 101 }, ['limit']],
    [{ cursor: 'x' }, ['cursor']],
    [{ nonsense: 1 }, ['nonsense']],
  ])('%o is VALIDATION_ERROR at %o', async (query, paths) => {
    const location = paths[0] === 'location' ? {} : { location: 'HN' };
    expect(refusal(await s.search({ ...location, ...query }))).toMatchObject({
      code: 'VALIDATION_ERROR',
      paths,
    });
  });

  it('refuses a text that stands everywhere, once there is more of it than a search reads', async () => {
    const word = `${freshWord()}xxxx`;
    await s.home({ ...spot, name: word });
    const sign = `TEXT#${word.slice(0, 9)}`;
    const cells = Array.from({ length: 200 }, (_, row) => `${row}-1`);
    for (const half of [cells.slice(0, 100), cells.slice(100)])
      await s.deps.table.transact(half.map((cell) => put(SearchTermEntity, { sign, cell })));
    expect(refusal(await s.search({ location: word }))).toMatchObject({ paths: ['location'] });
    const narrowed = await s.found({ location: `${word}, ${freshWord()}` });
    expect(narrowed.items).toEqual([]);
    const rare = freshWord();
    const { id } = await s.home({ ...spot, name: `${word} xanh ${rare}` });
    expect(idsOf(await s.found({ location: `${word} ${rare}` }))).toEqual([id]);
  });
});

interface Amenity {
  amenity_id: number;
  amenity_code: string;
}

describe('what is taken', () => {
  const isFound = async (id: number, check_in: string, check_out: string): Promise<boolean> =>
    idsOf(await s.found({ location: at(spot), check_in, check_out })).includes(id);
  const book = async (listing: { id: number }, check_in_date: string, check_out_date: string) =>
    ok(
      await s.confirm(s.other, {
        items: [stay(listing, { check_in_date, check_out_date })],
        payment_method: 'CASH',
      }),
      201,
    );

  it('is half-open, over the borders of months and years', async () => {
    const listing = await s.home(spot);
    await book(listing, '2027-12-30', '2028-01-02');
    await s.index(listing);
    const stays: [string, string, boolean][] = [
      ['2027-12-28', '2027-12-30', true],
      ['2027-12-29', '2027-12-31', false],
      ['2027-12-31', '2028-01-01', false],
      ['2028-01-01', '2028-01-03', false],
      ['2028-01-02', '2028-01-03', true],
      ['2027-12-20', '2028-01-20', false],
    ];
    for (const [from, to, free] of stays) expect(await isFound(listing.id, from, to), from).toBe(free);
  });

  it('is looked at by the hour: a block between two nights takes the stay over both, neither night alone', async () => {
    const listing = await s.home(spot);
    const noon = { start_at: '2027-02-11T12:00:00', end_at: '2027-02-11T14:00:00' };
    ok(await s.block(s.host, listing, noon), 201);
    await s.index(listing);
    expect(await isFound(listing.id, '2027-02-10', '2027-02-11')).toBe(true);
    expect(await isFound(listing.id, '2027-02-11', '2027-02-12')).toBe(true);
    expect(await isFound(listing.id, '2027-02-10', '2027-02-12')).toBe(false);
    expect(await isFound(listing.id, '2027-02-11', '2027-02-11')).toBe(false);
  });

  it('soft locks of others leave no page empty and nothing out of reach', async () => {
    const here = freshSpot();
    const made: { id: number }[] = [];
    for (let n = 0; n < 9; n++) made.push(await s.home({ ...here, name: `Nhà ${n}` }));
    const locked = made.slice(0, 5);
    for (const listing of locked) ok(await s.hold(s.other, { items: [stay(listing)] }), 201);
    const query = { location: at(here), check_in: '2027-02-10', check_out: '2027-02-12', limit: '2' };
    const pages = [];
    for (const page of ['1', '2', '3']) pages.push(await s.found({ ...query, page }));
    expect(pages.map(({ items }) => items.length)).toEqual([2, 2, 0]);
    expect(pages.flatMap(({ items }) => items.map(({ id }) => id)).sort()).toEqual(
      made
        .slice(5)
        .map(({ id }) => id)
        .sort(),
    );
    const second = await s.found({ ...query, cursor: pages[0]!.next_cursor! });
    expect(second.items).toEqual(pages[1]!.items);
    const all = await s.found({ ...query, limit: '20' });
    expect([all.total, all.total_pages, all.items.length]).toEqual([4, 1, 4]);
  });

  it('a soft lock of another caller takes a listing at once, until it lapses; the own one does not', async () => {
    const listing = await s.home(spot);
    const free = await s.home(spot);
    ok(await s.hold(s.other, { items: [stay(listing)] }), 201);
    expect(await s.found(here())).toMatchObject({ items: [{ id: free.id }], total: 1, total_pages: 1 });
    expect(idsOf(await s.found(here(), s.other))).toContain(listing.id);
    stopClock('2027-01-15T03:16:00.000Z');
    expect(await s.found(here())).toMatchObject({ total: 2 });
  });

  it('a listing with a booking that search has not indexed yet is not shown', async () => {
    const listing = await s.home(spot);
    await book(listing, dates.check_in, dates.check_out);
    expect(await s.found(here())).toMatchObject({ items: [], total: 0 });
  });

  it('does not make a page short: a page is cut from what is free', async () => {
    const homes = [];
    for (let km = 1; km <= 5; km++) homes.push(await s.home(north(spot, km)));
    for (const listing of homes.slice(0, 2)) {
      await book(listing, dates.check_in, dates.check_out);
      await s.index(listing);
    }
    const page = await s.found({ ...here(), sort: 'distance', limit: 2 });
    expect(page).toMatchObject({ total: 3, total_pages: 2 });
    expect(idsOf(page)).toEqual([homes[2]!.id, homes[3]!.id]);
  });

  it('a room takes the house, not its siblings; the house takes every room', async () => {
    const house = await s.create(spot);
    const [one, other] = [
      await s.create({ ...spot, parent_listing_id: house.id }),
      await s.create({ ...spot, parent_listing_id: house.id }),
    ];
    await s.index(house);
    const free = async (check_in: string, check_out: string) =>
      idsOf(await s.found({ location: at(spot), check_in, check_out })).sort();
    expect(await free(dates.check_in, dates.check_out)).toEqual([house.id, one.id, other.id].sort());
    await book(one, '2027-02-10', '2027-02-12');
    await book(house, '2027-03-10', '2027-03-12');
    await s.index(one);
    expect(await free('2027-02-11', '2027-02-12')).toEqual([other.id]);
    expect(await free('2027-03-11', '2027-03-12')).toEqual([]);
    expect(await free('2027-04-11', '2027-04-12')).toHaveLength(3);
  });

  it('follows each listing’s own rules and clock', async () => {
    stopClock('2027-02-10T15:30:00.000Z');
    const open = await s.home(spot);
    const closed = await s.home({ ...spot, no_checkin_after_hour: '22:00:00' });
    const ahead = await s.home({ ...spot, timezone: 'Pacific/Auckland' });
    const tonight = idsOf(
      await s.found({ location: at(spot), check_in: '2027-02-10', check_out: '2027-02-11' }),
    );
    expect(tonight).toEqual([open.id]);
    expect([closed.id, ahead.id]).not.toContain(tonight[0]);
  });

  it('a listing that nothing happened to for more than a year is still found', async () => {
    const listing = await s.home(spot);
    stopClock('2028-06-01T03:00:00.000Z');
    expect(await isFound(listing.id, '2028-07-01', '2028-07-03')).toBe(true);
    expect(await isFound(listing.id, '2030-05-20', '2030-05-23')).toBe(true);
  });
});

describe('combos', () => {
  const combosOf = async (query: object) => (await s.found({ ...here(), ...query })).combos;

  it('are groups of neighbours that hold the guests together, the cheapest first', async () => {
    const near = [
      await s.home({ ...north(spot, 0), full_rate: 1_000_000 }),
      await s.home({ ...north(spot, 1), full_rate: 2_000_000 }),
      await s.home({ ...north(spot, 1.9), full_rate: 3_000_000 }),
    ];
    await s.home({ ...north(spot, 2.5), full_rate: 10 });
    const combos = await combosOf({ guests: 12 });
    expect(combos.map(({ listings }) => idsOf({ items: listings }))).toContainEqual([
      near[0]!.id,
      near[1]!.id,
    ]);
    for (const { listings, total_capacity, max_distance_km } of combos) {
      expect(listings.length).toBeGreaterThanOrEqual(2);
      expect(total_capacity).toBe(listings.reduce((sum, { capacity }) => sum + capacity, 0));
      expect(total_capacity).toBeGreaterThanOrEqual(12);
      expect(max_distance_km).toBeLessThanOrEqual(2);
      expect(listings.reduce((sum, { guest_number }) => sum + guest_number, 0)).toBe(12);
    }
    const totals = combos.map(({ total_price }) => total_price);
    expect(totals).toEqual(totals.toSorted((one, other) => one - other));
  });

  it('go to checkout as they are, and cost there what search answered', async () => {
    const fees = { extra_adult_rate: 100_000, extra_child_rate: 70_000, guest_included_in_rate: 2 };
    await s.home({ ...spot, ...fees });
    await s.home({ ...north(spot, 1), ...fees, extra_adult_rate: 30_000, extra_child_rate: 10_000 });
    await s.home({ ...north(spot, 0.5), ...fees, capacity: 3, maximum_guest: 3 });
    const [combo] = await combosOf({ adults: 6, children: 3 });
    const items = combo!.listings.map((listing) =>
      stay(listing, {
        guest_number: listing.guest_number,
        adult_number: listing.adult_number,
        children_number: listing.children_number,
      }),
    );
    const preview = ok(await s.preview(s.guest, { items, currency: combo!.currency }));
    expect(preview.estimated_total).toBe(combo!.total_price);
    expect(preview.items.map(({ total }) => total)).toEqual(
      combo!.listings.map(({ total_price }) => total_price),
    );
    const { estimated_total } = ok(
      await s.confirm(s.guest, { items, payment_method: 'CASH', expected_total: combo!.total_price }),
      201,
    );
    expect(estimated_total).toBe(combo!.total_price);
  });

  it('never set a house beside its own room, and do not mix currencies', async () => {
    const house = await s.create({ ...spot, capacity: 6 });
    const rooms = [];
    for (let count = 0; count < 2; count++)
      rooms.push(await s.create({ ...spot, parent_listing_id: house.id, capacity: 4 }));
    await s.index(house);
    await s.home({ ...spot, currency: 'USD', full_rate: 20, capacity: 8 });
    const combos = await combosOf({ guests: 8, limit: 20 });
    expect(combos.map(({ listings }) => idsOf({ items: listings }).sort())).toEqual([
      rooms.map(({ id }) => id).sort(),
    ]);
  });

  it('come only when fewer than limit hold the guests, and only with dates', async () => {
    for (let count = 0; count < 3; count++) await s.home(spot);
    expect(await combosOf({ guests: 4, limit: 3 })).toEqual([]);
    expect(await combosOf({ guests: 4, limit: 4 })).not.toEqual([]);
    expect((await s.found({ location: at(spot), guests: 4 })).combos).toEqual([]);
    expect(await combosOf({ guests: 1 })).toEqual([]);
  });

  it('hold none that another caller has locked, and keep within the price', async () => {
    const homes = [];
    for (const full_rate of [1, 2, 3])
      homes.push(await s.home({ ...spot, full_rate: full_rate * 1_000_000 }));
    ok(await s.hold(s.other, { items: [stay(homes[0]!)] }), 201);
    const groups = async (query: object) =>
      (await combosOf({ guests: 10, ...query })).map(({ listings }) => idsOf({ items: listings }));
    expect(await groups({})).toEqual([[homes[1]!.id, homes[2]!.id]]);
    const [{ total_price } = { total_price: 0 }] = await combosOf({ guests: 10 });
    expect(await groups({ max_price: total_price - 1 })).toEqual([]);
    expect(await groups({ min_price: total_price, max_price: total_price })).toHaveLength(1);
  });
});

describe('every item found', () => {
  it('costs what the preview says, whatever its prices are made of', async () => {
    const rule = (id: number, more: object) => ({
      ...{ id, listing_id: 0, day_of_week: null, date_from: null, date_to: null, is_active: true },
      ...{ date_type: 'ALWAYS', charge_unit: 'PER_NIGHT', stay_type: 'ANY', price: 0, priority: 1 },
      ...more,
    });
    const range = {
      date_type: 'DATE_RANGE',
      date_from: '2027-02-11',
      date_to: '2027-02-20',
      price: 1_700_000,
    };
    const ruled = (...rules: object[]) => ({ parts: { rules: rules as never } });
    const given = [
      {},
      { prices_by_week: { 3: 1_234_567 } },
      ruled(rule(1, range), rule(2, { date_type: 'WEEKDAY', day_of_week: 3, price: 900_000 })),
      ruled(rule(1, { charge_unit: 'PACKAGE', price: 5_000_000 }), rule(2, { ...range, is_active: false })),
      ruled(rule(1, { charge_unit: 'PER_MONTH', price: 9_000_000, stay_type: 'OVERNIGHT' })),
      { monthly_price: 12_000_000, minimum_rate: 300_000 },
      { last_minute_hour: 24 * 60, last_minute_discount: 12.5, minimum_rate: 950_000 },
      {
        currency: 'USD',
        full_rate: 99.95,
        cleaning_fee: 15.5,
        extra_adult_rate: 7.25,
        security_deposit: 100,
      },
      { standard_check_in_time: '16:30:00', standard_check_out_time: '10:15:00' },
    ];
    const homes = [];
    for (const fields of given) homes.push(await s.home({ ...spot, ...fields }));
    const services = [
      { price_unit: 'per_person', is_required: true },
      { price_unit: 'per_night', is_required: true },
      { price_unit: 'per_use', is_required: false },
    ];
    for (const service of services) {
      const body = { service_name: 'x', price: 12_000, is_active: true, ...service };
      const path = `/api/v1/listings/${homes[0]!.id}/extra-services`;
      ok(await s.call('POST', path, { token: s.host.token, body }), 201);
    }
    await s.index(homes[0]!);
    for (const [check_in, check_out] of [
      ['2027-01-15', '2027-01-16'],
      ['2027-02-10', '2027-02-14'],
      ['2027-02-10', '2027-03-20'],
      ['2027-02-12', '2027-02-12'],
    ] as const)
      for (const people of [{ guests: 1 }, { guests: 5 }, { adults: 3, children: 2 }]) {
        const { items } = await s.found({ location: at(spot), check_in, check_out, ...people });
        expect(items).toHaveLength(homes.length);
        for (const item of items) await expectPreviewed(item, { check_in, check_out }, people);
      }
  });

  const expectPreviewed = async (
    item: FoundListing,
    { check_in, check_out }: { check_in: string; check_out: string },
    people: { guests?: number; adults?: number; children?: number },
  ) => {
    const { guests, adults, children } = people;
    const asked = stay(item, {
      check_in_date: check_in,
      check_out_date: check_out,
      guest_number: guests ?? (adults ?? 0) + (children ?? 0),
      ...(adults === undefined ? {} : { adult_number: adults, children_number: children }),
    });
    const preview = ok(await s.preview(s.guest, { items: [asked] }));
    expect(preview.items).toMatchObject([
      { total: item.total_price, currency: item.currency, available: true },
    ]);
    expect(preview.total_nights).toBe(item.nights);
  };
});

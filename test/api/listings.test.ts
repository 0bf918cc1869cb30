import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listings } from '../../functions/listings/index.ts';
import { listingsRoutes } from '../../functions/listings/routes.ts';
import { AvailabilityEntryEntity } from '../../shared/domain/calendar/calendar.store.ts';
import type { Role, UserCaller } from '../../shared/platform/auth.ts';
import { put } from '../../shared/platform/table/index.ts';
import { groupCalls, type GroupCalls } from '../support/group-calls.ts';
import { testListing } from '../support/listings.ts';
import { freshId, type TestDependencies, testDependencies, testUser } from '../support/table.ts';

let deps: TestDependencies;
let api: GroupCalls<(typeof listingsRoutes)['routes']>;
let team_id: number;
let owner: UserCaller;
let staff: UserCaller;
let stranger: UserCaller;
let guest: UserCaller;

const member = async (role: Role, team = team_id) =>
  (await testUser(deps, { memberships: [{ team_id: team, role }] })).caller;

beforeAll(async () => {
  deps = await testDependencies();
  api = groupCalls(
    listings(() => deps),
    listingsRoutes,
  );
});
beforeEach(async () => {
  team_id = freshId();
  owner = await member('OWNER');
  staff = await member('STAFF');
  stranger = await member('OWNER', freshId());
  guest = (await testUser(deps)).caller;
});

const villa = {
  name: 'Biệt thự Đà Lạt',
  listing_type: 'ENTIRE_PLACE',
  property_type: 'villa',
  address: '12 Trần Hưng Đạo',
  province_code: 'LD',
  capacity: 4,
  full_rate: 1_000_000,
  state: 'ACTIVE',
};
const create = (given: object = {}) => api.ok(owner, 'createListing', { body: { ...villa, ...given } });
const at = (listing_id: number) => ({ params: { listing_id } });
const futureBooking = (id: number) =>
  deps.table.transact([
    put(AvailabilityEntryEntity, {
      calendar_id: id,
      listing_id: id,
      availability_id: freshId(),
      state: 'BOOKED',
      reservation_id: 17,
      order_id: 16,
      start_at: '2027-02-04T14:00:00',
      end_at: '2027-02-07T12:00:00',
      locked_until: null,
      note: null,
      created_at: '2027-01-15T03:00:00.000Z',
    }),
  ]);

describe('POST /listings', () => {
  it('answers 201 with the whole record and repeats it byte for byte under one key', async () => {
    const asked = { body: villa, headers: { 'Idempotency-Key': `key-${freshId()}` } };
    const first = await api.call(owner, 'createListing', asked);
    expect(first.status).toBe(201);
    const again = await api.call(owner, 'createListing', asked);
    expect(again.text).toBe(first.text);
    expect(again.headers['Idempotent-Replayed']).toBe('true');
    expect(await api.ok(owner, 'listListings')).toMatchObject({ total: 1 });
  });

  it('says everything that is wrong at once', async () => {
    const refused = await api.refusal(owner, 'createListing', {
      body: {
        ...villa,
        name: 'x'.repeat(256),
        slug: 'Đà Lạt',
        property_type: 'castle',
        country_code: 'ZZ',
        latitude: 91,
        longitude: -181,
        capacity: 0,
        full_rate: -1,
        currency: 'XXX',
        timezone: 'Mars/Olympus',
        min_hours: 0,
        night_short_discount: 71,
        price_rate_in_day: 10.5,
        last_minute_discount: 101,
        commission_rate: 1.1,
        standard_check_in_time: '25:00:00',
        checkin_guide_url: 'javascript:alert(1)',
        prices_by_week: { 7: 1 },
        door_code: { a: 'x'.repeat(5000) },
        state: 'INACTIVE',
        colour: 'red',
      },
    });
    expect(refused).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
    expect(refused.paths.sort()).toEqual(
      [
        ...[
          'name',
          'slug',
          'property_type',
          'country_code',
          'latitude',
          'longitude',
          'capacity',
          'full_rate',
        ],
        ...[
          'currency',
          'timezone',
          'min_hours',
          'night_short_discount',
          'price_rate_in_day',
          'commission_rate',
        ],
        ...['last_minute_discount', 'standard_check_in_time', 'checkin_guide_url', 'prices_by_week.7'],
        ...['door_code', 'state', 'colour'],
      ].sort(),
    );
  });

  it('takes the limits of the fields themselves', async () => {
    const limits = {
      night_short_discount: 70,
      price_rate_in_day: 10,
      last_minute_discount: 100,
      min_hours: 24,
    };
    expect(await create({ ...limits, name: 'x'.repeat(255), latitude: -90, longitude: 180 })).toMatchObject(
      limits,
    );
    expect(await create({ property_type: 'APARTMENT', checkin_night_short_hour: '22:00' })).toMatchObject({
      property_type: 'APARTMENT',
      checkin_night_short_hour: '22:00:00',
    });
  });

  it('keeps a time zone in its own spelling, a child that of its parent', async () => {
    const parent = await create({ timezone: 'europe/PARIS' });
    expect(parent.timezone).toBe('Europe/Paris');
    expect((await create({ timezone: 'asia/ho_chi_minh' })).timezone).toBe('Asia/Ho_Chi_Minh');
    const child = await create({ parent_listing_id: parent.id });
    expect(child.timezone).toBe('Europe/Paris');
    const body = { ...villa, parent_listing_id: parent.id, timezone: 'Asia/Ho_Chi_Minh' };
    expect(await api.refusal(owner, 'createListing', { body })).toMatchObject({
      code: 'VALIDATION_ERROR',
      paths: ['timezone'],
    });
  });

  it('refuses a taken slug, a weak role, a customer, a strange team and an unclear one', async () => {
    await create({ slug: 'villa' });
    const refusal = (who: UserCaller, given: object = {}, headers = {}) =>
      api.refusal(who, 'createListing', { body: { ...villa, ...given }, headers });
    expect(await refusal(owner, { slug: 'villa' })).toMatchObject({
      status: 409,
      code: 'SLUG_ALREADY_EXISTS',
    });
    expect(await refusal(staff)).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    expect(await refusal(guest)).toMatchObject({ status: 403 });
    expect(await refusal(stranger, {}, { 'X-Team-ID': String(team_id) })).toMatchObject({ status: 403 });
    const [first] = owner.memberships;
    const twofold = { ...owner, memberships: [first!, { team_id: freshId(), role: 'OWNER' as const }] };
    expect(await refusal(twofold)).toMatchObject({ status: 400, paths: ['X-Team-ID'] });
    const created = await api.ok(twofold, 'createListing', {
      body: villa,
      headers: { 'X-Team-ID': String(team_id) },
    });
    expect(created.team_id).toBe(team_id);
  });
});

describe('GET /listings and /listings/{listing_id}', () => {
  it('answers summaries in the paged envelope', async () => {
    const { id } = await create();
    const page = await api.ok(owner, 'listListings', { query: { page: '1', limit: '1', search: 'da lat' } });
    expect(page).toMatchObject({ total: 1, page: 1, limit: 1, total_pages: 1, next_cursor: null });
    expect(Object.keys(page.items[0]!).sort()).toEqual(
      [
        ...['id', 'name', 'slug', 'listing_type', 'province_name', 'country_name', 'full_rate'],
        ...['minimum_rate', 'state', 'rating_average', 'review_count', 'images'],
      ].sort(),
    );
    expect(page.items[0]!.id).toBe(id);
  });

  it.each<Record<string, string>>([
    { page: '0' },
    { limit: '101' },
    { limit: '1e2' },
    { status: 'archived' },
    { state: 'OPEN' },
    { cursor: 'nonsense' },
    { colour: 'red' },
  ])('refuses the query %j', async (query) => {
    expect(await api.refusal(owner, 'listListings', { query })).toMatchObject({
      status: 400,
      paths: Object.keys(query),
    });
  });

  it('refuses the cursor of another filter', async () => {
    for (const state of ['ACTIVE', 'DRAFT', 'ACTIVE']) await create({ state });
    const cursor = (await api.ok(owner, 'listListings', { query: { limit: '1', search: 'Đà Lạt' } }))
      .next_cursor!;
    const next = { limit: '2', cursor };
    expect(
      (await api.ok(owner, 'listListings', { query: { ...next, search: 'da lat' } })).items,
    ).toHaveLength(2);
    for (const query of [next, { ...next, search: 'hue' }, { ...next, search: 'da lat', status: 'DRAFT' }])
      expect(await api.refusal(owner, 'listListings', { query })).toMatchObject({
        code: 'VALIDATION_ERROR',
        paths: ['cursor'],
      });
    const query = { ...next, search: 'da lat' };
    expect(await api.refusal(stranger, 'listListings', { query })).toMatchObject({ paths: ['cursor'] });
    expect(await api.refusal(guest, 'listListings', { query })).toMatchObject({ paths: ['cursor'] });
  });

  it('shows a listing as the caller may see it', async () => {
    const { id } = await create({ wifi_password: 'secret', commission_rate: 0.15 });
    expect(await api.ok(staff, 'getListing', at(id))).toMatchObject({ wifi_password: 'secret' });
    expect(await api.ok(guest, 'getListing', at(id))).toMatchObject({
      wifi_password: null,
      commission_rate: null,
    });
    const draft = await create({ state: 'DRAFT' });
    for (const who of [guest, stranger])
      expect(await api.refusal(who, 'getListing', at(draft.id))).toMatchObject({ code: 'LISTING_NOT_FOUND' });
    expect(await api.refusal(guest, 'getListing', { params: { listing_id: '0' } })).toMatchObject({
      status: 400,
    });
  });

  it('never shows more than the fields of the record', async () => {
    const body = await api.ok(owner, 'getListing', at((await create()).id));
    for (const field of ['version', 'search_name', 'child_listing_ids', 'pk', 'amenities'])
      expect(body).not.toHaveProperty(field);
  });
});

describe('PATCH /listings/{listing_id}', () => {
  const patch = (id: number, body: object) => ({ ...at(id), body });

  it('answers the whole record', async () => {
    const { id, created_at } = await create();
    deps.clock.advance(1000);
    const updated = await api.ok(owner, 'updateListing', patch(id, { beds: 3, description: null }));
    expect(updated).toMatchObject({ id, beds: 3, description: null, full_rate: 1_000_000, created_at });
    expect(updated.updated_at > created_at).toBe(true);
  });

  it('refuses what it declares', async () => {
    const [one, other] = [await create({ slug: 'one', state: 'DRAFT' }), await create()];
    const refusal = (who: UserCaller, body: object, id = one.id) =>
      api.refusal(who, 'updateListing', patch(id, body));
    expect(await refusal(owner, { slug: other.slug })).toMatchObject({ code: 'SLUG_ALREADY_EXISTS' });
    expect(await refusal(owner, { state: 'INACTIVE' })).toMatchObject({
      status: 409,
      code: 'INVALID_STATE_TRANSITION',
      details: { from: 'DRAFT', to: 'INACTIVE' },
    });
    const [parent, abroad] = [await create(), await create({ timezone: 'Europe/Paris' })];
    const child = await create({ parent_listing_id: parent.id });
    for (const [id, body, path] of [
      [child.id, { timezone: 'Europe/Paris' }, 'timezone'],
      [parent.id, { timezone: 'Europe/Paris' }, 'timezone'],
      [one.id, { parent_listing_id: abroad.id }, 'parent_listing_id'],
    ] as const)
      expect(await refusal(owner, body, id)).toMatchObject({ code: 'VALIDATION_ERROR', paths: [path] });
    await futureBooking(other.id);
    expect(await refusal(owner, { timezone: 'Europe/Paris' }, other.id)).toMatchObject({
      status: 409,
      code: 'INVALID_STATE_TRANSITION',
      details: { booking_ids: [17] },
    });
    expect(await refusal(owner, { full_rate: 0.5, id: 5 })).toMatchObject({ status: 400 });
    expect(await refusal(owner, { currency: 'USD', full_rate: 0.001 })).toMatchObject({
      paths: ['full_rate'],
    });
    expect(await refusal(staff, { beds: 1 })).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    expect(await refusal(stranger, { beds: 1 }, other.id)).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    expect(await refusal(guest, { beds: 1 }, other.id)).toMatchObject({ code: 'FORBIDDEN' });
    const { id: draft } = await create({ state: 'DRAFT' });
    expect(await refusal(stranger, { beds: 1 }, draft)).toMatchObject({ code: 'LISTING_NOT_FOUND' });
    expect(await refusal(await member('CUSTOMER'), { beds: 1 }, other.id)).toMatchObject({
      code: 'FORBIDDEN',
    });
    expect(await refusal(owner, { beds: 1 }, freshId())).toMatchObject({ code: 'LISTING_NOT_FOUND' });
  });

  it('lets platform staff act on every team', async () => {
    const { id } = await create();
    const admin: UserCaller = { ...guest, system_role: 'ADMIN' };
    expect((await api.ok(admin, 'updateListing', patch(id, { beds: 7 }))).beds).toBe(7);
  });
});

describe('DELETE /listings/{listing_id}', () => {
  it('answers message and id, and the listing is unknown afterwards', async () => {
    const { id } = await create();
    expect(await api.ok(owner, 'archiveListing', at(id))).toEqual({
      message: 'The listing is archived.',
      listing_id: id,
    });
    for (const operation of ['getListing', 'archiveListing', 'getPolicies'] as const)
      expect(await api.refusal(owner, operation, at(id))).toMatchObject({ code: 'LISTING_NOT_FOUND' });
  });

  it('leaves it in the list of its team alone, where ARCHIVED ones are asked for', async () => {
    const [{ id }, kept] = [await create(), await create()];
    await api.ok(owner, 'archiveListing', at(id));
    const listed = async (who: UserCaller, query: Record<string, string> = {}) =>
      (await api.ok(who, 'listListings', { query })).items.map((item) => item.id);
    expect(await listed(owner)).toEqual([kept.id]);
    expect(await listed(owner, { status: 'ARCHIVED' })).toEqual([id]);
    expect(await listed(staff, { state: 'ARCHIVED' })).toEqual([id]);
    expect(await listed(stranger, { state: 'ARCHIVED' })).toEqual([]);
    expect(await listed(guest, { state: 'ARCHIVED' })).toEqual([]);
    const twice = { query: { state: 'ARCHIVED', status: 'ACTIVE' } };
    expect(await api.refusal(owner, 'listListings', twice)).toMatchObject({ paths: ['status'] });
  });

  it('is refused with bookings ahead, to a weak role and to strangers', async () => {
    const { id } = await create();
    await futureBooking(id);
    expect(await api.refusal(owner, 'archiveListing', at(id))).toMatchObject({
      status: 409,
      code: 'INVALID_STATE_TRANSITION',
      details: { booking_ids: [17] },
    });
    expect(await api.refusal(staff, 'archiveListing', at(id))).toMatchObject({ code: 'FORBIDDEN' });
    expect(await api.refusal(stranger, 'archiveListing', at(id))).toMatchObject({ code: 'FORBIDDEN' });
  });
});

describe('view_types', () => {
  it('are codes of the catalog view_type, at creation and by PATCH', async () => {
    const { id } = await create({ view_types: ['garden', 'lake'] });
    const path = 'view_types[1]';
    const body = { ...villa, view_types: ['garden', 'HOUSE'] };
    expect(await api.refusal(owner, 'createListing', { body })).toMatchObject({ paths: [path] });
    const asked = { ...at(id), body: { view_types: ['garden', 'sea view'] } };
    expect(await api.refusal(owner, 'updateListing', asked)).toMatchObject({ paths: [path] });
    const changed = { ...at(id), body: { view_types: ['forest'] } };
    expect(await api.ok(owner, 'updateListing', changed)).toMatchObject({ view_types: ['forest'] });
  });

  it('that were kept before stay readable, and may be sent again', async () => {
    const { id } = await testListing(deps, { team_id, view_types: ['sea view'] });
    expect(await api.ok(guest, 'getListing', at(id))).toMatchObject({ view_types: ['sea view'] });
    const body = { name: 'Nhà cũ', view_types: ['sea view', 'garden'] };
    expect(await api.ok(owner, 'updateListing', { ...at(id), body })).toMatchObject(body);
  });
});

describe('images and amenities', () => {
  it('replaces images, given as an object or as the bare array', async () => {
    const { id } = await create();
    const images = [
      { url: 'https://example.com/b.jpg', order: 2 },
      { url: 'https://example.com/a.jpg', order: 1 },
    ];
    for (const body of [{ images }, images])
      expect((await api.ok(owner, 'replaceImages', { ...at(id), body })).images).toMatchObject(
        images.toReversed(),
      );
    const bad = { images: [{ url: 'ftp://example.com/a.jpg' }] };
    expect(await api.refusal(owner, 'replaceImages', { ...at(id), body: bad })).toMatchObject({
      paths: ['images[0].url'],
    });
    const none = { ...at(id), body: [] };
    expect(await api.refusal(staff, 'replaceImages', none)).toMatchObject({ code: 'FORBIDDEN' });
    expect(await api.refusal(stranger, 'replaceImages', none)).toMatchObject({ code: 'FORBIDDEN' });
    expect((await api.ok(owner, 'replaceImages', none)).images).toEqual([]);
  });

  it('answers the amenities by group, as chosen at creation and by PATCH', async () => {
    const grill = { amenity_id: 704, is_chargeable: true, price: 150_000 };
    const { id } = await create({ amenities: [grill, { amenity_id: 201, is_private: true }] });
    const { categories } = await api.ok(guest, 'listListingAmenities', at(id));
    expect(categories).toMatchObject([
      {
        code: 'entertainment',
        amenities: [
          { amenity_id: 201, amenity_code: 'wifi', is_private: true, is_chargeable: false, price: 0 },
        ],
      },
      { id: 7, name: 'Ngoài trời', code: 'outdoor', amenities: [{ amenity_id: 704, price: 150_000 }] },
    ]);
    await api.ok(owner, 'updateListing', { ...at(id), body: { amenities: [grill] } });
    expect((await api.ok(guest, 'listListingAmenities', at(id))).categories).toEqual([categories[1]]);
    const draft = await create({ state: 'DRAFT' });
    expect(await api.refusal(guest, 'listListingAmenities', at(draft.id))).toMatchObject({
      code: 'LISTING_NOT_FOUND',
    });
  });
});

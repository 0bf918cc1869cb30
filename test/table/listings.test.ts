import { beforeAll, describe, expect, it } from 'vitest';
import {
  AvailabilityEntryEntity,
  CalendarDraft,
  CalendarMonthEntity,
} from '../../shared/domain/calendar/index.ts';
import { archiveListing, updateListing } from '../../shared/domain/hosting/index.ts';
import {
  createListing,
  getListing,
  type Listing,
  ListingEntity,
  listListings,
  replaceImages,
} from '../../shared/domain/listing/index.ts';
import { ListingCreate, ListingImages, ListingQuery } from '../../shared/domain/listing/listing.schema.ts';
import { type UserCaller } from '../../shared/platform/auth.ts';
import { type Context } from '../../shared/platform/context.ts';
import { EventEntity } from '../../shared/platform/events/index.ts';
import { put } from '../../shared/platform/table/index.ts';
import { freshId, testContext, type TestDependencies, testDependencies, testUser } from '../support/table.ts';

let deps: TestDependencies;
beforeAll(async () => {
  deps = await testDependencies();
});

const owner = async (
  role: 'OWNER' | 'STAFF' = 'OWNER',
  team_id = freshId(),
): Promise<Context<UserCaller>> => {
  const { caller } = await testUser(deps, { memberships: [{ team_id, role }] });
  return testContext(deps, caller);
};
const guest = async () => testContext(deps, (await testUser(deps)).caller);

const wanted = (given: Partial<ListingCreate> = {}): { body: ListingCreate } => ({
  body: ListingCreate.parse({
    name: 'Biệt thự Đà Lạt',
    listing_type: 'ENTIRE_PLACE',
    property_type: 'villa',
    address: '12 Trần Hưng Đạo',
    province_code: 'LD',
    capacity: 4,
    full_rate: 1_000_000,
    state: 'ACTIVE',
    ...given,
  }),
});

const create = (ctx: Context, given: Partial<ListingCreate> = {}) => createListing(ctx, wanted(given));
const read = async (id: number): Promise<Listing> => (await deps.table.get(ListingEntity, { id }))!;
const of = (id: number) => ({ params: { listing_id: id } });
const patch = (ctx: Context, id: number, body: Parameters<typeof updateListing>[1]['body']) =>
  updateListing(ctx, { ...of(id), body });

/** Books, holds or blocks time as the verbs of the calendar do: month and entry in one transaction. */
const take = async (
  listing: Pick<Listing, 'id'> & { parent_listing_id?: number | null },
  state: 'BOOKED' | 'BLOCKED' | 'SOFT_LOCK',
  days: [string, string] = ['2027-02-04', '2027-02-07'],
) => {
  const availability_id = freshId();
  const until = deps.clock.now() + 900_000;
  const time = {
    calendar_id: listing.parent_listing_id ?? listing.id,
    listing_id: listing.id,
    start_at: `${days[0]}T14:00:00`,
    end_at: `${days[1]}T12:00:00`,
  };
  const draft = await CalendarDraft.load(deps.table, [time], deps.clock.now());
  if (state === 'SOFT_LOCK') draft.hold({ ...time, availability_id, order_id: 16, holder: 'user:1', until });
  else draft.take(time);
  const entry = {
    ...time,
    availability_id,
    state,
    reservation_id: state === 'BOOKED' ? 17 : null,
    order_id: 16,
    locked_until: state === 'SOFT_LOCK' ? until : null,
    note: null,
    created_at: '2027-01-15T03:00:00.000Z',
  };
  return { time, draft, entry, writes: [...draft.writes(), put(AvailabilityEntryEntity, entry)] };
};

const book = async (...given: Parameters<typeof take>) => deps.table.transact((await take(...given)).writes);

describe('creating a listing', () => {
  it('fills in what was left out and answers the whole record', async () => {
    const ctx = await owner();
    const listing = await create(ctx);
    expect(listing).toMatchObject({
      team_id: ctx.caller.memberships[0]!.team_id,
      slug: 'biet-thu-da-lat',
      property_type: 'VILLA',
      country_name: 'Việt Nam',
      province_name: 'Lâm Đồng',
      standard_capacity: 4,
      guest_included_in_rate: 4,
      maximum_guest: 0,
      currency: 'VND',
      timezone: 'Asia/Ho_Chi_Minh',
      min_hours: 2,
      images: [],
      wifi_name: null,
    });
    expect(await getListing(ctx, of(listing.id))).toEqual(listing);
    expect(await read(listing.id)).toMatchObject({ search_name: 'biet thu da lat', version: 1 });
  });

  it('tells of it in the same transaction', async () => {
    const { id } = await create(await owner());
    const { items } = await deps.table.queryAll({ pk: `LISTING#${id}`, prefix: 'EVENT#' });
    expect(items).toMatchObject([{ event_type: 'listing.created', data: { id } }]);
    expect(EventEntity.name).toBe('Event');
  });

  it('numbers slugs that are taken, also when ten come at once', async () => {
    const ctx = await owner();
    const listings = await Promise.all(Array.from({ length: 10 }, () => create(ctx)));
    const numbered = Array.from({ length: 9 }, (_, position) => `biet-thu-da-lat-${position + 2}`);
    expect(listings.map(({ slug }) => slug).sort()).toEqual(['biet-thu-da-lat', ...numbered].sort());
  });

  it('refuses a given slug that is taken, in the same team only', async () => {
    const ctx = await owner();
    await create(ctx, { slug: 'villa' });
    await expect(create(ctx, { slug: 'villa' })).rejects.toMatchObject({ code: 'SLUG_ALREADY_EXISTS' });
    expect((await create(await owner(), { slug: 'villa' })).slug).toBe('villa');
  });

  it('refuses amounts finer than the minor unit, each under its path', async () => {
    const ctx = await owner();
    const refused = create(ctx, {
      full_rate: 10.5,
      prices_by_week: { 5: 0.25 },
      amenities: [{ amenity_id: 704, is_private: false, is_chargeable: true, price: 1.5 }],
    });
    await expect(refused).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: {
        issues: [{ path: 'full_rate' }, { path: 'prices_by_week.5' }, { path: 'amenities[0].price' }],
      },
    });
    expect((await create(ctx, { currency: 'KWD', full_rate: 10.125 })).full_rate).toBe(10.125);
  });

  it('refuses amenities that the catalog does not know, and one named twice', async () => {
    const chosen = (amenity_id: number) => ({ amenity_id, is_private: false, is_chargeable: false });
    const refused = create(await owner(), { amenities: [chosen(201), chosen(9999), chosen(201)] });
    await expect(refused).rejects.toMatchObject({
      details: { issues: [{ path: 'amenities[1].amenity_id' }, { path: 'amenities[2].amenity_id' }] },
    });
  });

  it('is for owners and managers', async () => {
    await expect(create(await owner('STAFF'))).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(create(await guest())).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});

describe('seeing a listing', () => {
  it('hides from others what is for the host, and everything that is not ACTIVE', async () => {
    const host = await owner();
    const [open, draft] = await Promise.all([
      create(host, { wifi_password: 'secret', door_code: { code: '2580#' }, commission_rate: 0.15 }),
      create(host, { state: 'DRAFT' }),
    ]);
    expect(await getListing(host, of(open.id))).toMatchObject({
      wifi_password: 'secret',
      commission_rate: 0.15,
    });
    expect(await getListing(await guest(), of(open.id))).toMatchObject({
      wifi_password: null,
      door_code: null,
      commission_rate: null,
    });
    for (const stranger of [await guest(), await owner()])
      await expect(getListing(stranger, of(draft.id))).rejects.toMatchObject({ code: 'LISTING_NOT_FOUND' });
    await expect(getListing(host, of(freshId()))).rejects.toMatchObject({ code: 'LISTING_NOT_FOUND' });
  });

  it('pages through the listings of the team, newest first, with a total', async () => {
    const ctx = await owner();
    for (const name of ['Một', 'Hai', 'Ba']) {
      deps.clock.advance(1);
      await create(ctx, { name, state: 'DRAFT' });
    }
    const query = ListingQuery.parse({ limit: '2' });
    const first = await listListings(ctx, { query });
    expect(first).toMatchObject({ total: 3, total_pages: 2, items: [{ name: 'Ba' }, { name: 'Hai' }] });
    const rest = await listListings(ctx, { query: { ...query, cursor: first.next_cursor! } });
    expect(rest).toMatchObject({ total: 3, page: 2, items: [{ name: 'Một' }], next_cursor: null });
  });

  it('searches without diacritics, by state and by province under any of its codes', async () => {
    const ctx = await owner();
    await create(ctx, { name: 'Nhà phố Hội An', province_code: 'QNA' });
    await create(ctx, { name: 'Căn hộ Bến Thành', province_code: 'hcm', state: 'DRAFT' });
    const found = async (query: object) =>
      (await listListings(ctx, { query: ListingQuery.parse(query) })).items.map(({ name }) => name);
    expect(await found({ search: 'HOI an' })).toEqual(['Nhà phố Hội An']);
    expect(await found({ search: 'bến' })).toEqual(['Căn hộ Bến Thành']);
    expect(await found({ status: 'DRAFT' })).toEqual(['Căn hộ Bến Thành']);
    expect(await found({ province_code: 'SG' })).toEqual(['Căn hộ Bến Thành']);
    expect(await found({ province_code: 'QNA', status: 'DRAFT' })).toEqual([]);
  });

  it('shows everybody else the ACTIVE listings of the platform', async () => {
    const host = await owner();
    const name = `Nhà ${freshId()}`;
    await create(host, { name });
    await create(host, { name, state: 'DRAFT' });
    const query = ListingQuery.parse({ search: name });
    expect(await listListings(await guest(), { query })).toMatchObject({ total: 1, items: [{ name }] });
    expect((await listListings(host, { query })).total).toBe(2);
    const elsewhere = { ...(await guest()), teamHeader: host.caller.memberships[0]!.team_id };
    await expect(listListings(elsewhere, { query })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});

describe('changing a listing', () => {
  it('changes what is given and leaves the rest', async () => {
    const ctx = await owner();
    const listing = await create(ctx, { description: 'Old' });
    const updated = await patch(ctx, listing.id, { name: 'Nhà mới', province_code: 'DN', bedrooms: 3 });
    expect(updated).toMatchObject({
      name: 'Nhà mới',
      slug: 'biet-thu-da-lat',
      province_name: 'Đà Nẵng',
      bedrooms: 3,
      description: 'Old',
    });
    expect(await read(listing.id)).toMatchObject({ search_name: 'nha moi', version: 2 });
  });

  it('does not write what stays as it is', async () => {
    const ctx = await owner();
    const { id, name } = await create(ctx);
    await patch(ctx, id, { name });
    await patch(ctx, id, {});
    expect((await read(id)).version).toBe(1);
  });

  it('keeps every change of twenty that come at once', async () => {
    const ctx = await owner();
    const { id } = await create(ctx);
    const fields = ['bedrooms', 'bathrooms', 'beds', 'square_meters'] as const;
    await Promise.all(fields.map((field, position) => patch(ctx, id, { [field]: position + 1 })));
    expect(await read(id)).toMatchObject({
      bedrooms: 1,
      bathrooms: 2,
      beds: 3,
      square_meters: 4,
      version: 5,
    });
  });

  it('renames the slug, which frees the old one', async () => {
    const ctx = await owner();
    const [one, other] = [await create(ctx, { slug: 'one' }), await create(ctx, { slug: 'other' })];
    await expect(patch(ctx, one.id, { slug: 'other' })).rejects.toMatchObject({
      code: 'SLUG_ALREADY_EXISTS',
    });
    await patch(ctx, one.id, { slug: 'new' });
    expect((await patch(ctx, other.id, { slug: 'one' })).slug).toBe('one');
  });

  it('moves only as the table of moves has it', async () => {
    const ctx = await owner();
    const { id } = await create(ctx, { state: 'DRAFT' });
    await expect(patch(ctx, id, { state: 'INACTIVE' })).rejects.toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
    });
    expect((await patch(ctx, id, { state: 'ACTIVE' })).state).toBe('ACTIVE');
    expect((await patch(ctx, id, { state: 'INACTIVE' })).state).toBe('INACTIVE');
    expect(await listListings(await guest(), { query: ListingQuery.parse({}) })).not.toMatchObject({
      items: expect.arrayContaining([expect.objectContaining({ id })]),
    });
  });

  it('is refused to a weak role, and unknown to a strange team', async () => {
    const ctx = await owner();
    const { id, team_id } = await create(ctx);
    await expect(patch(await owner('STAFF', team_id), id, { beds: 1 })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    await expect(patch(await owner(), id, { beds: 1 })).rejects.toMatchObject({ code: 'LISTING_NOT_FOUND' });
  });

  it('replaces the images and keeps the ids of those that stay', async () => {
    const ctx = await owner();
    const { id } = await create(ctx);
    const images = (...urls: string[]) =>
      replaceImages(ctx, { ...of(id), body: ListingImages.parse(urls.map((url) => ({ url }))) });
    const [one, two] = ['https://example.com/1.jpg', 'https://example.com/2.jpg'];
    const before = (await images(one, two)).images;
    expect(before.map(({ url, order }) => [url, order])).toEqual([
      [one, 0],
      [two, 1],
    ]);
    const after = (await images(two)).images;
    expect(after).toEqual([{ ...before[1], order: 0 }]);
  });
});

describe('a family', () => {
  it('has one level, one team and room for forty', async () => {
    const ctx = await owner();
    const parent = await create(ctx);
    const child = await create(ctx, { parent_listing_id: parent.id });
    expect(await read(parent.id)).toMatchObject({ child_listing_ids: [child.id] });
    const [stranger, other] = [await owner(), await create(ctx)];
    const refusals = [
      () => create(ctx, { parent_listing_id: child.id }),
      () => create(ctx, { parent_listing_id: freshId() }),
      () => create(stranger, { parent_listing_id: parent.id }),
      () => patch(ctx, parent.id, { parent_listing_id: other.id }),
      () => patch(ctx, parent.id, { parent_listing_id: parent.id }),
    ];
    for (const refused of refusals)
      await expect(refused()).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        details: { issues: [{ path: 'parent_listing_id' }] },
      });
    const full = { ...(await read(parent.id)), child_listing_ids: Array.from({ length: 40 }, freshId) };
    await deps.table.transact([put(ListingEntity, full)]);
    await expect(create(ctx, { parent_listing_id: parent.id })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });

  it('takes in a listing with a free calendar and lets it go', async () => {
    const ctx = await owner();
    const [parent, room] = [await create(ctx), await create(ctx)];
    expect((await patch(ctx, room.id, { parent_listing_id: parent.id })).parent_listing_id).toBe(parent.id);
    expect((await read(parent.id)).child_listing_ids).toEqual([room.id]);
    expect((await patch(ctx, room.id, { parent_listing_id: null })).parent_listing_id).toBeNull();
    expect((await read(parent.id)).child_listing_ids).toEqual([]);
  });

  it.each(['BOOKED', 'BLOCKED', 'SOFT_LOCK'] as const)(
    'refuses to move a listing with time %s',
    async (state) => {
      const ctx = await owner();
      const [parent, room] = [await create(ctx), await create(ctx)];
      await book(room, state, ['2033-02-04', '2033-02-06']);
      await expect(patch(ctx, room.id, { parent_listing_id: parent.id })).rejects.toMatchObject({
        code: 'LISTING_NOT_AVAILABLE',
        details: { unavailable: [{ listing_id: room.id, start_at: '2033-02-04T14:00:00' }] },
      });
    },
  );

  it('looks at what is to come only', async () => {
    const ctx = await owner();
    const [parent, room] = [await create(ctx), await create(ctx)];
    await book(room, 'BOOKED', ['2027-01-02', '2027-01-05']);
    expect((await patch(ctx, room.id, { parent_listing_id: parent.id })).parent_listing_id).toBe(parent.id);
  });

  it('makes a booking in flight lose its race when the listing moves', async () => {
    const ctx = await owner();
    const [parent, room] = [await create(ctx), await create(ctx)];
    const inFlight = await take(room, 'BOOKED', ['2028-12-30', '2029-01-02']);
    await patch(ctx, room.id, { parent_listing_id: parent.id });
    await expect(deps.table.transact(inFlight.writes)).rejects.toMatchObject({ name: 'LostRace' });
  });
});

describe('archiving a listing', () => {
  it('makes it unknown, frees the slug and its place in the family', async () => {
    const ctx = await owner();
    const parent = await create(ctx);
    const { id } = await create(ctx, { slug: 'villa', parent_listing_id: parent.id });
    expect(await archiveListing(ctx, of(id))).toMatchObject({ listing_id: id });
    await expect(getListing(ctx, of(id))).rejects.toMatchObject({ code: 'LISTING_NOT_FOUND' });
    await expect(archiveListing(ctx, of(id))).rejects.toMatchObject({ code: 'LISTING_NOT_FOUND' });
    expect((await listListings(ctx, { query: ListingQuery.parse({}) })).total).toBe(1);
    expect((await create(ctx, { slug: 'villa' })).slug).toBe('villa');
    expect((await read(parent.id)).child_listing_ids).toEqual([]);
  });

  it('can be asked for by PATCH too', async () => {
    const ctx = await owner();
    const { id } = await create(ctx, { slug: 'villa' });
    expect((await patch(ctx, id, { state: 'ARCHIVED' })).state).toBe('ARCHIVED');
    await expect(getListing(ctx, of(id))).rejects.toMatchObject({ code: 'LISTING_NOT_FOUND' });
    expect((await create(ctx, { slug: 'villa' })).slug).toBe('villa');
  });

  it('is refused while a stay has not ended, and allowed after it, or with a block', async () => {
    const ctx = await owner();
    const [running, over, blocked] = [await create(ctx), await create(ctx), await create(ctx)];
    await book(running, 'BOOKED', ['2027-01-13', '2027-01-16']);
    await book(over, 'BOOKED', ['2027-01-12', '2027-01-14']);
    await book(blocked, 'BLOCKED');
    await expect(archiveListing(ctx, of(running.id))).rejects.toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
      details: { booking_ids: [17] },
    });
    await archiveListing(ctx, of(over.id));
    await archiveListing(ctx, of(blocked.id));
  });

  it('is not hindered by the bookings of the rest of the family', async () => {
    const ctx = await owner();
    const parent = await create(ctx);
    const [one, two] = [
      await create(ctx, { parent_listing_id: parent.id }),
      await create(ctx, { parent_listing_id: parent.id }),
    ];
    await book(one, 'BOOKED');
    await archiveListing(ctx, of(two.id));
    await archiveListing(ctx, of(parent.id));
    await expect(archiveListing(ctx, of(one.id))).rejects.toMatchObject({ code: 'INVALID_STATE_TRANSITION' });
    const month = await deps.table.get(CalendarMonthEntity, { calendar_id: parent.id, month: '2027-02' });
    expect(Object.keys(month!.taken)).toEqual([String(one.id)]);
  });

  it('drops live soft locks, so that they cannot be confirmed', async () => {
    const ctx = await owner();
    const { id } = await create(ctx);
    const { entry, writes } = await take({ id }, 'SOFT_LOCK');
    await deps.table.transact(writes);
    await archiveListing(ctx, of(id));
    const month = await deps.table.get(CalendarMonthEntity, { calendar_id: id, month: '2027-02' });
    expect(month!.claims).toEqual({});
    expect(await deps.table.get(AvailabilityEntryEntity, entry)).toBeUndefined();
  });

  it.each(['2027-01-15', '2027-07-01', '2029-01-14'])(
    'overtakes a booking in flight that begins on %s',
    async (day) => {
      const ctx = await owner();
      const { id } = await create(ctx);
      const inFlight = await take({ id }, 'BOOKED', [day, '2029-12-01']);
      await archiveListing(ctx, of(id));
      await expect(deps.table.transact(inFlight.writes)).rejects.toMatchObject({ name: 'LostRace' });
    },
  );

  it('never ends with both an archived listing and a booking, however they meet', async () => {
    const ctx = await owner();
    for (let round = 0; round < 10; round++) {
      const { id } = await create(ctx);
      const inFlight = await take({ id }, 'BOOKED');
      const [archived, booked] = await Promise.allSettled([
        archiveListing(ctx, of(id)),
        deps.table.transact(inFlight.writes),
      ]);
      expect([archived.status, booked.status].sort()).toEqual(['fulfilled', 'rejected']);
    }
  });
});

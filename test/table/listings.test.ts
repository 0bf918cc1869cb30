import { beforeAll, describe, expect, it } from 'vitest';
import { EventEntity } from '../../shared/platform/events/event.entity.ts';
import { ListingImages } from '../../shared/domain/listing/listing-images.schema.ts';
import { ListingQuery } from '../../shared/domain/listing/listing-query.schema.ts';
import { ListingUpdate } from '../../shared/domain/listing/listing-input.schema.ts';
import { presentListing } from '../../shared/domain/listing/present-listing.rules.ts';
import { listListings } from '../../shared/domain/listing/read-listings.ts';
import { replaceImages } from '../../shared/domain/listing/replace-images.ts';
import { at, hostWorld } from '../support/host-world.ts';
import { freshId, type TestDependencies, testDependencies } from '../support/table.ts';

let deps: TestDependencies;
beforeAll(async () => {
  deps = await testDependencies();
});
const { host, guest, create, detail, patch, read } = hostWorld(() => deps);

describe('creating a listing', () => {
  it('fills in what was left out and answers the whole record', async () => {
    const ctx = await host();
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
    expect(await detail(ctx, listing.id)).toEqual(listing);
    expect(await read(listing.id)).toMatchObject({ search_name: 'biet thu da lat', version: 1 });
  });

  it('emits the event in the same transaction', async () => {
    const { id } = await create(await host());
    const items = await deps.table.queryAll(EventEntity, { pk: `LISTING#${id}`, prefix: 'EVENT#' });
    expect(items).toMatchObject([{ event_type: 'listing.created', data: { id } }]);
  });

  it('numbers slugs that are taken, also when ten come at once', async () => {
    const ctx = await host();
    const listings = await Promise.all(Array.from({ length: 10 }, () => create(ctx)));
    const numbered = Array.from({ length: 9 }, (_, position) => `biet-thu-da-lat-${position + 2}`);
    expect(listings.map(({ slug }) => slug).sort()).toEqual(['biet-thu-da-lat', ...numbered].sort());
  });

  it('refuses a given slug that is taken, in the same team only', async () => {
    const ctx = await host();
    await create(ctx, { slug: 'villa' });
    await expect(create(ctx, { slug: 'villa' })).rejects.toMatchObject({ code: 'SLUG_ALREADY_EXISTS' });
    expect((await create(await host(), { slug: 'villa' })).slug).toBe('villa');
  });

  it('refuses amounts finer than the minor unit, each under its path', async () => {
    const ctx = await host();
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
    const refused = create(await host(), { amenities: [chosen(201), chosen(9999), chosen(201)] });
    await expect(refused).rejects.toMatchObject({
      details: { issues: [{ path: 'amenities[1].amenity_id' }, { path: 'amenities[2].amenity_id' }] },
    });
  });

  it('includes no more guests in the rate than may come, in whatever state', async () => {
    const ctx = await host();
    const refused = { details: { issues: [{ path: 'maximum_guest' }] } };
    const given = { state: 'DRAFT', maximum_guest: 2, guest_included_in_rate: 3 } as const;
    await expect(create(ctx, given)).rejects.toMatchObject(refused);
    const { id, ...made } = await create(ctx, { state: 'DRAFT', maximum_guest: 2 });
    expect(made).toMatchObject({ standard_capacity: 4, guest_included_in_rate: 2 });
    await expect(patch(ctx, id, { guest_included_in_rate: 3 })).rejects.toMatchObject(refused);
    await expect(patch(ctx, id, { maximum_guest: 1 })).rejects.toMatchObject(refused);
    expect(await patch(ctx, id, { guest_included_in_rate: 3, maximum_guest: 0 })).toMatchObject({
      maximum_guest: 0,
    });
  });

  it('keeps what an early check-in and a late check-out cost, nothing by default', async () => {
    const ctx = await host();
    const fees = { early_check_in_fee: 150_000, late_check_out_fee: 0 };
    const { id, ...made } = await create(ctx, { early_check_in_fee: 150_000 });
    expect(made).toMatchObject(fees);
    expect(await detail(await guest(), id)).toMatchObject(fees);
    expect(await patch(ctx, id, { late_check_out_fee: 250_000 })).toMatchObject({
      ...{ early_check_in_fee: 150_000, late_check_out_fee: 250_000 },
    });
    await expect(patch(ctx, id, { early_check_in_fee: 0.5, late_check_out_fee: 0.5 })).rejects.toMatchObject({
      details: { issues: [{ path: 'early_check_in_fee' }, { path: 'late_check_out_fee' }] },
    });
    expect(ListingUpdate().safeParse({ early_check_in_fee: -1 }).success).toBe(false);
    const { early_check_in_fee: _, late_check_out_fee: __, ...before } = await read(id);
    expect(presentListing((await guest()).caller, before, 0)).toMatchObject({
      ...{ early_check_in_fee: 0, late_check_out_fee: 0 },
    });
  });

  it('is for owners and managers', async () => {
    await expect(create(await host('STAFF'))).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(create(await guest())).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});

describe('seeing a listing', () => {
  it('hides from others what is for the host, and everything that is not ACTIVE', async () => {
    const ctx = await host();
    const [open, draft] = await Promise.all([
      create(ctx, { wifi_password: 'secret', door_code: { code: '2580#' }, commission_rate: 0.15 }),
      create(ctx, { state: 'DRAFT' }),
    ]);
    expect(await detail(ctx, open.id)).toMatchObject({
      wifi_password: 'secret',
      commission_rate: 0.15,
    });
    expect(await detail(await guest(), open.id)).toMatchObject({
      wifi_password: null,
      door_code: null,
      commission_rate: null,
    });
    for (const stranger of [await guest(), await host()])
      await expect(detail(stranger, draft.id)).rejects.toMatchObject({ code: 'LISTING_NOT_FOUND' });
    await expect(detail(ctx, freshId())).rejects.toMatchObject({ code: 'LISTING_NOT_FOUND' });
  });

  it('pages through the listings of the team, newest first, with a total', async () => {
    const ctx = await host();
    for (const name of ['Một', 'Hai', 'Ba']) {
      deps.clock.advance(1);
      await create(ctx, { name, state: 'DRAFT' });
    }
    const query = ListingQuery.parse({ limit: '2' });
    const first = await listListings(ctx, query);
    expect(first).toMatchObject({ total: 3, total_pages: 2, items: [{ name: 'Ba' }, { name: 'Hai' }] });
    const rest = await listListings(ctx, { ...query, cursor: first.next_cursor! });
    expect(rest).toMatchObject({ total: 3, page: 2, items: [{ name: 'Một' }], next_cursor: null });
  });

  it('searches without diacritics, by state and by province under any of its codes', async () => {
    const ctx = await host();
    await create(ctx, { name: 'Nhà phố Hội An', province_code: 'QNA' });
    await create(ctx, { name: 'Căn hộ Bến Thành', province_code: 'hcm', state: 'DRAFT' });
    const found = async (query: object) =>
      (await listListings(ctx, ListingQuery.parse(query))).items.map(({ name }) => name);
    expect(await found({ search: 'HOI an' })).toEqual(['Nhà phố Hội An']);
    expect(await found({ search: 'bến' })).toEqual(['Căn hộ Bến Thành']);
    expect(await found({ status: 'DRAFT' })).toEqual(['Căn hộ Bến Thành']);
    expect(await found({ province_code: 'SG' })).toEqual(['Căn hộ Bến Thành']);
    expect(await found({ province_code: 'QNA', status: 'DRAFT' })).toEqual([]);
  });

  it('shows all other callers the ACTIVE listings of the platform', async () => {
    const ctx = await host();
    const name = `Nhà ${freshId()}`;
    await create(ctx, { name });
    await create(ctx, { name, state: 'DRAFT' });
    const query = ListingQuery.parse({ search: name });
    expect(await listListings(await guest(), query)).toMatchObject({ total: 1, items: [{ name }] });
    expect((await listListings(ctx, query)).total).toBe(2);
    const elsewhere = { ...(await guest()), teamHeader: ctx.caller.memberships[0]!.team_id };
    await expect(listListings(elsewhere, query)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});

describe('changing a listing', () => {
  it('changes what is given and leaves the rest', async () => {
    const ctx = await host();
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
    const ctx = await host();
    const { id, name } = await create(ctx);
    await patch(ctx, id, { name });
    await patch(ctx, id, {});
    expect((await read(id)).version).toBe(1);
  });

  it('keeps every change of twenty that come at once', async () => {
    const ctx = await host();
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
    const ctx = await host();
    const [one, other] = [await create(ctx, { slug: 'one' }), await create(ctx, { slug: 'other' })];
    await expect(patch(ctx, one.id, { slug: 'other' })).rejects.toMatchObject({
      code: 'SLUG_ALREADY_EXISTS',
    });
    await patch(ctx, one.id, { slug: 'new' });
    expect((await patch(ctx, other.id, { slug: 'one' })).slug).toBe('one');
  });

  it('moves only as the table of moves has it', async () => {
    const ctx = await host();
    const { id } = await create(ctx, { state: 'DRAFT' });
    await expect(patch(ctx, id, { state: 'INACTIVE' })).rejects.toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
    });
    expect((await patch(ctx, id, { state: 'ACTIVE' })).state).toBe('ACTIVE');
    expect((await patch(ctx, id, { state: 'INACTIVE' })).state).toBe('INACTIVE');
    const { items } = await listListings(await guest(), ListingQuery.parse({ limit: '100' }));
    expect(items.map((item) => item.id)).not.toContain(id);
  });

  it('is refused to a weak role and to a strange team', async () => {
    const ctx = await host();
    const { id, team_id } = await create(ctx);
    await expect(patch(await host('STAFF', team_id), id, { beds: 1 })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    await expect(patch(await host(), id, { beds: 1 })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('replaces the images and keeps the ids of those that stay', async () => {
    const ctx = await host();
    const { id } = await create(ctx);
    const images = (...urls: string[]) =>
      replaceImages(
        ctx,
        { ...at(id), body: ListingImages.parse(urls.map((url) => ({ url }))) }.params.listing_id,
        { ...at(id), body: ListingImages.parse(urls.map((url) => ({ url }))) }.body,
      );
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

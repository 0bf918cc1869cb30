import { beforeAll, describe, expect, it } from 'vitest';
import { listings } from '../../functions/listings/index.ts';
import { listingsRoutes } from '../../functions/listings/routes.ts';
import { groupCalls, type GroupCalls } from '../support/group-calls.ts';
import { testDependencies } from '../support/table.ts';

let api: GroupCalls<(typeof listingsRoutes)['routes']>;
beforeAll(async () => {
  const deps = await testDependencies();
  api = groupCalls(
    listings(() => deps),
    listingsRoutes,
  );
});
const anonymous = undefined;

describe('catalogs', () => {
  it('hold every published code, in order, for anonymous callers', async () => {
    const { items } = await api.ok(anonymous, 'listCatalogs');
    const codesOf = (type: string) =>
      items.filter(({ catalog_type }) => catalog_type === type).map(({ code }) => code);
    expect(codesOf('property_type').join(' ')).toBe(
      'house condo villa resort bungalow farmstay hotel campsite treehouse service_building penthouse',
    );
    expect(codesOf('listing_type').join(' ')).toBe('ENTIRE_PLACE PRIVATE_ROOM SHARED_ROOM');
    expect(codesOf('view_type').join(' ')).toBe(
      'beach mountain_hill lake city countryside river garden pool park forest',
    );
    expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
  });

  it('can be asked for one by one', async () => {
    const query = { catalog_type: 'listing_type', active_only: 'true' };
    const { items } = await api.ok(anonymous, 'listCatalogs', { query });
    expect(items).toHaveLength(3);
    expect(items[0]).toEqual({
      id: 101,
      catalog_type: 'listing_type',
      code: 'ENTIRE_PLACE',
      name_vi: 'Toàn bộ chỗ ở',
      name_en: 'Entire place',
      icon: 'house',
      display_order: 1,
      is_active: true,
    });
  });

  it.each<Record<string, string>>([{ catalog_type: 'colour' }, { active_only: 'maybe' }, { colour: 'red' }])(
    'refuse %j',
    async (query) => {
      expect(await api.refusal(anonymous, 'listCatalogs', { query })).toMatchObject({
        status: 400,
        code: 'VALIDATION_ERROR',
        paths: Object.keys(query),
      });
    },
  );

  it.each(['listCatalogs', 'listAmenities'] as const)('%s may be kept and asked for again', async (id) => {
    const first = await api.call(anonymous, id);
    expect(first.headers['Cache-Control']).toBe('public, max-age=86400');
    const etag = first.headers['ETag'] ?? '';
    expect(etag).toMatch(/^"[\w-]{43}"$/);
    const again = await api.call(anonymous, id, { headers: { 'If-None-Match': `"other", W/${etag}` } });
    expect(again).toMatchObject({ status: 304, text: '', headers: { ETag: etag } });
    const changed = await api.call(anonymous, id, { headers: { 'If-None-Match': '"other"' } });
    expect(changed.status).toBe(200);
  });
});

describe('amenities', () => {
  it('come in the seven groups', async () => {
    const { categories } = await api.ok(anonymous, 'listAmenities');
    expect(categories.map(({ code }) => code).join(' ')).toBe(
      'bathroom entertainment cooling_heating safety bedroom_laundry kitchen outdoor',
    );
    const amenities = categories.flatMap((category) => category.amenities);
    expect(amenities.length).toBeGreaterThanOrEqual(40);
    expect(new Set(amenities.map(({ id }) => id)).size).toBe(amenities.length);
    for (const { name_vi, name_en, icon, amenity_code } of amenities)
      expect([name_vi, name_en, icon, amenity_code]).not.toContain('');
  });

  it('can be asked for by group; an unknown group has none', async () => {
    const group = (category_id: string) => ({ query: { category_id } });
    const { categories } = await api.ok(anonymous, 'listAmenities', group('6'));
    expect(categories.map(({ code }) => code)).toEqual(['kitchen']);
    expect(await api.ok(anonymous, 'listAmenities', group('99'))).toEqual({ categories: [] });
    expect(await api.refusal(anonymous, 'listAmenities', group('x'))).toMatchObject({ status: 400 });
  });
});

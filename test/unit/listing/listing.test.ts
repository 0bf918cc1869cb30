import { describe, expect, it } from 'vitest';
import { catalogItems } from '../../../shared/domain/listing/catalog.rules.ts';
import { listingExample } from '../../../shared/domain/listing/listing-example.schema.ts';
import { ListingCreate, ListingUpdate } from '../../../shared/domain/listing/listing-input.schema.ts';
import { presentListing, summarizeListing } from '../../../shared/domain/listing/present-listing.rules.ts';
import {
  listingMoneyIssues,
  listingMoves,
  mayMove,
  requireMove,
} from '../../../shared/domain/listing/listing.rules.ts';
import { ListingState, propertyTypes } from '../../../shared/domain/listing/listing-state.schema.ts';
import type { Listing } from '../../../shared/domain/listing/listing.entity.ts';
import { requireHosted, seesListing } from '../../../shared/domain/listing/listing.store.ts';
import {
  countryName,
  provinceName,
  provinces,
  sameProvince,
} from '../../../shared/domain/listing/places.rules.ts';
import type { Caller, Role, UserCaller } from '../../../shared/platform/auth.ts';

const stored = (changes: Partial<Listing> = {}): Listing => ({
  ...listingExample,
  commission_rate: 0.15,
  wifi_name: 'Villa',
  wifi_password: 'secret',
  door_code: { code: '2580#' },
  search_name: 'biet thu da lat',
  amenities: [],
  child_listing_ids: [],
  version: 1,
  ...changes,
});

const person = (role?: Role, team_id = listingExample.team_id): UserCaller => ({
  kind: 'user',
  user_id: 1,
  subject: 'auth0|1',
  email: 'an@example.com',
  full_name: 'An',
  phone: '',
  language: 'vi',
  email_verified: true,
  system_role: 'USER',
  memberships: role ? [{ team_id, role }] : [],
});

describe('the states of a listing', () => {
  const allowed = new Set([
    'DRAFT ACTIVE',
    'ACTIVE INACTIVE',
    'INACTIVE ACTIVE',
    'DRAFT ARCHIVED',
    'ACTIVE ARCHIVED',
    'INACTIVE ARCHIVED',
  ]);
  const pairs = ListingState.options.flatMap((from) => ListingState.options.map((to) => [from, to] as const));

  it.each(pairs)('%s to %s', (from, to) => {
    const may = from === to || allowed.has(`${from} ${to}`);
    expect(mayMove(from, to)).toBe(may);
    if (may) expect(() => requireMove(from, to)).not.toThrow();
    else expect(() => requireMove(from, to)).toThrow(`cannot move from ${from} to ${to}`);
  });

  it('has no way out of ARCHIVED', () => {
    expect(Object.values(listingMoves).flatMap(({ from }) => [...from])).not.toContain('ARCHIVED');
  });
});

describe('who sees a listing', () => {
  const secrets = { wifi_name: null, wifi_password: null, door_code: null, commission_rate: null };
  const partner: Caller = {
    kind: 'partner',
    key_id: 1,
    team_ids: [71],
    collects_payment: false,
    rate_limit: null,
  };

  it.each(['OWNER', 'MANAGER', 'STAFF'] as const)('shows everything to %s of the team', (role) => {
    expect(presentListing(person(role), stored(), 0)).toMatchObject({
      wifi_password: 'secret',
      commission_rate: 0.15,
    });
  });

  it.each<[string, Caller]>([
    ['a guest', person()],
    ['a customer of the team', person('CUSTOMER')],
    ['a host of another team', person('OWNER', 9)],
    ['a partner', partner],
    ['an anonymous caller', { kind: 'anonymous' }],
  ])('hides from %s what is for the host', (_, caller) => {
    expect(presentListing(caller, stored(), 0)).toMatchObject(secrets);
  });

  it('never shows what is stored beside the record', () => {
    for (const shown of [presentListing(person('OWNER'), stored(), 0), summarizeListing(stored())])
      expect(Object.keys(shown)).not.toEqual(expect.arrayContaining(['version']));
  });

  it('lets hosts see every state but ARCHIVED, others ACTIVE alone', () => {
    const seen = (caller: UserCaller) =>
      ListingState.options.filter((state) => seesListing(caller, stored({ state })));
    expect(seen(person('STAFF'))).toEqual(['DRAFT', 'ACTIVE', 'INACTIVE']);
    expect(seen(person('CUSTOMER'))).toEqual(['ACTIVE']);
    expect(seen(person('OWNER', 9))).toEqual(['ACTIVE']);
  });

  it.each([
    ['STAFF', 'FORBIDDEN'],
    ['CUSTOMER', 'FORBIDDEN'],
    [undefined, 'FORBIDDEN'],
  ] as const)('refuses to let %s manage it: %s', (role, code) => {
    expect(() => requireHosted(person(role), stored(), 'manage')).toThrow(expect.objectContaining({ code }));
  });

  it('does not exist for strangers while it is not open', () => {
    const draft = stored({ state: 'DRAFT' });
    const code = 'LISTING_NOT_FOUND';
    expect(() => requireHosted(person(undefined), draft, 'manage')).toThrow(
      expect.objectContaining({ code }),
    );
  });
});

describe('places', () => {
  it('knows 63 provinces, no code twice', () => {
    const codes = provinces.flatMap(({ code, aliases }) => [code, ...aliases]);
    expect(provinces).toHaveLength(63);
    expect(new Set(codes).size).toBe(codes.length);
    expect(provinces.every(({ code, name }) => /^[A-Z]{2,3}$/.test(code) && name.length > 3)).toBe(true);
  });

  it.each([
    ['HN', 'Hà Nội'],
    ['SG', 'Thành phố Hồ Chí Minh'],
    ['HCM', 'Thành phố Hồ Chí Minh'],
    ['DN', 'Đà Nẵng'],
    ['LD', 'Lâm Đồng'],
    ['QNA', 'Quảng Nam'],
    ['TTH', 'Thừa Thiên Huế'],
    ['XYZ', 'XYZ'],
  ])('names %s %s', (code, name) => {
    expect(provinceName(code, 'VN')).toBe(name);
  });

  it('keeps to its own country, and finds a province under all of its codes', () => {
    expect(provinceName('HN', 'US')).toBe('HN');
    expect(sameProvince('hcm')).toEqual(['SG', 'HCM', 'HCMC', 'TPHCM']);
    expect(sameProvince('xyz')).toEqual(['XYZ']);
  });

  it('names countries in Vietnamese and knows which are none', () => {
    expect([
      countryName('VN'),
      countryName('JP'),
      countryName('ZZ'),
      countryName('vn'),
      countryName('QQ'),
    ]).toEqual(['Việt Nam', 'Nhật Bản', undefined, undefined, undefined]);
  });
});

describe('what a host writes', () => {
  const least = {
    name: 'Nhà',
    listing_type: 'PRIVATE_ROOM',
    property_type: 'house',
    address: 'Hà Nội',
    province_code: 'hn',
    capacity: 2,
    full_rate: 1,
  };

  it('takes every property type of the catalog, in either case', () => {
    const codes = catalogItems
      .filter(({ catalog_type }) => catalog_type === 'property_type')
      .map(({ code }) => code);
    expect([...codes, 'apartment'].map((code) => code.toUpperCase()).sort()).toEqual(
      [...propertyTypes].sort(),
    );
    for (const property_type of codes)
      expect(ListingCreate().parse({ ...least, property_type }).property_type).toBe(
        property_type.toUpperCase(),
      );
  });

  it('fills in defaults at creation alone', () => {
    expect(ListingCreate().parse(least)).toMatchObject({
      country_code: 'VN',
      province_code: 'HN',
      min_hours: 2,
      parent_listing_id: null,
      prices_by_week: {},
      state: 'DRAFT',
    });
    expect(ListingUpdate().parse({})).toEqual({});
    expect(ListingUpdate().parse({ beds: null })).toEqual({ beds: null });
  });

  it.each([
    ['deep', { door_code: { a: { b: { c: { d: { e: { f: { g: { h: { i: 1 } } } } } } } } } }],
    ['huge numbers', { door_code: { a: 1e300 } }],
    ['empty names', { door_code: { '': 1 } }],
    ['too much text', { door_code: { a: 'x'.repeat(4000) } }],
    ['too fine a percentage', { last_minute_discount: 1e-200 }],
    ['too fine a rate', { commission_rate: 1e-200 }],
    ['an empty view', { view_types: [''] }],
  ])('refuses what the table could not hold or is certainly a mistake: %s', (_, given) => {
    expect(ListingCreate().safeParse({ ...least, ...given }).success).toBe(false);
  });

  it('rounds coordinates to the resolution of a map', () => {
    const { latitude, longitude } = ListingCreate().parse({
      ...least,
      latitude: 1e-200,
      longitude: 108.123456789,
    });
    expect([latitude, longitude]).toEqual([0, 108.12345679]);
  });

  it('has money in the minor unit of its currency', () => {
    const amenities = [{ id: 1, amenity_id: 704, is_private: false, is_chargeable: true, price: 0.001 }];
    const priced = stored({
      currency: 'USD',
      full_rate: 0.01,
      cleaning_fee: 0.001,
      early_check_in_fee: 0.001,
      late_check_out_fee: 0.015,
      prices_by_week: { 6: 1.005 },
      amenities,
    });
    expect(listingMoneyIssues(priced).map(({ path }) => path)).toEqual([
      'cleaning_fee',
      'early_check_in_fee',
      'late_check_out_fee',
      'prices_by_week.6',
      'amenities[0].price',
    ]);
    const dinars = { ...priced, currency: 'KWD' };
    expect(listingMoneyIssues(dinars)).toEqual([]);
  });
});

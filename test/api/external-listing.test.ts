import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ExternalListing } from '../../shared/domain/listing/external-listing.schema.ts';
import type { Listing } from '../../shared/domain/listing/listing.entity.ts';
import { ParkingRulesEntity } from '../../shared/domain/listing/parking.store.ts';
import { PoliciesEntity } from '../../shared/domain/listing/policies.store.ts';
import { PutPolicies } from '../../shared/domain/listing/policies.schema.ts';
import { PricePartsEntity } from '../../shared/domain/pricing/price-parts.entity.ts';
import { put } from '../../shared/platform/table/index.ts';
import { ok, type OrderScene, orderScene, refusal, stopClock, type Who } from '../support/order-scene.ts';

let s: OrderScene;
let partner: Who;
beforeAll(async () => {
  s = await orderScene();
});
beforeEach(async () => {
  stopClock();
  partner = await s.partner({ team_ids: [s.a.team_id] });
});
afterAll(() => void vi.useRealTimers());

const read = (id: number | string, who: Who = partner) =>
  s.get<ExternalListing>(who, `/api/v1/external/listings/${id}`);

const created_at = '2027-01-10T08:30:00.000Z';
const service = (id: number, is_active: boolean) => ({
  ...{ id, service_name: 'Breakfast', description: null, price: 50_000, price_unit: 'per_person' as const },
  ...{ is_required: false, is_active, created_at },
});
const combo = (id: number, is_active: boolean) => ({
  ...{ id, name: 'Night', start_time: '20:00:00', end_time: '10:00:00', original_price: 900_000 },
  ...{ discounted_price: 750_000, combo_type: 'overnight' as const, priority: 0, is_active },
});
const rule = (id: number, is_active: boolean) => ({
  ...{ id, date_type: 'ALWAYS' as const, day_of_week: null, date_from: null, date_to: null, priority: 0 },
  ...{ charge_unit: 'PER_NIGHT' as const, stay_type: 'ANY' as const, price: 800_000, is_active },
});

/** Gives a listing everything that a page shows, active and inactive. */
const furnish = async ({ id: listing_id }: Listing) => {
  const of = <Part>(part: (id: number, is_active: boolean) => Part) =>
    [part(1, true), part(2, false)].map((one) => ({ ...one, listing_id }));
  const parking = {
    ...{ id: 5, listing_id, vehicle_type: 'car' as const, is_free: false, price: 100_000, currency: 'VND' },
    ...{ location_type: 'nearby' as const, distance_in_meters: 150, description: '' },
  };
  const { refund_rule: _, ...rules } = PutPolicies.parse({ pet_allowed: true, other_rules: 'Shoes off.' });
  await s.deps.table.transact([
    put(PoliciesEntity, { ...rules, listing_id, created_at }),
    put(ParkingRulesEntity, { listing_id, version: 1, rules: [parking] }),
    put(PricePartsEntity, {
      ...{ listing_id, version: 1, combos: of(combo), services: of(service), rules: of(rule) },
    }),
  ]);
  return { parking };
};

describe('GET /external/listings/{listing_id}', () => {
  it('is the listing of the list with all that a page shows; inactive price parts are left out', async () => {
    const listing = await s.listing({
      refund_rule: 'Full refund until 3 days before check-in.',
      amenities: [{ id: 9, amenity_id: 201, is_private: false, is_chargeable: false, price: 0 }],
    });
    const { parking } = await furnish(listing);
    const found = ok(await read(listing.id));
    const listed = ok(
      await s.get<{ items: object[] }>(partner, '/api/v1/external/listings', { limit: 100 }),
    ).items.find((one) => (one as { id: number }).id === listing.id);
    expect(found).toMatchObject(listed!);
    const listing_id = listing.id;
    expect(found).toMatchObject({
      policies: {
        listing_id,
        pet_allowed: true,
        other_rules: 'Shoes off.',
        refund_rule: listing.refund_rule,
      },
      parking_rules: { car: parking },
      extra_services: [{ ...service(1, true), listing_id }],
      combo_prices: [{ ...combo(1, true), listing_id }],
      pricing_rules: [{ ...rule(1, true), listing_id }],
      cancellation_terms: [{ until_hours_before: 72, refund_percent: 100 }],
    });
    expect(found.amenity_categories.flatMap(({ amenities }) => amenities)).toMatchObject([
      { amenity_id: 201 },
    ]);
    expect([found.extra_services, found.combo_prices, found.pricing_rules].map((all) => all.length)).toEqual([
      1, 1, 1,
    ]);
  });

  it('of a plain listing says that nothing more is there', async () => {
    const listing = await s.listing({ refund_rule: 'Non-refundable' });
    expect(ok(await read(listing.id))).toMatchObject({
      ...{ id: listing.id, amenity_categories: [], parking_rules: {}, extra_services: [] },
      ...{ combo_prices: [], pricing_rules: [], cancellation_terms: [] },
      policies: { pet_allowed: false },
    });
  });

  it('keeps what guests and hosts alone may know', async () => {
    const listing = await s.listing({
      ...{
        wifi_name: 'Mây',
        wifi_password: 'rung-thong',
        door_code: { gate: '4711' },
        commission_rate: 0.15,
      },
    });
    expect(ok(await read(listing.id))).toMatchObject({
      ...{ wifi_name: null, wifi_password: null, door_code: null, commission_rate: null },
    });
  });

  it.each(['DRAFT', 'ACTIVE', 'INACTIVE'] as const)('shows a %s one', async (state) => {
    expect(ok(await read((await s.listing({ state })).id))).toMatchObject({ state });
  });

  it('is the same error for an archived one, another team’s and one that does not exist', async () => {
    const archived = await s.listing({ state: 'ARCHIVED' });
    const foreign = await s.listing({ team_id: s.b.team_id });
    for (const id of [archived.id, foreign.id, 4_711_000_000])
      expect(refusal(await read(id)).code).toBe('EXTERNAL_LISTING_NOT_ACCESSIBLE');
    expect(refusal(await read('x')).code).toBe('VALIDATION_ERROR');
    expect((await read(archived.id, s.guest)).status).toBe(401);
  });
});

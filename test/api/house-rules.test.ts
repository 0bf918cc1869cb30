import { beforeAll, describe, expect, it } from 'vitest';
import { listings } from '../../functions/listings/index.ts';
import { listingsRoutes } from '../../functions/listings/routes.ts';
import type { UserCaller } from '../../shared/platform/auth.ts';
import { groupCalls, type GroupCalls } from '../support/group-calls.ts';
import { testListing } from '../support/listings.ts';
import { freshId, type TestDependencies, testDependencies, testUser } from '../support/table.ts';

let deps: TestDependencies;
let api: GroupCalls<(typeof listingsRoutes)['routes']>;
let owner: UserCaller;
let staff: UserCaller;
let stranger: UserCaller;
let guest: UserCaller;
const team_id = freshId();

beforeAll(async () => {
  deps = await testDependencies();
  api = groupCalls(
    listings(() => deps),
    listingsRoutes,
  );
  const member = async (role: 'OWNER' | 'STAFF', team: number) =>
    (await testUser(deps, { memberships: [{ team_id: team, role }] })).caller;
  owner = await member('OWNER', team_id);
  staff = await member('STAFF', team_id);
  stranger = await member('OWNER', freshId());
  guest = (await testUser(deps)).caller;
});

const listing = (given: object = {}) => testListing(deps, { team_id, ...given });
const at = (listing_id: number, body?: object) => ({ params: { listing_id }, body });
const ruleAt = (listing_id: number, rule_id: number, body?: object) => ({
  params: { listing_id, rule_id },
  body,
});

const car = { vehicle_type: 'car', price: 100_000, location_type: 'nearby', distance_in_meters: 150 };
const motorbike = { vehicle_type: 'motorbike', is_free: true, location_type: 'on_site' };

describe('parking rules', () => {
  it('are created whole, listed by vehicle, changed and removed', async () => {
    const { id } = await listing();
    const created = await api.ok(owner, 'createParkingRule', at(id, car));
    expect(created).toEqual({
      ...car,
      id: created.id,
      listing_id: id,
      is_free: false,
      currency: 'VND',
      description: '',
    });
    const other = await api.ok(owner, 'createParkingRule', at(id, motorbike));
    expect(await api.ok(guest, 'listParkingRules', at(id))).toEqual({ car: created, motorbike: other });
    const changed = await api.ok(owner, 'updateParkingRule', ruleAt(id, created.id, { price: 50_000 }));
    expect(changed).toEqual({ ...created, price: 50_000 });
    expect(await api.ok(owner, 'deleteParkingRule', ruleAt(id, created.id))).toMatchObject({
      id: created.id,
    });
    expect(await api.ok(guest, 'listParkingRules', at(id))).toEqual({ motorbike: other });
  });

  it('are one a vehicle type, also when two come at once or one changes its type', async () => {
    const { id } = await listing();
    const both = await Promise.allSettled([
      api.ok(owner, 'createParkingRule', at(id, car)),
      api.ok(owner, 'createParkingRule', at(id, car)),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await api.refusal(owner, 'createParkingRule', at(id, car))).toMatchObject({
      status: 400,
      paths: ['vehicle_type'],
    });
    const other = await api.ok(owner, 'createParkingRule', at(id, motorbike));
    const change = ruleAt(id, other.id, { vehicle_type: 'car' });
    expect(await api.refusal(owner, 'updateParkingRule', change)).toMatchObject({ paths: ['vehicle_type'] });
  });

  it('are checked as a whole', async () => {
    const { id } = await listing();
    const refusal = (body: object) => api.refusal(owner, 'createParkingRule', at(id, body));
    expect(await refusal({ ...car, is_free: true })).toMatchObject({ paths: ['price'] });
    const { price: _, ...unpriced } = car;
    expect(await refusal(unpriced)).toMatchObject({ paths: ['price'] });
    expect(await refusal({ ...car, price: 0 })).toMatchObject({ paths: ['price'] });
    expect(await refusal({ ...car, price: 0.5 })).toMatchObject({ paths: ['price'] });
    expect(await refusal({ ...car, vehicle_type: 'boat', location_type: 'roof' })).toMatchObject({
      paths: ['vehicle_type', 'location_type'],
    });
    const { id: ruleId } = await api.ok(owner, 'createParkingRule', at(id, car));
    const free = ruleAt(id, ruleId, { is_free: true, price: 5000 });
    expect(await api.refusal(owner, 'updateParkingRule', free)).toMatchObject({ paths: ['price'] });
  });

  it('lose their price with is_free: true alone, and take one only with is_free: false', async () => {
    const { id } = await listing();
    const { id: ruleId } = await api.ok(owner, 'createParkingRule', at(id, car));
    const free = await api.ok(owner, 'updateParkingRule', ruleAt(id, ruleId, { is_free: true }));
    expect(free).toMatchObject({ is_free: true, price: 0 });
    const unpriced = ruleAt(id, ruleId, { is_free: false });
    expect(await api.refusal(owner, 'updateParkingRule', unpriced)).toMatchObject({ paths: ['price'] });
    const priced = { price: 50_000 };
    expect(await api.refusal(owner, 'updateParkingRule', ruleAt(id, ruleId, priced))).toMatchObject({
      paths: ['price'],
    });
    const paid = ruleAt(id, ruleId, { is_free: false, ...priced });
    expect(await api.ok(owner, 'updateParkingRule', paid)).toMatchObject({ is_free: false, ...priced });
  });

  it('say that there is no parking, at no price', async () => {
    const { id } = await listing();
    const none = { vehicle_type: 'car', location_type: 'none' };
    expect(await api.ok(owner, 'createParkingRule', at(id, none))).toMatchObject({
      is_free: false,
      price: 0,
    });
  });

  it('are refused to strangers and a weak role, and belong to their listing', async () => {
    const { id } = await listing();
    const rule = await api.ok(owner, 'createParkingRule', at(id, car));
    const calls = [
      ['createParkingRule', at(id, motorbike)],
      ['updateParkingRule', ruleAt(id, rule.id, { price: 1 })],
      ['deleteParkingRule', ruleAt(id, rule.id)],
    ] as const;
    for (const [operation, asked] of calls) {
      expect(await api.refusal(staff, operation, asked)).toMatchObject({ code: 'FORBIDDEN' });
      expect(await api.refusal(stranger, operation, asked)).toMatchObject({ code: 'FORBIDDEN' });
    }
    const { id: elsewhere } = await listing();
    const misplaced = ruleAt(elsewhere, rule.id, {});
    expect(await api.refusal(owner, 'updateParkingRule', misplaced)).toMatchObject({ code: 'NOT_FOUND' });
    expect(await api.refusal(owner, 'deleteParkingRule', misplaced)).toMatchObject({ code: 'NOT_FOUND' });
    const { id: draft } = await listing({ state: 'DRAFT' });
    expect(await api.refusal(guest, 'listParkingRules', at(draft))).toMatchObject({
      code: 'LISTING_NOT_FOUND',
    });
  });
});

describe('policies', () => {
  it('allow nothing until the host says so', async () => {
    const { id, refund_rule, created_at } = await listing();
    expect(await api.ok(guest, 'getPolicies', at(id))).toEqual({
      id,
      listing_id: id,
      outside_food_allowed: false,
      party_allowed: false,
      smoking_allowed: false,
      photography_allowed: false,
      pet_allowed: false,
      id_card_required: false,
      quiet_time_start: null,
      quiet_time_end: null,
      other_rules: '',
      refund_rule,
      created_at,
    });
  });

  it('are one record, created and replaced by PUT', async () => {
    const { id } = await listing();
    const quiet = { quiet_time_start: '22:00', quiet_time_end: '06:00' };
    const first = await api.ok(owner, 'putPolicies', at(id, { pet_allowed: true, ...quiet }));
    expect(first).toMatchObject({ pet_allowed: true, quiet_time_start: '22:00:00' });
    deps.clock.advance(1000);
    const second = await api.ok(owner, 'putPolicies', at(id, { smoking_allowed: true }));
    expect(second).toMatchObject({ pet_allowed: false, smoking_allowed: true, quiet_time_start: null });
    expect(second.created_at).toBe(first.created_at);
    expect(await api.ok(guest, 'getPolicies', at(id))).toEqual(second);
  });

  it('share the refund rule with the listing', async () => {
    const { id } = await listing();
    const refund_rule = 'Full refund until 7 days before check-in.';
    await api.ok(owner, 'putPolicies', at(id, { refund_rule }));
    expect(await api.ok(guest, 'getListing', at(id))).toMatchObject({ refund_rule });
    await api.ok(owner, 'updateListing', at(id, { refund_rule: 'Non-refundable' }));
    expect(await api.ok(guest, 'getPolicies', at(id))).toMatchObject({ refund_rule: 'Non-refundable' });
  });

  it('refuse a new refund rule that cannot be read exactly, and leave an old one alone', async () => {
    const rule = 'Hoàn 50% trước 7 ngày';
    const { id } = await listing();
    const refused = { code: 'VALIDATION_ERROR', paths: ['refund_rule'] };
    const body = { refund_rule: rule };
    expect(await api.refusal(owner, 'putPolicies', at(id, body))).toMatchObject(refused);
    expect(await api.refusal(owner, 'updateListing', at(id, body))).toMatchObject(refused);
    const created = listingsRoutes.routes.createListing.examples.body;
    expect(await api.refusal(owner, 'createListing', { body: { ...created, ...body } })).toMatchObject(
      refused,
    );
    const old = await listing({ refund_rule: rule });
    await api.ok(owner, 'updateListing', at(old.id, { name: 'Nhà cũ', refund_rule: rule }));
    await api.ok(owner, 'putPolicies', at(old.id, { refund_rule: rule }));
  });

  it('refuse half a quiet time, a weak role and strangers', async () => {
    const { id } = await listing();
    const refusal = (who: UserCaller, body: object) => api.refusal(who, 'putPolicies', at(id, body));
    expect(await refusal(owner, { quiet_time_start: '22:00:00' })).toMatchObject({
      paths: ['quiet_time_end'],
    });
    expect(await refusal(owner, { pet_allowed: 'yes' })).toMatchObject({ paths: ['pet_allowed'] });
    expect(await refusal(staff, {})).toMatchObject({ code: 'FORBIDDEN' });
    expect(await refusal(stranger, {})).toMatchObject({ code: 'FORBIDDEN' });
    const { id: draft } = await listing({ state: 'DRAFT' });
    expect(await api.refusal(guest, 'getPolicies', at(draft))).toMatchObject({ code: 'LISTING_NOT_FOUND' });
  });
});

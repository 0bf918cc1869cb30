import { beforeAll, describe, expect, it } from 'vitest';
import { prices } from '../../functions/prices/index.ts';
import { pricesRoutes } from '../../functions/prices/routes.ts';
import type { UserCaller } from '../../shared/platform/auth.ts';
import { type Asked, groupCalls, type GroupCalls } from '../support/group-calls.ts';
import { testListing } from '../support/listings.ts';
import { freshId, type TestDependencies, testDependencies, testUser } from '../support/table.ts';

type Operation = keyof (typeof pricesRoutes)['routes'];

let deps: TestDependencies;
let api: GroupCalls<(typeof pricesRoutes)['routes']>;
let owner: UserCaller;
let staff: UserCaller;
let stranger: UserCaller;
let guest: UserCaller;
const team_id = freshId();

beforeAll(async () => {
  deps = await testDependencies();
  api = groupCalls(
    prices(() => deps),
    pricesRoutes,
  );
  const member = async (role: 'OWNER' | 'STAFF', team: number) =>
    (await testUser(deps, { memberships: [{ team_id: team, role }] })).caller;
  owner = await member('OWNER', team_id);
  staff = await member('STAFF', team_id);
  stranger = await member('OWNER', freshId());
  guest = (await testUser(deps)).caller;
});

const listing = (given: object = {}) => testListing(deps, { team_id, ...given });
const of = (listing_id: number, body?: object): Asked => ({ params: { listing_id }, body });

/** A deletion takes no body. */
const bodiless = ({ params }: Asked): Asked => ({ ...(params && { params }) });

const night = { date_type: 'ALWAYS', charge_unit: 'PER_NIGHT', price: 900_000 };
const combo = {
  name: 'Weekend night',
  start_time: '20:00',
  end_time: '10:00',
  original_price: 900_000,
  discounted_price: 750_000,
  combo_type: 'overnight',
};
const breakfast = { service_name: 'Breakfast', price: 50_000, price_unit: 'per_person' };

/** The three kinds of price part, whose endpoints obey the same rules. */
const kinds = [
  {
    name: 'pricing rules',
    create: (id: number, given: object = {}): [Operation, Asked] => [
      'createPricingRule',
      of(id, { ...night, ...given }),
    ],
    list: 'listPricingRules',
    update: 'updatePricingRule',
    remove: 'deletePricingRule',
    ref: (_: number, rule_id: number) => ({ rule_id }),
    foreign: 'NOT_FOUND',
    change: { price: 800_000 },
    too_fine: { price: 0.5 },
    whole: {
      day_of_week: null,
      date_from: null,
      date_to: null,
      stay_type: 'ANY',
      priority: 0,
      is_active: true,
    },
  },
  {
    name: 'combo prices',
    create: (listing_id: number, given: object = {}): [Operation, Asked] => [
      'createComboPrice',
      { body: { listing_id, ...combo, ...given } },
    ],
    list: 'listComboPrices',
    update: 'updateComboPrice',
    remove: 'deleteComboPrice',
    ref: (_: number, combo_id: number) => ({ combo_id }),
    foreign: 'NOT_FOUND',
    change: { discounted_price: 700_000 },
    too_fine: { discounted_price: 0.5 },
    whole: { start_time: '20:00:00', end_time: '10:00:00', priority: 0, is_active: true },
  },
  {
    name: 'extra services',
    create: (id: number, given: object = {}): [Operation, Asked] => [
      'createExtraService',
      of(id, { ...breakfast, ...given }),
    ],
    list: 'listExtraServices',
    update: 'updateExtraService',
    remove: 'deleteExtraService',
    ref: (listing_id: number, service_id: number) => ({ listing_id, service_id }),
    foreign: 'LISTING_NOT_FOUND',
    change: { price: 60_000 },
    too_fine: { price: 0.5 },
    whole: { description: null, is_required: false, is_active: true },
  },
] as const;

const created = async (who: UserCaller, [operation, asked]: [Operation, Asked]) =>
  (await api.ok(who, operation, asked)) as { id: number; listing_id: number };

describe.each(kinds)('$name', ({ create, list, update, remove, ref, foreign, change, too_fine, whole }) => {
  it('are created whole, listed, changed and removed', async () => {
    const { id } = await listing();
    expect(await api.ok(guest, list, of(id))).toEqual([]);
    const [one, two] = [await created(owner, create(id)), await created(owner, create(id))];
    expect(one).toMatchObject({ listing_id: id, ...whole });
    expect(await api.ok(guest, list, of(id))).toEqual([one, two]);
    const asked = { params: ref(id, one.id), body: change };
    expect(await api.ok(owner, update, asked)).toEqual({ ...one, ...change });
    expect(await api.ok(owner, remove, { params: ref(id, one.id) })).toMatchObject({ id: one.id });
    expect(await api.ok(guest, list, of(id))).toEqual([two]);
    for (const [operation, request] of [[update, asked] as const, [remove, bodiless(asked)] as const])
      expect(await api.refusal(owner, operation, request)).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  });

  it('are shown to guests while active, and with the listing only', async () => {
    const { id } = await listing();
    const hidden = await created(owner, create(id, { is_active: false }));
    expect(await api.ok(guest, list, of(id))).toEqual([]);
    expect(await api.ok(staff, list, of(id))).toEqual([hidden]);
    const { id: draft } = await listing({ state: 'DRAFT' });
    expect(await api.refusal(guest, list, of(draft))).toMatchObject({ code: 'LISTING_NOT_FOUND' });
    expect(await api.ok(owner, list, of(draft))).toEqual([]);
  });

  it('are refused to a weak role and to strangers, and unknown where the listing is', async () => {
    const { id } = await listing();
    const part = await created(owner, create(id));
    const asked = { params: ref(id, part.id), body: change };
    expect(await api.refusal(staff, ...create(id))).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    expect(await api.refusal(stranger, ...create(id))).toMatchObject({ code: 'FORBIDDEN' });
    const { id: draft } = await listing({ state: 'DRAFT' });
    const hidden = { params: ref(draft, (await created(owner, create(draft))).id), body: change };
    for (const [operation, sent] of [[update, (own: Asked) => own] as const, [remove, bodiless] as const]) {
      for (const who of [staff, stranger])
        expect(await api.refusal(who, operation, sent(asked))).toMatchObject({
          status: 403,
          code: 'FORBIDDEN',
        });
      expect(await api.refusal(stranger, operation, sent(hidden))).toMatchObject({
        status: 404,
        code: foreign,
      });
    }
    const unknown = { params: ref(id, freshId()), body: change };
    expect(await api.refusal(owner, update, unknown)).toMatchObject({ code: 'NOT_FOUND' });
    expect(await api.refusal(owner, ...create(freshId()))).toMatchObject({ code: 'LISTING_NOT_FOUND' });
  });

  it('fit the minor unit of the listing, at creation and after a change', async () => {
    const { id } = await listing();
    const paths = Object.keys(too_fine);
    expect(await api.refusal(owner, ...create(id, too_fine))).toMatchObject({ status: 400, paths });
    const part = await created(owner, create(id));
    const asked = { params: ref(id, part.id), body: too_fine };
    expect(await api.refusal(owner, update, asked)).toMatchObject({ status: 400, paths });
    const dollars = await listing({ currency: 'USD' });
    expect(await created(owner, create(dollars.id, too_fine))).toMatchObject(too_fine);
  });

  it('are repeated under one Idempotency-Key', async () => {
    const { id } = await listing();
    const [operation, asked] = create(id);
    const keyed = { ...asked, headers: { 'Idempotency-Key': `key-${freshId()}` } };
    const answers = await Promise.all([1, 2, 3].map(() => api.call(owner, operation, keyed)));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await api.ok(owner, list, of(id))).toHaveLength(1);
  });
});

describe('cross-field rules', () => {
  it.each([
    [{ date_type: 'WEEKDAY' }, ['day_of_week']],
    [{ date_type: 'ALWAYS', day_of_week: 3 }, ['day_of_week']],
    [{ date_type: 'DATE_RANGE', date_from: '2027-02-05' }, ['date_to']],
    [{ date_type: 'DATE_RANGE', date_from: '2027-02-05', date_to: '2027-02-04' }, ['date_to']],
    [{ date_type: 'SPECIFIC_DATE' }, ['date_from']],
    [{ date_type: 'DATE_RANGE', date_from: '2027-02-30', date_to: '2027-03-01' }, ['date_from']],
  ])('refuse the rule %j at %j', async (given, paths) => {
    const { id } = await listing();
    const asked = of(id, { ...night, ...given });
    expect(await api.refusal(owner, 'createPricingRule', asked)).toMatchObject({ status: 400, paths });
  });

  it('are judged on the merged record after a PATCH', async () => {
    const { id } = await listing();
    const range = { date_type: 'DATE_RANGE', date_from: '2027-02-05', date_to: '2027-02-10' };
    const rule = await api.ok(owner, 'createPricingRule', of(id, { ...night, ...range }));
    const refusal = (body: object) =>
      api.refusal(owner, 'updatePricingRule', { params: { rule_id: rule.id }, body });
    expect(await refusal({ date_to: '2027-02-04' })).toMatchObject({ paths: ['date_to'] });
    expect(await refusal({ date_type: 'WEEKDAY', day_of_week: 5 })).toMatchObject({
      paths: ['date_from', 'date_to'],
    });
    const made = await api.ok(owner, 'createComboPrice', { body: { listing_id: id, ...combo } });
    const dearer = { params: { combo_id: made.id }, body: { discounted_price: 900_001 } };
    expect(await api.refusal(owner, 'updateComboPrice', dearer)).toMatchObject({
      paths: ['discounted_price'],
    });
  });

  it.each([
    [{ combo_type: 'day_use', start_time: '18:00', end_time: '09:00' }, ['end_time']],
    [{ discounted_price: 900_001 }, ['discounted_price']],
    [{ combo_type: 'weekly' }, ['combo_type']],
  ])('refuse the combo %j at %j', async (given, paths) => {
    const { id } = await listing();
    const body = { listing_id: id, ...combo, ...given };
    expect(await api.refusal(owner, 'createComboPrice', { body })).toMatchObject({ status: 400, paths });
  });
});

describe('weekly prices', () => {
  it('are set by weekday and answered with the listing', async () => {
    const { id } = await listing({ prices_by_week: { 0: 1_200_000, 5: 1_100_000 } });
    const asked = of(id, { base_price_by_weekday: { 5: 1_500_000, 6: 1_500_000 } });
    const weekly = { 0: 1_200_000, 5: 1_500_000, 6: 1_500_000 };
    expect(await api.ok(owner, 'updateWeeklyPrices', asked)).toMatchObject({
      id,
      prices_by_week: weekly,
      base_price_by_weekday: weekly,
    });
  });

  it('refuse other keys and amounts, a weak role and strangers', async () => {
    const { id } = await listing();
    const refusal = (who: UserCaller, base_price_by_weekday: object) =>
      api.refusal(who, 'updateWeeklyPrices', of(id, { base_price_by_weekday }));
    expect(await refusal(owner, { 7: 1 })).toMatchObject({ paths: ['base_price_by_weekday.7'] });
    expect(await refusal(owner, { 6: -1 })).toMatchObject({ paths: ['base_price_by_weekday.6'] });
    expect(await refusal(owner, { 6: 0.5 })).toMatchObject({ paths: ['base_price_by_weekday.6'] });
    expect(await refusal(staff, { 6: 1 })).toMatchObject({ code: 'FORBIDDEN' });
    expect(await refusal(stranger, { 6: 1 })).toMatchObject({ code: 'FORBIDDEN' });
    expect(await refusal(guest, { 6: 1 })).toMatchObject({ code: 'FORBIDDEN' });
  });
});

describe('the price preview', () => {
  const stay = { check_in_date: '2027-02-04', check_out_date: '2027-02-07', guest_number: 4 };

  it('answers the worked example to the dong, with the lines it is made of', async () => {
    const { id } = await listing({ prices_by_week: { 5: 1_500_000, 6: 1_500_000 } });
    const range = { date_type: 'DATE_RANGE', date_from: '2027-02-05', date_to: '2027-02-10', priority: 10 };
    const rule = await api.ok(
      owner,
      'createPricingRule',
      of(id, { ...night, ...range, stay_type: 'OVERNIGHT', price: 2_000_000 }),
    );
    await api.ok(owner, 'createExtraService', of(id, { ...breakfast, is_required: true }));
    const body = { listing_id: id, ...stay, adult_number: 3, children_number: 1 };
    const preview = await api.ok(guest, 'previewPrice', { body });
    expect(preview).toMatchObject({
      base_price: 5_000_000,
      total_price: 5_650_000,
      currency: 'VND',
      pricing_type: 'nightly',
      breakdown: {
        nights: 3,
        nightly_rate: 1_666_667,
        extra_guests: 2,
        extra_guest_fee: 250_000,
        cleaning_fee: 200_000,
        extra_services_total: 200_000,
        total_discount: 0,
      },
    });
    expect(preview.lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(5_650_000);
    expect(preview.lines[1]).toMatchObject({ date: '2027-02-05', source: `rule:${rule.id}` });
  });

  it('says what is wrong with the stay, and nothing of a listing that is not visible', async () => {
    const { id } = await listing();
    const refusal = (who: UserCaller, body: object) => api.refusal(who, 'previewPrice', { body });
    expect(await refusal(guest, { ...stay, listing_id: id, check_out_date: '2027-02-03' })).toMatchObject({
      status: 400,
      paths: ['check_out_date'],
    });
    expect(await refusal(guest, { ...stay, listing_id: id, guest_number: 99 })).toMatchObject({
      paths: ['guest_number'],
    });
    const unpaid = { check_in_time: '00:00', check_out_time: '23:00' };
    expect(await refusal(guest, { ...stay, listing_id: id, ...unpaid })).toMatchObject({
      status: 400,
      paths: ['check_in_time', 'check_out_time'],
    });
    expect(await refusal(guest, { ...stay, listing_id: id, colour: 'red' })).toMatchObject({
      paths: ['colour'],
    });
    const { id: draft } = await listing({ state: 'DRAFT' });
    expect(await refusal(guest, { ...stay, listing_id: draft })).toMatchObject({ code: 'LISTING_NOT_FOUND' });
    expect((await api.call(owner, 'previewPrice', { body: { ...stay, listing_id: draft } })).status).toBe(
      200,
    );
  });
});

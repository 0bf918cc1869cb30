import { describe, expect, it } from 'vitest';
import { EventEntity } from '../../shared/platform/events/event.entity.ts';
import { ListingChangeEntity } from '../../shared/domain/listing/listing-change.entity.ts';
import type { ListingChanges } from '../../shared/domain/listing/listing-changes.schema.ts';
import { updateListing } from '../../shared/domain/listing/index.ts';
import { UserEntity } from '../../shared/domain/people/model.ts';
import { addPricePart, putStayRules } from '../../shared/domain/pricing/index.ts';
import { change, create } from '../../shared/platform/table/index.ts';
import { interrupted, writing } from '../support/interrupted.ts';
import { ok, refusal, stopClock, type Who, useOrderScene } from '../support/order-scene.ts';
import { testContext, testStart, testUser } from '../support/table.ts';

const s = useOrderScene();

type Home = { id: number };
type Line = ListingChanges['items'][number];
const api = '/api/v1';
const path = ({ id }: Home) => `${api}/listings/${id}`;
const log = async (home: Home, query: Record<string, string | number> = {}, who: Who = s.host) =>
  ok(await s.get<ListingChanges>(who, `/api/v1/listings/${home.id}/changes`, query));
const did = async (method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', at: string, body?: object) => {
  const reply = await s.call(method, at, { token: s.host.token, ...(body ? { body } : {}) });
  expect(reply.status, reply.text).toBeLessThan(300);
  return reply.body as { id: number };
};
const changesOf = ({ items }: ListingChanges) => items.map(({ changes }: Line) => changes);

const hostContext = async () => {
  const { caller } = await testUser(s.deps, { memberships: [{ team_id: s.a.team_id, role: 'OWNER' }] });
  return testContext(s.deps, caller);
};

const rule = {
  date_type: 'ALWAYS',
  charge_unit: 'PER_NIGHT',
  stay_type: 'ANY',
  price: 5000,
  priority: 1,
};

describe('GET /listings/{listing_id}/changes', () => {
  it('has who changed which field when, and what it was and is, newest first', async () => {
    const home = await s.listing({ full_rate: 900_000 });
    expect(await log(home)).toEqual({ items: [], next_cursor: null });
    await did('PATCH', path(home), { full_rate: 1_000_000, cleaning_fee: 7000 });
    stopClock('2027-01-16T03:00:00.000Z');
    await did('PATCH', path(home), { full_rate: 1_100_000 });
    const { user_id } = s.host;
    const who = { kind: 'host', id: user_id, name: expect.any(String) as string };
    const field = { field: 'full_rate', id: null };
    expect(await log(home)).toEqual({
      items: [
        {
          ...{ id: expect.any(Number) as number, changed_at: '2027-01-16T03:00:00.000Z', who },
          changes: [{ ...field, was: 1_000_000, now: 1_100_000 }],
        },
        {
          ...{ id: expect.any(Number) as number, changed_at: testStart, who },
          changes: [
            { field: 'cleaning_fee', id: null, was: home.cleaning_fee, now: 7000 },
            { ...field, was: 900_000, now: 1_000_000 },
          ],
        },
      ],
      next_cursor: null,
    });
  });

  it('has prices, rules, policies, parking, images and the end of a listing', async () => {
    const home = await s.listing();
    const made = await did('POST', `${api}/listing-pricing-rules/listings/${home.id}`, rule);
    expect(changesOf(await log(home))[0]).toEqual([
      { field: 'pricing_rules', id: made.id, was: null, now: expect.objectContaining(rule) as object },
    ]);
    await did('DELETE', `${api}/listing-pricing-rules/${made.id}`);
    expect(changesOf(await log(home))[0]).toMatchObject([{ id: made.id, was: { price: 5000 }, now: null }]);
    const service = { service_name: 'Breakfast', price: 5, price_unit: 'per_use' };
    const breakfast = await did('POST', `${path(home)}/extra-services`, service);
    await did('PATCH', `${path(home)}/extra-services/${breakfast.id}`, { price: 6 });
    expect(changesOf(await log(home))[0]).toMatchObject([
      { field: 'extra_services', id: breakfast.id, was: { price: 5 }, now: { price: 6 } },
    ]);
    await did('PUT', `${path(home)}/stay-rules`, { default: { min_nights: 2 } });
    expect(changesOf(await log(home))[0]).toMatchObject([
      { field: 'stay_rules.default', was: { min_nights: null }, now: { min_nights: 2 } },
    ]);
    await did('PUT', `${path(home)}/policies`, { refund_rule: 'Non-refundable' });
    expect(changesOf(await log(home))[0]).toMatchObject([
      { field: 'policies', now: { refund_rule: 'Non-refundable' } },
    ]);
    await did('POST', `${path(home)}/parking-rules`, {
      vehicle_type: 'car',
      is_free: true,
      location_type: 'on_site',
    });
    expect(changesOf(await log(home))[0]).toMatchObject([
      { field: 'parking_rules', was: null, now: { vehicle_type: 'car' } },
    ]);
    await did('PUT', `${path(home)}/images`, { images: [{ url: 'https://example.com/a.jpg' }] });
    expect(changesOf(await log(home))[0]).toMatchObject([
      { field: 'images', was: home.images, now: [{ url: 'https://example.com/a.jpg' }] },
    ]);
    await did('PATCH', `${path(home)}/pricing/weekly`, { base_price_by_weekday: { 5: 9000 } });
    expect(changesOf(await log(home))[0]).toMatchObject([{ field: 'prices_by_week', now: { 5: 9000 } }]);
    await did('DELETE', path(home));
    const lines = await s.deps.table.queryAll(ListingChangeEntity, {
      pk: ListingChangeEntity.partition({ listing_id: home.id }),
    });
    expect(lines.at(-1)?.changes).toEqual([{ field: 'state', was: '"ACTIVE"', now: '"ARCHIVED"' }]);
  });

  it('says that a code has changed, and not what it was or is', async () => {
    const home = await s.listing();
    await did('PATCH', path(home), { wifi_password: 'mot-hai-ba', door_code: { front: '4711' } });
    const { text } = await s.get(s.host, `${path(home)}/changes`);
    expect(text).toContain('wifi_password');
    expect(text).toContain('door_code');
    expect(text).not.toMatch(/mot-hai-ba|4711"/);
  });

  it('has no line of a request that changes nothing, or that is refused', async () => {
    const home = await s.listing({ full_rate: 900_000 });
    await did('PATCH', path(home), { full_rate: 900_000 });
    await did('PUT', `${path(home)}/stay-rules`, {});
    const refused = { ...rule, date_type: 'WEEKDAY' };
    const at = `${api}/listing-pricing-rules/listings/${home.id}`;
    expect((await s.call('POST', at, { token: s.host.token, body: refused })).status).toBe(400);
    expect((await log(home)).items).toEqual([]);
  });

  it('has one line of a change that another one came before', async () => {
    const home = await s.listing({ full_rate: 1 });
    const ctx = await hostContext();
    const meanwhile = () => updateListing(ctx, home.id, { full_rate: 2 });
    await updateListing(interrupted(ctx, meanwhile, writing('ListingChange')), home.id, { full_rate: 3 });
    expect(changesOf(await log(home))).toMatchObject([[{ was: 2, now: 3 }], [{ was: 1, now: 2 }]]);
  });

  it('is paged by cursor, and ends after 400 days', async () => {
    const home = await s.listing({ full_rate: 1 });
    for (const full_rate of [2, 3, 4]) {
      stopClock(`2027-01-1${full_rate + 4}T03:00:00.000Z`);
      await did('PATCH', path(home), { full_rate });
    }
    const first = await log(home, { limit: 2 });
    expect(changesOf(first)).toMatchObject([[{ now: 4 }], [{ now: 3 }]]);
    const second = await log(home, { limit: 2, cursor: first.next_cursor! });
    expect([changesOf(second), second.next_cursor]).toMatchObject([[[{ now: 2 }]], null]);
    stopClock('2028-02-21T02:59:59.000Z');
    Object.assign(s, await s.people());
    expect(changesOf(await log(home))).toHaveLength(2);
    stopClock('2028-02-21T03:00:00.000Z');
    expect(await log(home, { limit: 2 })).toMatchObject({ items: [{}], next_cursor: null });
    const last = (await log(home, { limit: 1 })).next_cursor!;
    expect(await log(home, { limit: 1, cursor: last })).toEqual({ items: [], next_cursor: null });
  });

  it('has short pages of large changes, which no answer of a function could have together', async () => {
    const home = await s.listing();
    const large = JSON.stringify('é'.repeat(150_000));
    for (let change_id = 1; change_id <= 22; change_id++)
      await s.deps.table.transact([
        create(ListingChangeEntity, {
          ...{ listing_id: home.id, change_id, changed_at: testStart, actor: `user:${s.host.user_id}` },
          changes: [{ field: 'stay_rules.date_rules', was: 'null', now: large }],
        }),
      ]);
    const pages: number[][] = [];
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const page: ListingChanges = await log(home, { limit: 15, ...(cursor ? { cursor } : {}) });
      expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(3_100_000);
      pages.push(page.items.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    expect(pages.map(({ length }) => length)).toEqual([9, 9, 4]);
    expect(pages.flat()).toEqual(Array.from({ length: 22 }, (_, at) => 22 - at));
  });

  it('names an account as it is called now', async () => {
    const home = await s.listing();
    await did('PATCH', path(home), { full_rate: 1 });
    const { user_id } = s.host;
    await s.deps.table.transact([change(UserEntity, { user_id }, { set: { full_name: '[erased]' } })]);
    expect((await log(home)).items[0]?.who).toEqual({ kind: 'host', id: user_id, name: '[erased]' });
  });

  it('is for the hosts of the team alone', async () => {
    const home = await s.listing();
    const at = `${path(home)}/changes`;
    expect((await s.get(s.staff, at)).status).toBe(200);
    for (const who of [s.guest, s.otherHost]) expect(refusal(await s.get(who, at)).code).toBe('FORBIDDEN');
    const hidden = await s.listing({ state: 'INACTIVE' });
    expect(refusal(await s.get(s.otherHost, `${path(hidden)}/changes`)).code).toBe('LISTING_NOT_FOUND');
  });
});

describe('listing.rules_changed', () => {
  const range = (from: string, to: string, given: object = {}) => ({
    ...{ date_from: from, date_to: to, min_nights: 3 },
    ...given,
  });
  const rulesChanged = async (home: Home) =>
    (await s.deps.table.queryAll(EventEntity, { pk: `LISTING#${home.id}`, prefix: 'EVENT#' }))
      .filter(({ event_type }) => event_type === 'listing.rules_changed')
      .map(({ data: { id: _, ...data } }) => data);
  const put = (home: Home, body: object) =>
    did('PUT', `${path(home)}/stay-rules`, body) as unknown as Promise<{ date_rules: object[] }>;

  it('names the fields that have changed and the dates of the changed rules', async () => {
    const home = await s.listing();
    const { date_rules } = await put(home, { date_rules: [range('2027-06-07', '2027-06-10')] });
    await put(home, { date_rules });
    await put(home, { date_rules: [...date_rules, range('2027-07-01', '2027-07-02')] });
    await put(home, { date_rules, min_notice_hours: 5 });
    const dates = (changed: string[], date_from: string | null, date_to: string | null) => ({
      ...{ changed, date_from, date_to },
    });
    expect(await rulesChanged(home)).toEqual([
      dates(['date_rules'], '2027-06-07', '2027-06-10'),
      dates(['date_rules'], '2027-07-01', '2027-07-02'),
      dates(['min_notice_hours', 'date_rules'], null, null),
    ]);
  });

  it('has the dates of rules that are only in another order, and of one that is removed', async () => {
    const home = await s.listing();
    const [first, second, third] = [
      range('2027-06-01', '2027-06-02'),
      range('2027-06-20', '2027-07-05'),
      range('2027-06-10', '2027-06-12'),
    ];
    const { date_rules } = await put(home, { date_rules: [first, second, third] });
    const [one, two, three] = date_rules;
    await put(home, { date_rules: [one, three, two] });
    await put(home, { date_rules: [one, two] });
    expect((await rulesChanged(home)).slice(1)).toMatchObject([
      { date_from: '2027-06-10', date_to: '2027-07-05' },
      { date_from: '2027-06-10', date_to: '2027-06-12' },
    ]);
  });

  it('is not emitted by a change of prices', async () => {
    const home = await s.listing();
    const ctx = await hostContext();
    await putStayRules(ctx, home.id, { ...nothing, min_notice_hours: 2 });
    await addPricePart(ctx, 'rules', home.id, {
      ...{
        ...rule,
        date_type: 'ALWAYS' as const,
        charge_unit: 'PER_NIGHT' as const,
        stay_type: 'ANY' as const,
      },
      ...{ day_of_week: null, date_from: null, date_to: null, is_active: true },
    });
    expect(await rulesChanged(home)).toHaveLength(1);
  });
});

const nothing = {
  default: {
    min_nights: null,
    max_nights: null,
    closed_to_arrival: null,
    closed_to_departure: null,
    closed: null,
  },
  min_notice_hours: null,
  booking_window_days: null,
  date_rules: [],
};

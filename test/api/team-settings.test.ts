import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Listing } from '../../shared/domain/listing/listing.entity.ts';
import { memberEventsOf } from '../../shared/domain/people/team.store.ts';
import type { Role } from '../../shared/platform/auth.ts';
import { type Api, api, type Asked, type Reply } from '../support/api.ts';
import { eventsOf } from '../support/events.ts';
import { freshId, testTeam, testUser } from '../support/table.ts';

let s: Api;
beforeAll(async () => void (s = await api()));

let team_id: number;
let owner: Asked;
beforeEach(async () => {
  ({ team_id } = await testTeam(s.deps, { name: 'Hoa Nắng' }));
  owner = await member('OWNER');
});

const member = async (role: Role): Promise<Asked> => {
  const { caller } = await testUser(s.deps, { phone: '+84 900 000 001', memberships: [{ team_id, role }] });
  return { token: caller.subject };
};
const get = (who = owner) => s.call('GET', '/api/v1/team', who);
const patch = (body: object, who = owner) => s.call('PATCH', '/api/v1/team', { ...who, body });
/** The first field that is refused. */
const refusedField = ({ body }: Reply): string =>
  (body as { details: { issues: { path: string }[] } }).details.issues[0]!.path;
const changes = async () =>
  (await eventsOf(s.deps.table, memberEventsOf(team_id))).map(({ event_type, data }) => ({
    event_type,
    ...data,
  }));
const unset = {
  ...{ language: null, contact_name: null, contact_phone: null, contact_email: null, logo_url: null },
  ...{ default_standard_check_in_time: null, default_standard_check_out_time: null },
  ...{ default_timezone: null, default_currency: null, default_payment_methods: null },
  ...{ default_refund_rule: null, default_cancellation_terms: null },
};
const contact = {
  contact_name: 'Trần Thị Hoa',
  contact_phone: '+84 912 345 678',
  contact_email: 'xin-chao@hoanang.example',
  logo_url: 'https://images.example.com/hoa-nang.png',
};
const steps = [{ until_hours_before: 48, refund_percent: 80, keep_nights: 1 }];

describe('a team’s settings', () => {
  it('are read by every host of it, and changed by its owners', async () => {
    expect((await patch(contact)).status).toBe(200);
    for (const role of ['OWNER', 'MANAGER', 'STAFF'] as const)
      expect(await get(await member(role))).toMatchObject({
        status: 200,
        body: { team_id, name: 'Hoa Nắng', ...unset, ...contact },
      });
    for (const role of ['MANAGER', 'STAFF', 'CUSTOMER'] as const)
      expect(await patch({ name: 'x' }, await member(role))).toMatchObject({
        status: 403,
        body: { code: 'FORBIDDEN' },
      });
    const guest = { ...owner, claims: { azp: 'guests' } };
    expect([(await get(await member('CUSTOMER'))).status, (await patch(contact, guest)).status]).toEqual([
      403, 403,
    ]);
  });

  it('of a team that does not exist are not found', async () => {
    const { caller } = await testUser(s.deps, { system_role: 'ADMIN' });
    const nowhere = { token: caller.subject, team: freshId() };
    for (const reply of [await get(nowhere), await patch({ name: 'x' }, nowhere)])
      expect(reply).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });

  it('change where the request says so: null takes a value out, what it leaves out stays', async () => {
    await patch({ ...contact, language: 'en', default_payment_methods: ['CASH'] });
    const reply = await patch({ contact_phone: null, default_payment_methods: null, name: ' Hoa  Vàng ' });
    const { contact_phone: _, ...others } = contact;
    const now = { team_id, ...unset, ...others, language: 'en', name: 'Hoa  Vàng' };
    expect(reply.body).toEqual({ ...now, created_at: expect.any(String) as string });
    expect((await get()).body).toEqual(reply.body);
  });

  it('that change are in one event, by their names alone; the same again changes nothing', async () => {
    await patch(contact);
    await patch(contact);
    await patch({});
    await patch({ ...contact, contact_name: null });
    expect(await changes()).toEqual([
      { event_type: 'team.updated', id: team_id, team_id, changed: Object.keys(contact) },
      { event_type: 'team.updated', id: team_id, team_id, changed: ['contact_name'] },
    ]);
  });

  it.each([
    ['name', null],
    ['name', ''],
    ['name', 'x'.repeat(256)],
    ['name', 'NightLatch  Security'],
    ['name', 'Ｎight-látch'],
    ['name', 'two\nlines'],
    ['language', 'fr'],
    ['contact_name', 'x'.repeat(201)],
    ['contact_phone', '12'],
    ['contact_email', 'hoa'],
    ['logo_url', 'http://images.example.com/logo.png'],
    ['logo_url', 'https://user:secret@images.example.com/logo.png'],
    ['default_standard_check_in_time', '25:00'],
    ['default_standard_check_out_time', 'noon'],
    ['default_timezone', 'Mars/Olympus'],
    ['default_currency', 'dong'],
    ['default_payment_methods', []],
    ['default_payment_methods', ['CASH', 'CASH']],
    ['default_refund_rule', '50 % until 7 days, 20 % until 3 days'],
    ['default_cancellation_terms', []],
    ['default_full_rate', 1],
  ])('refuse %s: %j', async (field, value) => {
    const reply = await patch({ [field]: value });
    expect(reply).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
    expect(refusedField(reply)).toBe(field);
  });

  it('take any text of terms while there are steps, and keep it readable when they go', async () => {
    const words = { default_refund_rule: '80 % until 2 days before, less the first night' };
    expect((await patch({ ...words, default_cancellation_terms: steps })).status).toBe(200);
    const refused = await patch({ default_cancellation_terms: null });
    expect(refusedField(refused)).toBe('default_refund_rule');
    expect((await patch({ default_cancellation_terms: null, default_refund_rule: null })).status).toBe(200);
    expect((await patch(words)).status).toBe(400);
  });

  it('have the telephone number that guests see of the host, in place of the first owner’s', async () => {
    const guest = await testUser(s.deps);
    const created = await listed({ state: 'ACTIVE' });
    const day = (days: number) => new Date(s.deps.clock.now() + days * 86_400_000).toISOString().slice(0, 10);
    const stay = { listing_id: created.id, check_in_date: day(20), check_out_date: day(21), guest_number: 1 };
    const asGuest = { token: guest.caller.subject };
    const body = { items: [stay], payment_method: 'CASH' };
    const booked = await s.call('POST', '/api/v1/checkout/confirm', { ...asGuest, body });
    const { reservations } = booked.body as { reservations: { id: number }[] };
    const read = () => s.call('GET', `/api/v1/bookings/${reservations[0]!.id}`, asGuest);
    expect(await read()).toMatchObject({ body: { host_info: { phone: '+84 900 000 001' } } });
    await patch(contact);
    expect(await read()).toMatchObject({
      body: { host_info: { name: 'Hoa Nắng', phone: contact.contact_phone } },
    });
  });
});

const listed = async (given: object = {}): Promise<Listing> => {
  const body = {
    ...{ name: 'Villa', listing_type: 'ENTIRE_PLACE', property_type: 'VILLA', address: '12 Trần Hưng Đạo' },
    ...{ province_code: 'LD', capacity: 6, full_rate: 100, ...given },
  };
  const reply = await s.call('POST', '/api/v1/listings', { ...owner, body });
  if (reply.status !== 201) throw new Error(reply.text);
  return reply.body as Listing;
};

describe('a new listing', () => {
  const defaults = {
    ...{ default_standard_check_in_time: '15:00', default_standard_check_out_time: '11:00:00' },
    ...{ default_timezone: 'Asia/Bangkok', default_currency: 'THB', default_payment_methods: ['CASH'] },
    ...{ default_refund_rule: 'Our own words', default_cancellation_terms: steps },
  };
  const ofTeam = {
    ...{ standard_check_in_time: '15:00:00', standard_check_out_time: '11:00:00' },
    ...{ timezone: 'Asia/Bangkok', currency: 'THB', payment_methods: ['CASH'] },
    ...{ refund_rule: 'Our own words', cancellation_terms: steps },
  };
  const ofAll = {
    ...{ standard_check_in_time: null, standard_check_out_time: null },
    ...{ timezone: 'Asia/Ho_Chi_Minh', currency: 'VND' },
    payment_methods: ['CASH', 'BANK_TRANSFER', 'ONLINE_GATEWAY'],
    ...{ refund_rule: '', cancellation_terms: null },
  };

  it('has the team’s defaults where the request leaves fields out; listings from before stay', async () => {
    const before = await listed();
    expect(before).toMatchObject(ofAll);
    await patch(defaults);
    expect(await listed()).toMatchObject(ofTeam);
    const again = await s.call('GET', `/api/v1/listings/${before.id}`, owner);
    expect(again.body).toMatchObject(ofAll);
    await patch(Object.fromEntries(Object.keys(defaults).map((name) => [name, null])));
    expect(await listed()).toMatchObject(ofAll);
  });

  it('has what the request says, null too', async () => {
    await patch(defaults);
    const own = {
      ...{ standard_check_in_time: null, standard_check_out_time: '10:30:00', timezone: 'Asia/Tokyo' },
      ...{ currency: 'JPY', payment_methods: ['BANK_TRANSFER'], refund_rule: 'STRICT' },
    };
    expect(await listed(own)).toMatchObject({ ...own, cancellation_terms: null });
  });

  it('whose request gives a text or steps has no other terms of the team', async () => {
    await patch(defaults);
    const text = { refund_rule: 'FLEXIBLE' };
    expect(await listed(text)).toMatchObject({ ...text, cancellation_terms: null });
    const own = [{ until_hours_before: 24, refund_percent: 50, keep_nights: 0 }];
    expect(await listed({ cancellation_terms: own })).toMatchObject({
      refund_rule: '',
      cancellation_terms: own,
    });
    await patch({ default_refund_rule: 'STRICT' });
    expect(await listed({ cancellation_terms: null })).toMatchObject({
      refund_rule: 'STRICT',
      cancellation_terms: null,
    });
  });

  it('of a house is in the zone of the house, whatever the team’s is', async () => {
    const house = await listed({ timezone: 'Asia/Tokyo' });
    await patch(defaults);
    expect(await listed({ parent_listing_id: house.id })).toMatchObject({ timezone: 'Asia/Tokyo' });
  });
});

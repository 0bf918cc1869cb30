import { describe, expect, it } from 'vitest';
import { moveBooking, rotateGuestLink } from '../../shared/domain/booking/index.ts';
import { correctGuest } from '../../shared/domain/booking/correct-guest.ts';
import { OrderEntity } from '../../shared/domain/booking/order.entity.ts';
import { ReservationEntity } from '../../shared/domain/booking/reservation.entity.ts';
import { erasedText } from '../../shared/platform/table/personal-data.ts';
import { orderIdOf } from '../../shared/platform/ids.ts';
import { change } from '../../shared/platform/table/index.ts';
import type { BookingDetail } from '../../shared/domain/booking/booking.schema.ts';
import { eventsOf } from '../support/events.ts';
import { interrupted } from '../support/interrupted.ts';
import {
  guest_info,
  key,
  ok,
  refusal as refusalOf,
  type ReplyOf,
  stay,
  stopClock,
  useOrderScene,
  type Who,
} from '../support/order-scene.ts';
import { testContext, testUser } from '../support/table.ts';

const s = useOrderScene();
const within = { check_in_date: '2027-02-10', check_out_date: '2027-02-12', guest_number: 2, nights: 2 };
const right = 'binh.tran@example.com';
const phone = '+84 912 345 679';

type Corrected = Promise<ReplyOf<BookingDetail>>;
const correct = (who: Who, id: number, body: unknown, headers = {}): Corrected =>
  s.call('PATCH', `/api/v1/${who.key === undefined ? '' : 'external/'}bookings/${id}`, {
    ...who,
    body,
    headers,
  });

/** A stay that a partner has booked for a guest without an account. */
const ofPartner = async () => {
  const listing = await s.listing();
  const partner = await s.partner();
  const { id } = ok(
    await s.bookOut(partner, { listing_id: listing.id, ...within, guest_info, payment_method: 'CASH' }),
    201,
  );
  return { id, listing, partner };
};
/** A stay, or several, that a guest with an account has booked. */
const ofGuest = async (homes = 1) => {
  const items = await Promise.all(Array.from({ length: homes }, async () => stay(await s.listing())));
  const { reservations, master_reservation_id } = ok(
    await s.confirm(s.guest, { items, payment_method: 'CASH', note: 'A cot' }),
    201,
  );
  return { id: reservations[0]!.id, ids: reservations.map(({ id }) => id), master: master_reservation_id };
};
const stored = async (id: number) =>
  (await s.deps.table.get(ReservationEntity, { order_id: orderIdOf(id), reservation_id: id }))!;
const corrections = async (id: number) =>
  (await eventsOf(s.deps.table, `ORDER#${orderIdOf(id)}`)).filter(
    ({ event_type }) => event_type === 'booking.guest_updated',
  );
const linkOf = async (id: number): Promise<string> =>
  String(ok(await s.booking(s.host, id)).guest_url).split('#')[1]!;
const opens = async (link: string): Promise<number> =>
  (await s.call('GET', '/api/v1/guest/booking', { link })).status;
const refusal = (reply: ReplyOf<unknown>, code: string) => expect(refusalOf(reply).code).toBe(code);

describe('correcting the guest of a booking', () => {
  it('changes only what is given, by each role of the team, and says in history and event what, without values', async () => {
    const { id } = await ofPartner();
    const before = await stored(id);
    const reply = ok(
      await correct(s.staff, id, { guest_info: { full_name: 'Trần Bình' }, arrival_time: '21:30:00' }),
    );
    expect(reply).toMatchObject({
      guest_info: { ...guest_info, full_name: 'Trần Bình', name: 'Trần Bình' },
      arrival_time: '21:30:00',
    });
    const after = await stored(id);
    expect(after).toEqual({
      ...before,
      updated_at: after.updated_at,
      guest: { ...before.guest, full_name: 'Trần Bình', arrival_time: '21:30:00' },
    });
    const [event] = await corrections(id);
    expect(event).toMatchObject({
      actor: `user:${s.staff.user_id}`,
      data: { id, fields: ['full_name', 'arrival_time'] },
    });
    expect(JSON.stringify(event)).not.toContain('Bình');
    const { items } = ok(
      await s.get<{ items: { guest_fields: unknown }[] }>(s.host, `/api/v1/bookings/${id}/history`),
    );
    expect(items.at(-1)).toMatchObject({
      event_type: 'booking.guest_updated',
      who: { kind: 'host', id: s.staff.user_id },
      guest_fields: ['full_name', 'arrival_time'],
    });
    expect(items[0]!.guest_fields).toBeNull();
  });

  it('writes nothing where nothing differs, and removes with null', async () => {
    const { id } = await ofGuest();
    ok(await correct(s.host, id, { note: 'A cot', arrival_time: null }));
    ok(await correct(s.host, id, {}));
    expect(await corrections(id)).toEqual([]);
    expect(ok(await correct(s.host, id, { note: null })).note).toBeNull();
    expect((await stored(id)).guest).not.toHaveProperty('note');
  });

  it('refuses fields that it does not know, and values that a booking would refuse', async () => {
    const { id } = await ofPartner();
    for (const body of [
      { name: 'An' },
      { guest_info: { name: 'An' } },
      { guest_info: { full_name: null } },
      { guest_info: { email: 'binh' } },
      { guest_info: { phone: null } },
      { guest_info: { phone: '12' } },
      { arrival_time: '25:00' },
      { note: '' },
    ])
      refusal(await correct(s.host, id, body), 'VALIDATION_ERROR');
    expect(await corrections(id)).toEqual([]);
  });

  it('ends the links that a mail brought to another address, and keeps those of a number', async () => {
    const { id, partner } = await ofPartner();
    const link = await linkOf(id);
    ok(await correct(s.host, id, { guest_info: { phone } }));
    expect(await opens(link)).toBe(200);
    ok(await correct(s.host, id, { guest_info: { email: right } }));
    expect(await opens(link)).toBe(404);
    const next = await linkOf(id);
    expect(await opens(next)).toBe(200);
    // No mail has gone anywhere with the next link: there was no address.
    ok(await correct(s.host, id, { guest_info: { email: null } }));
    const handed = await linkOf(id);
    expect([await opens(next), await opens(handed)]).toEqual([404, 200]);
    ok(await correct(s.host, id, { guest_info: { email: right } }));
    expect(await opens(handed)).toBe(200);
    refusal(await correct(partner, id, { guest_info: { email: null } }), 'VALIDATION_ERROR');
  });

  it('has the digits of the new number open the access, with five tries of its own', async () => {
    const { id } = await ofPartner();
    const link = await linkOf(id);
    ok(await s.call('POST', `/api/v1/bookings/${id}/mark-paid`, s.host));
    stopClock('2027-02-09T08:00:00.000Z');
    const asked = (phone_digits: string) =>
      s.call('POST', '/api/v1/guest/access-info', { link, body: { phone_digits } });
    for (let tries = 0; tries < 5; tries++) refusal(await asked('5679'), 'FORBIDDEN');
    refusal(await asked('5678'), 'FORBIDDEN');
    ok(await correct(s.host, id, { guest_info: { phone } }));
    refusal(await asked('5678'), 'FORBIDDEN');
    ok(await asked('5679'));
  });

  it('is done by the guest of an account for number, arrival and note, until the check-in', async () => {
    const { id } = await ofGuest();
    ok(await correct(s.guest, id, { guest_info: { phone }, note: 'Two cots', arrival_time: '20:00:00' }));
    expect(await corrections(id)).toMatchObject([{ actor: `user:${s.guest.user_id}` }]);
    for (const guest_info of [{ full_name: 'Another' }, { email: right }, { language: 'en' }])
      refusal(await correct(s.guest, id, { guest_info }), 'VALIDATION_ERROR');
    const name = await correct(s.guest, id, { guest_info: { full_name: 'Another' } });
    expect(refusalOf(name).paths).toEqual(['guest_info.full_name']);
    refusal(await correct(s.other, id, { note: 'Mine' }), 'BOOKING_NOT_FOUND');
    stopClock('2027-02-10T08:00:00.000Z');
    ok(await s.call('POST', `/api/v1/bookings/${id}/check-in`, s.host));
    refusal(await correct(s.guest, id, { note: 'Late' }), 'INVALID_STATE_TRANSITION');
    expect(ok(await s.booking(s.guest, id)).allowed_actions).not.toContain('CORRECT_GUEST');
    ok(await correct(s.host, id, { note: 'Late' }));
  });

  it('leaves address and language of an account to the account', async () => {
    const { id } = await ofGuest();
    for (const guest_info of [{ email: right }, { email: null }, { language: 'en' }])
      refusal(await correct(s.host, id, { guest_info }), 'VALIDATION_ERROR');
    ok(await correct(s.host, id, { guest_info: { full_name: 'An Bình' } }));
  });

  it('is done by the key that made the booking and no other, until the check-in', async () => {
    const { id, partner } = await ofPartner();
    const reply = ok(await correct(partner, id, { guest_info: { full_name: 'Bình', phone, email: right } }));
    expect(reply.guest_info).toEqual({ name: 'Bình', full_name: 'Bình', phone, email: right });
    refusal(await correct(await s.partner(), id, { note: 'Mine' }), 'FORBIDDEN');
    const reading = await s.partner({ scopes: ['read', 'personal'] });
    refusal(await correct(reading, id, { note: 'Mine' }), 'FORBIDDEN');
    ok(await s.cancelOut(partner, id));
    refusal(await correct(partner, id, { note: 'Late' }), 'INVALID_STATE_TRANSITION');
    // What was cancelled is still refunded and written about.
    ok(await correct(s.host, id, { guest_info: { email: guest_info.email } }));
  });

  it('is of every stay of an order by its master id, and of one by its own', async () => {
    const { ids, master } = await ofGuest(2);
    const [first = 0, second = 0] = ids;
    ok(await correct(s.host, master, { guest_info: { phone } }));
    expect([(await stored(first)).guest.phone, (await stored(second)).guest.phone]).toEqual([phone, phone]);
    ok(await correct(s.host, second, { arrival_time: '20:00:00' }));
    expect((await stored(first)).guest).not.toHaveProperty('arrival_time');
    const order = await s.deps.table.get(OrderEntity, { order_id: master });
    expect(order!.guest).toEqual((await stored(first)).guest);
  });

  it('is refused of a guest whose data were erased', async () => {
    const { id } = await ofPartner();
    const before = await stored(id);
    const set = { guest: { ...before.guest, full_name: erasedText } };
    await s.deps.table.transact([change(ReservationEntity, before, { set })]);
    refusal(await correct(s.host, id, { guest_info: { full_name: 'Bình' } }), 'INVALID_STATE_TRANSITION');
  });

  it('keeps what another clerk has corrected meanwhile, and is repeated by its key', async () => {
    const { id } = await ofPartner();
    const { team_id } = s.a;
    const { caller } = await testUser(s.deps, { memberships: [{ team_id, role: 'STAFF' }] });
    const ctx = testContext(s.deps, caller);
    const other = () => correctGuest(ctx, id, { guest_info: { phone } });
    await correctGuest(interrupted(ctx, other), id, { guest_info: { email: right } });
    expect((await stored(id)).guest).toMatchObject({ phone, email: right });
    const sent = key('a-correction');
    ok(await correct(s.host, id, { note: 'One' }, sent));
    ok(await correct(s.host, id, { note: 'Two' }));
    ok(await correct(s.host, id, { note: 'One' }, sent));
    expect((await stored(id)).guest.note).toBe('Two');
  });

  it('is judged again where the guest arrives, or the link is replaced, meanwhile', async () => {
    const { team_id } = s.a;
    const { caller } = await testUser(s.deps, { memberships: [{ team_id, role: 'OWNER' }] });
    const asHost = testContext(s.deps, caller);
    const { id } = await ofPartner();
    const rotated = interrupted(asHost, () => rotateGuestLink(asHost, id, ''));
    await correctGuest(rotated, id, { guest_info: { email: right } });
    expect((await stored(id)).guest_link).toMatchObject({ version: 2 });
    const own = await ofGuest();
    const { guest } = await stored(own.id);
    const asGuest = testContext(s.deps, { ...caller, user_id: guest.user_id!, memberships: [] });
    stopClock('2027-02-10T08:00:00.000Z');
    const arrived = interrupted(asGuest, () => moveBooking(asHost, own.id, 'check_in'));
    await expect(correctGuest(arrived, own.id, { note: 'Late' })).rejects.toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
    });
  });
});

import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { chats } from '../../functions/chats/index.ts';
import { chatsRoutes } from '../../functions/chats/routes.ts';
import { chatWorker } from '../../functions/workers/chat/index.ts';
import { ExternalBookingRequest } from '../../shared/domain/booking/external-booking.schema.ts';
import { bookExternally } from '../../shared/domain/checkout/book-externally.ts';
import {
  publicDataOf,
  type PublicEvent,
  teamsOfEvent,
} from '../../shared/domain/webhook/partner-event.schema.ts';
import type { PartnerCaller } from '../../shared/platform/auth.ts';
import { orderIdOf } from '../../shared/platform/ids.ts';
import { bookStay, eventScene, eventsOf, queueEvent } from '../support/events.ts';
import { type GroupCalls, groupCalls } from '../support/group-calls.ts';
import { testContext, testKey, testTeam } from '../support/table.ts';

let s: Awaited<ReturnType<typeof eventScene>>;
let calls: GroupCalls<typeof chatsRoutes.routes>;
let partner: PartnerCaller;
beforeEach(async () => {
  s = await eventScene();
  calls = groupCalls(
    chats(() => s.deps),
    chatsRoutes,
  );
  partner = (await testKey(s.deps, { team_ids: [s.team_id] })).caller;
});

const book = async () => {
  const request = ExternalBookingRequest.parse({
    listing_id: s.listing.id,
    guest_info: { full_name: 'Trần Thị Bình', phone: '+84 912 345 678', email: 'binh@example.com' },
    check_in_date: '2027-02-04',
    check_out_date: '2027-02-07',
    guest_number: 2,
    nights: 3,
    payment_method: 'CASH',
  });
  const { booking } = await bookExternally(testContext(s.deps, partner), request);
  const [created] = await eventsOf(s.deps.table, `ORDER#${orderIdOf(booking.id)}`);
  return { booking_id: booking.id, created: created! };
};
const open = async () => {
  const booked = await book();
  await chatWorker(() => s.deps)(queueEvent(booked.created));
  return booked.booking_id;
};
const write = (booking_id: number, text: string, who = partner, headers = {}) =>
  calls.ok(who, 'sendExternalMessage', { params: { booking_id }, body: { text }, headers });
const read = (booking_id: number, who = partner, query = {}) =>
  calls.ok(who, 'listExternalMessages', { params: { booking_id }, query });
const asHost = (thread_id: number, text: string) =>
  calls.ok(s.owner.caller, 'sendMessage', { params: { thread_id }, body: { text } });

describe('the messages of a guest without an account', () => {
  it('are written by the partner for the guest, and the host sees who wrote', async () => {
    const booking_id = await open();
    const sent = await write(booking_id, 'Chúng tôi đến lúc 16 giờ.');
    expect(sent).toMatchObject({
      thread_id: booking_id,
      sender_type: 'PARTNER',
      sender_id: null,
      sender_name: 'Trần Thị Bình',
      text: 'Chúng tôi đến lúc 16 giờ.',
    });
    const { items } = await calls.ok(s.owner.caller, 'listThreads');
    expect(items).toMatchObject([
      { id: booking_id, guest: { user_id: null }, last_message: { sender_type: 'PARTNER' } },
    ]);
    s.deps.clock.advance(1000);
    const answer = await asHost(booking_id, 'You are welcome.');
    const { items: messages } = await read(booking_id);
    expect(messages).toEqual([expect.objectContaining({ sender_type: 'SYSTEM' }), sent, answer]);
    const newest = await read(booking_id, partner, { sort_order: 'desc', limit: '1' });
    expect(newest).toMatchObject({ items: [{ id: answer.id, sender_type: 'HOST' }], total: 3 });
  });

  it('reach partners by webhook and feed, with the team and the side that wrote', async () => {
    const booking_id = await open();
    const sent = await write(booking_id, 'Xin chào');
    const answer = await asHost(booking_id, 'Hello');
    const events = await eventsOf(s.deps.table, `CHAT#${booking_id}`);
    const shown = (events as PublicEvent[]).map((event) => ({
      teams: teamsOfEvent(event),
      ...publicDataOf(event),
    }));
    const [teams, ids] = [[s.team_id], { thread_id: booking_id, booking_id }];
    expect(shown).toEqual([
      { teams, id: sent.id, ...ids, sender_type: 'PARTNER' },
      { teams, id: answer.id, ...ids, sender_type: 'HOST' },
    ]);
    expect(events[0]).toMatchObject({ actor: `key:${partner.key_id}` });
  });

  it('may come before the thread is opened: nothing is lost, and the summary comes first', async () => {
    const { booking_id, created } = await book();
    expect(await read(booking_id)).toMatchObject({ items: [{ sender_type: 'SYSTEM' }], total: 1 });
    const worker = chatWorker(() => s.deps);
    const texts = ['1', '2', '3', '4'];
    await Promise.all([
      ...texts.map((text) => write(booking_id, text)),
      worker(queueEvent(created)),
      worker(queueEvent({ ...created, id: `evt_${randomUUID().slice(0, 8)}` })),
    ]);
    const { items } = await read(booking_id);
    expect(items.map(({ sender_type }) => sender_type)).toEqual(['SYSTEM', ...texts.map(() => 'PARTNER')]);
    expect(items.slice(1).map(({ text }) => text)).toEqual(expect.arrayContaining(texts));
    expect((await calls.ok(s.owner.caller, 'listThreads')).total).toBe(1);
  });

  it('are written once under one Idempotency-Key', async () => {
    const booking_id = await open();
    const headers = { 'Idempotency-Key': 'hello-1' };
    const sent = await Promise.all(
      Array.from({ length: 5 }, () => write(booking_id, 'Xin chào', partner, headers)),
    );
    expect(new Set(sent.map(({ id }) => id)).size).toBe(1);
    expect((await read(booking_id)).total).toBe(2);
  });

  it('can be read by every key of the team, and written by the key that made the booking alone', async () => {
    const booking_id = await open();
    const other = (await testKey(s.deps, { team_ids: [s.team_id] })).caller;
    expect((await read(booking_id, other)).total).toBe(1);
    const asked = { params: { booking_id }, body: { text: 'Xin chào' } };
    const refused = await calls.refusal(other, 'sendExternalMessage', asked);
    expect([refused.status, refused.code]).toEqual([403, 'FORBIDDEN']);
    expect((await read(booking_id)).total).toBe(1);
  });

  it('do not exist for a key of another team', async () => {
    const booking_id = await open();
    const { team_id } = await testTeam(s.deps);
    const stranger = (await testKey(s.deps, { team_ids: [team_id] })).caller;
    const params = { booking_id };
    const code = 'EXTERNAL_BOOKING_NOT_ACCESSIBLE';
    expect(await calls.refusal(stranger, 'listExternalMessages', { params })).toMatchObject({ code });
    const asked = { params, body: { text: 'Xin chào' } };
    expect(await calls.refusal(stranger, 'sendExternalMessage', asked)).toMatchObject({ code });
    const nowhere = { params: { booking_id: 17 } };
    expect(await calls.refusal(partner, 'listExternalMessages', nowhere)).toMatchObject({ code });
  });

  it.each([{}, { text: ' ' }, { text: 'x'.repeat(4001) }, { text: 'a', sender_type: 'HOST' }])(
    'refuses %#',
    async (body) => {
      const asked = { params: { booking_id: await open() }, body };
      expect(await calls.refusal(partner, 'sendExternalMessage', asked)).toMatchObject({
        code: 'VALIDATION_ERROR',
      });
    },
  );
});

describe('the messages of a guest with an account', () => {
  it('can be read by a partner of the team, who does not speak for that guest', async () => {
    const { booking_id, created } = await bookStay(s.asGuest, {
      listing_id: s.listing.id,
      check_in_date: '2027-03-04',
      check_out_date: '2027-03-05',
    });
    await chatWorker(() => s.deps)(queueEvent(created));
    expect((await read(booking_id)).total).toBe(1);
    const asked = { params: { booking_id }, body: { text: 'Xin chào' } };
    expect(await calls.refusal(partner, 'sendExternalMessage', asked)).toMatchObject({ code: 'FORBIDDEN' });
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import { chatWorker } from '../../functions/workers/chat/index.ts';
import { ReservationEntity } from '../../shared/domain/booking/reservation.entity.ts';
import { ListMessagesQuery, ListThreadsQuery, SendMessage } from '../../shared/domain/chat/chat.schema.ts';
import { listMessages, sendMessage } from '../../shared/domain/chat/messages.ts';
import { listThreads, openThreads } from '../../shared/domain/chat/threads.ts';
import type { ChangeRequest } from '../../shared/domain/checkout/change.schema.ts';
import { changeBooking } from '../../shared/domain/checkout/index.ts';
import type { EventOf } from '../../shared/events.ts';
import type { UserCaller } from '../../shared/platform/auth.ts';
import type { Context } from '../../shared/platform/context.ts';
import { orderIdOf } from '../../shared/platform/ids.ts';
import { put } from '../../shared/platform/table/index.ts';
import { addDays } from '../../shared/platform/time/time.ts';
import { bookStay, eventScene, eventsOf, queueEvent } from '../support/events.ts';
import { interrupted, interruptedTable } from '../support/interrupted.ts';
import { testListing } from '../support/listings.ts';
import { freshId, testContext, testTeam, testUser } from '../support/table.ts';

type Ctx = Context<UserCaller>;
const done = { batchItemFailures: [] };

let s: Awaited<ReturnType<typeof eventScene>>;
beforeEach(async () => {
  s = await eventScene();
});

const worker = () => chatWorker(() => s.deps);
const threads = (ctx: Ctx, query: object = {}) => listThreads(ctx, ListThreadsQuery.parse(query));
const messages = (ctx: Ctx, thread_id: number, query: object = {}) =>
  listMessages(ctx, thread_id, ListMessagesQuery.parse(query));
const send = (ctx: Ctx, thread_id: number, text: string) =>
  sendMessage(ctx, thread_id, SendMessage.parse({ text }));

const opened = async (check_in_date = '2027-02-04', check_out_date = '2027-02-07') => {
  const { booking_id, created } = await bookStay(s.asGuest, {
    listing_id: s.listing.id,
    check_in_date,
    check_out_date,
  });
  expect(await worker()(queueEvent(created))).toEqual(done);
  return { booking_id, created };
};

const march = { check_in_date: '2027-03-04', check_out_date: '2027-03-05' };

const home = (name = 'Nhà phố') => testListing(s.deps, { team_id: s.team_id, name });

/** Changes a stay; returns the event. */
const changedTo = async (booking_id: number, asked: ChangeRequest) => {
  await changeBooking(s.asOwner, booking_id, asked);
  return (await eventsOf(s.deps.table, `ORDER#${orderIdOf(booking_id)}`)).findLast(
    ({ event_type }) => event_type === 'booking.changed',
  )!;
};

describe('the chat of a booking', () => {
  it('opens with a message that sums the booking up, for guest and host', async () => {
    const { booking_id } = await opened();
    for (const ctx of [s.asGuest, s.asOwner]) {
      const { items, total } = await threads(ctx);
      expect(total).toBe(1);
      expect(items[0]).toMatchObject({
        id: booking_id,
        booking_id,
        listing_id: s.listing.id,
        team_id: s.team_id,
      });
      const page = await messages(ctx, booking_id);
      expect(page.items).toMatchObject([{ sender_type: 'SYSTEM', sender_id: null, thread_id: booking_id }]);
      expect(page.items[0]?.text).toContain('Nhận phòng: 14:00, Thứ Năm, 4 tháng 2, 2027');
    }
  });

  it('has its summary first and once, by a look or by a message, also at the same moment', async () => {
    const looked = await opened();
    await Promise.all([s.asGuest, s.asOwner].map((ctx) => messages(ctx, looked.booking_id)));
    const written = await bookStay(s.asGuest, { listing_id: s.listing.id, ...march });
    await worker()(queueEvent(written.created));
    for (const { booking_id } of [looked, written]) {
      s.deps.clock.advance(1000);
      await Promise.all([
        messages(s.asOwner, booking_id),
        sendMessage(s.asGuest, booking_id, SendMessage.parse({ text: 'Xin chào' })),
      ]);
      const { items, total } = await messages(s.asGuest, booking_id);
      expect(items.map(({ sender_type }) => sender_type)).toEqual(['SYSTEM', 'GUEST']);
      expect(total).toBe(2);
    }
  });

  it('is made once, whatever is delivered again and at once', async () => {
    const { booking_id, created } = await opened();
    const again = { ...created, id: 'evt_another' };
    const answers = [worker()(queueEvent(created, created)), worker()(queueEvent(created, again))];
    expect(await Promise.all(answers)).toEqual([done, done]);
    expect((await threads(s.asGuest)).total).toBe(1);
    expect((await messages(s.asGuest, booking_id)).total).toBe(1);
    expect(await eventsOf(s.deps.table, `CHAT#${booking_id}`)).toEqual([]);
  });

  it('names the home that a change has given the stay, once it is opened or instead of the one before', async () => {
    const { booking_id } = await opened();
    const other = await home('Nhà gỗ');
    const changed = await changedTo(booking_id, { listing_id: other.id });
    await sendMessage(s.asGuest, booking_id, SendMessage.parse({ text: 'Cảm ơn!' }));
    expect(await worker()(queueEvent(changed, changed))).toEqual(done);
    for (const ctx of [s.asGuest, s.asOwner])
      expect((await threads(ctx)).items).toMatchObject([
        { listing_id: other.id, listing_name: 'Nhà gỗ', last_message: { text: 'Cảm ơn!' } },
      ]);
    const late = await bookStay(s.asGuest, { listing_id: s.listing.id, ...march });
    const first = await changedTo(late.booking_id, { listing_id: other.id });
    expect(await worker()(queueEvent(first, late.created))).toEqual(done);
    const { items } = await threads(s.asGuest);
    expect(items.map(({ listing_id }) => listing_id)).toEqual([other.id, other.id]);
    expect((await messages(s.asGuest, late.booking_id)).total).toBe(1);
  });

  it('is not written again after a change of dates alone', async () => {
    const { booking_id } = await opened();
    const changed = await changedTo(booking_id, { check_out_date: '2027-02-08' });
    const untouched = { getAll: async () => [] } as unknown as typeof s.deps.table;
    expect(await chatWorker(() => ({ ...s.deps, table: untouched }))(queueEvent(changed))).toEqual(done);
  });

  it('names the last home, and loses no message, when they come at once', async () => {
    const { booking_id } = await opened();
    const [second, third] = [await home(), await home()];
    const changed = await changedTo(booking_id, { listing_id: second.id });
    const moveOn = async () => {
      await send(s.asGuest, booking_id, 'Một');
      const event = await changedTo(booking_id, { listing_id: third.id });
      expect(await worker()(queueEvent(event))).toEqual(done);
    };
    const table = interruptedTable(s.deps.table, 'transact', moveOn);
    expect(await chatWorker(() => ({ ...s.deps, table }))(queueEvent(changed))).toEqual(done);
    const shown = async () => (await threads(s.asGuest)).items;
    expect(await shown()).toMatchObject([{ listing_id: third.id, last_message: { text: 'Một' } }]);
    const moveBack = async () => {
      const event = await changedTo(booking_id, { listing_id: s.listing.id });
      expect(await worker()(queueEvent(event))).toEqual(done);
    };
    await send(interrupted(s.asGuest, moveBack), booking_id, 'Hai');
    expect(await shown()).toMatchObject([{ listing_id: s.listing.id, last_message: { text: 'Hai' } }]);
  });

  it('is made for the other bookings of a batch of which one has it already', async () => {
    const { created: before } = await opened();
    const dates = ['2027-04-01', '2027-04-03', '2027-04-05'];
    const created: Awaited<ReturnType<typeof bookStay>>['created'][] = [];
    for (const check_in_date of dates) {
      const stay = { listing_id: s.listing.id, check_in_date, check_out_date: addDays(check_in_date, 1) };
      created.push((await bookStay(s.asGuest, stay)).created);
    }
    const [first, ...others] = created;
    expect(await worker()(queueEvent(first!, before, ...others))).toEqual(done);
    expect((await threads(s.asGuest)).total).toBe(4);
    for (const { data } of [before, ...created]) expect((await messages(s.asGuest, data.id)).total).toBe(1);
  });

  it('is made in several transactions for more bookings than one takes', async () => {
    const created: EventOf<'booking.created'>[] = [];
    for (let at = 0; at < 35; at++) {
      const check_in_date = addDays('2027-04-01', at);
      const stay = { listing_id: s.listing.id, check_in_date, check_out_date: addDays(check_in_date, 1) };
      created.push((await bookStay(s.asGuest, stay)).created as EventOf<'booking.created'>);
    }
    await openThreads(s.deps, created);
    expect((await threads(s.asGuest)).total).toBe(35);
  });

  it('is made for a guest without an account too', async () => {
    const { created } = await bookStay(s.asGuest, {
      listing_id: s.listing.id,
      check_in_date: '2027-03-04',
      check_out_date: '2027-03-05',
    });
    const reservation_id = created.data.id;
    const ids = { order_id: orderIdOf(reservation_id), reservation_id };
    const reservation = (await s.deps.table.get(ReservationEntity, ids))!;
    const guest = { ...reservation.guest, user_id: null };
    await s.deps.table.transact([put(ReservationEntity, { ...reservation, guest })]);
    expect(await worker()(queueEvent(created))).toEqual(done);
    expect((await threads(s.asOwner)).items).toMatchObject([{ guest: { user_id: null } }]);
    expect((await threads(s.asGuest)).total).toBe(0);
  });

  it('carries what guest and host write, in order, with an event for each', async () => {
    const { booking_id } = await opened();
    await send(s.asGuest, booking_id, 'Chúng tôi đến lúc 16 giờ.');
    s.deps.clock.advance(1000);
    const answer = await send(s.asOwner, booking_id, 'You are welcome.');
    expect(answer).toMatchObject({ sender_type: 'HOST', sender_id: s.owner.user.user_id });
    const { items } = await messages(s.asGuest, booking_id);
    expect(items.map(({ sender_type }) => sender_type)).toEqual(['SYSTEM', 'GUEST', 'HOST']);
    const newest = await messages(s.asGuest, booking_id, { sort_order: 'desc', limit: '1' });
    expect(newest.items).toEqual([answer]);
    const events = await eventsOf(s.deps.table, `CHAT#${booking_id}`);
    expect(events.at(-1)).toMatchObject({
      event_type: 'chat.message_created',
      actor: `user:${s.owner.user.user_id}`,
      data: { id: answer.id, thread_id: booking_id, booking_id, sender_type: 'HOST' },
    });
  });

  it('loses no message that is written at the same moment', async () => {
    const { booking_id } = await opened();
    await Promise.all(Array.from({ length: 8 }, (_, n) => send(s.asGuest, booking_id, `${n}`)));
    expect((await messages(s.asGuest, booking_id)).total).toBe(9);
  });

  it('shows the thread that was written last first', async () => {
    const first = await opened();
    s.deps.clock.advance(1000);
    const second = await opened('2027-04-01', '2027-04-02');
    const order = async () => (await threads(s.asGuest)).items.map(({ id }) => id);
    expect(await order()).toEqual([second.booking_id, first.booking_id]);
    s.deps.clock.advance(1000);
    await send(s.asGuest, first.booking_id, 'Xin chào');
    expect(await order()).toEqual([first.booking_id, second.booking_id]);
    expect((await threads(s.asGuest)).items[0]?.last_message.text).toBe('Xin chào');
  });

  it('does not exist for others', async () => {
    const { booking_id } = await opened();
    const { team_id } = await testTeam(s.deps);
    const strangers = await Promise.all([
      testUser(s.deps),
      testUser(s.deps, { memberships: [{ team_id, role: 'OWNER' }] }),
      testUser(s.deps, { memberships: [{ team_id: s.team_id, role: 'CUSTOMER' }] }),
    ]);
    for (const { caller } of strangers) {
      const ctx = testContext(s.deps, caller);
      await expect(messages(ctx, booking_id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(send(ctx, booking_id, 'Hi')).rejects.toMatchObject({ code: 'NOT_FOUND' });
      expect((await threads(ctx, { as: 'guest' })).total).toBe(0);
    }
    await expect(messages(s.asGuest, freshId())).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('lets one who is both choose a side', async () => {
    const { team_id } = await testTeam(s.deps);
    const { caller } = s.guest;
    const both = testContext(s.deps, { ...caller, memberships: [{ team_id, role: 'OWNER' as const }] });
    const { booking_id } = await opened();
    expect((await threads(both)).total).toBe(0);
    expect((await threads(both, { as: 'guest' })).items.map(({ id }) => id)).toEqual([booking_id]);
    await expect(threads(s.asGuest, { as: 'host' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const foreign = testContext(s.deps, s.owner.caller, { teamHeader: team_id });
    await expect(threads(foreign)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});

describe('the text of a message', () => {
  it.each(['', '  \n ', 'x'.repeat(4001)])('refuses %#', (text) => {
    expect(SendMessage.safeParse({ text }).success).toBe(false);
  });
  it.each(['x', 'x'.repeat(4000), '🏡'.repeat(4000), ' hi '])('takes %#', (text) => {
    expect(SendMessage.parse({ text })).toEqual({ text });
  });
});

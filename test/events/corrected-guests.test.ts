import { beforeEach, describe, expect, it } from 'vitest';
import { chatWorker } from '../../functions/workers/chat/index.ts';
import { listIndexWorker } from '../../functions/workers/list-index/index.ts';
import { notificationWorker } from '../../functions/workers/notification/index.ts';
import { readGuest } from '../../shared/domain/booking/guest-link.ts';
import { correctGuest } from '../../shared/domain/booking/correct-guest.ts';
import { listTeamBookings } from '../../shared/domain/booking/read-bookings.ts';
import { ChatMarkEntity } from '../../shared/domain/chat/chat.store.ts';
import { listThreads, markMailed, sendMessage } from '../../shared/domain/chat/index.ts';
import { readTeamCalendar } from '../../shared/domain/front-desk/index.ts';
import { sendDueMails } from '../../shared/domain/notification/send-due-mails.ts';
import type { EventType } from '../../shared/events.ts';
import type { Context } from '../../shared/platform/context.ts';
import type { Mail } from '../../shared/platform/mail/mailer.ts';
import { Table } from '../../shared/platform/table/index.ts';
import { minuteMs } from '../../shared/platform/time/time.ts';
import { countingClient, countsUnits, measuredTable } from '../support/costs.ts';
import { queueEvent } from '../support/events.ts';
import { type MailScene, mailScene, plain } from '../support/mail-scene.ts';
import { testContext, testTableName } from '../support/table.ts';

const pages = 'https://stay.example.com';
const paging = { page: 1, limit: 20 };
const done = { batchItemFailures: [] };

let s: MailScene;
let wrong: string;
/** Of each test alone: the schedule sends what is due of all. */
let right: string;
beforeEach(async () => {
  s = await mailScene({ guest: 'en', host: 'en', account: false });
  wrong = s.guest.user.email;
  right = `right-${wrong}`;
});
const deliver = async (id: number, type: EventType = 'booking.guest_updated') => {
  const worker = notificationWorker(() => ({ ...s.deps, mailer: s.mailer, pages }));
  expect(await worker(queueEvent(await s.eventOf(id, type)))).toEqual(done);
};
const chat = async (id: number, type: EventType) =>
  expect(await chatWorker(() => s.deps)(queueEvent(await s.eventOf(id, type)))).toEqual(done);
const due = () => sendDueMails({ ...s.deps, mailer: s.mailer, pages });
const mailsTo = (address: string): Mail[] => s.sent.filter(({ to }) => to === address);
const linkIn = ({ text }: Mail): string => /https:\/\/stay\.example\.com\/g#(\S+)/.exec(text)?.[1] ?? '';
const readdressBy = (ctx: Context, id: number, email: string | null = right) =>
  correctGuest(ctx, id, { guest_info: { email } });
const readdress = (id: number, email?: string | null) => readdressBy(s.asOwner, id, email);

describe('a corrected address', () => {
  it('gets what was booked, with a link that opens it, and the earlier link ends', async () => {
    const id = await s.book();
    await deliver(id, 'booking.created');
    const [first] = mailsTo(wrong);
    await readdress(id);
    await deliver(id);
    await deliver(id);
    expect(mailsTo(wrong)).toHaveLength(1);
    const [mail, ...others] = mailsTo(right);
    expect(others).toEqual([]);
    expect(plain(mail!.text)).toContain('Total: ₫3,200,000');
    expect(await readGuest(s.deps, linkIn(mail!))).toMatchObject({ reservation_id: id, version: 1 });
    await expect(readGuest(s.deps, linkIn(first!))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(s.sent.filter(({ to }) => to === s.owner.user.email)).toHaveLength(1);
  });

  it('gets one mail of two corrections, and none goes to an address between', async () => {
    const id = await s.book();
    await readdress(id, 'between@example.com');
    const between = await s.eventOf(id, 'booking.guest_updated');
    await readdress(id);
    const worker = notificationWorker(() => ({ ...s.deps, mailer: s.mailer, pages }));
    expect(await worker(queueEvent(between))).toEqual(done);
    await deliver(id);
    expect(s.sent.map(({ to }) => to)).toEqual([right]);
  });

  it('is where mails of events that are late, and due mails, go', async () => {
    const id = await s.book();
    await readdress(id);
    await deliver(id, 'booking.created');
    await deliver(id);
    s.deps.clock.set('2027-02-03T08:00:00.000Z');
    await due();
    expect(mailsTo(wrong)).toEqual([]);
    const subjects = mailsTo(right).map(({ subject }) => subject);
    expect(subjects).toHaveLength(3);
    expect(subjects.at(-1)).toContain('Your stay begins soon');
  });

  it('gets the reminder again that went to another, and the hosts do not', async () => {
    const id = await s.book();
    await deliver(id, 'booking.created');
    s.deps.clock.set('2027-02-03T08:00:00.000Z');
    await due();
    const toHost = mailsTo(s.owner.user.email).length;
    await readdress(id);
    await deliver(id);
    await due();
    expect(mailsTo(right).map(({ subject }) => subject)).toContainEqual(
      expect.stringContaining('Your stay begins soon'),
    );
    expect(mailsTo(s.owner.user.email)).toHaveLength(toHost);
  });

  it('gets the messages that went to another, which is forgotten as their reader', async () => {
    const id = await s.book();
    await chat(id, 'booking.created');
    const { id: until } = await sendMessage(s.asOwner, id, { text: 'The key is at the bakery.' });
    s.deps.clock.advance(16 * minuteMs);
    await markMailed(s.deps.table, { thread_id: id, reader: `mail:${wrong}`, until });
    await readdress(id);
    await deliver(id);
    await chat(id, 'booking.guest_updated');
    await due();
    expect(mailsTo(right).map(({ text }) => text)).toContainEqual(
      expect.stringContaining('The key is at the bakery.'),
    );
    const marks = await s.deps.table.queryAll(ChatMarkEntity, { pk: `CHAT#${id}`, prefix: 'MARK#' });
    expect(marks.map(({ reader }) => reader)).toEqual([`mail:${right}`]);
  });

  it('brings no mail where it was removed, or where another field was corrected', async () => {
    const id = await s.book();
    await correctGuest(s.asOwner, id, { note: 'A cot', guest_info: { phone: '+84 912 345 679' } });
    await deliver(id);
    await readdress(id, null);
    await deliver(id);
    expect(s.sent).toEqual([]);
  });
});

describe('a corrected name', () => {
  it('is in lists, searches, calendars and the thread', async () => {
    const id = await s.book();
    await chat(id, 'booking.created');
    await correctGuest(s.asOwner, id, { guest_info: { full_name: 'Trần Bình', email: right } });
    await chat(id, 'booking.guest_updated');
    const worker = listIndexWorker(() => s.deps);
    expect(await worker(queueEvent(await s.eventOf(id, 'booking.guest_updated')))).toEqual(done);
    for (const q of ['tran binh', right])
      expect((await listTeamBookings(s.asOwner, { q }, paging)).items.map((one) => one.id)).toEqual([id]);
    expect((await listTeamBookings(s.asOwner, { q: wrong }, paging)).items).toEqual([]);
    const { items } = await readTeamCalendar(s.asOwner, { from: '2027-02-04', to: '2027-02-06', limit: 20 });
    expect(JSON.stringify(items)).toContain('Trần Bình');
    const threads = await listThreads(s.asOwner, paging);
    expect(threads.items).toMatchObject([{ guest: { full_name: 'Trần Bình' } }]);
  });

  it('opens a thread that is not open yet', async () => {
    const id = await s.book();
    await correctGuest(s.asOwner, id, { guest_info: { full_name: 'Trần Bình' } });
    await chat(id, 'booking.guest_updated');
    await chat(id, 'booking.created');
    const threads = await listThreads(s.asOwner, paging);
    expect(threads.items).toMatchObject([{ guest: { full_name: 'Trần Bình' } }]);
  });
});

describe('a correction', () => {
  it('takes four round trips in turn, and writes the stay, its order and the event', async () => {
    const id = await s.book();
    const { table, cost } = measuredTable(s.deps.table);
    const ctx = testContext({ ...s.deps, table }, s.owner.caller);
    const spent = await cost(() => readdressBy(ctx, id));
    if (countsUnits) expect(spent).toEqual({ trips: 6, rcu: 4.5, wcu: 7 });
    const { client, rounds } = countingClient();
    const counted = testContext(
      { ...s.deps, table: new Table({ client, tableName: await testTableName() }) },
      s.owner.caller,
    );
    await readdressBy(counted, id, 'binh.tran@example.org');
    expect(rounds.made).toBe(4);
  });
});

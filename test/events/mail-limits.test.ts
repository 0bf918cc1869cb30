import { beforeEach, describe, expect, it } from 'vitest';
import { notificationWorker } from '../../functions/workers/notification/index.ts';
import { cancelBooking } from '../../shared/domain/booking/cancel-booking.ts';
import { changeDeposit } from '../../shared/domain/booking/change-deposit.ts';
import { cancelExternalBooking, releaseAccess } from '../../shared/domain/booking/index.ts';
import { markPaid } from '../../shared/domain/booking/take-payment.ts';
import { ExternalBookingRequest } from '../../shared/domain/booking/external-booking.schema.ts';
import { bookExternally } from '../../shared/domain/checkout/book-externally.ts';
import { sendMessage } from '../../shared/domain/chat/messages.ts';
import { openThreads } from '../../shared/domain/chat/threads.ts';
import { dueMails } from '../../shared/domain/notification/due-mail.entity.ts';
import { MailTurnsEntity } from '../../shared/domain/notification/mail-turns.store.ts';
import { UserEntity } from '../../shared/domain/people/user.store.ts';
import type { EventOf, EventType } from '../../shared/events.ts';
import type { EventMessage } from '../../shared/platform/events/index.ts';
import { orderIdOf } from '../../shared/platform/ids.ts';
import { addressDigest } from '../../shared/platform/mail/allowance.rules.ts';
import type { Mail } from '../../shared/platform/mail/mailer.ts';
import { put } from '../../shared/platform/table/index.ts';
import { addDays } from '../../shared/platform/time/time.ts';
import { clearList, waitingIn } from '../support/due.ts';
import { eventsOf, queueEvent } from '../support/events.ts';
import { metricLinesOf } from '../support/figures.ts';
import { mailScene, type MailScene } from '../support/mail-scene.ts';
import { freshId, testContext, testKey, testUser } from '../support/table.ts';

const minute = 60_000;
const hour = 60 * minute;
const link = 'https://evil.example/pay';

let s: MailScene;
let stranger: string;
beforeEach(async () => {
  s = await mailScene({ guest: 'en', host: 'en', account: false });
  await clearList(s.deps.table, dueMails);
  stranger = `stranger-${freshId()}@sec.example`;
});

type Partner = MailScene['asPartner'];

/** Books a night of its own for an address, by a key. */
const book = async (at: number, asPartner: Partner = s.asPartner, email = stranger): Promise<number> => {
  const request = ExternalBookingRequest.parse({
    listing_id: s.listing.id,
    check_in_date: addDays('2027-03-01', 2 * at),
    check_out_date: addDays('2027-03-01', 2 * at + 1),
    ...{ guest_number: 1, nights: 1, payment_method: 'CASH' },
    guest_info: { full_name: `Refund waiting: ${link}`, phone: '+84 901 234 567', email, language: 'en' },
  });
  return (await bookExternally(asPartner, request)).booking.id;
};
const bookAll = async (count: number, from = 0): Promise<number[]> => {
  const ids: number[] = [];
  for (let at = from; at < from + count; at++) ids.push(await book(at));
  return ids;
};
const eventsIn = async (ids: readonly number[], type?: EventType): Promise<EventMessage[]> => {
  const all = await Promise.all(ids.map((id) => eventsOf(s.deps.table, `ORDER#${orderIdOf(id)}`)));
  return all.flat().filter(({ event_type }) => type === undefined || event_type === type);
};
const deliver = async (events: readonly EventMessage[]): Promise<void> => {
  for (let at = 0; at < events.length; at += 25) {
    const answer = await s.worker(queueEvent(...events.slice(at, at + 25)));
    expect(answer).toEqual({ batchItemFailures: [] });
  }
};
const toStranger = (mails: readonly Mail[] = s.sent): Mail[] => mails.filter(({ to }) => to === stranger);
const toHost = () => s.sent.filter(({ to }) => to === s.owner.user.email);
/** Runs the schedule after a time, and returns how many mails the stranger has by then. */
const after = async (ms: number): Promise<number> => {
  s.deps.clock.advance(ms);
  expect(await s.due()).toMatchObject({ failed: 0 });
  return toStranger().length;
};

describe('mails to an address that has not verified itself', () => {
  it('are 10 an hour and 30 a day, and each is sent at its turn', async () => {
    const events = await eventsIn(await bookAll(35), 'booking.created');
    await deliver(events);
    expect([toStranger().length, toHost().length]).toEqual([10, 35]);
    expect(await after(hour - 1)).toBe(10);
    expect(await after(1)).toBe(20);
    expect(await after(hour)).toBe(30);
    expect(await after(22 * hour - 1)).toBe(30);
    expect(await after(1)).toBe(35);
    expect(new Set(toStranger().map(({ text }) => text)).size).toBe(35);
    expect(await waitingIn(s.deps.table, dueMails)).toHaveLength(35);
    expect((await waitingIn(s.deps.table, dueMails)).every(({ kind }) => kind === 'reminder')).toBe(true);
  });

  it('are dropped where their turn is more than a day away, with a metric that says on whose behalf', async () => {
    const events = await eventsIn(await bookAll(42), 'booking.created');
    const lines = await metricLinesOf(() => deliver(events));
    const by = `team:${s.team_id} key:${s.asPartner.caller.key_id}`;
    expect(lines).toEqual([
      expect.objectContaining({ mails_dropped: 1, by }),
      expect.objectContaining({ by }),
    ]);
    expect(JSON.stringify(lines)).not.toContain(stranger);
    // What was dropped is not written again.
    expect(await metricLinesOf(() => deliver(events))).toEqual([]);
    for (const wanted of [20, 30]) expect(await after(hour)).toBe(wanted);
    expect(await after(22 * hour)).toBe(40);
    expect(await after(48 * hour)).toBe(40);
  });

  it('have no link, no long name and no reason of the partner, and say where it can be read', async () => {
    const id = await book(0);
    await deliver(await eventsIn([id]));
    await cancelExternalBooking(s.asPartner, id, `See ${link}`);
    await deliver(await eventsIn([id], 'booking.cancelled'));
    const [booked, cancelled] = toStranger();
    expect(booked?.text).toContain('Hello Refund waiting: https evil example/pay,');
    expect(cancelled?.text).toContain('Reason: given; you can read it where you booked');
    for (const { subject, text, html } of toStranger())
      for (const part of [subject, text, html]) expect(part).not.toMatch(/evil\.|https:\/\/evil/);
    // The host, who has verified, reads it.
    expect(toHost().at(-1)?.text).toContain(`Reason: See ${link}`);
  });

  it('are as many about a security deposit, whose reason the guest reads', async () => {
    s = await mailScene({ guest: 'en', host: 'en', account: false }, { security_deposit: 500_000 });
    await clearList(s.deps.table, dueMails);
    const id = await book(0);
    await markPaid(s.asOwner, id);
    await changeDeposit(s.asOwner, id, { action: 'TAKE', amount: 12, method: 'CASH' });
    for (let at = 0; at < 12; at++)
      await changeDeposit(s.asOwner, id, { action: 'KEEP', amount: 1, note: 'A broken lamp' });
    await deliver(await eventsIn([id], 'booking.deposit_changed'));
    expect(toStranger()).toHaveLength(10);
    expect(toStranger()[0]?.text).toContain('Reason: A broken lamp');
    expect(await after(hour)).toBe(12);
    expect(toHost()).toEqual([]);
  });

  it('have the reason of the host, and that of the service in their language', async () => {
    const ids = [await book(0), await book(1)];
    await cancelBooking(s.asOwner, ids[0]!, 'The roof leaks');
    await deliver(await eventsIn(ids.slice(0, 1), 'booking.cancelled'));
    expect(toStranger()[0]?.text).toContain('Reason: The roof leaks');
    const [created] = await eventsIn(ids.slice(1), 'booking.created');
    await cancelExternalBooking(s.asPartner, ids[1]!);
    const reason = 'The payment was not made in time.';
    const event = { ...created!, event_type: 'booking.cancelled', actor: 'system:move-due-bookings' };
    await deliver([{ ...event, id: `${event.id}x`, data: { ...event.data, reason } }]);
    expect(toStranger()[1]?.text).toContain(`Reason: ${reason}`);
  });

  it('are judged again at their turn: what is no longer true is not sent', async () => {
    const ids = await bookAll(12);
    await deliver(await eventsIn(ids, 'booking.created'));
    expect(toStranger()).toHaveLength(10);
    const told = toStranger().map(({ text }) => Number(/Booking: (\d+)/.exec(text)?.[1]));
    const waiting = ids.filter((id) => !told.includes(id));
    await cancelExternalBooking(s.asPartner, waiting[0]!);
    expect(await after(hour)).toBe(11);
    expect(toStranger().at(-1)?.text).toContain(String(waiting[1]));
  });

  it('count once and are sent once, however often and in how many instances their messages come', async () => {
    const events = await eventsIn(await bookAll(14), 'booking.created');
    const mailer = { send: async (mail: Mail) => void s.sent.push(mail) };
    const instances = Array.from({ length: 6 }, () => notificationWorker(() => ({ ...s.deps, mailer })));
    for (let round = 0; round < 3; round++)
      await Promise.all(instances.map((instance) => instance(queueEvent(...events))));
    expect(toStranger()).toHaveLength(10);
    const kept = await s.deps.table.get(MailTurnsEntity, {
      address: addressDigest(stranger),
      by: `team:${s.team_id}`,
    });
    expect(new Set(kept?.turns.map(({ mail }) => mail)).size).toBe(14);
    expect(kept?.turns).toHaveLength(14);
    expect((await waitingIn(s.deps.table, dueMails)).filter(({ kind }) => kind === 'event')).toHaveLength(4);
    s.deps.clock.advance(hour);
    await Promise.all([s.due(), s.due(), s.due()]);
    await s.due();
    s.deps.clock.advance(10 * minute);
    await s.due();
    expect(toStranger()).toHaveLength(14);
    expect(toHost()).toHaveLength(14);
  });

  it('count once where the mail service fails', async () => {
    const events = await eventsIn(await bookAll(10), 'booking.created');
    const down = notificationWorker(() => ({
      ...s.deps,
      mailer: { send: () => Promise.reject(new Error('down')) },
    }));
    for (let round = 0; round < 3; round++)
      expect((await down(queueEvent(...events))).batchItemFailures).toHaveLength(10);
    await deliver(events);
    expect(toStranger()).toHaveLength(10);
  });

  it('wait also where another mail of the event fails', async () => {
    const events = await eventsIn(await bookAll(11), 'booking.created');
    await deliver(events.slice(0, 10));
    const failing = notificationWorker(() => ({
      ...s.deps,
      mailer: { send: () => Promise.reject(new Error('down')) },
    }));
    expect((await failing(queueEvent(events[10]!))).batchItemFailures).toHaveLength(1);
    expect(await after(hour)).toBe(11);
  });

  it('are limited for each key and for each team', async () => {
    const asOther = testContext(s.deps, (await testKey(s.deps, { team_ids: [s.team_id] })).caller);
    const ids = await bookAll(6);
    for (let at = 6; at < 12; at++) ids.push(await book(at, asOther));
    await deliver(await eventsIn(ids, 'booking.created'));
    expect(toStranger()).toHaveLength(10);
  });

  it('of another address are not held back', async () => {
    await deliver(await eventsIn(await bookAll(12), 'booking.created'));
    const other = `other-${freshId()}@sec.example`;
    await deliver(await eventsIn([await book(20, s.asPartner, other)], 'booking.created'));
    expect(s.sent.filter(({ to }) => to === other)).toHaveLength(1);
  });

  it('before check-in wait as well, where the stay is not paid', async () => {
    await deliver(await eventsIn([await book(0)], 'booking.created'));
    s.deps.clock.set('2027-02-28T06:30:00.000Z');
    await deliver(await eventsIn(await bookAll(10, 5), 'booking.created'));
    expect(toStranger()).toHaveLength(11);
    expect(await after(30 * minute)).toBe(11);
    expect((await waitingIn(s.deps.table, dueMails))[0]?.kind).toBe('reminder');
    expect(toHost().filter(({ subject }) => subject.startsWith('A guest arrives soon'))).toHaveLength(1);
    expect(await after(30 * minute)).toBe(12);
    expect(toStranger().at(-1)?.subject).toMatch(/^Your stay begins soon/);
    expect(toHost().filter(({ subject }) => subject.startsWith('A guest arrives soon'))).toHaveLength(1);
  });

  it('about messages wait as well', async () => {
    const ids = await bookAll(11);
    const events = await eventsIn(ids, 'booking.created');
    await deliver(events.slice(0, 10));
    await openThreads(s.deps, events.slice(0, 1) as EventOf<'booking.created'>[]);
    s.deps.clock.advance(20 * minute);
    await sendMessage(s.asOwner, ids[0]!, { text: 'The key is under the mat' });
    const messages = await eventsOf(s.deps.table, `CHAT#${ids[0]}`);
    await deliver(messages.filter(({ event_type }) => event_type === 'chat.message_created'));
    expect(await after(15 * minute)).toBe(10);
    const waiting = await waitingIn(s.deps.table, dueMails);
    expect(waiting.filter(({ kind }) => kind === 'messages')).toHaveLength(1);
    expect(await after(25 * minute)).toBe(11);
    expect(toStranger().at(-1)?.text).toContain('> The key is under the mat');
    expect((await waitingIn(s.deps.table, dueMails)).some(({ kind }) => kind === 'messages')).toBe(false);
  });
});

describe('mails that do not count', () => {
  it('are receipts, cancellations and how to enter, of stays that are paid', async () => {
    await deliver(await eventsIn(await bookAll(10), 'booking.created'));
    const ids = await bookAll(3, 10);
    for (const id of ids) {
      await markPaid(s.asOwner, id);
      await cancelBooking(s.asOwner, id, 'The roof leaks');
    }
    await deliver(await eventsIn(ids, 'booking.cancelled'));
    expect(toStranger()).toHaveLength(13);
    const paid = await bookAll(1, 20);
    await markPaid(s.asOwner, paid[0]!);
    await deliver(await eventsIn(paid, 'payment.paid'));
    expect(toStranger().at(-1)?.subject).toMatch(/^Your receipt/);
    // How to enter, a day before.
    s.deps.clock.set('2027-04-09T07:00:00.000Z');
    await deliver(await eventsIn(paid, 'booking.created'));
    s.sent.length = 0;
    await deliver(await eventsIn(await bookAll(10, 30), 'booking.created'));
    await s.due();
    expect(toStranger().filter(({ subject }) => subject.startsWith('Your stay begins soon'))).toHaveLength(1);
    await releaseAccess(s.asOwner, paid[0]!);
    await deliver(await eventsIn(paid, 'booking.access_released'));
    expect(toStranger().at(-1)?.subject).toMatch(/^Wi-Fi and door code/);
  });

  it('are none of a stay of which a partner says that it has collected the price', async () => {
    const { caller } = await testKey(s.deps, { team_ids: [s.team_id], collects_payment: true });
    const asCollector = testContext(s.deps, caller);
    const ids: number[] = [];
    for (let at = 0; at < 11; at++) ids.push(await book(at, asCollector));
    for (const id of ids) await cancelExternalBooking(asCollector, id);
    await deliver(await eventsIn(ids, 'booking.cancelled'));
    expect(toStranger()).toHaveLength(10);
  });

  it('are those to an address that an account has verified', async () => {
    await testUser(s.deps, { email: stranger });
    await deliver(await eventsIn(await bookAll(12), 'booking.created'));
    expect(toStranger()).toHaveLength(12);
  });

  it('are none to an address that an account has not verified, or has no longer', async () => {
    const { user } = await testUser(s.deps, { email: stranger, email_verified: false });
    await deliver(await eventsIn(await bookAll(12), 'booking.created'));
    expect(toStranger()).toHaveLength(10);
    await s.deps.table.transact([
      put(UserEntity, { ...user, email: `new-${freshId()}@sec.example`, email_verified: true }),
    ]);
    await deliver(await eventsIn(await bookAll(1, 20), 'booking.created'));
    expect(toStranger()).toHaveLength(10);
  });

  it('are those to a name that no one can have, as the canary’s guest', async () => {
    stranger = 'canary@nightlatch.invalid';
    await deliver(await eventsIn(await bookAll(12), 'booking.created'));
    expect(toStranger()).toHaveLength(12);
    expect(await waitingIn(s.deps.table, dueMails)).toHaveLength(12);
  });
});

it('a mail that waits is sent at once when its address is verified meanwhile, at its turn at the latest', async () => {
  await deliver(await eventsIn(await bookAll(32), 'booking.created'));
  await testUser(s.deps, { email: stranger });
  expect(await after(hour)).toBe(20);
  expect(await after(hour)).toBe(30);
});

it('a guest who has an account and has changed its address counts too', async () => {
  s = await mailScene({ guest: 'en', host: 'en', account: true });
  const ids: number[] = [];
  // Five may be unpaid.
  for (let at = 0; at < 5; at++)
    ids.push(
      await s.book('CASH', { check_in_date: `2027-05-${10 + at}`, check_out_date: `2027-05-${11 + at}` }),
    );
  const { user } = s.guest;
  await s.deps.table.transact([put(UserEntity, { ...user, email_verified: false })]);
  await deliver(await eventsIn(ids, 'booking.created'));
  const kept = await s.deps.table.get(MailTurnsEntity, {
    address: addressDigest(user.email),
    by: `user:${user.user_id}`,
  });
  expect(kept?.turns).toHaveLength(5);
});

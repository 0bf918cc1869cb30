import { beforeEach, describe, expect, it, vi } from 'vitest';
import { chatWorker } from '../../functions/workers/chat/index.ts';
import { cancelBooking } from '../../shared/domain/booking/cancel-booking.ts';
import { moveBooking } from '../../shared/domain/booking/move-booking.ts';
import { addCharge } from '../../shared/domain/booking/post-charge.ts';
import { markPaid, takePayment } from '../../shared/domain/booking/take-payment.ts';
import { changeHold, openDuePage } from '../../shared/domain/payment/index.ts';
import { reconcilePayment } from '../../shared/domain/payment/reconcile-payments.ts';
import { systemContext } from '../../shared/platform/context.ts';
import { releaseAccess } from '../../shared/domain/booking/release-access.ts';
import { changeBooking } from '../../shared/domain/checkout/index.ts';
import type { ChangeRequest } from '../../shared/domain/checkout/change.schema.ts';
import { ListMessagesQuery } from '../../shared/domain/chat/chat.schema.ts';
import {
  listExternalMessages,
  listMessages,
  markMailed,
  markRead,
  readRecent,
  sendExternalMessage,
  sendMessage,
} from '../../shared/domain/chat/messages.ts';
import { readReservation } from '../../shared/domain/booking/model.ts';
import { DueMailEntity, dueMails } from '../../shared/domain/notification/due-mail.entity.ts';
import type { Mail } from '../../shared/platform/mail/mailer.ts';
import { sendDueMails } from '../../shared/domain/notification/send-due-mails.ts';
import { ListingEntity } from '../../shared/domain/listing/listing.entity.ts';
import { PricePartsEntity } from '../../shared/domain/pricing/price-parts.entity.ts';
import { put } from '../../shared/platform/table/index.ts';
import { hourMs as hour, toInstant } from '../../shared/platform/time/time.ts';
import { clearList, waitingIn } from '../support/due.ts';
import { eventsOf, queueEvent } from '../support/events.ts';
import {
  guestName,
  listingName,
  type MailCell,
  type MailScene,
  mailScene,
  plain,
} from '../support/mail-scene.ts';
import { testListing } from '../support/listings.ts';
import { testContext, testTable, testUser } from '../support/table.ts';

const cells = [
  { guest: 'vi', host: 'en', account: true },
  { guest: 'en', host: 'vi', account: true },
  { guest: 'vi', host: 'en', account: false },
  { guest: 'en', host: 'vi', account: false },
] as const;
const minute = 60_000;
const dayBefore = '2027-02-03T07:00:00.000Z';

beforeEach(async () => clearList(await testTable(), dueMails));

describe('the reminder', () => {
  const booked = async (cell: MailCell = cells[0], given = {}) => {
    const s = await mailScene(cell, given);
    const id = await s.book();
    await s.deliver(id, 'booking.created');
    s.sent.length = 0;
    return { s, id };
  };

  const words = {
    vi: { guest: 'Sắp đến ngày nhận phòng', host: 'Khách sắp đến', checkIn: 'Nhận phòng: 14:00, Thứ Năm' },
    en: {
      guest: 'Your stay begins soon',
      host: 'A guest arrives soon',
      checkIn: 'Check-in: 14:00, Thursday',
    },
  };
  const access = {
    vi: ['Tên Wi-Fi: Mây', 'Mật khẩu Wi-Fi: hoang-hon-2027', 'Mã cửa: gate: 4711#'],
    en: ['Wi-Fi name: Mây', 'Wi-Fi password: hoang-hon-2027', 'Door code: gate: 4711#'],
  };

  it.each(cells)(
    'comes 24 hours before check-in, how to enter for the guest alone: guest $guest, host $host, account $account',
    async (cell) => {
      const { s, id } = await booked(cell);
      await markPaid(s.asOwner, id);
      s.deps.clock.set('2027-02-03T06:59:59.999Z');
      expect(await s.due()).toMatchObject({ done: 0, failed: 0 });
      expect(s.sent).toEqual([]);
      s.deps.clock.set(dayBefore);
      expect(await s.due()).toMatchObject({ done: 1, failed: 0 });
      const [guest, host] = [s.mailTo('guest'), s.mailTo('host')];
      expect(guest.subject).toBe(`${words[cell.guest].guest}: ${listingName}`);
      expect(host.subject).toBe(`${words[cell.host].host}: ${listingName}`);
      for (const fact of [words[cell.guest].checkIn, '1 Trần Hưng Đạo', ...access[cell.guest]])
        expect(plain(guest.text)).toContain(fact);
      expect(guest.html).toContain('hoang-hon-2027');
      expect(host.text).toContain(guestName);
      for (const secret of ['hoang-hon-2027', '4711#', 'Wi-Fi']) expect(host.text).not.toContain(secret);
      for (const { html } of [guest, host])
        for (const raw of [guestName, listingName]) expect(html).not.toContain(raw);
    },
  );

  it('says nothing of how to enter while the stay is not paid and the host has not released it', async () => {
    const { s, id } = await booked();
    s.deps.clock.set(dayBefore);
    await s.due();
    expect(s.mailTo('guest').subject).toMatch(/^Sắp đến/);
    for (const secret of ['hoang-hon-2027', '4711#']) expect(s.mailTo('guest').text).not.toContain(secret);
    s.sent.length = 0;
    await releaseAccess(s.asOwner, id);
    await s.deliver(id, 'booking.access_released');
    expect(s.sent.map(({ to }) => to)).toEqual([s.mailTo('guest').to]);
    for (const secret of ['hoang-hon-2027', '4711#']) expect(s.mailTo('guest').text).toContain(secret);
  });

  it('has how to enter in the receipt of a stay that is paid later than that', async () => {
    const { s, id } = await booked();
    s.deps.clock.set(dayBefore);
    await s.due();
    s.sent.length = 0;
    await markPaid(s.asOwner, id);
    await s.deliver(id, 'payment.paid');
    expect(s.mailTo('guest').text).toContain('4711#');
    expect(s.mailTo('host').text).not.toContain('4711#');
  });

  it('comes once, however often its event and its run come, also at once', async () => {
    const { s, id } = await booked();
    await s.deliver(id, 'booking.created');
    expect(await waitingIn(s.deps.table, dueMails)).toHaveLength(1);
    s.deps.clock.set(dayBefore);
    await Promise.all([s.due(), s.due()]);
    await s.deliver(id, 'booking.created');
    s.deps.clock.advance(6 * minute);
    await s.due();
    expect(s.mailTo('guest').subject).toMatch(/^Sắp đến/);
    expect(s.mailTo('host').subject).toMatch(/^A guest arrives/);
    expect(await waitingIn(s.deps.table, dueMails)).toEqual([]);
  });

  it('comes again for the check-in that a change has given, and not after another change', async () => {
    const { s, id } = await booked();
    const changed = async (asked: ChangeRequest) => {
      await changeBooking(s.asOwner, id, asked);
      await s.deliver(id, 'booking.changed');
      s.sent.length = 0;
    };
    s.deps.clock.set(dayBefore);
    expect(await s.due()).toMatchObject({ done: 1 });
    await changed({ guest_number: 1 });
    expect(await s.due()).toMatchObject({ done: 1, failed: 0 });
    expect(s.sent).toEqual([]);
    await changed({ check_in_date: '2027-02-12', check_out_date: '2027-02-14' });
    s.deps.clock.set('2027-02-11T07:00:00.000Z');
    expect(await s.due()).toMatchObject({ done: 1, failed: 0 });
    expect(plain(s.mailTo('guest').text)).toContain('Nhận phòng: 14:00, Thứ Sáu');
  });

  it('of which another run is writing the mails is left to it: a warning, no error', async () => {
    const { s } = await booked();
    s.deps.clock.set(dayBefore);
    const warned = vi.spyOn(s.deps.log, 'warn');
    const failed = vi.spyOn(s.deps.log, 'error');
    const { send } = s.mailer;
    let again: Awaited<ReturnType<typeof s.due>> | undefined;
    s.mailer.send = async (mail) => {
      s.mailer.send = send;
      again = await s.due();
      await send(mail);
    };
    await s.due();
    expect(again).toMatchObject({ failed: 1 });
    expect([warned.mock.calls.length, failed.mock.calls.length]).toEqual([1, 0]);
  });

  it('does not come for a booking that was cancelled, nor after the stay', async () => {
    const cancelled = await booked();
    await cancelBooking(cancelled.s.asGuest, cancelled.id);
    cancelled.s.deps.clock.set(dayBefore);
    expect(await cancelled.s.due()).toMatchObject({ done: 1, failed: 0 });
    const late = await booked();
    late.s.deps.clock.set('2027-02-07T05:00:00.000Z');
    expect(await late.s.due()).toMatchObject({ done: 1, failed: 0 });
    expect([cancelled.s.sent, late.s.sent]).toEqual([[], []]);
    expect(await waitingIn(late.s.deps.table, dueMails)).toEqual([]);
  });

  it('waits for the host’s word', async () => {
    const { s, id } = await booked(cells[0], { instant_book_enabled: false });
    expect(await waitingIn(s.deps.table, dueMails)).toEqual([]);
    await moveBooking(s.asOwner, id, 'confirm');
    await s.deliver(id, 'booking.confirmed');
    expect(await waitingIn(s.deps.table, dueMails)).toEqual([
      { kind: 'reminder', id, due_at: Date.parse(dayBefore) },
    ]);
  });

  it('comes at once for a stay that was booked later than that', async () => {
    const s = await mailScene(cells[0]);
    s.deps.clock.set('2027-02-04T02:00:00.000Z');
    const id = await s.book();
    await markPaid(s.asOwner, id);
    await s.deliver(id, 'booking.created');
    s.sent.length = 0;
    await s.due();
    expect(s.mailTo('guest').text).toContain('hoang-hon-2027');
    expect((await waitingIn(s.deps.table, dueMails)).length).toBe(0);
  });

  it('is put off for those alone whose mail failed', async () => {
    const { s } = await booked();
    s.deps.clock.set(dayBefore);
    const tried: string[] = [];
    const mailer = {
      send: async (mail: Mail) => {
        if (mail.to === s.owner.user.email) throw new Error('mailbox full');
        tried.push(mail.to);
      },
    };
    expect(await sendDueMails({ ...s.deps, mailer })).toMatchObject({ done: 0, failed: 1 });
    expect(tried).toEqual([s.guest.user.email]);
    await s.due();
    expect(s.sent).toEqual([]);
    s.deps.clock.advance(5 * minute);
    expect(await s.due()).toMatchObject({ done: 1, failed: 0 });
    expect(s.sent.map(({ to }) => to)).toEqual([s.owner.user.email]);
  });
});

/** A booking with an open thread. Each message's event goes to the worker as it comes. */
const chatting = async (cell: MailCell = cells[0]) => {
  const s = await mailScene(cell);
  const thread_id = await s.book();
  await chatWorker(() => s.deps)(queueEvent(await s.eventOf(thread_id, 'booking.created')));
  const delivered = new Set<string>();
  const deliver = async () => {
    for (const event of await eventsOf(s.deps.table, `CHAT#${thread_id}`)) {
      if (delivered.has(event.id)) continue;
      delivered.add(event.id);
      expect(await s.worker(queueEvent(event))).toEqual({ batchItemFailures: [] });
    }
  };
  await deliver();
  const params = { thread_id };
  return {
    s,
    thread_id,
    host: async (text: string) => {
      await sendMessage(s.asOwner, params.thread_id, { text });
      await deliver();
    },
    guest: async (text: string) => {
      await (cell.account
        ? sendMessage(s.asGuest, params.thread_id, { text })
        : sendExternalMessage(s.asPartner, thread_id, { text }));
      await deliver();
    },
    later: async (minutes: number) => {
      s.deps.clock.advance(minutes * minute);
      return s.due();
    },
    reads: (who: MailScene['asGuest']) => listMessages(who, params.thread_id, ListMessagesQuery.parse({})),
    to: ({ email }: { email: string }) => s.sent.filter((mail) => mail.to === email),
  };
};

describe('the mail of a change that the host asks for', () => {
  const longer = { check_out_date: '2027-02-08' };
  const paidStay = async (cell: MailCell = cells[0]) => {
    const s = await mailScene(cell, { refund_rule: 'Full refund until check-in' });
    const id = await s.book('ONLINE_GATEWAY');
    await s.pay(id);
    return { s, id };
  };
  /** Runs the schedule; returns how many mails it has sent. */
  const sentNow = async (s: MailScene): Promise<number> => {
    const before = s.sent.length;
    expect(await s.due()).toMatchObject({ failed: 0 });
    expect(await waitingIn(s.deps.table, dueMails)).toEqual([]);
    return s.sent.length - before;
  };
  const words = {
    vi: {
      subject: 'Thay đổi đặt phòng chờ thanh toán',
      facts: ['Trả phòng: 12:00, Thứ Hai, 8 tháng 2, 2027', 'Số đêm: 4', 'Cần thanh toán: 1.000.000 ₫'],
      until:
        'Vui lòng thanh toán trước 10:00, Thứ Bảy, 16 tháng 1, 2027; sau đó thay đổi sẽ không được thực hiện',
    },
    en: {
      subject: 'A change of your booking awaits payment',
      facts: ['Check-out: 12:00, Monday, 8 February 2027', 'Nights: 4', 'Amount due: ₫1,000,000'],
      until: 'Please pay until 10:00, Saturday, 16 January 2027; after that the change is not made',
    },
  };

  it.each(cells)(
    'has the stay as it would be, the difference and its page, for the guest alone: guest $guest, account $account',
    async (cell) => {
      const { s, id } = await paidStay(cell);
      const { change } = await changeBooking(s.asOwner, id, longer);
      expect(await sentNow(s)).toBe(1);
      const { subject, text, html } = s.mailTo('guest');
      const { subject: wanted, facts, until } = words[cell.guest];
      expect(subject).toBe(`${wanted}: ${listingName}`);
      for (const fact of [...facts, until, change.payment_url!]) expect(plain(text)).toContain(fact);
      expect(plain(text)).not.toContain('4711#');
      for (const raw of [guestName, listingName]) expect(html).not.toContain(raw);
    },
  );

  it('comes once, also if the host asks again or the run died after the mail; again for another change', async () => {
    const { s, id } = await paidStay();
    await changeBooking(s.asOwner, id, longer);
    const [due] = await waitingIn(s.deps.table, dueMails);
    await Promise.all([s.due(), s.due()]);
    expect(s.sent).toHaveLength(1);
    await changeBooking(s.asOwner, id, longer);
    await s.deps.table.put(put(DueMailEntity, due!));
    s.deps.clock.advance(6 * minute);
    expect(await sentNow(s)).toBe(0);
    await changeBooking(s.asOwner, id, { check_out_date: '2027-02-09' });
    expect(await sentNow(s)).toBe(1);
    expect(plain(s.sent.at(-1)!.text)).toContain('Số đêm: 5');
  });

  it('is of the last of several changes before its run', async () => {
    const { s, id } = await paidStay();
    await changeBooking(s.asOwner, id, longer);
    s.deps.clock.advance(1);
    await changeBooking(s.asOwner, id, { check_out_date: '2027-02-09' });
    await s.due();
    // Of two items at once, one may be left to the other.
    s.deps.clock.advance(6 * minute);
    expect(await sentNow(s)).toBe(0);
    expect(plain(s.mailTo('guest').text)).toContain('Số đêm: 5');
  });

  it('has name, address and time zone of another home', async () => {
    const { s, id } = await paidStay();
    const sea = { name: 'Sea house', address: '9 Trần Phú', timezone: 'Asia/Tokyo', full_rate: 2_000_000 };
    const other = await testListing(s.deps, { team_id: s.team_id, ...sea });
    await changeBooking(s.asOwner, id, { listing_id: other.id });
    expect(await sentNow(s)).toBe(1);
    const { subject, text } = s.mailTo('guest');
    expect(subject).toBe('Thay đổi đặt phòng chờ thanh toán: Sea house');
    for (const fact of ['Địa chỉ: 9 Trần Phú', 'Asia/Tokyo', 'trước 12:00, Thứ Bảy, 16 tháng 1, 2027'])
      expect(plain(text)).toContain(fact);
  });

  it('names the extra services with it', async () => {
    const { s, id } = await paidStay();
    const breakfast = {
      ...{ id: 7, listing_id: s.listing.id, service_name: 'Bữa sáng', description: null },
      ...{
        price: 50_000,
        price_unit: 'per_person' as const,
        is_required: false,
        is_active: true,
        created_at: '',
      },
    };
    const parts = { listing_id: s.listing.id, version: 1, combos: [], rules: [], services: [breakfast] };
    await s.deps.table.put(put(PricePartsEntity, parts));
    await changeBooking(s.asOwner, id, { extra_service_ids: [7] });
    expect(await sentNow(s)).toBe(1);
    expect(plain(s.mailTo('guest').text)).toContain('Dịch vụ thêm: Bữa sáng');
  });

  it.each([
    [
      'was paid',
      async (s: MailScene, id: number) => s.pay((await readReservation(s.deps.table, id))!.pending_change!),
    ],
    ['was given up', (s: MailScene, id: number) => changeBooking(s.asOwner, id, { guest_number: 2 })],
    ['fell with its booking', (s: MailScene, id: number) => cancelBooking(s.asOwner, id)],
    [
      'leads to a home that was archived',
      async (s: MailScene) =>
        s.deps.table.put(put(ListingEntity, { ...s.listing, state: 'ARCHIVED', version: 2 })),
    ],
    ['is over', async (s: MailScene) => s.deps.clock.advance(24 * 60 * minute)],
  ] as const)('does not come for one that %s', async (_, meanwhile) => {
    const { s, id } = await paidStay();
    await changeBooking(s.asOwner, id, longer);
    await meanwhile(s, id);
    expect(await sentNow(s)).toBe(0);
  });

  it('does not come to a guest who asks: the page is in the answer', async () => {
    const { s, id } = await paidStay();
    const { change } = await changeBooking(s.asGuest, id, longer);
    expect(change.payment_url).not.toBeNull();
    expect(await waitingIn(s.deps.table, dueMails)).toEqual([]);
    // The guest's change has taken the place of the host's.
    const { s: t, id: other } = await paidStay();
    await changeBooking(t.asOwner, other, longer);
    await changeBooking(t.asGuest, other, { check_out_date: '2027-02-09' });
    expect(await sentNow(t)).toBe(0);
  });
});

describe('a message that is not read', () => {
  const words = {
    vi: { subject: `Tin nhắn mới: ${listingName}`, wrote: 'đã viết cho bạn về đặt phòng tại' },
    en: { subject: `New message: ${listingName}`, wrote: 'wrote to you about the booking at' },
  };

  it.each(cells)(
    'is mailed to the other side after 15 minutes: guest $guest, host $host, account $account',
    async (cell) => {
      const c = await chatting(cell);
      const text = 'Mã cửa <là> & "4711"?\nCảm ơn';
      await c.host(text);
      await c.later(14);
      expect(c.s.sent).toEqual([]);
      await c.later(1);
      const mail = c.s.mailTo('guest');
      expect(mail.subject).toBe(words[cell.guest].subject);
      expect(mail.text).toContain(words[cell.guest].wrote);
      expect(mail.text).toContain('> Mã cửa <là> & "4711"?\n> Cảm ơn');
      expect(mail.html).toContain('Mã cửa &lt;là&gt; &amp; &quot;4711&quot;?');
      expect(mail.html).not.toContain('<là>');
      c.s.sent.length = 0;
      await c.guest('Xin chào');
      await c.later(15);
      const answer = c.s.mailTo('host');
      expect([answer.subject, c.s.sent.length]).toEqual([words[cell.host].subject, 1]);
      expect(answer.text).toContain(guestName);
      expect(answer.html).not.toContain(guestName);
    },
  );

  it('is mailed once for a batch, with all that came meanwhile; the next batch has a mail of its own', async () => {
    const c = await chatting();
    await c.host('one');
    await c.later(10);
    await c.host('two');
    await c.later(5);
    expect(c.s.mailTo('guest').text).toMatch(/> one[\s\S]*> two/);
    await c.later(10);
    await c.host('three');
    await c.later(14);
    expect(c.s.sent).toHaveLength(1);
    await c.later(1);
    expect(c.s.sent).toHaveLength(2);
    expect(c.s.sent[1]!.text).toContain('> three');
    expect(c.s.sent[1]!.text).not.toContain('> two');
    await c.later(60);
    expect(c.s.sent).toHaveLength(2);
    expect(await waitingIn(c.s.deps.table, dueMails)).toEqual([]);
  });

  it('is not mailed to one who has read it, nor to one who has answered', async () => {
    const c = await chatting();
    await c.host('one');
    await c.reads(c.s.asGuest);
    await c.later(15);
    expect(c.s.sent).toEqual([]);
    await c.host('two');
    c.s.deps.clock.advance(minute);
    await c.guest('three');
    c.s.deps.clock.advance(minute);
    await c.host('four');
    await c.reads(c.s.asGuest);
    await c.later(15);
    expect(c.s.sent).toEqual([]);
  });

  it('is mailed to the members of the team who have not read it, even when others have', async () => {
    const c = await chatting();
    const { user, caller } = await testUser(c.s.deps, {
      memberships: [{ team_id: c.s.team_id, role: 'STAFF' }],
    });
    await c.guest('Xin chào');
    await c.reads(testContext(c.s.deps, caller));
    await c.later(15);
    expect([c.to(user), c.to(c.s.owner.user)].map(({ length }) => length)).toEqual([0, 1]);
  });

  it('is mailed to a guest without an account also when the partner has fetched it, not when it has answered', async () => {
    const c = await chatting(cells[3]);
    await c.host('one');
    await listExternalMessages(c.s.asPartner, c.thread_id, ListMessagesQuery.parse({}));
    await c.later(15);
    expect(c.s.mailTo('guest').text).toContain('> one');
    await c.host('two');
    c.s.deps.clock.advance(minute);
    await c.guest('three');
    c.s.sent.length = 0;
    await c.later(15);
    expect(c.s.sent.map(({ to }) => to)).toEqual([c.s.owner.user.email]);
  });

  it('is mailed once when runs come at once and events again', async () => {
    const c = await chatting();
    await c.host('one');
    await c.host('two');
    const events = await eventsOf(c.s.deps.table, `CHAT#${c.thread_id}`);
    await c.s.worker(queueEvent(...events));
    c.s.deps.clock.advance(15 * minute);
    await Promise.all([c.s.due(), c.s.due(), c.s.due()]);
    await c.later(6);
    await c.later(60);
    expect(c.s.sent).toHaveLength(1);
    expect(await waitingIn(c.s.deps.table, dueMails)).toEqual([]);
  });

  it('goes to the others when one mail fails, and to that one later', async () => {
    const c = await chatting();
    const { user } = await testUser(c.s.deps, { memberships: [{ team_id: c.s.team_id, role: 'MANAGER' }] });
    await c.guest('Xin chào');
    c.s.deps.clock.advance(15 * minute);
    const failing = {
      send: async (mail: Mail) => {
        if (mail.to === user.email) throw new Error('mailbox full');
        c.s.sent.push(mail);
      },
    };
    expect(await sendDueMails({ ...c.s.deps, mailer: failing })).toMatchObject({ failed: 1 });
    expect(c.s.mailTo('host').text).toContain('> Xin chào');
    await c.later(5);
    expect([c.to(user), c.to(c.s.owner.user)].map(({ length }) => length)).toEqual([1, 1]);
  });
});

describe('the marks of a reader', () => {
  it('only move on', async () => {
    const c = await chatting();
    const { table } = c.s.deps;
    const reader = `user:${c.s.guest.user.user_id}`;
    const mark = (until: number) => ({ thread_id: c.thread_id, reader, until });
    await Promise.all([markRead(table, mark(7)), markRead(table, mark(9)), markRead(table, mark(8))]);
    await markRead(table, mark(5));
    await markMailed(table, mark(9));
    await markMailed(table, mark(4));
    expect((await readRecent(table, c.thread_id)).marks.map(({ what, until }) => [what, until])).toEqual([
      ['MAILED', 9],
      ['READ', 9],
    ]);
  });

  it('cost one read where nothing is new', async () => {
    const c = await chatting();
    await c.host('one');
    await c.reads(c.s.asGuest);
    const operations: string[] = [];
    const table = c.s.deps.table.measured(({ operation }) => void operations.push(operation));
    await c.reads({ ...c.s.asGuest, table });
    expect(operations).not.toContain('put');
  });
});

describe('the mail of a page for a security deposit', () => {
  it.each(cells)('goes to the guest alone, once: guest $guest, account $account', async (cell) => {
    const s = await mailScene(cell, { security_deposit: 500_000 });
    const id = await s.book();
    const { start_at } = (await readReservation(s.deps.table, id))!;
    s.deps.clock.set(new Date(toInstant(start_at, 'Asia/Ho_Chi_Minh') - 48 * hour).toISOString());
    const take = () =>
      changeHold(s.asOwner, id, { action: 'TAKE', amount: 100_000, method: 'ONLINE_GATEWAY' });
    const { payment_url: url } = (await take()).security_deposit;
    await take();
    s.sent.length = 0;
    expect(await s.due()).toMatchObject({ failed: 0 });
    const mails = s.sent.filter(({ subject }) => /security deposit|Tiền đặt cọc/.test(subject));
    expect(mails).toHaveLength(1);
    const facts =
      cell.guest === 'vi'
        ? ['Tiền đặt cọc: 100.000 ₫', 'Cho giữ tiền đặt cọc: ', 'Vui lòng thực hiện trước ']
        : ['Security deposit: ₫100,000', 'Authorise now: ', 'Please authorise it until '];
    for (const fact of [...facts, url!]) expect(plain(mails[0]!.text)).toContain(fact);
  });

  it('does not come once it is authorised', async () => {
    const s = await mailScene(cells[0], { security_deposit: 500_000 });
    const id = await s.book();
    const { start_at } = (await readReservation(s.deps.table, id))!;
    s.deps.clock.set(new Date(toInstant(start_at, 'Asia/Ho_Chi_Minh') - 48 * hour).toISOString());
    await changeHold(s.asOwner, id, { action: 'TAKE', amount: 100_000, method: 'ONLINE_GATEWAY' });
    const hold = (await readReservation(s.deps.table, id))!.deposit_hold!.payment_id;
    const { server } = s.deps.sandbox;
    server.decide(server.find(hold)!, 'success');
    await reconcilePayment(systemContext(s.deps, 'test'), hold);
    s.sent.length = 0;
    await s.due();
    expect(s.sent.filter(({ subject }) => /security deposit|Tiền đặt cọc/.test(subject))).toEqual([]);
  });
});

describe('the mail of a page for what is due', () => {
  it.each(cells)('goes to the guest alone, once: guest $guest, account $account', async (cell) => {
    const s = await mailScene(cell);
    const id = await s.book();
    await addCharge(s.asOwner, id, { label: 'Minibar', amount: 60_000 });
    const page = await openDuePage(s.asOwner, id);
    await openDuePage(s.asOwner, id);
    s.sent.length = 0;
    expect(await s.due()).toMatchObject({ failed: 0 });
    s.deps.clock.advance(6 * minute);
    await s.due();
    expect(s.sent).toHaveLength(1);
    const { subject, text } = s.mailTo('guest');
    const [wanted, due, until] =
      cell.guest === 'vi'
        ? [
            'Đặt phòng của bạn còn khoản cần thanh toán',
            'Cần thanh toán: ',
            'Vui lòng thanh toán trước 10:00, ',
          ]
        : ['A payment for your booking is due', 'Amount due: ', 'Please pay until 10:00, '];
    expect(subject).toBe(`${wanted}: ${listingName}`);
    for (const fact of [due, until, page.payment_url]) expect(plain(text)).toContain(fact);
    expect(plain(text)).not.toMatch(/is cancelled|tự hủy/);
    expect(page.amount).toBeGreaterThan(60_000);
  });

  it('does not come once it is paid', async () => {
    const s = await mailScene(cells[0]);
    const id = await s.book();
    const { amount } = await openDuePage(s.asOwner, id);
    await takePayment(s.asOwner, id, { amount, method: 'CASH' });
    s.sent.length = 0;
    await s.due();
    expect(s.sent).toEqual([]);
  });
});

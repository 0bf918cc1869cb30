import { describe, expect, it } from 'vitest';
import { changeDeposit } from '../../shared/domain/booking/change-deposit.ts';
import { correctGuest } from '../../shared/domain/booking/correct-guest.ts';
import { cancelBooking } from '../../shared/domain/booking/cancel-booking.ts';
import { declineBooking } from '../../shared/domain/booking/decline-booking.ts';
import { changeBooking } from '../../shared/domain/checkout/index.ts';
import { markNoShow } from '../../shared/domain/booking/mark-no-show.ts';
import { findOrder } from '../../shared/domain/booking/model.ts';
import { restoreByTransfer } from '../../shared/domain/booking/restore-stays.ts';
import { moveDueBookings } from '../../shared/domain/payment/index.ts';
import { releaseAccess } from '../../shared/domain/booking/release-access.ts';
import { moveBooking } from '../../shared/domain/booking/move-booking.ts';
import { markPaid } from '../../shared/domain/booking/take-payment.ts';
import { confirmCheckout } from '../../shared/domain/checkout/confirm-checkout.ts';
import { bookingMails } from '../../shared/domain/notification/booking-mails.ts';
import { bookingWords } from '../../shared/domain/notification/words/booking-words.ts';
import type { BookingMailName } from '../../shared/domain/notification/words/words.ts';
import { EventEntity } from '../../shared/platform/events/event.entity.ts';
import { orderIdOf } from '../../shared/platform/ids.ts';
import { hourMs } from '../../shared/platform/time/time.ts';
import type { WrittenLanguage } from '../../shared/platform/text/language.ts';
import { queueEvent } from '../support/events.ts';
import { guestName, listingName, type MailScene, mailScene, plain } from '../support/mail-scene.ts';
import { testListing } from '../support/listings.ts';
import { testContext, testTeam, testUser } from '../support/table.ts';

const nights = { check_in_date: '2027-02-04', check_out_date: '2027-02-07', guest_number: 2 };
type Side = 'guest' | 'host';

/** A row of the table of mails: how it comes about, and what each side reads in each language. */
interface Row {
  instant?: boolean;
  /** The address of an account is that of the account. */
  withoutAccount?: true;
  /** Leads to the event, whose booking it answers. */
  arrange: (s: MailScene) => Promise<number>;
  subjects: Record<WrittenLanguage, Partial<Record<Side, string>>>;
  /** Both sides' mails have these. */
  facts: Record<WrittenLanguage, readonly string[]>;
  /** The guest's has these too. */
  forGuest?: (bookingId: number) => Record<WrittenLanguage, readonly string[]>;
}

const stayFacts = {
  vi: ['Nhận phòng: 14:00, Thứ Năm, 4 tháng 2, 2027', 'Trả phòng: 12:00, Chủ Nhật, 7 tháng 2, 2027'],
  en: ['Check-in: 14:00, Thursday, 4 February 2027', 'Check-out: 12:00, Sunday, 7 February 2027'],
};
const andStay = (vi: readonly string[], en: readonly string[]) => ({
  vi: [...stayFacts.vi, ...vi],
  en: [...stayFacts.en, ...en],
});
const byLink = (s: MailScene, reservation_id: number) =>
  testContext(s.deps, { kind: 'guest', reservation_id, version: 0, from: 'm' });
const payUrlOf = (id: number) => `http://127.0.0.1:4000/_local/payments/sbx_${orderIdOf(id)}_1`;
const toPay = (id: number) => ({
  vi: [`Thanh toán ngay: ${payUrlOf(id)}`, 'Vui lòng thanh toán trước 10:00, Thứ Bảy, 16 tháng 1, 2027;'],
  en: [`Pay now: ${payUrlOf(id)}`, 'Please pay until 10:00, Saturday, 16 January 2027;'],
});

/** Those that an event triggers; due-mails.test.ts tests the others. */
const rows: Record<
  Exclude<
    BookingMailName,
    'reminder' | 'change_to_pay' | 'due_to_pay' | 'deposit_asked' | 'balance' | 'window' | 'window_of_host'
  >,
  Row
> = {
  requested: {
    instant: false,
    arrange: (s) => s.book(),
    subjects: {
      vi: { guest: 'Đã gửi yêu cầu đặt phòng', host: 'Yêu cầu đặt phòng mới' },
      en: { guest: 'Your booking request', host: 'New booking request' },
    },
    facts: andStay(
      ['Thanh toán: Tiền mặt tại chỗ, chưa thanh toán', 'Trạng thái: Chờ xác nhận'],
      ['Payment: Cash on site, not paid yet', 'State: Awaiting confirmation'],
    ),
  },
  to_pay: {
    arrange: (s) => s.book('ONLINE_GATEWAY'),
    subjects: {
      vi: { guest: 'Đặt phòng chờ thanh toán', host: 'Đặt phòng mới, chờ khách thanh toán' },
      en: { guest: 'Your booking awaits payment', host: 'New booking, awaiting payment' },
    },
    facts: andStay(
      ['Thanh toán trước: 10:00, Thứ Bảy, 16 tháng 1, 2027', 'Thanh toán: Trực tuyến, chưa thanh toán'],
      ['Pay until: 10:00, Saturday, 16 January 2027', 'Payment: Online, not paid yet'],
    ),
    forGuest: toPay,
  },
  booked: {
    arrange: (s) => s.book(),
    subjects: {
      vi: { guest: 'Đặt phòng thành công', host: 'Đặt phòng mới' },
      en: { guest: 'Your booking', host: 'New booking' },
    },
    facts: andStay(
      ['Địa chỉ: 1 Trần Hưng Đạo', 'Số đêm: 3', 'Tổng tiền: 3.200.000 ₫'],
      ['Address: 1 Trần Hưng Đạo', 'Nights: 3', 'Total: ₫3,200,000'],
    ),
  },
  confirmed: {
    instant: false,
    arrange: async (s) => {
      const id = await s.book();
      await moveBooking(s.asOwner, id, 'confirm');
      return id;
    },
    subjects: {
      vi: { guest: 'Đặt phòng đã được xác nhận', host: 'Đã xác nhận đặt phòng' },
      en: { guest: 'Your booking is confirmed', host: 'Booking confirmed' },
    },
    facts: andStay(['Trạng thái: Đã xác nhận'], ['State: Confirmed']),
  },
  cancelled: {
    arrange: async (s) => {
      const id = await s.book();
      await markPaid(s.asOwner, id);
      await cancelBooking(s.asOwner, id, 'Ống nước <vỡ> & "hỏng"');
      return id;
    },
    subjects: {
      vi: { guest: 'Đặt phòng đã bị hủy', host: 'Đặt phòng bị hủy' },
      en: { guest: 'Your booking is cancelled', host: 'Booking cancelled' },
    },
    facts: andStay(
      ['Lý do: Ống nước <vỡ> & "hỏng"', 'Hoàn tiền: 3.200.000 ₫ (chủ nhà sẽ trả lại: Tiền mặt tại chỗ)'],
      ['Reason: Ống nước <vỡ> & "hỏng"', 'Refund: ₫3,200,000 (the host will return it: Cash on site)'],
    ),
  },
  restored: {
    arrange: async (s) => {
      const id = await s.book('BANK_TRANSFER');
      s.deps.clock.advance(73 * hourMs);
      await moveDueBookings(s.deps);
      const given = { amount: 3_200_000, reference: 'FT1', received_at: '2027-01-18T04:00:00.000Z' };
      const { reservations } = await findOrder(s.deps.table, orderIdOf(id));
      const restored = await restoreByTransfer(s.asOwner, reservations, given, { isByPerson: true });
      if (restored instanceof Error) throw restored;
      const paid = restored.paid.flatMap(({ writes }) => writes);
      await s.deps.table.transact([...paid, ...restored.beside]);
      return id;
    },
    subjects: {
      vi: { guest: 'Đặt phòng đã được khôi phục', host: 'Đặt phòng đã được khôi phục' },
      en: { guest: 'Your booking is restored', host: 'Booking restored' },
    },
    facts: andStay(
      ['Thanh toán: Chuyển khoản, đã thanh toán', 'Trạng thái: Đã xác nhận'],
      ['Payment: Bank transfer, paid', 'State: Confirmed'],
    ),
  },
  access_released: {
    arrange: async (s) => {
      const id = await s.book();
      await releaseAccess(s.asOwner, id);
      return id;
    },
    subjects: {
      vi: { guest: 'Wi-Fi và mã cửa' },
      en: { guest: 'Wi-Fi and door code' },
    },
    facts: stayFacts,
  },
  declined: {
    instant: false,
    arrange: async (s) => {
      const id = await s.book();
      await declineBooking(s.asOwner, id, 'Ống nước vỡ');
      return id;
    },
    subjects: {
      vi: { guest: 'Yêu cầu đặt phòng bị từ chối', host: 'Đã từ chối yêu cầu đặt phòng' },
      en: { guest: 'Your booking request was declined', host: 'Booking request declined' },
    },
    facts: andStay(
      ['Lý do: Ống nước vỡ', 'Hoàn tiền: không có', 'Trạng thái: Đã hủy'],
      ['Reason: Ống nước vỡ', 'Refund: none', 'State: Cancelled'],
    ),
  },
  changed: {
    arrange: async (s) => {
      const id = await s.book();
      await changeBooking(s.asOwner, id, { check_out_date: '2027-02-08' });
      return id;
    },
    subjects: {
      vi: { guest: 'Đặt phòng của bạn đã được thay đổi', host: 'Đặt phòng đã thay đổi' },
      en: { guest: 'Your booking was changed', host: 'Booking changed' },
    },
    facts: {
      vi: ['Trả phòng: 12:00, Thứ Hai, 8 tháng 2, 2027'],
      en: ['Check-out: 12:00, Monday, 8 February 2027'],
    },
  },
  change_given_up: {
    arrange: async (s) => {
      const id = await s.book('BANK_TRANSFER');
      await markPaid(s.asOwner, id);
      await changeBooking(byLink(s, id), id, { check_out_date: '2027-02-08' });
      s.deps.clock.advance(73 * hourMs);
      await moveDueBookings(s.deps);
      return id;
    },
    subjects: {
      vi: { guest: 'Đặt phòng của bạn trở lại như trước', host: 'Đã bỏ thay đổi chưa thanh toán' },
      en: { guest: 'Your booking is as before', host: 'Unpaid change undone' },
    },
    facts: andStay(
      ['Thanh toán: Chuyển khoản, đã thanh toán', 'Trạng thái: Đã xác nhận'],
      ['Payment: Bank transfer, paid', 'State: Confirmed'],
    ),
  },
  change_kept: {
    arrange: async (s) => {
      const id = await s.book('BANK_TRANSFER');
      await markPaid(s.asOwner, id);
      const { listing_id } = (await findOrder(s.deps.table, orderIdOf(id))).reservations[0]!;
      await changeBooking(byLink(s, id), id, { check_in_date: '2027-02-10', check_out_date: '2027-02-14' });
      await confirmCheckout(s.asGuest, {
        items: [{ ...nights, listing_id }],
        payment_method: 'CASH',
      });
      s.deps.clock.advance(73 * hourMs);
      await moveDueBookings(s.deps);
      return id;
    },
    subjects: {
      vi: { guest: 'Đặt phòng của bạn có khoản cần thanh toán', host: 'Thay đổi chưa thanh toán' },
      en: { guest: 'A payment for your booking is due', host: 'Unpaid change' },
    },
    facts: {
      vi: ['Trả phòng: 12:00, Chủ Nhật, 14 tháng 2, 2027', 'Thanh toán: Chuyển khoản'],
      en: ['Check-out: 12:00, Sunday, 14 February 2027', 'Payment: Bank transfer'],
    },
  },
  no_show: {
    arrange: async (s) => {
      const id = await s.book();
      await markPaid(s.asOwner, id);
      s.deps.clock.set('2027-02-05T04:00:00.000Z');
      await markNoShow(s.asOwner, id, 1_000_000);
      return id;
    },
    subjects: {
      vi: { guest: 'Bạn đã không đến nhận phòng', host: 'Khách không đến' },
      en: { guest: 'We missed you', host: 'Guest did not come' },
    },
    facts: andStay(
      ['Hoàn tiền: 1.000.000 ₫ (chủ nhà sẽ trả lại: Tiền mặt tại chỗ)', 'Trạng thái: Khách không đến'],
      ['Refund: ₫1,000,000 (the host will return it: Cash on site)', 'State: No-show'],
    ),
  },
  paid: {
    arrange: async (s) => {
      const id = await s.book('ONLINE_GATEWAY');
      await s.pay(id);
      return id;
    },
    subjects: {
      vi: { guest: 'Biên nhận thanh toán', host: 'Khách đã thanh toán' },
      en: { guest: 'Your receipt', host: 'Payment received' },
    },
    facts: andStay(
      [
        'Đêm 2027-02-04: 1.000.000 ₫',
        'Phí vệ sinh: 200.000 ₫',
        'Tổng tiền: 3.200.000 ₫',
        'Đã thanh toán: 3.200.000 ₫',
        'Hình thức: Trực tuyến',
        'Mã giao dịch: ',
      ],
      [
        'Night 2027-02-04: ₫1,000,000',
        'Cleaning fee: ₫200,000',
        'Total: ₫3,200,000',
        'Amount paid: ₫3,200,000',
        'Method: Online',
        'Transaction: ',
      ],
    ),
  },
  refunded: {
    arrange: async (s) => {
      const id = await s.book('ONLINE_GATEWAY');
      await s.pay(id);
      await cancelBooking(s.asOwner, id, 'Sold');
      s.deps.clock.advance(1);
      await s.settle(id);
      return id;
    },
    subjects: {
      vi: { guest: 'Hoàn tiền', host: 'Hoàn tiền cho khách' },
      en: { guest: 'Your refund', host: 'Refund to a guest' },
    },
    facts: andStay(
      ['Hoàn tiền: 3.200.000 ₫ (qua cổng thanh toán, theo cách đã trả)', 'Lý do: Sold', 'Mã giao dịch: '],
      [
        'Refund: ₫3,200,000 (through the payment gateway, the way it was paid)',
        'Reason: Sold',
        'Transaction: ',
      ],
    ),
  },
  address_corrected: {
    withoutAccount: true,
    arrange: async (s) => {
      const id = await s.book();
      for (const email of ['mistyped@example.com', s.guest.user.email])
        await correctGuest(s.asOwner, id, { guest_info: { email } });
      return id;
    },
    subjects: { vi: { guest: 'Đặt phòng của bạn' }, en: { guest: 'Your booking' } },
    facts: andStay(['Trạng thái: Đã xác nhận'], ['State: Confirmed']),
  },
  deposit_kept: {
    arrange: async (s) => {
      const id = await s.book();
      await changeDeposit(s.asOwner, id, { action: 'TAKE', amount: 500_000, method: 'CASH' });
      await changeDeposit(s.asOwner, id, { action: 'KEEP', amount: 200_000, note: 'Đèn <vỡ>' });
      return id;
    },
    subjects: { vi: { guest: 'Tiền đặt cọc của bạn' }, en: { guest: 'Your security deposit' } },
    facts: andStay(['Giữ lại: 200.000 ₫', 'Lý do: Đèn <vỡ>'], ['Kept: ₫200,000', 'Reason: Đèn <vỡ>']),
  },
  review: {
    arrange: async (s) => {
      const id = await s.book();
      s.deps.clock.set('2027-02-04T08:00:00.000Z');
      await moveBooking(s.asOwner, id, 'check_in');
      s.deps.clock.set('2027-02-07T04:00:00.000Z');
      await moveBooking(s.asOwner, id, 'check_out');
      await moveBooking(s.asOwner, id, 'complete');
      return id;
    },
    subjects: { vi: { guest: 'Kỳ nghỉ của bạn thế nào?' }, en: { guest: 'How was your stay?' } },
    facts: andStay(['chọn đánh giá'], ['choose to review it']),
  },
};

const cells = [
  { guest: 'vi', host: 'en', account: true },
  { guest: 'en', host: 'vi', account: true },
  { guest: 'vi', host: 'en', account: false },
  { guest: 'en', host: 'vi', account: false },
] as const;

/** A text as it stands in HTML, where its spaces may be line breaks. */
const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

const names = Object.keys(rows) as (keyof typeof rows)[];

describe.each(names)('the mail %s', (name) => {
  const { arrange, subjects, facts, forGuest, instant = true, withoutAccount } = rows[name];
  const { on, to } = bookingMails[name];

  it.each(cells.filter(({ account }) => !(account && withoutAccount)))(
    'guest $guest, host $host, account $account',
    async (cell) => {
      const s = await mailScene(cell, { instant_book_enabled: instant, security_deposit: 500_000 });
      const id = await arrange(s);
      const event = await s.eventOf(id, on);
      await s.deliver(id, on);
      await s.deliver(id, on);
      const sides: readonly Side[] = to;
      expect(s.sent).toHaveLength(sides.length);
      for (const side of sides) {
        const language = cell[side];
        const mail = s.mailTo(side);
        const [text, page] = [plain(mail.text), plain(mail.html)];
        expect(mail.subject).toMatch(subjects[language][side]!);
        expect(mail.subject).toContain(listingName);
        expect(page).toContain(`<html lang="${language}">`);
        const wanted = [...facts[language], ...(side === 'guest' ? (forGuest?.(id)[language] ?? []) : [])];
        for (const fact of [...wanted, String(event.data.id)]) {
          expect(text).toContain(fact);
          const value = fact.includes(': ') ? fact.slice(fact.indexOf(': ') + 2) : fact;
          expect(page).toContain(escaped(value));
        }
        expect(text).toContain(guestName);
        expect(page).toContain(escaped(guestName));
        for (const raw of [guestName, listingName, '<vỡ>']) expect(page).not.toContain(raw);
        for (const secret of ['hoang-hon-2027', '4711#']) expect(text).not.toContain(secret);
        if (side === 'host' && forGuest) expect(text).not.toContain(payUrlOf(id));
      }
    },
  );
});

describe('the table of mails', () => {
  it('says nothing of a security deposit that is taken or returned', async () => {
    const s = await mailScene(cells[0], { security_deposit: 500_000 });
    const id = await s.book();
    for (const action of ['TAKE', 'RETURN'] as const) {
      await changeDeposit(s.asOwner, id, { action, amount: 1, method: 'CASH', note: 'At the desk' });
      await s.deliver(id, 'booking.deposit_changed');
    }
    expect(s.sent).toEqual([]);
  });

  it('shares an event between mails of which one alone is true at a time', async () => {
    for (const instant_book_enabled of [true, false]) {
      const s = await mailScene(cells[0], { instant_book_enabled });
      await s.deliver(await s.book('ONLINE_GATEWAY'), 'booking.created');
      expect(s.sent).toHaveLength(2);
    }
  });
});

it('a change to be paid later says what was paid in part and what is due', async () => {
  const s = await mailScene(cells[0]);
  const id = await s.book('ONLINE_GATEWAY');
  await s.pay(id);
  await changeBooking(s.asOwner, id, { check_out_date: '2027-02-08', charge_later: true });
  await s.deliver(id, 'booking.changed');
  const facts = {
    guest: [
      'Tổng tiền: 4.200.000 ₫',
      'Thanh toán: Trực tuyến, đã thanh toán một phần',
      'Cần thanh toán: 1.000.000 ₫',
    ],
    host: ['Total: ₫4,200,000', 'Payment: Online, paid in part', 'Amount due: ₫1,000,000'],
  };
  for (const side of ['guest', 'host'] as const)
    for (const fact of facts[side]) expect(plain(s.mailTo(side).text)).toContain(fact);
});

describe('an event that comes late', () => {
  const scene = (instant_book_enabled = true) => mailScene(cells[0], { instant_book_enabled });

  it('sends no mail about a booking that was cancelled meanwhile', async () => {
    const s = await scene(false);
    const id = await s.book();
    await moveBooking(s.asOwner, id, 'confirm');
    await cancelBooking(s.asGuest, id);
    await s.deliver(id, 'booking.confirmed');
    await s.deliver(id, 'booking.created');
    expect(s.sent).toEqual([]);
    await s.deliver(id, 'booking.cancelled');
    expect(s.sent).toHaveLength(2);
  });

  it('does not ask to accept what was accepted, nor to pay what was paid', async () => {
    const s = await scene(false);
    const id = await s.book();
    await moveBooking(s.asOwner, id, 'confirm');
    await s.deliver(id, 'booking.created');
    expect(s.sent).toEqual([]);
    const t = await scene();
    const paid = await t.book('ONLINE_GATEWAY');
    await t.pay(paid);
    await t.deliver(paid, 'booking.created');
    expect(t.mailTo('guest').subject).toMatch(/^Đặt phòng thành công/);
    expect(t.mailTo('guest').text).not.toContain('/_local/payments/');
  });

  it('describes a booking by bank transfer, and until when to transfer', async () => {
    const s = await scene();
    const id = await s.book('BANK_TRANSFER');
    await s.deliver(id, 'booking.created');
    expect(s.mailTo('guest').subject).toMatch(/^Đặt phòng chờ thanh toán/);
    const labels = (['vi', 'en'] as const).map((language) => bookingWords[language].labels.pay_until);
    for (const side of ['guest', 'host'] as const)
      expect(labels.some((label) => s.mailTo(side).text.includes(label))).toBe(true);
  });

  it('is no receipt for what has gone back, and no invitation to review what never was', async () => {
    const s = await scene();
    const id = await s.book('ONLINE_GATEWAY');
    await s.pay(id);
    await cancelBooking(s.asOwner, id);
    s.deps.clock.advance(1);
    await s.settle(id);
    await s.deliver(id, 'payment.paid');
    expect(s.sent).toEqual([]);
    const created = await s.eventOf(id, 'booking.created');
    const completed = queueEvent({ ...created, event_type: 'booking.completed' });
    expect(await s.worker(completed)).toEqual({ batchItemFailures: [] });
    expect(s.sent).toEqual([]);
  });
});

describe('a charge whose order could not become a booking', () => {
  it.each(['vi', 'en'] as const)('is mailed to the person who paid, in %s', async (language) => {
    const s = await mailScene({ guest: language, host: 'en', account: true });
    const { deps, listing, asGuest } = s;
    let order_id = 0;
    deps.sandbox.meanwhile = async (path) => {
      if (path !== '/charge') return;
      deps.sandbox.meanwhile = undefined;
      order_id = deps.sandbox.opened.at(-1)!;
      // The lock of the one who pays lapses, and another books.
      deps.clock.advance(16 * 60_000);
      const other = testContext(deps, (await testUser(deps)).caller);
      await confirmCheckout(other, {
        items: [{ listing_id: listing.id, ...nights }],
        payment_method: 'CASH',
      });
    };
    const items = [{ listing_id: listing.id, ...nights }];
    const charge = { items, payment_method: 'ONLINE_GATEWAY', payment_gateway_token: 'tok_ok' } as const;
    await expect(confirmCheckout(asGuest, charge)).rejects.toMatchObject({
      code: 'CHECKOUT_CREATE_BOOKING_FAILED',
    });
    deps.clock.advance(1);
    await s.settle(order_id);
    await s.deliver(order_id, 'payment.refunded');
    expect(s.sent).toHaveLength(1);
    const { subject, text } = s.mailTo('guest');
    expect(subject).toMatch(
      language === 'vi' ? /^Hoàn tiền, không có đặt phòng/ : /^Refund, nothing was booked/,
    );
    expect(plain(text)).toContain(language === 'vi' ? 'Hoàn tiền: 3.200.000 ₫' : 'Refund: ₫3,200,000');
  });
});

it('a charge whose order of two teams could not become a booking is mailed once', async () => {
  const s = await mailScene({ guest: 'en', host: 'en', account: true });
  const { deps, listing, asGuest } = s;
  const elsewhere = await testListing(deps, { team_id: (await testTeam(deps)).team_id });
  let order_id = 0;
  deps.sandbox.meanwhile = async (path) => {
    if (path !== '/charge') return;
    deps.sandbox.meanwhile = undefined;
    order_id = deps.sandbox.opened.at(-1)!;
    deps.clock.advance(16 * 60_000);
    const other = testContext(deps, (await testUser(deps)).caller);
    const items = [{ listing_id: listing.id, ...nights }];
    await confirmCheckout(other, { items, payment_method: 'CASH' });
  };
  const items = [listing, elsewhere].map(({ id }) => ({ listing_id: id, ...nights }));
  const charge = { items, payment_method: 'ONLINE_GATEWAY', payment_gateway_token: 'tok_ok' } as const;
  await expect(confirmCheckout(asGuest, charge)).rejects.toMatchObject({
    code: 'CHECKOUT_CREATE_BOOKING_FAILED',
  });
  deps.clock.advance(1);
  await s.settle(order_id);
  const stored = await deps.table.queryAll(EventEntity, { pk: `ORDER#${order_id}`, prefix: 'EVENT#' });
  const refunded = stored.filter(({ event_type }) => event_type === 'payment.refunded');
  expect(new Set(refunded.map(({ team_id }) => team_id)).size).toBe(2);
  for (const event of refunded) expect(await s.worker(queueEvent(event))).toEqual({ batchItemFailures: [] });
  expect(s.sent).toHaveLength(1);
});

describe('a cancellation of what a partner has collected', () => {
  it.each([
    ['en', 'stayhub', '(refunded by stayhub)'],
    ['en', undefined, '(refunded by the partner it was booked with)'],
    ['vi', 'stayhub', '(do stayhub hoàn lại)'],
  ] as const)('names the partner, who refunds it: %s, %s', async (language, external_system, expected) => {
    for (const method of ['CASH', 'BANK_TRANSFER', 'ONLINE_GATEWAY'] as const) {
      const s = await mailScene({ guest: language, host: language, account: false });
      Object.assign(s.asPartner.caller, { collects_payment: true });
      const reference = external_system ? { external_system, external_booking_id: 'SH-1' } : {};
      const id = await s.book(method, reference);
      await cancelBooking(s.asOwner, id);
      await s.deliver(id, 'booking.cancelled');
      for (const side of ['guest', 'host'] as const) expect(s.mailTo(side).text).toContain(expected);
    }
  });

  it('of what the host has collected for a partner’s guest names the host', async () => {
    const s = await mailScene({ guest: 'en', host: 'en', account: false });
    const id = await s.book('CASH', { external_system: 'stayhub', external_booking_id: 'SH-2' });
    await markPaid(s.asOwner, id);
    await cancelBooking(s.asOwner, id);
    await s.deliver(id, 'booking.cancelled');
    expect(s.mailTo('guest').text).toContain('(the host will return it: Cash on site)');
  });
});

import { describe, expect, it } from 'vitest';
import type { Reservation } from '../../../shared/domain/booking/reservation.entity.ts';
import { reasonOf } from '../../../shared/domain/payment/move-due-bookings.ts';
import { dueMove } from '../../../shared/domain/booking/due-move.rules.ts';
import type { BookingFacts } from '../../../shared/domain/notification/booking-facts.ts';
import { bookingMail } from '../../../shared/domain/notification/booking-mail.ts';
import type { Recipient } from '../../../shared/domain/notification/recipients.ts';
import { html } from '../../../shared/platform/text/html.ts';
import { bookingWords } from '../../../shared/domain/notification/words/booking-words.ts';

const reservation: Reservation = {
  reservation_id: 17,
  order_id: 16,
  availability_id: 5,
  listing_id: 4711,
  listing_name: 'Biệt thự "Mây & Gió" <Đà Lạt>',
  calendar_id: 4711,
  team_id: 71,
  state: 'CONFIRMED',
  payment_method: 'BANK_TRANSFER',
  payment_status: 'PENDING',
  check_in_date: '2027-02-04',
  check_out_date: '2027-02-07',
  start_at: '2027-02-04T14:00:00',
  end_at: '2027-02-07T12:00:00',
  timezone: 'Asia/Ho_Chi_Minh',
  nights: 3,
  guest_number: 4,
  total: 5_650_000,
  currency: 'VND',
  refund_notice_hours: 0,
  guest: { user_id: 1, full_name: 'An <An>', phone: '+84901234567', email: 'an@example.com', language: 'vi' },
  key_id: null,
  external_system: null,
  external_booking_id: null,
  created_at: '2027-01-15T03:00:00.000Z',
  updated_at: '2027-01-15T03:00:00.000Z',
};
const listing = { address: '1 Trần Hưng Đạo' };

const about = (given: Partial<Reservation> = {}, more: Partial<BookingFacts> = {}): BookingFacts => ({
  stay: { ...reservation, ...given },
  lines: [],
  listing,
  host: { name: 'Hoa Nắng', phone: '+84 912 345 678', email: '', ownMails: [] },
  transfer: null,
  payUrl: null,
  guestUrl: null,
  access: null,
  now: 0,
  endsAt: 1,
  eventFacts: {},
  ...more,
});

const to = (given: Partial<Recipient> = {}): Recipient => ({
  side: 'guest',
  ref: 'user:1',
  email: 'an@example.com',
  full_name: 'An <An>',
  language: 'vi',
  isKnown: true,
  ...given,
});

/** Intl separates amount and currency by a space that does not break. */
const plain = (text: string) => text.replaceAll(/[\u00a0\s]+/g, ' ');

const charge = { kind: 'payment', amount: 2_200_000, at: 0, reference: 'txn_1', payment_id: 16 } as const;
const online = { payment_method: 'ONLINE_GATEWAY', payment_status: 'PAID', postings: [charge] } as const;

const desk = { kind: 'payment', amount: 5, at: 0, collected_by: 'HOST', method: 'CASH' } as const;
const back = { kind: 'refund', amount: 5, at: 0, of: 1, to_return: true } as const;

describe('a mail about money', () => {
  it.each([
    ['by the stay’s own method', {}, 'Chuyển khoản'],
    ['as the event says', { method: 'CARD_ON_SITE' }, 'Thẻ tại chỗ'],
    ['of another kind', { method: 'OTHER' }, 'Trả cho chủ nhà'],
  ] as const)('says how it came: %s', (_, eventFacts, shown) => {
    expect(bookingMail(to(), 'paid', about({ payment_status: 'PAID' }, { eventFacts })).text).toContain(
      shown,
    );
  });

  it.each([
    ['of a charge', online, { payment_transaction_id: 'txn_1' }, 'qua cổng thanh toán'],
    ['of what the host took beside a charge', online, { payment_transaction_id: null }, '(do chủ nhà)'],
    [
      'of a charge that came after the end',
      { postings: [desk, { kind: 'fee', amount: 0, at: 0 }, back] },
      { payment_transaction_id: 'txn_2' },
      'qua cổng thanh toán',
    ],
    ['of a stay that was paid online', online, {}, 'qua cổng thanh toán'],
    ['of one that was not', {}, {}, '(do chủ nhà)'],
  ] as const)('says who refunds: %s', (_, given, eventFacts, shown) => {
    const facts = about(
      { ...given, postings: 'postings' in given ? [...given.postings] : [] },
      { eventFacts: { refund: 5, ...eventFacts } },
    );
    expect(bookingMail(to(), 'refunded', facts).text).toContain(shown);
  });

  it('says what is still due after a part', () => {
    const part = { ...charge, amount: 2_000_000 };
    const of = (payment_status: 'PENDING' | 'PAID') =>
      plain(
        bookingMail(
          to(),
          'paid',
          about({ payment_status, postings: [part] }, { eventFacts: { amount: 2_000_000 } }),
        ).text,
      );
    expect(of('PENDING')).toContain('Cần thanh toán: 3.650.000 ₫');
    expect(of('PAID')).not.toContain('Cần thanh toán');
  });

  it('names the charge of its own payment, and none where no gateway took it', () => {
    const paid = (payment_transaction_id?: string | null) =>
      bookingMail(
        to(),
        'paid',
        about({ ...online, postings: [charge] }, { eventFacts: { payment_transaction_id } }),
      ).text;
    expect([paid('txn_2'), paid()].map((text) => /txn_\d/.exec(text)?.[0])).toEqual(['txn_2', 'txn_1']);
    expect(paid(null)).not.toContain('txn_');
  });
});

describe('booking mail', () => {
  it('describes the booking to the guest in Vietnamese, in HTML and text alike', () => {
    const mail = bookingMail(to(), 'booked', about());
    expect(mail.to).toBe('an@example.com');
    expect(mail.subject).toBe('Đặt phòng thành công: Biệt thự "Mây & Gió" <Đà Lạt>');
    const facts = [
      ['Nhận phòng', '14:00, Thứ Năm, 4 tháng 2, 2027'],
      ['Trả phòng', '12:00, Chủ Nhật, 7 tháng 2, 2027'],
      ['Địa chỉ', '1 Trần Hưng Đạo'],
      ['Số đêm', '3'],
      ['Tổng tiền', '5.650.000 ₫'],
      ['Thanh toán', 'Chuyển khoản, chưa thanh toán'],
    ] as const;
    const cells = [...mail.html.matchAll(/<td[^>]*>([^<]*)<\/td>/g)].map(([, cell = '']) =>
      plain(cell).trim(),
    );
    for (const [label, value] of facts) {
      expect(plain(mail.text)).toContain(`${label}: ${value}`);
      expect(cells[cells.indexOf(label) + 1]).toBe(value);
    }
    expect(mail.html).toContain('<html lang="vi">');
  });

  it('names the guest to the host in English', () => {
    const host = to({ side: 'host', language: 'en', full_name: 'Binh', email: 'host@example.com' });
    const mail = bookingMail(host, 'booked', about({ total: 120.5, currency: 'USD' }));
    expect(mail.subject).toMatch(/^New booking: /);
    expect(mail.text).toContain('Hello Binh,');
    expect(mail.text).toContain('Check-in: 14:00, Thursday, 4 February 2027');
    expect(mail.text).toContain('Total: US$120.50');
    expect(mail.text).toContain('Guest: An <An>');
    expect(mail.text).toContain('Telephone: +84901234567');
    expect(mail.text).toContain('Asia/Ho_Chi_Minh');
  });

  it('does not show the guest what is for the host alone', () => {
    const mail = bookingMail(to(), 'booked', about());
    expect(mail.text).not.toContain('+84901234567');
  });

  it('escapes whatever people have written', () => {
    const mail = bookingMail(to(), 'booked', about());
    expect(mail.html).toContain('Biệt thự &quot;Mây &amp; Gió&quot; &lt;Đà Lạt&gt;');
    expect(mail.html).not.toContain('<An>');
    expect(mail.text).toContain('Xin chào An <An>,');
  });

  it('keeps the subject on one line', () => {
    const named = about({ listing_name: 'Villa\r\nBcc: all@example.com' });
    const { subject } = bookingMail(to({ language: 'en' }), 'cancelled', named);
    expect(subject).toBe('Your booking is cancelled: Villa Bcc: all example com');
  });

  it('keeps the greeting on one line, in text and HTML', () => {
    const { text, html } = bookingMail(
      to({ language: 'en', full_name: 'An\u0000\r\nBcc: all@example.com' }),
      'booked',
      about(),
    );
    expect(text).toMatch(/^Hello An Bcc: all example com,\n/);
    expect(html).toContain('>Hello An Bcc: all example com,</p>');
  });

  it('leaves nights out of a stay within a day', () => {
    const { text } = bookingMail(
      to({ language: 'en' }),
      'booked',
      about({ nights: 0 }, { listing: undefined }),
    );
    expect(text).not.toContain('Nights');
    expect(text).not.toContain('Address');
  });

  it.each([
    'requested',
    'to_pay',
    'booked',
    'confirmed',
    'declined',
    'cancelled',
    'no_show',
    'paid',
    'refunded',
    'reminder',
  ] as const)('has words of its own for guest and host, vi and en: %s', (name) => {
    const subjects = (['guest', 'host'] as const).flatMap((side) =>
      (['vi', 'en'] as const).map((language) => bookingMail(to({ side, language }), name, about()).subject),
    );
    expect(new Set(subjects).size).toBe(4);
  });

  it('says in Vietnamese why a booking fell through automatically', () => {
    const unpaid = { state: 'CONFIRMED', pay_until: 1 } as const;
    for (const [name, given] of [
      ['cancelled', unpaid],
      ['cancelled', { state: 'PENDING' }],
      ['no_show', { state: 'CONFIRMED', payment_status: 'PENDING' }],
    ] as const) {
      const why = reasonOf(dueMove({ ...reservation, ...given })!);
      const { text } = bookingMail(
        to(),
        name,
        about({ state: 'CANCELLED' }, { eventFacts: { reason: why } }),
      );
      expect(text).toContain(`Lý do: ${bookingWords.vi.reasons[why] ?? 'no words'}`);
      expect(text).not.toContain(why);
    }
  });

  it('names no refund where nothing goes back', () => {
    const { text } = bookingMail(
      to({ language: 'en' }),
      'cancelled',
      about({}, { eventFacts: { refund: 0 } }),
    );
    expect(text).toContain('Refund: none');
  });
});

describe('html', () => {
  it('escapes values, once, and lets HTML through', () => {
    const inner = html`<b>${`<'"&>`}</b>`;
    expect(html`<p>${inner}${[inner, html`!`]}${5}</p>`.text).toBe(
      '<p><b>&lt;&#39;&quot;&amp;&gt;</b><b>&lt;&#39;&quot;&amp;&gt;</b>!5</p>',
    );
  });
});

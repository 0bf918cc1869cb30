import { beforeEach, describe, expect, it } from 'vitest';
import { changeBooking } from '../../shared/domain/checkout/index.ts';
import { markPaid, takePayment } from '../../shared/domain/booking/index.ts';
import { dueBookings } from '../../shared/domain/booking/due-booking.store.ts';
import { dueMails } from '../../shared/domain/notification/due-mail.entity.ts';
import { moveDueBookings } from '../../shared/domain/payment/index.ts';
import { clearList, waitingIn } from '../support/due.ts';
import { type MailCell, mailScene, plain } from '../support/mail-scene.ts';
import { testTable } from '../support/table.ts';

beforeEach(async () => {
  await clearList(await testTable(), dueMails);
  await clearList(await testTable(), dueBookings);
});

const vi: MailCell = { guest: 'vi', host: 'en', account: true };
const en: MailCell = { guest: 'en', host: 'vi', account: false };
const plan = { deposit_percent: 50 };
const dueAt = '2027-02-01T07:00:00.000Z';
const [twoDaysBefore, dayBefore] = ['2027-01-30T07:00:00.000Z', '2027-01-31T07:00:00.000Z'];

const booked = async (
  cell: MailCell,
  given: object = plan,
  method: 'BANK_TRANSFER' | 'ONLINE_GATEWAY' = 'BANK_TRANSFER',
) => {
  const s = await mailScene(cell, given);
  const id = await s.book(method);
  await s.deliver(id, 'booking.created');
  return { s, id };
};
const secured = async (cell: MailCell, given: object = plan) => {
  const { s, id } = await booked(cell, given);
  await markPaid(s.asOwner, id);
  s.sent.length = 0;
  return { s, id };
};
type Scene = Awaited<ReturnType<typeof booked>>['s'];
const mailsAt = async (s: Scene, instant: string): Promise<number> => {
  s.deps.clock.set(instant);
  s.sent.length = 0;
  await moveDueBookings(s.deps);
  expect(await s.due()).toMatchObject({ failed: 0 });
  return s.sent.length;
};

describe('mails of a booking with a payment plan', () => {
  it.each([
    [vi, 'Cần thanh toán: 1.600.000', 'Còn lại: 1.600.000 ₫, đến hạn 14:00, Thứ Hai, 1 tháng 2, 2027'],
    [en, 'Amount due: ₫1,600,000', 'Balance: ₫1,600,000, due at 14:00, Monday, 1 February 2027'],
  ])('say what is due now and what later: guest $guest', async (cell, now, later) => {
    const { s } = await booked(cell);
    for (const fact of [now, later]) expect(plain(s.mailTo('guest').text)).toContain(fact);
  });

  it('say what is due on arrival, and remind of nothing then', async () => {
    const { s, id } = await booked(en, { ...plan, balance_due: 'ON_ARRIVAL' });
    expect(plain(s.mailTo('guest').text)).toContain('Balance: ₫1,600,000, due on arrival');
    await markPaid(s.asOwner, id);
    expect((await waitingIn(s.deps.table, dueMails)).map(({ kind }) => kind)).not.toContain('balance');
    expect(await mailsAt(s, '2027-02-04T07:00:00.000Z')).toBe(2);
    for (const { subject } of s.sent) expect(subject).not.toMatch(/balance/);
  });
});

describe('the mail of the balance', () => {
  it.each([
    [vi, 'Số tiền còn lại của đặt phòng', 'Cần thanh toán: 1.600.000 ₫'],
    [en, 'The balance of your booking', 'Amount due: ₫1,600,000'],
  ])(
    'reminds the guest 48 and 24 hours before, and asks when it is due: guest $guest',
    async (cell, subject, amount) => {
      const { s } = await secured(cell);
      expect(await mailsAt(s, '2027-01-30T06:59:59.999Z')).toBe(0);
      for (const [at, until] of [
        [twoDaysBefore, '14:00'],
        [dayBefore, '14:00'],
        [dueAt, '02:00'],
      ] as const) {
        expect(await mailsAt(s, at)).toBe(1);
        const mail = s.mailTo('guest');
        expect(mail.subject).toContain(subject);
        for (const fact of [amount, until]) expect(plain(mail.text)).toContain(fact);
      }
    },
  );

  it('has the page on which it can be paid, and says that the booking is cancelled otherwise', async () => {
    const { s, id } = await booked(en, plan, 'ONLINE_GATEWAY');
    await s.pay(id);
    expect(await mailsAt(s, dueAt)).toBe(3);
    const mail = s.sent.find(({ text }) => text.includes('Pay now'))!;
    expect(mail.subject).toContain('The balance of your booking');
    expect(plain(mail.text)).toContain(
      'Please pay until 02:00, Tuesday, 2 February 2027; after that the booking is cancelled.',
    );
  });

  it('does not come once it is paid, or before the deposit is', async () => {
    const { s, id } = await secured(en);
    await takePayment(s.asOwner, id, { amount: 1_600_000, method: 'CASH' });
    for (const at of [twoDaysBefore, dayBefore, dueAt]) expect(await mailsAt(s, at)).toBe(0);
    const unpaid = await booked(en, { ...plan, instant_book_enabled: false });
    expect(await mailsAt(unpaid.s, dueAt)).toBe(0);
  });

  it('follows the stay to another check-in', async () => {
    const { s, id } = await secured(vi, { ...plan, refund_rule: 'Flexible' });
    await changeBooking(s.asGuest, id, { check_in_date: '2027-02-11', check_out_date: '2027-02-14' });
    await s.deliver(id, 'booking.changed');
    for (const at of [twoDaysBefore, dayBefore, dueAt]) expect(await mailsAt(s, at)).toBe(0);
    expect(await mailsAt(s, '2027-02-06T07:00:00.000Z')).toBe(1);
  });
});

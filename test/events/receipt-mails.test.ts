import { describe, expect, it } from 'vitest';
import { addCharge } from '../../shared/domain/booking/post-charge.ts';
import { takePayment } from '../../shared/domain/booking/take-payment.ts';
import { setTeamMail } from '../../shared/domain/notification/team-mails.ts';
import { type MailCell, type MailScene, mailScene, plain } from '../support/mail-scene.ts';

const cell: MailCell = { guest: 'vi', host: 'en', account: true };
const money = {
  guest: /^(?:Tổng tiền|Phụ thu|Lần thanh toán này|Đã thanh toán|Cần thanh toán|Còn lại): .*$/gm,
  host: /^(?:Total|Charges|This payment|Amount paid|Amount due|Balance): .*$/gm,
};

/** Takes a payment; returns the lines about money of its receipts. */
const receipt = async (s: MailScene, id: number, amount: number) => {
  await takePayment(s.asOwner, id, { amount, method: 'CASH' });
  s.deps.clock.advance(1);
  s.sent.length = 0;
  await s.deliver(id, 'payment.paid');
  const rowsOf = (side: 'guest' | 'host') => plain(s.mailTo(side).text).match(money[side]);
  return { guest: rowsOf('guest'), host: rowsOf('host') };
};

describe('the receipt of a part', () => {
  it('has this payment, all that was paid, and what is due', async () => {
    const s = await mailScene(cell);
    const id = await s.book();
    expect(await receipt(s, id, 2_000_000)).toEqual({
      guest: ['Tổng tiền: 3.200.000 ₫', 'Đã thanh toán: 2.000.000 ₫', 'Cần thanh toán: 1.200.000 ₫'],
      host: ['Total: ₫3,200,000', 'Amount paid: ₫2,000,000', 'Amount due: ₫1,200,000'],
    });
    expect(await receipt(s, id, 500_000)).toEqual({
      guest: [
        'Tổng tiền: 3.200.000 ₫',
        'Lần thanh toán này: 500.000 ₫',
        'Đã thanh toán: 2.500.000 ₫',
        'Cần thanh toán: 700.000 ₫',
      ],
      host: [
        'Total: ₫3,200,000',
        'This payment: ₫500,000',
        'Amount paid: ₫2,500,000',
        'Amount due: ₫700,000',
      ],
    });
    expect((await receipt(s, id, 700_000)).host).toEqual([
      'Total: ₫3,200,000',
      'This payment: ₫700,000',
      'Amount paid: ₫3,200,000',
    ]);
  });

  it('has what was charged beside the price, and what is due later', async () => {
    const s = await mailScene(cell, { deposit_percent: 50 });
    const id = await s.book('BANK_TRANSFER');
    await addCharge(s.asOwner, id, { label: 'Minibar', amount: 30_000, quantity: 2 });
    await receipt(s, id, 1_000_000);
    expect((await receipt(s, id, 300_000)).host).toEqual([
      'Total: ₫3,200,000',
      'Charges: ₫60,000',
      'This payment: ₫300,000',
      'Amount paid: ₫1,300,000',
      'Amount due: ₫360,000',
      'Balance: ₫1,600,000, due at 14:00, Monday, 1 February 2027',
    ]);
  });

  it('that comes after the next one has the sums of now', async () => {
    const s = await mailScene(cell);
    const id = await s.book();
    await takePayment(s.asOwner, id, { amount: 2_000_000, method: 'CASH' });
    const first = await s.eventOf(id, 'payment.paid');
    s.deps.clock.advance(1);
    await receipt(s, id, 500_000);
    s.sent.length = 0;
    await s.deliverEvent(first);
    expect(plain(s.mailTo('host').text).match(money.host)).toEqual([
      'Total: ₫3,200,000',
      'This payment: ₫2,000,000',
      'Amount paid: ₫2,500,000',
      'Amount due: ₫700,000',
    ]);
  });

  it('in the words of a team may name both', async () => {
    const s = await mailScene(cell);
    const words = { subject: 'Biên nhận', text: 'Lần này {{amount}}, tất cả {{paid}}.' };
    await setTeamMail(s.asOwner, 'paid', { language: 'vi', ...words });
    const id = await s.book();
    await receipt(s, id, 2_000_000);
    expect(plain(s.mailTo('guest').text)).toContain('Lần này 2.000.000 ₫, tất cả 2.000.000 ₫.');
  });
});

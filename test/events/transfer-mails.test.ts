import { beforeEach, describe, expect, it } from 'vitest';
import { extendPayment, markPaid } from '../../shared/domain/booking/index.ts';
import { dueMails } from '../../shared/domain/notification/due-mail.entity.ts';
import { TeamEntity } from '../../shared/domain/people/model.ts';
import { TeamAccountsEntity } from '../../shared/domain/transfer/model.ts';
import { change, put } from '../../shared/platform/table/index.ts';
import { clearList } from '../support/due.ts';
import { type MailCell, mailScene, plain } from '../support/mail-scene.ts';
import { testTable } from '../support/table.ts';

beforeEach(async () => clearList(await testTable(), dueMails));

const vi: MailCell = { guest: 'vi', host: 'en', account: true };
const en: MailCell = { guest: 'en', host: 'vi', account: false };

const booked = async (cell: MailCell) => {
  const s = await mailScene(cell);
  const { team_id } = s;
  const account = {
    bank_bin: '970436',
    account_number: '0071000123456',
    account_name: 'TRAN THI LINH',
    from: 0,
  };
  await s.deps.table.put(put(TeamAccountsEntity, { team_id, accounts: [account], version: 1 }));
  const contact = { contact_phone: '+84 901 234 567', contact_email: 'chao@example.com' };
  await s.deps.table.transact([change(TeamEntity, { team_id }, { set: contact })]);
  const id = await s.book('BANK_TRANSFER');
  await s.deliver(id, 'booking.created');
  return { s, id };
};
type Scene = Awaited<ReturnType<typeof booked>>['s'];
const mailsAt = async (s: Scene, instant: string) => {
  s.deps.clock.set(instant);
  s.sent.length = 0;
  expect(await s.due()).toMatchObject({ failed: 0 });
  return s.sent.map(({ to, subject }) => [
    to === s.guest.user.email ? 'guest' : 'host',
    subject.split(':')[0],
  ]);
};

describe('the mail of a booking by bank transfer', () => {
  it.each([
    [vi, 'Đặt phòng chờ thanh toán', 'nội dung chuyển khoản: ', 'Vui lòng thanh toán trước 10:00'],
    [en, 'Your booking awaits payment', 'text of the transfer: ', 'Please pay until 10:00'],
  ])('says that it awaits payment, and how to pay: guest $guest', async (cell, subject, reference, until) => {
    const { s } = await booked(cell);
    const mail = s.mailTo('guest');
    expect(mail.subject).toContain(subject);
    for (const fact of ['Vietcombank, 0071000123456, TRAN THI LINH', reference, until])
      expect(plain(mail.text)).toContain(fact);
  });

  it('names to the guest alone whom to reach', async () => {
    const { s } = await booked(vi);
    for (const contact of ['+84 901 234 567', 'chao@example.com']) {
      expect(s.mailTo('guest').text).toContain(contact);
      expect(s.mailTo('host').text).not.toContain(contact);
    }
  });
});

describe('the reminders before the time to transfer ends', () => {
  // It ends on 18 January at 03:00 UTC.
  const guest = ['guest', 'Vui lòng thanh toán sớm'];
  const host = ['host', 'A transfer has not come yet'];

  it('go to the guest 24 hours before, and to the host 12 hours before, once each', async () => {
    const { s } = await booked(vi);
    expect(await mailsAt(s, '2027-01-17T02:59:59.999Z')).toEqual([]);
    expect(await mailsAt(s, '2027-01-17T03:00:00.000Z')).toEqual([guest]);
    expect(await mailsAt(s, '2027-01-17T14:59:59.999Z')).toEqual([]);
    expect(await mailsAt(s, '2027-01-17T15:00:00.000Z')).toEqual([host]);
    expect(await mailsAt(s, '2027-01-18T02:00:00.000Z')).toEqual([]);
  });

  it('do not come once it is paid', async () => {
    const { s, id } = await booked(vi);
    await markPaid(s.asOwner, id);
    expect(await mailsAt(s, '2027-01-17T15:00:00.000Z')).toEqual([]);
  });

  it('follow the time that the host has given', async () => {
    const { s, id } = await booked(vi);
    await extendPayment(s.asOwner, id, 24);
    await s.deliver(id, 'payment.extended');
    expect(await mailsAt(s, '2027-01-17T15:00:00.000Z')).toEqual([]);
    expect(await mailsAt(s, '2027-01-18T03:00:00.000Z')).toEqual([guest]);
    expect(await mailsAt(s, '2027-01-18T15:00:00.000Z')).toEqual([host]);
  });

  it('are not of a page, nor of cash', async () => {
    const s = await mailScene(vi);
    for (const method of ['CASH', 'ONLINE_GATEWAY'] as const)
      await s.deliver(
        await s.book(method, {
          check_in_date: method === 'CASH' ? '2027-02-04' : '2027-02-11',
          check_out_date: method === 'CASH' ? '2027-02-07' : '2027-02-14',
        }),
        'booking.created',
      );
    expect(await mailsAt(s, '2027-01-20T00:00:00.000Z')).toEqual([]);
  });
});

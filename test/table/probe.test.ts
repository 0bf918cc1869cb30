import { Webhook } from 'standardwebhooks';
import { beforeEach, expect, it, vi } from 'vitest';
import { findOrder } from '../../shared/domain/booking/booking.store.ts';
import { addCharge } from '../../shared/domain/booking/index.ts';
import { changeBooking, addAdjustment } from '../../shared/domain/checkout/index.ts';
import { confirmCheckout } from '../../shared/domain/checkout/confirm-checkout.ts';
import { moveDueBookings } from '../../shared/domain/payment/move-due-bookings.ts';
import { setReports, takeReport } from '../../shared/domain/transfer/index.ts';
import { TeamAccountsEntity } from '../../shared/domain/transfer/model.ts';
import { referenceOf } from '../../shared/domain/transfer/reference.rules.ts';
import { put } from '../../shared/platform/table/index.ts';
import { hour, type PaymentScene, paymentScene } from '../support/payment-scene.ts';
const account = { bank_bin: '970436', account_number: '0071000123456', account_name: 'TRAN THI LINH' };
let s: PaymentScene; let secret: string; let order: number; let teamId: number;
beforeEach(async () => { s = await paymentScene(); await s.clear(); });
const start = async (given = {}) => {
  const home = await s.listing(given); teamId = home.team_id;
  await s.deps.table.put(put(TeamAccountsEntity, { team_id: teamId, accounts: [{ ...account, from: 0 }], version: 1 }));
  ({ secret } = await setReports(s.owner, 'standard', {}, ''));
  ({ master_reservation_id: order } = await confirmCheckout(s.guest, { items: s.items(home), payment_method: 'BANK_TRANSFER' }));
};
const state = async () => (await findOrder(s.deps.table, order)).reservations[0]!;
let count = 0;
const transfer = async (amount: number) => {
  const at = new Date(s.clock.now());
  const body = JSON.stringify({ id: `FT${++count}`, account_number: account.account_number, amount, currency: 'VND', text: referenceOf(order), received_at: at.toISOString() });
  const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': String(Math.floor(at.getTime() / 1000)), 'webhook-signature': new Webhook(secret).sign('msg_1', at, body) };
  vi.useFakeTimers({ toFake: ['Date'], now: at });
  try { await takeReport(s.owner, { provider: 'standard', team_id: teamId, raw: { body, headers, query: {} } }, s.clock); } finally { vi.useRealTimers(); }
};
const show = async (name: string) => { const x = await state(); process.stderr.write(["",name, x.state, x.payment_status, x.total, x.check_out_date, x.pay_until, JSON.stringify(x.postings),"\n"].join(" ")); };
it('A paid, guest extends by transfer', async () => { await start(); await transfer((await state()).total); await changeBooking(s.guest, order+1, { check_out_date: '2027-02-07' }); await show('A before'); s.clock.advance(400*hour); await moveDueBookings(s.deps); await show('A'); });
it('B unpaid, guest extends, transfers old price', async () => { await start(); const { total } = await state(); await changeBooking(s.guest, order+1, { check_out_date: '2027-02-07' }); await transfer(total); s.clock.advance(400*hour); await moveDueBookings(s.deps); await show('B'); });
it('C charge in the window, price paid', async () => { await start(); const { total } = await state(); await addCharge(s.owner, order+1, { label: 'Minibar', amount: 50000 }); await transfer(total); await show('C before'); s.clock.advance(400*hour); await moveDueBookings(s.deps); await show('C'); });
it('D surcharge in the window, old price paid', async () => { await start(); const { total } = await state(); await addAdjustment(s.owner, order+1, { label: 'x', amount: 50000, reason: 'SURCHARGE' }); await transfer(total); s.clock.advance(400*hour); await moveDueBookings(s.deps); await show('D'); });
it('E plan, deposit paid, extended, balance of before paid', async () => { await start({ deposit_percent: 30, refund_rule: 'non-refundable' }); const { total } = await state(); await transfer(660000); await show('E0'); await changeBooking(s.owner, order+1, { check_out_date: '2027-02-07' }); await show('E1'); s.clock.set('2027-02-01T07:00:00.000Z'); await moveDueBookings(s.deps); await show('E2'); await transfer(total-660000); await show('E3'); s.clock.advance(13*hour); await moveDueBookings(s.deps); await show('E'); expect(1).toBe(1); });

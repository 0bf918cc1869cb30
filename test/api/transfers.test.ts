import { beforeEach, describe, expect, it, vi } from 'vitest';
import { QRPay } from 'vietnam-qr-pay';
import type { Transfer } from '../../shared/domain/transfer/transfer.schema.ts';
import { TeamAccountsEntity } from '../../shared/domain/transfer/model.ts';
import { put } from '../../shared/platform/table/index.ts';
import { type BookedDetail as Detail, folioCalls, stayPrice as price } from '../support/folio-calls.ts';
import {
  guest_info,
  ok,
  refusal,
  type ReplyOf,
  stay,
  useOrderScene,
  type Who,
} from '../support/order-scene.ts';

const s = useOrderScene();
const { book, bookingEvents, requireSound } = folioCalls(s);

const account = { bank_bin: '970436', account_number: '0071000123456', account_name: 'TRAN THI LINH' };
beforeEach(async () => {
  const accounts = [
    { ...account, from: 0 },
    { ...account, account_number: '2222', from: Date.parse('2027-01-16T00:00:00.000Z') },
  ];
  await s.deps.table.put(put(TeamAccountsEntity, { team_id: s.a.team_id, accounts, version: 1 }));
});

type Shown = Detail & { transfer: Transfer | null };
const detail = async (id: number, who: Who = s.guest): Promise<Shown> =>
  ok(await s.get<Shown>(who, `/api/v1/bookings/${id}`));
const transferOf = async (id: number, who?: Who) => (await detail(id, who)).transfer;
const bookByTransfer = (given: object = {}) => book(given, 'BANK_TRANSFER');
const code = (id: number, who: Who = s.guest) => s.get<string>(who, `/api/v1/bookings/${id}/transfer-code`);
const extend = (id: number, hours: number, who: Who = s.host): Promise<ReplyOf<Detail>> =>
  s.call('POST', `/api/v1/bookings/${id}/extend-payment`, { ...who, body: { hours } });

describe('a bank transfer', () => {
  it('is shown with everything that it needs, in the confirm and in details', async () => {
    const items = [stay(await s.listing())];
    const confirmed = ok(await s.confirm(s.guest, { items, payment_method: 'BANK_TRANSFER' }), 201);
    const transfer = await transferOf(confirmed.reservations[0]!.id);
    expect(transfer).toEqual({
      ...{ bank: 'Vietcombank', ...account, amount: price, currency: 'VND' },
      reference: expect.stringMatching(/^[0-9A-Z]{11}$/) as string,
      qr_text: expect.any(String) as string,
      expires_at: '2027-01-18T03:00:00.000Z',
    });
    expect(confirmed.transfer).toEqual(transfer);
    expect(await transferOf(confirmed.master_reservation_id)).toEqual(transfer);
    const read = new QRPay(transfer!.qr_text!);
    expect([read.isValid, read.amount, read.additionalData.purpose]).toEqual([
      ...[true, String(price), transfer!.reference],
    ]);
  });

  it('asks for what is due: the deposit, then the balance, then the rest of it', async () => {
    const id = await bookByTransfer({ deposit_percent: 30 });
    expect(await transferOf(id)).toMatchObject({ amount: 660_000 });
    ok(await s.call('POST', `/api/v1/bookings/${id}/mark-paid`, { ...s.host }));
    expect(await transferOf(id)).toBeNull();
    const body = { label: 'Minibar', amount: 60_000 };
    ok(await s.call('POST', `/api/v1/bookings/${id}/charges`, { ...s.host, body }), 201);
    expect(await transferOf(id)).toMatchObject({ amount: 60_000, expires_at: null });
  });

  it('is of all stays of an order together, with one reference', async () => {
    const items = [stay(await s.listing()), stay(await s.listing())];
    const { master_reservation_id: master, transfer } = ok(
      await s.confirm(s.guest, { items, payment_method: 'BANK_TRANSFER' }),
      201,
    );
    expect(transfer).toMatchObject({ amount: 2 * price });
    const one = await transferOf(master + 1);
    expect(one).toMatchObject({ amount: price, reference: transfer!.reference });
  });

  it('is null in cash, online, before the acceptance, of a cancelled booking, and of several teams', async () => {
    expect(await transferOf(await book())).toBeNull();
    expect(await transferOf(await book({}, 'ONLINE_GATEWAY'))).toBeNull();
    const asked = await bookByTransfer({ instant_book_enabled: false });
    expect(await transferOf(asked)).toBeNull();
    const accepted = await s.call('POST', `/api/v1/bookings/${asked}/confirm`, { ...s.host });
    expect((accepted.body as Shown).transfer).toMatchObject({ amount: price });
    ok(await s.cancel(s.guest, asked));
    expect(await transferOf(asked)).toBeNull();
    const items = [stay(await s.listing()), stay(await s.listing({ team_id: s.b.team_id }))];
    const both = ok(await s.confirm(s.guest, { items, payment_method: 'BANK_TRANSFER' }), 201);
    expect(both.transfer).toBeUndefined();
    expect(await transferOf(both.master_reservation_id)).toBeNull();
    expect(await transferOf(both.master_reservation_id + 1)).toMatchObject({ amount: price });
    expect(await transferOf(both.master_reservation_id + 2)).toBeNull();
  });

  it('is to the account of the time of the booking, and shown to the partner that made it', async () => {
    const partner = await s.partner();
    const given = { ...stay(await s.listing()), nights: 2, guest_info, payment_method: 'BANK_TRANSFER' };
    const { id } = ok(await s.bookOut(partner, given), 201);
    const readOut = async () => ok(await s.get<Shown>(partner, `/api/v1/external/bookings/${id}`)).transfer;
    expect(await readOut()).toMatchObject({ account_number: '0071000123456' });
    vi.setSystemTime(Date.parse('2027-01-16T01:00:00.000Z'));
    expect(await readOut()).toMatchObject({ account_number: '0071000123456' });
    expect(await transferOf(await bookByTransfer())).toMatchObject({ account_number: '2222' });
  });
});

describe('the code of a transfer', () => {
  it('is a picture for the guest and the hosts, and not found for others or once it is paid', async () => {
    const id = await bookByTransfer();
    for (const who of [s.guest, s.staff]) {
      const { headers, text } = await code(id, who);
      expect(headers['content-type'] ?? headers['Content-Type']).toBe('image/svg+xml');
      expect(text).toMatch(/^<svg /);
    }
    for (const who of [s.other, s.otherHost])
      expect(refusal(await code(id, who)).code).toBe('BOOKING_NOT_FOUND');
    ok(await s.call('POST', `/api/v1/bookings/${id}/mark-paid`, { ...s.host }));
    expect(refusal(await code(id)).code).toBe('INVALID_STATE_TRANSITION');
  });
});

describe('more time for a transfer', () => {
  it('is what the host says, not beyond check-in', async () => {
    const id = await bookByTransfer();
    expect(ok(await extend(id, 24))).toMatchObject({
      payment_expires_at: '2027-01-19T03:00:00.000Z',
      transfer: { expires_at: '2027-01-19T03:00:00.000Z' },
    });
    expect((await bookingEvents(id)).at(-1)).toMatchObject({
      event_type: 'payment.extended',
      data: { id, amount: price },
    });
    for (let more = 0; more < 4; more++) ok(await extend(id, 168));
    expect((await detail(id)).payment_expires_at).toBe('2027-02-10T07:00:00.000Z');
    expect(refusal(await extend(id, 1)).code).toBe('INVALID_STATE_TRANSITION');
    await requireSound(id);
  });

  it('is refused where no transfer has a limit, and to those who may not manage', async () => {
    expect(refusal(await extend(await book(), 24)).code).toBe('INVALID_STATE_TRANSITION');
    expect(refusal(await extend(await book({}, 'ONLINE_GATEWAY'), 24)).code).toBe('INVALID_STATE_TRANSITION');
    const id = await bookByTransfer();
    expect(refusal(await extend(id, 24, s.staff)).code).toBe('FORBIDDEN');
    expect(refusal(await extend(id, 24, s.otherHost)).code).toBe('BOOKING_NOT_FOUND');
    for (const hours of [0, 169, 1.5]) expect(refusal(await extend(id, hours)).code).toBe('VALIDATION_ERROR');
    ok(await s.call('POST', `/api/v1/bookings/${id}/mark-paid`, { ...s.host }));
    expect(refusal(await extend(id, 24)).code).toBe('INVALID_STATE_TRANSITION');
  });
});

import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { auditBooking } from '../../shared/domain/audit/index.ts';
import { cancelBooking } from '../../shared/domain/booking/cancel-booking.ts';
import { findOrder } from '../../shared/domain/booking/booking.store.ts';
import { scheduleEnds } from '../../shared/domain/booking/due-booking.store.ts';
import { blockTime } from '../../shared/domain/calendar/block-time.ts';
import { confirmCheckout } from '../../shared/domain/checkout/confirm-checkout.ts';
import { archiveListing } from '../../shared/domain/listing/archive-listing.ts';
import { updateListing } from '../../shared/domain/listing/update-listing.ts';
import { changeHold } from '../../shared/domain/payment/deposit-hold.ts';
import { moveDueBookings } from '../../shared/domain/payment/move-due-bookings.ts';
import { assignTransfer, listTransfers, setReports, takeReport } from '../../shared/domain/transfer/index.ts';
import { TeamAccountsEntity } from '../../shared/domain/transfer/model.ts';
import { referenceOf } from '../../shared/domain/transfer/reference.rules.ts';
import type { UserCaller } from '../../shared/platform/auth.ts';
import type { Context } from '../../shared/platform/context.ts';
import { put, type Table } from '../../shared/platform/table/index.ts';
import { interrupted } from '../support/interrupted.ts';
import { hour, type PaymentScene, paymentScene } from '../support/payment-scene.ts';

const account = { bank_bin: '970436', account_number: '0071000123456', account_name: 'TRAN THI LINH' };

let s: PaymentScene;
let home: Awaited<ReturnType<PaymentScene['listing']>>;
let secret: string;
let order: number;
beforeEach(async () => {
  s = await paymentScene();
  home = await s.listing();
  const accounts = [{ ...account, from: 0 }];
  await s.deps.table.put(put(TeamAccountsEntity, { team_id: home.team_id, accounts, version: 1 }));
  ({ secret } = await setReports(s.owner, 'standard', {}, ''));
  ({ master_reservation_id: order } = await book(home));
});
afterEach(async () => {
  await scheduleEnds(s.deps, [order + 1]);
  expect((await auditBooking(s.deps, order)).findings).toEqual([]);
});

const book = (
  listing: { id: number },
  ctx = s.guest,
  payment_method: 'BANK_TRANSFER' | 'CASH' = 'BANK_TRANSFER',
) => confirmCheckout(ctx, { items: s.items(listing), payment_method });
const lapse = async (): Promise<void> => {
  s.clock.advance(73 * hour);
  await moveDueBookings(s.deps);
};
const state = async () => (await findOrder(s.deps.table, order)).reservations[0]!;

let count = 0;
const transfer = async (
  ctx: Context<UserCaller> = s.owner,
  text = referenceOf(order),
  sum?: number,
): Promise<void> => {
  const at = new Date(s.clock.now());
  const amount = sum ?? (await state()).total;
  const report = { id: `FT${++count}`, account_number: account.account_number, amount, currency: 'VND' };
  const body = JSON.stringify({ ...report, text, received_at: at.toISOString() });
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('msg_1', at, body),
  };
  const raw = { body, headers, query: {} };
  vi.useFakeTimers({ toFake: ['Date'], now: at });
  try {
    await takeReport(ctx, { provider: 'standard', team_id: home.team_id, raw }, s.clock);
  } finally {
    vi.useRealTimers();
  }
};
const open = async () => (await listTransfers(s.owner, 'OPEN', { page: 1, limit: 20 })).items;
const meanwhile = (act: () => Promise<unknown>) => interrupted(s.owner, act);
const [lapsed, restored] = [{ state: 'CANCELLED' }, { state: 'CONFIRMED', payment_status: 'PAID' }];

/** The table, where something else happens before listings are read, or after that before the months of a room, once. */
const between = (act: () => Promise<unknown>, { isAfterListings = false } = {}): Table => {
  let reads = 0;
  const getAll = async (...asked: Parameters<Table['getAll']>): Promise<unknown> => {
    if (++reads === (isAfterListings ? 2 : 1)) await act();
    return s.deps.table.getAll(...asked);
  };
  return new Proxy(s.deps.table, {
    get: (target, name) => {
      if (name === 'getAll') return getAll;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
};

/** An assignment of a transfer that names no booking. */
const assign = async (ctx: Context<UserCaller>) => {
  await transfer(s.owner, 'tien phong');
  return assignTransfer(ctx, (await open())[0]!.id, order);
};

describe('while a late transfer restores its booking', () => {
  it.each([
    ['a guest books the time', () => book(home, s.other, 'CASH')],
    ['the host blocks a night of it', () => blockTime(s.owner, home.id, { block_date: '2027-02-05' })],
  ])('%s: it is on the list, by hand 409', async (_, act) => {
    await lapse();
    await transfer(meanwhile(act));
    expect(await state()).toMatchObject(lapsed);
    expect(await open()).toMatchObject([{ booking_ids: [] }]);
    await expect(assign(s.owner)).rejects.toMatchObject({ code: 'LISTING_NOT_AVAILABLE' });
  });

  it('by hand, a guest books the time: 409', async () => {
    await lapse();
    const ctx = meanwhile(() => book(home, s.other, 'CASH'));
    await expect(assign(ctx)).rejects.toMatchObject({ code: 'LISTING_NOT_AVAILABLE' });
    expect(await state()).toMatchObject(lapsed);
  });

  it('another one does, or a person: it is paid once, and the other is on the list', async () => {
    await lapse();
    await transfer(meanwhile(() => transfer()));
    expect(await state()).toMatchObject({ ...restored, postings: [{ kind: 'payment' }] });
    expect(await open()).toHaveLength(1);
    ({ master_reservation_id: order } = await book(await s.listing()));
    await lapse();
    await transfer(meanwhile(() => assign(s.owner)));
    expect(await state()).toMatchObject({ ...restored, postings: [{ kind: 'payment' }] });
  });

  it.each([
    ['between its reads', () => ({ ...s.owner, table: between(() => transfer()) })],
    ['before its write', () => meanwhile(() => transfer())],
  ])('another one does %s, by hand: its own time is not taken, nothing is due', async (_, ctx) => {
    await lapse();
    await expect(assign(ctx())).rejects.toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
      message: 'No payment is due.',
    });
    expect(await state()).toMatchObject({ ...restored, postings: [{ kind: 'payment' }] });
    expect(await open()).toHaveLength(1);
  });

  it('another one does between its reads: it pays the balance of the plan', async () => {
    ({ master_reservation_id: order } = await book(await s.listing({ deposit_percent: 30 })));
    await lapse();
    const { plan, total } = await state();
    const table = between(() => transfer(s.owner, undefined, plan!.deposit));
    await transfer({ ...s.owner, table }, undefined, total);
    expect(await state()).toMatchObject({
      ...restored,
      postings: [{ amount: plan!.deposit }, { amount: total - plan!.deposit }],
    });
    expect(await open()).toMatchObject([{ rest: plan!.deposit }]);
  });

  it('its home is archived: it is on the list', async () => {
    await lapse();
    await transfer(meanwhile(() => archiveListing(s.owner, home.id)));
    expect(await state()).toMatchObject(lapsed);
    expect(await open()).toHaveLength(1);
  });

  it('its home becomes a room of a house: the time is taken there', async () => {
    await lapse();
    const house = await s.listing();
    await transfer(meanwhile(() => updateListing(s.owner, home.id, { parent_listing_id: house.id })));
    expect(await state()).toMatchObject({ ...restored, calendar_id: house.id });
    await expect(book(house, s.other)).rejects.toMatchObject({ code: 'LISTING_NOT_AVAILABLE' });
    await cancelBooking(s.owner, order);
    await book(house, s.other);
  });

  it('its home leaves its house, which is booked then: its own time is free', async () => {
    const house = await s.listing();
    home = await s.listing({ parent_listing_id: house.id });
    ({ master_reservation_id: order } = await book(home));
    await lapse();
    const leave = async () => {
      await updateListing(s.owner, home.id, { parent_listing_id: null });
      await book(house, s.other, 'CASH');
    };
    await assign({ ...s.owner, table: between(leave, { isAfterListings: true }) });
    expect(await state()).toMatchObject({ ...restored, calendar_id: home.id });
  });
});

describe('a transfer', () => {
  it('that comes while the clock cancels its booking restores it', async () => {
    s.clock.advance(73 * hour);
    await transfer(meanwhile(() => moveDueBookings(s.deps)));
    expect(await state()).toMatchObject(restored);
  });

  it('that comes first is not cancelled by the clock', async () => {
    s.clock.advance(73 * hour);
    const table = interrupted(s.owner, () => transfer()).table;
    await moveDueBookings({ ...s.deps, table });
    expect(await state()).toMatchObject(restored);
    expect((await s.events(order)).map(({ event_type }) => event_type)).not.toContain('booking.cancelled');
  });

  it('keeps the deposit on the card of a booking that it restores, until 48 hours after the end', async () => {
    home = await s.listing({ security_deposit: 500_000, transfer_window_hours: 24 });
    s.clock.set('2027-02-02T08:00:00.000Z');
    ({ master_reservation_id: order } = await book(home));
    await changeHold(s.owner, order + 1, { action: 'TAKE', amount: 500_000, method: 'ONLINE_GATEWAY' });
    const { payment_id } = (await state()).deposit_hold!;
    await s.decide(payment_id, 'success');
    s.clock.advance(25 * hour);
    await moveDueBookings(s.deps);
    expect((await state()).deposit_hold).toMatchObject({ is_released: true });
    await transfer();
    expect(await state()).toMatchObject(restored);
    expect((await state()).deposit_hold).toEqual({ payment_id, amount: 500_000 });
    await s.reconcile();
    expect(s.server.find(payment_id)!.state).toBe('authorised');
  });

  it('that never comes leaves no deposit on the card of its guest', async () => {
    home = await s.listing({ security_deposit: 500_000 });
    s.clock.set('2027-02-02T08:00:00.000Z');
    ({ master_reservation_id: order } = await book(home));
    await changeHold(s.owner, order + 1, { action: 'TAKE', amount: 500_000, method: 'ONLINE_GATEWAY' });
    const { payment_id } = (await state()).deposit_hold!;
    await s.decide(payment_id, 'success');
    s.clock.set('2027-02-04T07:00:00.000Z');
    await moveDueBookings(s.deps);
    expect(await state()).toMatchObject(lapsed);
    await s.reconcile();
    expect(s.server.find(payment_id)!.state).toBe('closed');
  });
});

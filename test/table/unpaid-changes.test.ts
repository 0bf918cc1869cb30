import { Webhook } from 'standardwebhooks';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { auditBooking } from '../../shared/domain/audit/index.ts';
import {
  addCharge,
  cancelBooking,
  correctPayment,
  extendPayment,
  markPaid,
  moveBooking,
  takePayment,
} from '../../shared/domain/booking/index.ts';
import { findOrder } from '../../shared/domain/booking/booking.store.ts';
import { scheduleEnds } from '../../shared/domain/booking/due-booking.store.ts';
import { changeKept, changeUnpaid, thawQuote } from '../../shared/domain/booking/model.ts';
import { addAdjustment, changeBooking, confirmCheckout } from '../../shared/domain/checkout/index.ts';
import { archiveListing } from '../../shared/domain/listing/archive-listing.ts';
import { updateListing } from '../../shared/domain/listing/update-listing.ts';
import { moveDueBookings, openDuePage } from '../../shared/domain/payment/index.ts';
import { listTransfers, setReports, takeReport } from '../../shared/domain/transfer/index.ts';
import { TeamAccountsEntity } from '../../shared/domain/transfer/model.ts';
import { referenceOf } from '../../shared/domain/transfer/reference.rules.ts';
import type { Table } from '../../shared/platform/table/index.ts';
import { put } from '../../shared/platform/table/index.ts';
import { countsUnits, measuredTable } from '../support/costs.ts';
import { interruptedTable } from '../support/interrupted.ts';
import {
  crashingTable,
  hour,
  nothingMoved,
  paymentScene,
  type PaymentScene,
} from '../support/payment-scene.ts';

const account = { bank_bin: '970436', account_number: '0071000123456', account_name: 'TRAN THI LINH' };
const price = 2_200_000;
const night = 1_000_000;
const longer = { check_out_date: '2027-02-07' };
const longest = { check_out_date: '2027-02-08' };

let s: PaymentScene;
let home: Awaited<ReturnType<PaymentScene['listing']>>;
let secret: string;
let order: number;
let count = 0;
beforeEach(async () => {
  s = await paymentScene();
  await s.clear();
});

const book = async (
  given: Parameters<PaymentScene['listing']>[0] = {},
  payment_method: 'BANK_TRANSFER' | 'CASH' = 'BANK_TRANSFER',
): Promise<number> => {
  home = await s.listing(given);
  const accounts = [{ ...account, from: 0 }];
  await s.deps.table.put(put(TeamAccountsEntity, { team_id: home.team_id, accounts, version: 1 }));
  ({ secret } = await setReports(s.owner, 'standard', {}, ''));
  ({ master_reservation_id: order } = await confirmCheckout(s.guest, {
    items: s.items(home),
    payment_method,
  }));
  await scheduleEnds(s.deps, [order + 1]);
  return order + 1;
};
/** A stay of two nights that its guest has paid. */
const paid = async (given: Parameters<typeof book>[0] = {}, method?: Parameters<typeof book>[1]) => {
  const id = await book(given, method);
  await markPaid(s.owner, id);
  return id;
};
const state = async () => (await findOrder(s.deps.table, order)).reservations[0]!;
const request = async (amount: number) => {
  const at = new Date(s.clock.now());
  const report = { id: `FT${++count}`, account_number: account.account_number, amount, currency: 'VND' };
  const body = JSON.stringify({ ...report, text: referenceOf(order), received_at: at.toISOString() });
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('msg_1', at, body),
  };
  return { at, raw: { body, headers, query: {} } };
};
const transfer = async (amount: number): Promise<void> => {
  const { at, raw } = await request(amount);
  vi.useFakeTimers({ toFake: ['Date'], now: at });
  try {
    await takeReport(s.owner, { provider: 'standard', team_id: home.team_id, raw }, s.clock);
  } finally {
    vi.useRealTimers();
  }
};
const lapse = async (hours = 73, table?: Table) => {
  s.clock.advance(hours * hour);
  return moveDueBookings(table ? { ...s.deps, table } : s.deps);
};
/** What consumers do of the events is done. */
const requireSound = async (): Promise<void> => {
  await scheduleEnds(s.deps, [order + 1]);
  const { findings } = await auditBooking(s.deps, order);
  expect(findings.filter(({ rule }) => rule !== 'event-not-in-feed')).toEqual([]);
};
const asBefore = {
  ...{ state: 'CONFIRMED', payment_status: 'PAID', total: price, check_out_date: '2027-02-06', nights: 2 },
};
const given = async () => {
  const stay = await state();
  expect(stay).toMatchObject(asBefore);
  expect([stay.pay_until, stay.unpaid_change]).toEqual([undefined, undefined]);
  await requireSound();
};

describe('a change that is not paid in time', () => {
  it('is given up alone: time, price lines and money are as before', async () => {
    const id = await paid();
    const before = (await findOrder(s.deps.table, order)).order!.items[0]!;
    await changeBooking(s.guest, id, { ...longer, guest_number: 1 });
    expect(await state()).toMatchObject({ total: price + night, unpaid_change: { total: price } });
    await requireSound();
    expect(await lapse(71)).toEqual(nothingMoved);
    expect((await state()).check_out_date).toBe('2027-02-07');
    expect(await lapse(2)).toEqual({ ...nothingMoved, change_ended: 1 });
    await given();
    const after = (await findOrder(s.deps.table, order)).order!;
    expect({ ...after.items[0], quote: thawQuote(after.items[0]!.quote) }).toEqual({
      ...before,
      quote: thawQuote(before.quote),
    });
    expect(after.estimated_total).toBe(price);
    const event = (await s.events(order)).findLast(({ event_type }) => event_type === 'booking.changed');
    expect(event).toMatchObject({
      actor: 'system:move-due-bookings',
      data: { reason: changeUnpaid, was: { total_price: price + night }, now: { total_price: price } },
    });
    expect(await lapse()).toEqual(nothingMoved);
  });

  it('frees the nights that it had, and no other', async () => {
    const id = await paid();
    await changeBooking(s.guest, id, longer);
    const another = () =>
      confirmCheckout(s.other, {
        items: [{ ...s.items(home)[0]!, check_in_date: '2027-02-06', check_out_date: '2027-02-07' }],
        payment_method: 'CASH',
      });
    await expect(another()).rejects.toMatchObject({ code: 'LISTING_NOT_AVAILABLE' });
    await lapse();
    await another();
    await expect(
      confirmCheckout(s.other, { items: s.items(home), payment_method: 'CASH' }),
    ).rejects.toMatchObject({ code: 'LISTING_NOT_AVAILABLE' });
  });

  it('is one of several: the stay is as before the first, at the time of the first', async () => {
    const id = await paid();
    await changeBooking(s.guest, id, longer);
    const until = (await state()).pay_until;
    s.clock.advance(60 * hour);
    await changeBooking(s.guest, id, longest);
    expect((await state()).pay_until).toBe(until);
    expect(await lapse(13)).toMatchObject({ change_ended: 1 });
    await given();
  });

  it('that the guest takes back is none', async () => {
    const id = await paid();
    await changeBooking(s.guest, id, longer);
    await changeBooking(s.guest, id, { check_out_date: '2027-02-06' });
    await given();
    expect(await lapse()).toEqual(nothingMoved);
  });

  it('refunds what came of it', async () => {
    const id = await paid();
    await changeBooking(s.guest, id, longer);
    await transfer(400_000);
    expect((await state()).pay_until).toBeDefined();
    await lapse();
    await given();
    expect((await state()).postings?.at(-1)).toMatchObject({
      kind: 'refund',
      amount: 400_000,
      to_return: true,
    });
    expect(await s.typesOf(order)).toContain('payment.refunded');
  });

  it('stands once it is paid, also late in its time', async () => {
    const id = await paid();
    await changeBooking(s.guest, id, longer);
    s.clock.advance(71 * hour);
    await transfer(night);
    expect(await lapse()).toEqual(nothingMoved);
    expect(await state()).toMatchObject({ total: price + night, payment_status: 'PAID' });
    expect((await state()).unpaid_change).toBeUndefined();
    await requireSound();
  });

  it('stands where the host notes a part: the host waits for the rest', async () => {
    const id = await paid();
    await changeBooking(s.guest, id, longer);
    await takePayment(s.owner, id, { amount: 100_000, method: 'CASH' });
    expect(await lapse()).toEqual(nothingMoved);
    expect(await state()).toMatchObject({ total: price + night, payment_status: 'PENDING' });
    await requireSound();
  });

  it('has the time that the host gives it', async () => {
    const id = await paid();
    await changeBooking(s.guest, id, longer);
    await extendPayment(s.owner, id, 48);
    expect(await lapse(80)).toEqual(nothingMoved);
    expect(await lapse(48)).toMatchObject({ change_ended: 1 });
    await given();
  });

  it('leaves money that comes later on the list', async () => {
    const id = await paid();
    await changeBooking(s.guest, id, longer);
    await lapse();
    await transfer(night);
    await given();
    const { items } = await listTransfers(s.owner, 'OPEN', { page: 1, limit: 20 });
    expect(items).toMatchObject([{ rest: night, named_booking_ids: [order] }]);
  });

  it('ends with its stay, and in house has no time', async () => {
    const id = await paid();
    await changeBooking(s.guest, id, longer);
    await cancelBooking(s.owner, id);
    expect(await lapse()).toEqual(nothingMoved);
    const other = await paid();
    await changeBooking(s.guest, other, longer);
    s.clock.set('2027-02-04T01:00:00.000Z');
    await moveBooking(s.owner, other, 'check_in');
    expect(await lapse(10)).toEqual(nothingMoved);
    expect(await state()).toMatchObject({ state: 'CHECKED_IN', total: price + night });
  });

  it('that begins in house has no time, also where the guest came early', async () => {
    const id = await paid({ refund_rule: 'FLEXIBLE' });
    s.clock.set('2027-02-04T01:00:00.000Z');
    await moveBooking(s.owner, id, 'check_in');
    await changeBooking(s.guest, id, longer);
    expect([(await state()).pay_until, (await state()).unpaid_change]).toEqual([undefined, undefined]);
    await moveBooking(s.owner, id, 'undo_check_in');
    expect(await lapse(10)).toEqual(nothingMoved);
  });

  it('is a second time for the host alone, until money has come', async () => {
    const id = await paid();
    await changeBooking(s.guest, id, longer);
    await lapse();
    await expect(changeBooking(s.guest, id, longest)).rejects.toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
    });
    await changeBooking(s.owner, id, longest);
    await changeBooking(s.guest, id, longer);
    await markPaid(s.owner, id);
    await changeBooking(s.guest, id, longest);
    expect(await state()).toMatchObject({ unpaid_change: { total: price + night } });
  });

  it('is one of the host: nothing of it has a time', async () => {
    const id = await paid();
    await changeBooking(s.owner, id, longer);
    expect((await state()).pay_until).toBeUndefined();
    await changeBooking(s.guest, id, longest);
    expect(await lapse()).toMatchObject({ change_ended: 1 });
    expect(await state()).toMatchObject({ total: price + night, payment_status: 'PENDING' });
    expect((await state()).pay_until).toBeUndefined();
    expect(await lapse()).toEqual(nothingMoved);
    await requireSound();
  });

  it('of the host of which the guest takes a part back has no time', async () => {
    const id = await paid({ deposit_percent: 30, refund_rule: 'Full refund until 7 days before check-in' });
    await takePayment(s.owner, id, { amount: price - 660_000, method: 'BANK_TRANSFER' });
    await changeBooking(s.owner, id, longest);
    await changeBooking(s.guest, id, longer);
    expect(await state()).toMatchObject({ total: price + night, unpaid_change: { total: price } });
    expect((await state()).unpaid_change?.item).toBeUndefined();
    expect((await state()).pay_until).toBeUndefined();
  });

  it('is none where the price falls', async () => {
    const id = await book();
    await changeBooking(s.guest, id, { check_out_date: '2027-02-05' });
    expect((await state()).unpaid_change).toBeUndefined();
    await takePayment(s.owner, id, { amount: 100_000, method: 'CASH' });
    await changeBooking(s.guest, id, longer);
    expect([(await state()).pay_until, (await state()).unpaid_change]).toEqual([undefined, undefined]);
  });

  it('by which all but a charge is paid ends the time', async () => {
    const id = await book();
    await addCharge(s.owner, id, { label: 'Minibar', amount: 50_000 });
    await transfer(price - night);
    expect((await state()).pay_until).toBeDefined();
    await changeBooking(s.guest, id, { check_out_date: '2027-02-05' });
    expect(await state()).toMatchObject({ total: price - night, payment_status: 'PENDING' });
    expect((await state()).pay_until).toBeUndefined();
  });

  it('is paid on arrival in cash', async () => {
    const id = await paid({}, 'CASH');
    await changeBooking(s.guest, id, longer);
    expect((await state()).unpaid_change).toEqual({ total: price });
    expect(await lapse(300)).toEqual(nothingMoved);
  });
});

describe('the time to pay', () => {
  it('of a stay that was changed before it was paid takes the change alone, where the price before is paid', async () => {
    const id = await book();
    await changeBooking(s.guest, id, longer);
    await transfer(price);
    expect(await lapse()).toMatchObject({ change_ended: 1 });
    await given();
  });

  it('takes the stay, where less is paid', async () => {
    const id = await book();
    await changeBooking(s.guest, id, longer);
    await transfer(price - 1);
    expect(await lapse()).toMatchObject({ cancelled: 1 });
    expect(await state()).toMatchObject({ state: 'CANCELLED' });
    await requireSound();
  });

  it.each([
    ['a charge', (id: number) => addCharge(s.owner, id, { label: 'Minibar', amount: 50_000 })],
    [
      'a surcharge',
      (id: number) => addAdjustment(s.owner, id, { label: 'Late', amount: 50_000, reason: 'SURCHARGE' }),
    ],
  ])('takes nothing for %s once the price of before is paid', async (_, add) => {
    const id = await book();
    await add(id);
    await transfer(price);
    expect((await state()).pay_until).toBeUndefined();
    expect(await lapse()).toEqual(nothingMoved);
    expect(await state()).toMatchObject({ state: 'CONFIRMED', payment_status: 'PENDING' });
    await requireSound();
  });

  it('does not start by a correction, where nothing is due yet', async () => {
    const id = await book({ deposit_percent: 0 });
    await takePayment(s.owner, id, { amount: 100_000, method: 'CASH' });
    await correctPayment(s.owner, id, 1, 'A slip');
    expect((await state()).pay_until).toBeUndefined();
  });

  it('takes the stay of which a host has taken the payment out again', async () => {
    const id = await paid();
    await changeBooking(s.guest, id, longer);
    await correctPayment(s.owner, id, 1, 'A slip');
    expect(await lapse()).toMatchObject({ cancelled: 1 });
    await requireSound();
  });

  it.each([
    ['the guest', () => s.guest, { ...asBefore }, 1],
    ['the host', () => s.owner, { state: 'CONFIRMED', total: price + night }, 0],
  ])(
    'of a balance takes what %s has added, where the balance of before is paid',
    async (_, by, wanted, ended) => {
      const id = await paid({ deposit_percent: 30, refund_rule: 'Full refund until 7 days before check-in' });
      await changeBooking(by(), id, longer);
      s.clock.set('2027-02-01T07:00:00.000Z');
      expect(await moveDueBookings(s.deps)).toMatchObject({ balance_due: 1 });
      await transfer(price - 660_000);
      expect(await lapse(13)).toMatchObject({ cancelled: 0, change_ended: ended });
      expect(await state()).toMatchObject(wanted);
      await requireSound();
    },
  );

  it('of a balance that the host alone has added leaves the booking as it is', async () => {
    const id = await paid({ deposit_percent: 30, refund_rule: 'FLEXIBLE' });
    await changeBooking(s.owner, id, longer);
    await transfer(price - 660_000);
    s.clock.set('2027-02-01T07:00:00.000Z');
    expect(await moveDueBookings(s.deps)).toMatchObject({ balance_due: 1 });
    expect(await lapse(13)).toEqual(nothingMoved);
    await changeBooking(s.guest, id, { guest_number: 1 });
    await requireSound();
  });

  it('of a balance whose page was paid takes nothing: the gateway is asked before', async () => {
    home = await s.listing({ deposit_percent: 30 });
    const booked = await confirmCheckout(s.guest, s.online([home], 'tok_ok'));
    order = booked.master_reservation_id;
    await scheduleEnds(s.deps, [order + 1]);
    await changeBooking(s.guest, order + 1, longer);
    await takePayment(s.owner, order + 1, { amount: price - 660_000, method: 'CASH' });
    s.clock.set('2027-02-01T07:00:00.000Z');
    expect(await moveDueBookings(s.deps)).toMatchObject({ balance_due: 1 });
    const { payment_id } = await openDuePage(s.owner, order + 1);
    s.server.decide(s.server.find(payment_id)!, 'success');
    expect(await lapse(13)).toEqual(nothingMoved);
    expect(await state()).toMatchObject({ total: price + night, payment_status: 'PAID' });
  });

  it('of a balance takes the stay, where the balance of before is not paid', async () => {
    const id = await paid({ deposit_percent: 30, refund_rule: 'Full refund until 7 days before check-in' });
    await changeBooking(s.guest, id, longer);
    s.clock.set('2027-02-01T07:00:00.000Z');
    await moveDueBookings(s.deps);
    await transfer(price - 660_001);
    expect(await lapse(13)).toMatchObject({ cancelled: 1 });
    await requireSound();
  });
});

describe('a stay that was moved', () => {
  const later = { check_in_date: '2027-02-10', check_out_date: '2027-02-13' };
  const kept = async (): Promise<void> => {
    expect(await state()).toMatchObject({ ...later, state: 'CONFIRMED', payment_status: 'PENDING' });
    expect((await state()).pay_until).toBeUndefined();
    expect((await state()).unpaid_change).toEqual({ total: price });
    expect((await s.events(order)).at(-1)).toMatchObject({
      event_type: 'payment.failed',
      data: { reason: changeKept, amount: night },
    });
    expect(await lapse()).toEqual(nothingMoved);
    await requireSound();
  };

  it('goes back where its time is free', async () => {
    const id = await paid();
    await changeBooking(s.guest, id, later);
    expect(await lapse()).toMatchObject({ change_ended: 1 });
    await given();
    expect(await state()).toMatchObject({ check_in_date: '2027-02-04' });
  });

  it('stays where its time is taken: neither is lost', async () => {
    const id = await paid();
    await changeBooking(s.guest, id, later);
    await confirmCheckout(s.other, { items: s.items(home), payment_method: 'CASH' });
    expect(await lapse()).toMatchObject({ change_ended: 1 });
    await kept();
  });

  it('stays where its time is taken at the moment when it goes back', async () => {
    const id = await paid();
    await changeBooking(s.guest, id, later);
    const table = interruptedTable(s.deps.table, 'transact', () =>
      confirmCheckout(s.other, { items: s.items(home), payment_method: 'CASH' }),
    );
    await lapse(73, table);
    await kept();
  });

  it('stays where its time is past', async () => {
    const id = await paid({ refund_rule: 'FLEXIBLE' });
    s.clock.set('2027-02-03T00:00:00.000Z');
    await changeBooking(s.guest, id, later);
    await lapse();
    await kept();
  });

  it('goes back to another home, unless that is archived', async () => {
    const id = await paid();
    const house = await s.listing({ full_rate: 1_500_000 });
    await changeBooking(s.guest, id, { listing_id: house.id });
    expect(await state()).toMatchObject({ listing_id: house.id });
    await lapse();
    await given();
    expect(await state()).toMatchObject({ listing_id: home.id });
    const second = await paid();
    await changeBooking(s.guest, second, { listing_id: house.id });
    await archiveListing(s.owner, home.id);
    expect(await lapse()).toMatchObject({ change_ended: 1 });
    expect(await state()).toMatchObject({ listing_id: house.id, payment_status: 'PENDING' });
    await requireSound();
  });

  it('stays where the home before is in another time zone by now', async () => {
    const id = await paid();
    const house = await s.listing({ full_rate: 1_500_000 });
    await changeBooking(s.guest, id, { listing_id: house.id });
    await updateListing(s.owner, home.id, { timezone: 'Asia/Tokyo' });
    expect(await lapse()).toMatchObject({ change_ended: 1 });
    expect(await state()).toMatchObject({ listing_id: house.id, payment_status: 'PENDING' });
    await requireSound();
  });

  it.each(['the home of the stay', 'the home before'] as const)(
    'goes back where %s has become a room of a house',
    async (which) => {
      const id = await paid();
      const other = await s.listing({ full_rate: 1_500_000 });
      await changeBooking(s.guest, id, which === 'the home before' ? { listing_id: other.id } : longer);
      const house = await s.listing();
      await updateListing(s.owner, home.id, { parent_listing_id: house.id });
      expect(await lapse()).toMatchObject({ change_ended: 1 });
      await given();
      expect(await state()).toMatchObject({ listing_id: home.id, calendar_id: house.id });
    },
  );

  it('that was extended stays as it is where the schedule comes after the end of before', async () => {
    const id = await paid();
    await changeBooking(s.guest, id, longer);
    s.clock.set('2027-02-06T05:00:00.000Z');
    expect(await moveDueBookings(s.deps)).toMatchObject({ change_ended: 1 });
    expect(await state()).toMatchObject({ total: price + night, payment_status: 'PENDING' });
    await requireSound();
  });
});

describe('the schedule', () => {
  it('gives a change up once, with 20 runs at once', async () => {
    const id = await paid();
    await changeBooking(s.guest, id, longer);
    s.clock.advance(73 * hour);
    await Promise.all(Array.from({ length: 20 }, () => moveDueBookings(s.deps)));
    await moveDueBookings(s.deps);
    await given();
    expect((await state()).postings?.filter(({ kind }) => kind === 'change')).toHaveLength(2);
  });

  it.skipIf(!countsUnits)(
    'gives a change up in three round trips, for 2 units read and 24 written',
    async () => {
      const { table, cost } = measuredTable(s.deps.table);
      const id = await paid();
      await changeBooking(s.guest, id, longer);
      s.clock.advance(73 * hour);
      const idle = await cost(() => moveDueBookings({ ...s.deps, table, clock: { now: () => 0 } }));
      const whole = await cost(() => moveDueBookings({ ...s.deps, table }));
      expect([whole.trips - idle.trips, whole.rcu - idle.rcu, whole.wcu]).toEqual([3, 2, 24]);
      await given();
    },
  );

  it('keeps one once, with 20 runs at once', async () => {
    const id = await paid();
    await changeBooking(s.guest, id, { check_in_date: '2027-02-10', check_out_date: '2027-02-13' });
    await confirmCheckout(s.other, { items: s.items(home), payment_method: 'CASH' });
    s.clock.advance(73 * hour);
    await Promise.all(Array.from({ length: 20 }, () => moveDueBookings(s.deps)));
    expect((await s.typesOf(order)).filter((type) => type === 'payment.failed')).toHaveLength(1);
  });

  it.each(['before', 'after'] as const)('that dies %s its step is made up for', async (when) => {
    const id = await paid();
    await changeBooking(s.guest, id, longer);
    await lapse(73, crashingTable(s.deps.table, 0, when)).catch(() => undefined);
    await lapse(1);
    await given();
  });

  it('and money that comes at the same moment: the change stands, or the money is on the list', async () => {
    const id = await paid();
    await changeBooking(s.guest, id, longer);
    const table = interruptedTable(s.deps.table, 'transact', () => transfer(night));
    await lapse(73, table);
    expect(await state()).toMatchObject({ total: price + night, payment_status: 'PAID' });
    expect(await lapse()).toEqual(nothingMoved);
    await requireSound();
  });

  it('and more time at the same moment: it waits', async () => {
    const id = await paid();
    await changeBooking(s.guest, id, longer);
    const table = interruptedTable(s.deps.table, 'transact', () => extendPayment(s.owner, id, 24));
    await lapse(73, table);
    expect(await state()).toMatchObject({ total: price + night });
  });
});

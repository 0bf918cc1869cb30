import { beforeEach, describe, expect, it } from 'vitest';
import { refundCancelled } from '../../functions/workers/refunds/index.ts';
import { auditBooking, auditListing } from '../../shared/domain/audit/index.ts';
import { cancelBooking } from '../../shared/domain/booking/cancel-booking.ts';
import { scheduleEnds } from '../../shared/domain/booking/due-booking.store.ts';
import { moveBooking } from '../../shared/domain/booking/move-booking.ts';
import { markPaid } from '../../shared/domain/booking/take-payment.ts';
import { changeBooking } from '../../shared/domain/checkout/index.ts';
import type { ChangedBooking, ChangeRequest } from '../../shared/domain/checkout/change.schema.ts';
import { confirmCheckout } from '../../shared/domain/checkout/confirm-checkout.ts';
import { chargesOf, dueFor } from '../../shared/domain/folio/model.ts';
import { updateListing } from '../../shared/domain/listing/index.ts';
import { settlePayment } from '../../shared/domain/payment/settle-payment.ts';
import { OrderEntity } from '../../shared/domain/booking/order.entity.ts';
import { ReservationEntity } from '../../shared/domain/booking/reservation.entity.ts';
import type { UserCaller } from '../../shared/platform/auth.ts';
import type { Context } from '../../shared/platform/context.ts';
import { GatewayRefused } from '../../shared/platform/payment/index.ts';
import { orderIdOf } from '../../shared/platform/ids.ts';
import { change as changeItem, present, remove } from '../../shared/platform/table/index.ts';
import { interrupted, writing } from '../support/interrupted.ts';
import { crashingTable, hour, minute, paymentScene, type PaymentScene } from '../support/payment-scene.ts';

let s: PaymentScene;
beforeEach(async () => {
  s = await paymentScene();
  await s.clear();
});

/** A night costs 1,000,000 and the cleaning 200,000; two nights from 4 February are paid. */
const listing = (given: Parameters<PaymentScene['listing']>[0] = {}) =>
  s.listing({ refund_rule: 'Full refund until check-in', ...given });
/** More than two guests cost more. */
const party = { guest_included_in_rate: 2, extra_adult_rate: 100_000, maximum_guest: 6 };
const price = 2_200_000;
const night = 1_000_000;
const longer = { check_out_date: '2027-02-07' };

const bookPaid = async (home: { id: number }): Promise<number> => {
  const { id } = (await s.confirm([home], 'tok_ok')).reservations[0]!;
  await scheduleEnds(s.deps, [id]);
  return id;
};
const bookBy = (ctx: Context<UserCaller>, { id }: { id: number }, from: string, to: string) =>
  confirmCheckout(ctx, {
    items: [{ listing_id: id, check_in_date: from, check_out_date: to, guest_number: 2 }],
    payment_method: 'CASH',
  });
const nextNight = (home: { id: number }) => bookBy(s.other, home, '2027-02-06', '2027-02-07');
const change = (id: number, asked: ChangeRequest = longer, ctx: Context = s.guest): Promise<ChangedBooking> =>
  changeBooking(ctx, id, asked);

const stayOf = async (id: number) =>
  (await s.order(orderIdOf(id))).reservations.find(({ reservation_id }) => reservation_id === id)!;
const pendingOf = async (id: number) => (await stayOf(id)).pending_change;
const typesOf = async (id: number) => (await s.typesOf(orderIdOf(id))).slice(2);
const hold = async (id: number, asked: ChangeRequest = longer, ctx: Context = s.guest) => {
  const held = await change(id, asked, ctx);
  return { held, pending: (await pendingOf(id))! };
};
const taken = { code: 'LISTING_NOT_AVAILABLE' };
const two = { check_out_date: '2027-02-06', nights: 2, total: price };
const three = { check_out_date: '2027-02-07', nights: 3, total: price + night };

/** Asserts that what the gateway has kept of a stay's charges is what was paid for it, and that the records agree. */
const requireFair = async (id: number, kept: number, ...changes: number[]): Promise<void> => {
  const charged = [orderIdOf(id), ...changes].map((paymentId) => s.money(paymentId));
  expect(charged.reduce((sum, one) => sum + one.charged - one.back, 0)).toBe(kept);
  expect((await auditBooking(s.deps, id)).findings).toEqual([]);
  expect((await auditListing(s.deps, (await stayOf(id)).listing_id)).findings).toEqual([]);
};

describe('a change of a paid stay that costs more', () => {
  it('is held until its page is paid, and then made', async () => {
    const home = await listing();
    const id = await bookPaid(home);
    const { held, pending } = await hold(id);
    expect(held).toMatchObject({ check_out_date: '2027-02-06', total_price: price, payment_status: 'PAID' });
    expect(held.change).toEqual({
      difference: night,
      refund: { amount: 0, status: 'NONE' },
      amount_due: night,
      payment_url: expect.stringContaining(String(pending)) as string,
      payment_expires_at: new Date(s.clock.now() + 15 * minute).toISOString(),
    });
    expect(await stayOf(id)).toMatchObject({ ...two, payment_status: 'PAID' });
    await expect(nextNight(home)).rejects.toMatchObject(taken);
    await requireFair(id, price, pending);

    expect(await s.decide(pending, 'success')).toBe('taken');
    const { pending_change, ...stay } = await stayOf(id);
    const charges = chargesOf(stay);
    expect(stay).toMatchObject({ ...three, payment_status: 'PAID', changes: 1 });
    expect(pending_change).toBeUndefined();
    expect(charges.map(({ payment_id, amount }) => [payment_id, amount])).toEqual([
      [orderIdOf(id), price],
      [pending, night],
    ]);
    expect(await typesOf(id)).toEqual(['booking.changed', 'payment.paid']);
    const [changed, paid] = (await s.events(orderIdOf(id))).slice(2);
    expect([changed?.actor, paid?.actor]).toEqual([
      `user:${s.guest.caller.user_id}`,
      'system:payment-gateway:sandbox',
    ]);
    expect(paid?.data).toMatchObject({ amount: night, payment_transaction_id: charges[1]?.reference });
    await expect(nextNight(home)).rejects.toMatchObject(taken);
    await requireFair(id, price + night, pending);
    s.clock.advance(6 * minute);
    await s.reconcile();
    expect(await s.due()).toEqual([]);
    expect(await s.report(pending)).toBe('repeated');
  });

  it('is not made if it is not paid in time: the new night is free again, and a later payment goes back', async () => {
    const home = await listing();
    const id = await bookPaid(home);
    const { pending } = await hold(id);
    s.clock.advance(16 * minute);
    await s.reconcile();
    expect(await s.order(pending)).toMatchObject({
      order: { state: 'RELEASED' },
      payment: { state: 'EXPIRED' },
    });
    expect(await stayOf(id)).toMatchObject(two);
    expect(await pendingOf(id)).toBeUndefined();
    expect(await typesOf(id)).toEqual(['payment.failed']);
    expect((await s.events(orderIdOf(id))).at(-1)?.data).toMatchObject({
      amount: night,
      reason: 'The change was not paid in time.',
      payment_transaction_id: null,
    });
    await nextNight(home);
    s.server.find(pending)!.state = 'open';
    await s.decide(pending, 'success');
    await s.reconcile();
    expect(await stayOf(id)).toMatchObject({ ...two, payment_status: 'PAID' });
    expect(await typesOf(id)).toEqual(['payment.failed', 'payment.refunded']);
    expect((await s.events(orderIdOf(id))).at(-1)?.data).toMatchObject({ id, refund: night, amount: night });
    await requireFair(id, price, pending);
  });

  it.each([
    ['free', false],
    ['taken', true],
  ])('that is paid after its lock, while its time is %s', async (_, isTaken) => {
    const home = await listing();
    const id = await bookPaid(home);
    const { pending } = await hold(id);
    s.clock.advance(16 * minute);
    if (isTaken) await nextNight(home);
    await s.decide(pending, 'success');
    await s.reconcile();
    expect(await stayOf(id)).toMatchObject(isTaken ? two : three);
    expect(await pendingOf(id)).toBeUndefined();
    await requireFair(id, isTaken ? price : price + night, pending);
  });

  it('ends when its page fails; it can be asked for again', async () => {
    const home = await listing();
    const id = await bookPaid(home);
    const { pending } = await hold(id);
    await s.decide(pending, 'failure');
    expect((await s.order(pending)).order?.state).toBe('RELEASED');
    expect(await typesOf(id)).toEqual(['payment.failed']);
    const again = await hold(id);
    expect(again.pending).not.toBe(pending);
    await s.decide(again.pending, 'success');
    expect(await stayOf(id)).toMatchObject(three);
    await requireFair(id, price + night, pending, again.pending);
  });

  it('holds what a host asks for until the payment window ends, at the latest when the new time begins', async () => {
    const home = await listing();
    const id = await bookPaid(home);
    const { held } = await hold(id, longer, s.owner);
    expect(held.change.payment_expires_at).toBe(new Date(s.clock.now() + 24 * hour).toISOString());
    // 5 February, 17:00 in Vietnam; the stay ends on the next day at 12:00.
    s.clock.advance(21 * 24 * hour + 7 * hour);
    const late = await hold(id, longer, s.owner);
    expect(late.held.change.payment_expires_at).toBe('2027-02-06T05:00:00.000Z');
  });

  it('between rooms of a house, and of the house, holds the new home beside the present one', async () => {
    const { house, rooms } = await s.house(2);
    await updateListing(s.owner, house.id, {
      full_rate: 3_000_000,
      refund_rule: 'Full refund until check-in',
    });
    for (const room of rooms)
      await updateListing(s.owner, room.id, { refund_rule: 'Full refund until check-in' });
    const id = await bookPaid(rooms[0]!);
    const { pending } = await hold(id, { listing_id: house.id });
    expect(await stayOf(id)).toMatchObject({ listing_id: rooms[0]!.id });
    await expect(bookBy(s.other, rooms[1]!, '2027-02-04', '2027-02-05')).rejects.toMatchObject(taken);
    await requireFair(id, price, pending);
    await s.decide(pending, 'success');
    expect(await stayOf(id)).toMatchObject({ listing_id: house.id, total: 6_200_000 });
    await requireFair(id, 6_200_000, pending);
  });

  it('of the party alone holds no hours', async () => {
    const home = await listing({ guest_included_in_rate: 2, extra_adult_rate: 100_000, maximum_guest: 6 });
    const id = await bookPaid(home);
    const { held, pending } = await hold(id, { guest_number: 3 });
    expect((await s.order(pending)).order?.change?.holds).toEqual([]);
    await s.decide(pending, 'success');
    expect(await stayOf(id)).toMatchObject({ guest_number: 3, total: price + held.change.difference });
    await requireFair(id, price + held.change.difference, pending);
  });

  it('of the party alone stands, although its home becomes a room of a house meanwhile', async () => {
    const [home, house] = [await listing(party), await listing()];
    const id = await bookPaid(home);
    const { held, pending } = await hold(id, { guest_number: 3 });
    await updateListing(s.owner, home.id, { parent_listing_id: house.id });
    await s.decide(pending, 'success');
    expect(await stayOf(id)).toMatchObject({ guest_number: 3, calendar_id: house.id });
    await requireFair(id, price + held.change.difference, pending);
    await cancelBooking(s.owner, id);
    await bookBy(s.other, house, '2027-02-04', '2027-02-06');
  });

  it('pays also what a host had charged later', async () => {
    const home = await listing();
    const id = await bookPaid(home);
    await change(id, { ...longer, charge_later: true }, s.owner);
    const { held, pending } = await hold(id, { check_out_date: '2027-02-08' });
    expect(held.change).toMatchObject({ difference: night, amount_due: 2 * night });
    await s.decide(pending, 'success');
    const stay = await stayOf(id);
    expect(stay).toMatchObject({ nights: 4, payment_status: 'PAID', total: price + 2 * night });
    expect(dueFor(stay)).toBe(0);
    await requireFair(id, price + 2 * night, pending);
  });
});

describe('while a change waits for its page', () => {
  it.each([
    ['another that costs more', { check_in_date: '2027-02-03' }, 3],
    ['one that costs less', { check_out_date: '2027-02-05' }, 1],
    ['the stay as it is', { check_out_date: '2027-02-06' }, 2],
  ])('%s gives it up; a payment of it goes back', async (_, asked, nights) => {
    const home = await listing();
    const id = await bookPaid(home);
    const { pending } = await hold(id);
    const answer = await change(id, asked);
    expect((await s.order(pending)).order?.state).toBe('RELEASED');
    await nextNight(home);
    const next = await pendingOf(id);
    if (answer.change.amount_due > 0) await s.decide(next!, 'success');
    else expect(next).toBeUndefined();
    await s.decide(pending, 'success');
    await s.reconcile();
    expect(await stayOf(id)).toMatchObject({ nights, payment_status: 'PAID' });
    await requireFair(id, price + (nights - 2) * night, pending, ...(next === undefined ? [] : [next]));
  });

  it('takes over the hours of the one before, which are no obstacle', async () => {
    const home = await listing();
    const id = await bookPaid(home);
    const first = await hold(id);
    const { pending } = await hold(id, { check_out_date: '2027-02-08' });
    await expect(nextNight(home)).rejects.toMatchObject(taken);
    await s.decide(pending, 'success');
    expect(await stayOf(id)).toMatchObject({ nights: 4 });
    await requireFair(id, price + 2 * night, pending, first.pending);
    await s.reconcile();
    expect(s.server.find(first.pending)?.state).not.toBe('open');
  });

  it('the booking is cancelled: the page is closed, and what it still takes goes back', async () => {
    const home = await listing();
    const id = await bookPaid(home);
    const { pending } = await hold(id);
    await cancelBooking(s.guest, id);
    await refundCancelled(s.deps, (await s.events(orderIdOf(id))).at(-1) as never);
    expect((await s.order(pending)).order?.state).toBe('RELEASED');
    expect(await pendingOf(id)).toBeUndefined();
    expect(await typesOf(id)).toEqual(['booking.cancelled', 'payment.refunded']);
    await nextNight(home);
    s.server.find(pending)!.state = 'open';
    await s.decide(pending, 'success');
    await s.reconcile();
    expect(await stayOf(id)).toMatchObject({ ...two, state: 'CANCELLED', payment_status: 'REFUNDED' });
    await requireFair(id, 0, pending);
  });

  it('the booking is cancelled and the page paid before it is closed: all goes back', async () => {
    const id = await bookPaid(await listing());
    const { pending } = await hold(id);
    await cancelBooking(s.owner, id);
    await s.decide(pending, 'success');
    await s.reconcile();
    expect(await stayOf(id)).toMatchObject({ state: 'CANCELLED', payment_status: 'REFUNDED' });
    await requireFair(id, 0, pending);
  });

  it.each([
    ['a later check-out is made', longer, 3],
    ['another check-in is not, and is refunded', { check_in_date: '2027-02-03' }, 2],
    ['one with another party is not, and is refunded', { ...longer, guest_number: 1 }, 2],
  ])('the guest checks in: %s', async (_, asked, nights) => {
    const id = await bookPaid(await listing());
    s.clock.advance(19 * 24 * hour + 12 * hour);
    const { pending } = await hold(id, asked, s.owner);
    s.clock.advance(10 * hour);
    await moveBooking(s.owner, id, 'check_in');
    await s.decide(pending, 'success');
    await s.reconcile();
    expect(await stayOf(id)).toMatchObject({ state: 'CHECKED_IN', nights });
    await requireFair(id, price + (nights - 2) * night, pending);
  });

  it('its host notes what was due as paid: the page takes no more than that, so all of it goes back', async () => {
    const id = await bookPaid(await listing());
    await change(id, { ...longer, charge_later: true }, s.owner);
    const { pending } = await hold(id, { check_out_date: '2027-02-08' });
    await markPaid(s.owner, id);
    await s.decide(pending, 'success');
    await s.reconcile();
    expect(await stayOf(id)).toMatchObject({ ...three, payment_status: 'PAID' });
    expect(s.money(pending)).toEqual({ charged: 2 * night, back: 2 * night });
    expect((await auditBooking(s.deps, id)).findings).toEqual([]);
  });

  it('a version of before changes it, which leaves what waits: its payment goes back', async () => {
    const id = await bookPaid(await listing());
    const { pending } = await hold(id);
    const key = { order_id: orderIdOf(id), reservation_id: id };
    await s.deps.table.transact([
      changeItem(ReservationEntity, key, { set: { changes: 1 } }, { when: present() }),
      changeItem(OrderEntity, { order_id: key.order_id }, { set: { changes: 1 } }, { when: present() }),
    ]);
    await s.decide(pending, 'success');
    await s.reconcile();
    expect(await stayOf(id)).toMatchObject(two);
    expect(await pendingOf(id)).toBeUndefined();
    expect(s.money(pending)).toEqual({ charged: night, back: night });
  });

  it('its home becomes a room of a house: what was paid goes back', async () => {
    const [home, house] = [await listing(), await listing()];
    const id = await bookPaid(home);
    const { pending } = await hold(id);
    await expect(updateListing(s.owner, home.id, { parent_listing_id: house.id })).rejects.toThrow(
      'soft lock',
    );
    s.clock.advance(16 * minute);
    await updateListing(s.owner, home.id, { parent_listing_id: house.id });
    await s.decide(pending, 'success');
    await s.reconcile();
    expect(await stayOf(id)).toMatchObject(two);
    expect(await pendingOf(id)).toBeUndefined();
    await bookBy(s.other, house, '2027-02-06', '2027-02-07');
    await requireFair(id, price, pending);
  });
});

describe('what holds a change ends with it', () => {
  it('when the booking is cancelled while the gateway is down: the night that a host holds is free', async () => {
    const home = await listing();
    const id = await bookPaid(home);
    const { pending } = await hold(id, longer, s.owner);
    await cancelBooking(s.owner, id);
    s.wire.fault = () => 'before';
    await refundCancelled(s.deps, (await s.events(orderIdOf(id))).at(-1) as never);
    await nextNight(home);
    s.wire.fault = undefined;
    s.clock.advance(6 * minute);
    await s.reconcile();
    expect(await typesOf(id)).toEqual(['booking.cancelled', 'payment.refunded']);
    await requireFair(id, 0, pending);
  });

  it('when its order was deleted before the gateway responded again', async () => {
    const id = await bookPaid(await listing());
    const { pending } = await hold(id);
    s.wire.fault = () => 'before';
    s.clock.advance(26 * hour);
    await s.reconcile();
    await s.deps.table.transact([remove(OrderEntity, { order_id: pending })]);
    s.wire.fault = undefined;
    s.clock.advance(2 * hour);
    await s.reconcile();
    expect((await s.order(pending)).payment?.state).toBe('EXPIRED');
    expect(await pendingOf(id)).toBeUndefined();
    expect(await typesOf(id)).toEqual(['payment.failed']);
    await requireFair(id, price, pending);
  });

  it('when its order was deleted; one that is asked for at that moment waits on', async () => {
    const home = await listing();
    const id = await bookPaid(home);
    const first = await hold(id);
    s.clock.advance(42 * hour);
    await s.deps.table.transact([remove(OrderEntity, { order_id: first.pending })]);
    await settleWith(first.pending, () => change(id));
    await s.reconcile();
    const pending = (await pendingOf(id))!;
    expect(pending).not.toBe(first.pending);
    expect(s.money(first.pending)).toEqual({ charged: night, back: night });
    await s.decide(pending, 'success');
    expect(await stayOf(id)).toMatchObject(three);
    await requireFair(id, price + night, first.pending, pending);
  });
});

describe('a change with a token', () => {
  const token = (payment_gateway_token = 'tok_ok') => ({ ...longer, payment_gateway_token });

  it('is charged what it costs more, and made in one answer', async () => {
    const id = await bookPaid(await listing());
    const changed = await change(id, token());
    expect(changed).toMatchObject({
      check_out_date: '2027-02-07',
      payment_status: 'PAID',
      change: { difference: night, amount_due: 0 },
    });
    expect(changed.change.payment_url).toBeUndefined();
    const pending = chargesOf(await stayOf(id))[1]!.payment_id;
    expect(await typesOf(id)).toEqual(['booking.changed', 'payment.paid']);
    await requireFair(id, price + night, pending);
  });

  it('that is declined changes and charges nothing, and frees the night', async () => {
    const home = await listing();
    const id = await bookPaid(home);
    await expect(change(id, token('tok_declined'))).rejects.toMatchObject({
      code: 'PAYMENT_DECLINED',
      message: 'The gateway declined the payment: nothing was charged, and the booking is as it was.',
      details: { reason: 'declined' },
    });
    expect(await stayOf(id)).toMatchObject(two);
    expect(await typesOf(id)).toEqual(['payment.failed']);
    await nextNight(home);
    await requireFair(id, price);
  });

  it('charges nothing where nothing is to be paid first', async () => {
    const id = await bookPaid(await listing());
    const shorter = { check_out_date: '2027-02-05', payment_gateway_token: 'tok_ok' };
    expect(await change(id, shorter)).toMatchObject({ nights: 1, change: { difference: -night } });
    await s.reconcile();
    await requireFair(id, price - night);
  });

  it.each([
    ['before', two, price],
    ['after', three, price + night],
  ] as const)('while the gateway dies %s the charge: the schedule decides', async (at, expected, kept) => {
    const home = await listing();
    const id = await bookPaid(home);
    s.wire.fault = (path) => (path === '/charge' ? at : undefined);
    await expect(change(id, token())).rejects.toMatchObject({ code: 'PAYMENT_GATEWAY_UNAVAILABLE' });
    const pending = await pendingOf(id);
    await expect(change(id)).rejects.toMatchObject({ code: 'INVALID_STATE_TRANSITION' });
    await expect(nextNight(home)).rejects.toMatchObject(taken);
    s.wire.fault = undefined;
    s.clock.advance(6 * minute);
    await s.reconcile();
    expect(await stayOf(id)).toMatchObject(expected);
    expect(await pendingOf(id)).toBeUndefined();
    await requireFair(id, kept, pending!);
  });

  it.each([0, 1].flatMap((at) => [[at, 'before'] as const, [at, 'after'] as const]))(
    'of a process that dies at transaction %i, %s it, is made or refunded by the schedule',
    async (at, when) => {
      const id = await bookPaid(await listing());
      const table = crashingTable(s.deps.table, at, when);
      const dying: Context = {
        ...s.guest,
        table,
        recordStart: (writes) => table.transact(writes),
        commit: async (writes, body) => {
          await table.transact(writes);
          return body;
        },
      };
      await expect(change(id, token(), dying)).rejects.toThrow('died');
      const { pending_change, ...stay } = await stayOf(id);
      const pending = pending_change ?? chargesOf(stay)[1]?.payment_id;
      for (const _ of [1, 2]) {
        s.clock.advance(6 * minute);
        await s.reconcile();
      }
      const isMade = (await stayOf(id)).nights === 3;
      expect(isMade).toBe(at === 1);
      expect(await pendingOf(id)).toBeUndefined();
      await requireFair(id, isMade ? price + night : price, ...(pending === undefined ? [] : [pending]));
    },
  );

  it('of a booking that is cancelled while it is charged changes nothing, and all goes back', async () => {
    const id = await bookPaid(await listing());
    let pending = 0;
    const settle = s.wire.gateway.charge.bind(s.wire.gateway);
    s.wire.gateway.charge = async (opened, given) => {
      pending = opened.payment_id;
      await cancelBooking(s.owner, id);
      return settle(opened, given);
    };
    await expect(change(id, token())).rejects.toMatchObject({ code: 'INVALID_STATE_TRANSITION' });
    await s.reconcile();
    expect(await stayOf(id)).toMatchObject({ ...two, state: 'CANCELLED', payment_status: 'REFUNDED' });
    await requireFair(id, 0, pending);
  });

  it('whose report comes first is made once, and answered', async () => {
    const id = await bookPaid(await listing());
    let pending = 0;
    const settle = s.wire.gateway.charge.bind(s.wire.gateway);
    s.wire.gateway.charge = async (opened, given) => {
      const outcome = await settle(opened, given);
      pending = opened.payment_id;
      expect(await s.report(pending)).toBe('taken');
      return outcome;
    };
    expect(await change(id, token())).toMatchObject({
      nights: 3,
      change: { difference: night, amount_due: 0 },
    });
    expect(await typesOf(id)).toEqual(['booking.changed', 'payment.paid']);
    await requireFair(id, price + night, pending);
  });
});

describe('a change whose payment the gateway refuses', () => {
  const refused = () => Promise.reject(new GatewayRefused('Amount must be at least 10,000 VND.'));
  const refusal = (path: string, message: string) => ({
    code: 'VALIDATION_ERROR',
    details: { issues: [{ path, message }] },
  });

  it('names the token, or no field of a request without one; the stay is as it was', async () => {
    const home = await listing();
    const id = await bookPaid(home);
    const message = 'Amount must be at least 10,000 VND.';
    s.wire.gateway.openSession = refused;
    s.wire.gateway.openCharge = refused;
    await expect(change(id)).rejects.toMatchObject(refusal('', message));
    await expect(change(id, { ...longer, payment_gateway_token: 'tok_ok' })).rejects.toMatchObject(
      refusal('payment_gateway_token', message),
    );
    s.wire.gateway.refusal = (_, byToken) => (byToken ? 'takes no tokens' : 'takes no VND');
    await expect(change(id)).rejects.toMatchObject(refusal('', 'takes no VND'));
    await expect(change(id, { ...longer, payment_gateway_token: 'tok_ok' })).rejects.toMatchObject(
      refusal('payment_gateway_token', 'takes no tokens'),
    );
    expect(await stayOf(id)).toMatchObject(two);
    expect(await pendingOf(id)).toBeUndefined();
    await nextNight(home);
    await requireFair(id, price);
  });

  it('of an unpaid booking names no field: its page stays', async () => {
    const { id } = (await s.confirm([await listing()])).reservations[0]!;
    const { payment_url } = await s.booking(id);
    s.wire.gateway.openSession = refused;
    await expect(change(id)).rejects.toMatchObject(refusal('', 'Amount must be at least 10,000 VND.'));
    s.wire.gateway.refusal = () => 'takes no VND';
    await expect(change(id)).rejects.toMatchObject(refusal('', 'takes no VND'));
    expect(payment_url).not.toBeNull();
    expect((await s.booking(id)).payment_url).toBe(payment_url);
  });
});

describe('a stay that two charges have paid', () => {
  it('is refunded by both when its host cancels', async () => {
    const id = await bookPaid(await listing());
    const { pending } = await hold(id);
    await s.decide(pending, 'success');
    expect((await cancelBooking(s.owner, id)).refund).toMatchObject({ amount: price + night });
    await refundCancelled(s.deps, (await s.events(orderIdOf(id))).at(-1) as never);
    expect(await stayOf(id)).toMatchObject({ state: 'CANCELLED', payment_status: 'REFUNDED' });
    expect([s.money(orderIdOf(id)).back, s.money(pending).back]).toEqual([price, night]);
    await requireFair(id, 0, pending);
  });

  it('returns the newest first when it costs less', async () => {
    const id = await bookPaid(await listing());
    const { pending } = await hold(id);
    await s.decide(pending, 'success');
    await change(id, { check_out_date: '2027-02-05' });
    await s.reconcile();
    expect([s.money(orderIdOf(id)).back, s.money(pending).back]).toEqual([night, night]);
    expect((await s.order(pending)).payment).toMatchObject({ state: 'REFUNDED', refunded: night });
    await requireFair(id, price - night, pending);
  });

  it('that was paid in cash first is refunded by the gateway what the gateway took', async () => {
    const { reservations } = await s.confirm([await listing({ instant_book_enabled: false })]);
    const { id } = reservations[0]!;
    await markPaid(s.owner, id);
    const { pending } = await hold(id);
    await s.decide(pending, 'success');
    expect(await stayOf(id)).toMatchObject(three);
    await cancelBooking(s.owner, id);
    await s.reconcile();
    expect(s.money(pending)).toEqual({ charged: night, back: night });
    expect((await auditBooking(s.deps, id)).findings).toEqual([]);
  });

  it('that was paid in cash first, and whose change is undone, was paid in cash alone', async () => {
    const { reservations } = await s.confirm([await listing({ instant_book_enabled: false })]);
    const { id } = reservations[0]!;
    await markPaid(s.owner, id);
    const { pending } = await hold(id);
    await s.decide(pending, 'success');
    await change(id, { check_out_date: '2027-02-06' });
    await s.reconcile();
    expect(s.money(pending)).toEqual({ charged: night, back: night });
    expect((await auditBooking(s.deps, id)).findings).toEqual([]);
    await cancelBooking(s.owner, id);
    expect(await stayOf(id)).toMatchObject({ state: 'CANCELLED', payment_status: 'REFUNDED' });
    expect((await auditBooking(s.deps, id)).findings).toEqual([]);
  });
});

describe('at the same moment', () => {
  it('twenty reports of the page make the change once', async () => {
    const id = await bookPaid(await listing());
    const { pending } = await hold(id);
    s.server.decide(s.server.find(pending)!, 'success');
    await Promise.all(Array.from({ length: 20 }, () => s.report(pending)));
    expect(await stayOf(id)).toMatchObject({ ...three, changes: 1 });
    expect(await typesOf(id)).toEqual(['booking.changed', 'payment.paid']);
    await requireFair(id, price + night, pending);
  });

  it('another guest takes the night that is about to be held', async () => {
    const home = await listing();
    const id = await bookPaid(home);
    const asked = changeBooking(
      interrupted(s.guest, () => nextNight(home), writing('Order')),
      id,
      longer,
    );
    await expect(asked).rejects.toMatchObject(taken);
    expect(await stayOf(id)).toMatchObject(two);
    expect(await pendingOf(id)).toBeUndefined();
    await requireFair(id, price);
  });

  it('it is cancelled before its change is held: nothing is held', async () => {
    const id = await bookPaid(await listing(party));
    const asked = interrupted(s.guest, () => cancelBooking(s.owner, id), writing('Order'));
    await expect(changeBooking(asked, id, { guest_number: 3 })).rejects.toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
    });
    expect(await pendingOf(id)).toBeUndefined();
    await s.reconcile();
    await requireFair(id, 0);
  });

  it.each([
    ['a change that nothing is paid for', { charge_later: true }],
    ['one that is held too', {}],
  ])('%s does not know of one that has just been held, and gives it up', async (_, given) => {
    const id = await bookPaid(await listing(party));
    let first = 0;
    const meanwhile = async () => {
      first = (await hold(id, { guest_number: 3 })).pending;
    };
    await changeBooking(interrupted(s.owner, meanwhile), id, { guest_number: 4, ...given });
    expect((await s.order(first)).order?.state).toBe('RELEASED');
    expect(await pendingOf(id)).not.toBe(first);
    await s.decide(first, 'success');
    await s.reconcile();
    expect(s.money(first).back).toBe(s.money(first).charged);
    expect((await auditBooking(s.deps, id)).findings).toEqual([]);
  });

  it('it is given up between the payment of its page and its change: all of it goes back', async () => {
    const id = await bookPaid(await listing(party));
    const { pending } = await hold(id, { guest_number: 3 });
    await settleWith(pending, () => change(id, { guest_number: 2 }));
    await s.reconcile();
    expect(await stayOf(id)).toMatchObject({ guest_number: 2, total: price });
    expect(s.money(pending).charged).toBe(s.money(pending).back);
    await requireFair(id, price, pending);
  });

  it('a room beside it is booked: its own room is no obstacle to holding the house', async () => {
    const { house, rooms } = await s.house(2);
    for (const { id } of [house, ...rooms])
      await updateListing(s.owner, id, { refund_rule: 'Full refund until check-in' });
    await updateListing(s.owner, house.id, { full_rate: 3_000_000 });
    const id = await bookPaid(rooms[0]!);
    const meanwhile = () => bookBy(s.other, rooms[1]!, '2027-02-06', '2027-02-07');
    const asked = interrupted(s.guest, meanwhile, writing('Order'));
    const held = await changeBooking(asked, id, { listing_id: house.id });
    expect(held.change.payment_url).toContain(String(await pendingOf(id)));
  });

  it.each([
    ['a change by the host', () => change(idOf.stay, { guest_number: 1 }, s.owner)],
    ['a cancellation', () => cancelBooking(s.owner, idOf.stay)],
  ])('%s comes between the payment of the page and its change: all of it goes back', async (_, meanwhile) => {
    const id = await bookPaid(await listing());
    idOf.stay = id;
    const { pending } = await hold(id);
    await settleWith(pending, meanwhile);
    await s.reconcile();
    expect(s.money(pending)).toEqual({ charged: night, back: night });
    expect((await auditBooking(s.deps, id)).findings).toEqual([]);
  });

  it('two callers ask for a page: one change waits, the page of the other is closed', async () => {
    const id = await bookPaid(await listing());
    const [one, other] = await Promise.all([change(id), change(id, longer, s.owner)]);
    const pending = (await pendingOf(id))!;
    const urls = [one, other].map(({ change: { payment_url } }) => payment_url);
    expect(urls.filter((url) => url?.includes(String(pending)))).toHaveLength(1);
    s.clock.advance(6 * minute);
    await s.reconcile();
    await s.decide(pending, 'success');
    expect(await stayOf(id)).toMatchObject(three);
    await requireFair(id, price + night, pending);
  });
});

const idOf = { stay: 0 };

/** Applies the payment of a page, with something else between its reads and its write. */
const settleWith = async (pending: number, meanwhile: () => Promise<unknown>): Promise<void> => {
  s.server.decide(s.server.find(pending)!, 'success');
  const { reference, transaction_id, amount } = s.server.find(pending)!;
  const outcome = { state: 'paid' as const, transaction_id: transaction_id!, amount, currency: 'VND' };
  const { table } = interrupted(s.guest, meanwhile);
  await settlePayment({ ...s.guest, table }, { payment_id: pending, reference, outcome });
};

import { beforeEach, describe, expect, it } from 'vitest';
import { auditBooking } from '../../shared/domain/audit/index.ts';
import { ReservationEntity } from '../../shared/domain/booking/reservation.entity.ts';
import { confirmCheckout } from '../../shared/domain/checkout/confirm-checkout.ts';
import { createCheckout, extendCheckout } from '../../shared/domain/checkout/create-checkout.ts';
import { releaseCheckout } from '../../shared/domain/checkout/release-checkout.ts';
import { handlePaymentWebhook, reconcilePayments } from '../../shared/domain/payment/reconcile-payments.ts';
import { repeatRefund, confirmRefund } from '../../shared/domain/payment/refunds.ts';
import { publicDataOf, type PublicEvent } from '../../shared/domain/webhook/partner-event.schema.ts';
import { MembershipEntity } from '../../shared/domain/people/user.store.ts';
import { systemContext } from '../../shared/platform/context.ts';
import { type FailedRefund, RefundOutcomeUnknown } from '../../shared/platform/payment/index.ts';
import { put } from '../../shared/platform/table/index.ts';
import { crashingTable, hour, minute, type PaymentScene, paymentScene } from '../support/payment-scene.ts';
import { testContext, testTeam } from '../support/table.ts';

let s: PaymentScene;
beforeEach(async () => {
  s = await paymentScene();
  await s.clear();
});

/** Never charged without a booking or a refund, never booked and PAID without a charge, never charged twice. */
const requireFair = async (payment_id: number): Promise<void> => {
  const { order, payment, reservations } = await s.order(payment_id);
  const { charged, back } = s.money(payment_id);
  const isBooked = order?.state === 'BOOKED' && reservations.some(({ state }) => state !== 'CANCELLED');
  const isPaid = reservations.some(({ payment_status }) => payment_status === 'PAID');
  if (isPaid) expect(charged, 'PAID without a charge').toBeGreaterThan(0);
  if (charged > 0 && !isBooked) expect(back, 'charged for nothing').toBe(charged);
  if (charged > 0 && isBooked) expect({ isPaid, back }).toEqual({ isPaid: true, back: 0 });
  expect(payment?.state, 'an outcome').not.toBe('CHARGING');
  expect(order?.state).not.toBe('CHARGING');
};

const tokenOrder = async () => (await s.due())[0]?.payment_id ?? 0;

describe('a confirm with a token', () => {
  it('is charged once, and CONFIRMED and PAID', async () => {
    const confirmed = await s.confirm([await s.listing()], 'tok_ok');
    expect(confirmed).toMatchObject({
      payment_status: 'PAID',
      payment_transaction_id: expect.stringMatching(/^sbt_/) as string,
    });
    expect(confirmed.payment_url).toBeUndefined();
    expect(confirmed.reservations[0]?.status).toBe('CONFIRMED');
    const id = confirmed.master_reservation_id;
    expect(s.money(id)).toEqual({ charged: confirmed.estimated_total, back: 0 });
    expect(await s.booking(id)).toMatchObject({
      state: 'CONFIRMED',
      payment_status: 'PAID',
      payment_method: 'ONLINE_GATEWAY',
      payment_url: null,
      payment_transaction_id: confirmed.payment_transaction_id,
    });
    expect(await s.typesOf(id)).toEqual(['booking.created', 'payment.paid']);
    expect((await s.events(id)).map(({ actor }) => actor)).toEqual([
      `user:${s.guest.caller.user_id}`,
      'system:payment-gateway:sandbox',
    ]);
    await requireFair(id);
  });

  it('whose report comes before the confirm continues is booked once, and answered', async () => {
    const { checkout_id } = await s.hold([await s.listing()]);
    const settle = s.wire.gateway.charge.bind(s.wire.gateway);
    s.wire.gateway.charge = async (opened, token) => {
      const outcome = await settle(opened, token);
      expect(await s.report(checkout_id)).toBe('taken');
      return outcome;
    };
    const confirmed = await confirmCheckout(s.guest, {
      checkout_id,
      payment_method: 'ONLINE_GATEWAY',
      payment_gateway_token: 'tok_ok',
    });
    expect(confirmed).toMatchObject({ master_reservation_id: checkout_id, payment_status: 'PAID' });
    expect(await s.typesOf(checkout_id)).toEqual(['booking.created', 'payment.paid']);
    await requireFair(checkout_id);
  });

  it('books each stay with the name that its team has of the guest', async () => {
    const { caller } = s.guest;
    const { user_id, full_name } = caller;
    const { team_id } = await testTeam(s.deps);
    const member = { user_id, team_id, role: 'CUSTOMER', state: 'ACTIVE', created_at: '' } as const;
    const named = { ...member, full_name: 'Bình', replaced_full_name: full_name };
    await s.deps.table.transact([put(MembershipEntity, named)]);
    const guest = testContext(s.deps, { ...caller, is_renamed: true });
    const listings = [await s.listing(), await s.listing({ team_id })];
    const confirmed = await confirmCheckout(guest, s.online(listings, 'tok_ok'));
    const { order, reservations } = await s.order(confirmed.master_reservation_id);
    expect(reservations.map((stay) => stay.guest.full_name).toSorted()).toEqual(['Bình', full_name]);
    expect(order?.guest).toMatchObject({ full_name });
    expect(order?.guest).not.toHaveProperty('is_renamed');
  });

  it('consumes the live lock at the held price', async () => {
    const listing = await s.listing();
    const { checkout_id, preview } = await s.hold([listing]);
    const confirmed = await confirmCheckout(s.guest, {
      checkout_id,
      payment_method: 'ONLINE_GATEWAY',
      payment_gateway_token: 'tok_ok',
    });
    expect(confirmed.master_reservation_id).toBe(checkout_id);
    expect(s.money(checkout_id).charged).toBe(preview.estimated_total);
    await expect(createCheckout(s.other, { items: s.items(listing) })).rejects.toMatchObject({
      code: 'LISTING_NOT_AVAILABLE',
    });
  });

  it('that lapsed is charged the present price while the time is free', async () => {
    const listing = await s.listing();
    const { checkout_id } = await s.hold([listing]);
    s.clock.advance(16 * minute);
    const { payment_status } = await confirmCheckout(s.guest, {
      checkout_id,
      payment_method: 'ONLINE_GATEWAY',
      payment_gateway_token: 'tok_ok',
    });
    expect(payment_status).toBe('PAID');
    await requireFair(checkout_id);
  });

  it('books two stays, or none', async () => {
    const [one, two] = [await s.listing(), await s.listing()];
    await confirmCheckout(s.other, { items: s.items(two), payment_method: 'CASH' });
    await expect(s.confirm([one, two], 'tok_ok')).rejects.toMatchObject({ code: 'LISTING_NOT_AVAILABLE' });
    expect(s.wire.asked).not.toContain('/charge');
    const { reservations } = await s.confirm([one, await s.listing()], 'tok_ok');
    expect(reservations).toHaveLength(2);
  });

  it('that is declined books and charges nothing, releases the lock and says so', async () => {
    const listing = await s.listing();
    const { checkout_id } = await s.hold([listing]);
    const declined = confirmCheckout(s.guest, {
      checkout_id,
      payment_method: 'ONLINE_GATEWAY',
      payment_gateway_token: 'tok_declined',
    });
    await expect(declined).rejects.toMatchObject({ code: 'PAYMENT_DECLINED' });
    expect(s.money(checkout_id)).toEqual({ charged: 0, back: 0 });
    expect(await s.order(checkout_id)).toMatchObject({
      order: { state: 'RELEASED' },
      payment: { state: 'FAILED' },
      reservations: [],
    });
    expect(await s.events(checkout_id)).toMatchObject([{ event_type: 'payment.failed' }]);
    const [failed] = (await s.events(checkout_id)) as unknown as PublicEvent[];
    expect(publicDataOf(failed!)).toEqual({
      id: checkout_id,
      master_reservation_id: checkout_id,
      amount: (await s.order(checkout_id)).order?.estimated_total,
      currency: 'VND',
      payment_transaction_id: null,
      reason: 'declined',
    });
    expect(await createCheckout(s.other, { items: s.items(listing) })).toMatchObject({
      items: [{ state: 'SOFT_LOCK' }],
    });
    await requireFair(checkout_id);
  });

  it('of a total that is nothing, or with a token where there is none to take, is VALIDATION_ERROR', async () => {
    const free = await s.listing({
      last_minute_hour: 8760,
      last_minute_discount: 100,
      minimum_rate: 0,
      cleaning_fee: 0,
    });
    await expect(s.confirm([free], 'tok_ok')).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { issues: [{ path: 'payment_method' }] },
    });
    expect(s.wire.asked).toEqual([]);
  });
});

describe('a gateway that does not answer', () => {
  it('before it has charged: 502, the lock stays, and the schedule releases it', async () => {
    const listing = await s.listing();
    s.wire.fault = (path) => (path === '/charge' ? 'before' : undefined);
    await expect(s.confirm([listing], 'tok_ok')).rejects.toMatchObject({
      code: 'PAYMENT_GATEWAY_UNAVAILABLE',
    });
    const id = await tokenOrder();
    expect((await s.order(id)).order?.state).toBe('CHARGING');
    await expect(createCheckout(s.other, { items: s.items(listing) })).rejects.toMatchObject({
      code: 'LISTING_NOT_AVAILABLE',
    });
    s.wire.fault = undefined;
    s.clock.advance(6 * minute);
    await s.reconcile();
    await requireFair(id);
    expect((await s.order(id)).order?.state).toBe('RELEASED');
    expect(await s.typesOf(id)).toEqual(['payment.failed']);
    expect(await s.due()).toEqual([]);
  });

  it('after it has charged: 502, and the schedule books', async () => {
    s.wire.fault = (path) => (path === '/charge' ? 'after' : undefined);
    await expect(s.confirm([await s.listing()], 'tok_ok')).rejects.toMatchObject({
      code: 'PAYMENT_GATEWAY_UNAVAILABLE',
    });
    const id = await tokenOrder();
    s.wire.fault = undefined;
    s.clock.advance(6 * minute);
    await s.reconcile();
    await requireFair(id);
    expect(await s.booking(id)).toMatchObject({ state: 'CONFIRMED', payment_status: 'PAID' });
    expect((await s.events(id)).map(({ event_type, actor }) => [event_type, actor])).toEqual([
      ['booking.created', `user:${s.guest.caller.user_id}`],
      ['payment.paid', 'system:payment-gateway:sandbox'],
    ]);
  });

  it('for longer than the lock holds: booked when the time is still free', async () => {
    s.wire.fault = (path) => (path === '/charge' ? 'after' : path === '/close' ? 'before' : undefined);
    await expect(s.confirm([await s.listing()], 'tok_ok')).rejects.toThrow();
    const id = await tokenOrder();
    s.clock.advance(6 * minute);
    expect(await s.reconcile()).toEqual({ reconciled: 0, failed: 1 });
    s.clock.advance(hour);
    s.wire.fault = undefined;
    await s.reconcile();
    await requireFair(id);
    expect(await s.booking(id)).toMatchObject({ payment_status: 'PAID' });
  });

  it('for longer than the lock holds: refunded when another guest has the time', async () => {
    const listing = await s.listing();
    s.wire.fault = (path) => (path === '/charge' ? 'after' : undefined);
    await expect(s.confirm([listing], 'tok_ok')).rejects.toThrow();
    const id = await tokenOrder();
    s.wire.fault = undefined;
    s.clock.advance(16 * minute);
    await confirmCheckout(s.other, { items: s.items(listing), payment_method: 'CASH' });
    await s.reconcile();
    await requireFair(id);
    expect((await s.order(id)).payment?.state).toBe('REFUNDED');
    expect((await s.events(id)).map((emitted) => publicDataOf(emitted as unknown as PublicEvent))).toEqual([
      {
        id,
        master_reservation_id: id,
        amount: s.money(id).charged,
        refund: s.money(id).charged,
        currency: 'VND',
        payment_transaction_id: s.server.find(id)?.transaction_id,
        reason: expect.any(String) as string,
      },
    ]);
    expect(await s.typesOf(id)).toEqual(['payment.refunded']);
  });

  it('before the intent is announced leaves nothing behind', async () => {
    const listing = await s.listing();
    s.wire.fault = () => 'before';
    await expect(s.confirm([listing], 'tok_ok')).rejects.toMatchObject({
      code: 'PAYMENT_GATEWAY_UNAVAILABLE',
    });
    expect(await s.due()).toEqual([]);
    expect(await createCheckout(s.other, { items: s.items(listing) })).toBeDefined();
  });
});

describe('a confirm that is repeated while its outcome is not known', () => {
  it('continues with the same charge', async () => {
    const listing = await s.listing();
    s.wire.fault = (path) => (path === '/charge' ? 'after' : undefined);
    await expect(s.confirm([listing], 'tok_ok')).rejects.toThrow();
    s.wire.fault = undefined;
    const confirmed = await s.confirm([listing], 'tok_ok');
    expect(confirmed.payment_status).toBe('PAID');
    expect(s.wire.asked.filter((path) => path === '/charges')).toHaveLength(1);
    await requireFair(confirmed.master_reservation_id);
  });

  it('and whose charge never arrived is charged now', async () => {
    const listing = await s.listing();
    s.wire.fault = (path) => (path === '/charge' ? 'before' : undefined);
    await expect(s.confirm([listing], 'tok_ok')).rejects.toThrow();
    s.wire.fault = undefined;
    expect((await s.confirm([listing], 'tok_ok')).payment_status).toBe('PAID');
    await requireFair(await tokenOrder());
  });

  it('cannot be paid otherwise, extended, released or replaced', async () => {
    const listing = await s.listing();
    const { checkout_id } = await s.hold([listing]);
    s.wire.fault = (path) => (path === '/charge' ? 'after' : undefined);
    const confirm = (given: object) =>
      confirmCheckout(s.guest, { checkout_id, payment_method: 'ONLINE_GATEWAY', ...given });
    await expect(confirm({ payment_gateway_token: 'tok_ok' })).rejects.toThrow();
    const refused = { code: 'INVALID_STATE_TRANSITION' };
    await expect(confirm({ payment_method: 'CASH' })).rejects.toMatchObject(refused);
    await expect(confirm({})).rejects.toMatchObject(refused);
    await expect(extendCheckout(s.guest, checkout_id)).rejects.toMatchObject(refused);
    await expect(releaseCheckout(s.guest, checkout_id)).rejects.toMatchObject(refused);
    await expect(s.hold([listing])).rejects.toMatchObject({ code: 'LISTING_NOT_AVAILABLE' });
    await expect(
      confirmCheckout(s.guest, { items: s.items(listing), payment_method: 'CASH' }),
    ).rejects.toMatchObject({ code: 'LISTING_NOT_AVAILABLE' });
    s.wire.fault = undefined;
    expect(await confirm({ payment_gateway_token: 'tok_ok' })).toMatchObject({ payment_status: 'PAID' });
    await requireFair(checkout_id);
  });

  it('twice at once is charged and booked once', async () => {
    const listing = await s.listing();
    const { checkout_id } = await s.hold([listing]);
    const confirm = () =>
      confirmCheckout(s.guest, {
        checkout_id,
        payment_method: 'ONLINE_GATEWAY',
        payment_gateway_token: 'tok_ok',
      });
    const both = await Promise.allSettled([confirm(), confirm(), confirm()]);
    expect(both.some(({ status }) => status === 'fulfilled')).toBe(true);
    for (const one of both)
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'INVALID_STATE_TRANSITION' });
    expect((await s.typesOf(checkout_id)).filter((type) => type === 'payment.paid')).toHaveLength(1);
    await requireFair(checkout_id);
  });
});

describe('a lock that is lost while the gateway charges', () => {
  it('gives the money back: 500 CHECKOUT_CREATE_BOOKING_FAILED', async () => {
    const listing = await s.listing();
    s.wire.meanwhile = async (path) => {
      if (path !== '/charge') return;
      s.clock.advance(16 * minute);
      await confirmCheckout(s.other, { items: s.items(listing), payment_method: 'CASH' });
    };
    await expect(s.confirm([listing], 'tok_ok')).rejects.toMatchObject({
      code: 'CHECKOUT_CREATE_BOOKING_FAILED',
      status: 500,
    });
    const id = await tokenOrder();
    await requireFair(id);
    expect(s.money(id).back).toBeGreaterThan(0);
    expect(await s.typesOf(id)).toEqual(['payment.refunded']);
  });

  it('is refunded later when the gateway does not answer', async () => {
    const listing = await s.listing();
    s.wire.meanwhile = async (path) => {
      if (path !== '/charge') return;
      s.clock.advance(16 * minute);
      await confirmCheckout(s.other, { items: s.items(listing), payment_method: 'CASH' });
    };
    s.wire.fault = (path) => (path === '/refunds' ? 'before' : undefined);
    await expect(s.confirm([listing], 'tok_ok')).rejects.toMatchObject({
      code: 'CHECKOUT_CREATE_BOOKING_FAILED',
    });
    s.wire.meanwhile = undefined;
    s.wire.fault = undefined;
    const id = await tokenOrder();
    expect(s.money(id).back).toBe(0);
    await s.reconcile();
    await requireFair(id);
  });
});

describe('a process that dies', () => {
  const steps = [
    ...[0, 1].flatMap((at) => (['before', 'after'] as const).map((when) => ({ where: 'table', at, when }))),
    ...['/charges', '/charge'].flatMap((at) =>
      (['before', 'after'] as const).map((when) => ({ where: 'gateway', at, when })),
    ),
  ];
  const tokens = ['tok_ok', 'tok_declined'];

  it.each(tokens.flatMap((token) => steps.map((step) => ({ token, ...step }))))(
    '$when step $at of the $where, with $token: nothing is charged for nothing, nothing twice',
    async ({ token, where, at, when }) => {
      const listing = await s.listing();
      const { checkout_id } = await s.hold([listing]);
      const request = {
        checkout_id,
        payment_method: 'ONLINE_GATEWAY' as const,
        payment_gateway_token: token,
      };
      const table = where === 'table' ? crashingTable(s.deps.table, Number(at), when) : s.deps.table;
      if (where === 'gateway') s.wire.fault = (path) => (path === at ? when : undefined);
      const dying = testContext({ ...s.deps, table }, s.guest.caller);
      await confirmCheckout(dying, request).catch(() => undefined);
      s.wire.fault = undefined;
      s.clock.advance(6 * minute);
      await s.reconcile();
      const { payment, order } = await s.order(checkout_id);
      if (payment) await requireFair(checkout_id);
      else {
        expect(order?.state).toBe('HELD');
        expect(s.money(checkout_id)).toEqual({ charged: 0, back: 0 });
      }
      expect(await s.due()).toEqual([]);
    },
  );

  it.each([0, 1, 2, 3].flatMap((at) => (['before', 'after'] as const).map((when) => ({ at, when }))))(
    'in the schedule, $when transaction $at, is made up for by the next run',
    async ({ at, when }) => {
      const listing = await s.listing();
      s.wire.fault = (path) => (path === '/charge' ? 'after' : undefined);
      await expect(s.confirm([listing], 'tok_ok')).rejects.toThrow();
      const id = await tokenOrder();
      s.wire.fault = undefined;
      s.clock.advance(16 * minute);
      if (at > 1) await confirmCheckout(s.other, { items: s.items(listing), payment_method: 'CASH' });
      await reconcilePayments({ ...s.deps, table: crashingTable(s.deps.table, at, when) }).catch(
        () => undefined,
      );
      s.clock.advance(6 * minute);
      await s.reconcile();
      await requireFair(id);
      s.clock.advance(6 * minute);
      await s.reconcile();
      expect(await s.due()).toEqual([]);
    },
  );
});

describe('the cancellation of a booking that was paid online', () => {
  it('is PENDING until the gateway has taken the refund, then REFUNDED', async () => {
    const { master_reservation_id: id, estimated_total } = await s.confirm([await s.listing()], 'tok_ok');
    const cancelled = await s.cancel(id);
    expect(cancelled.refund).toEqual({ amount: estimated_total, status: 'PENDING' });
    expect(cancelled).toMatchObject({ state: 'CANCELLED', payment_status: 'PAID' });
    await s.reconcile();
    expect(await s.booking(id)).toMatchObject({ state: 'CANCELLED', payment_status: 'REFUNDED' });
    expect(s.money(id)).toEqual({ charged: estimated_total, back: estimated_total });
    expect(await s.typesOf(id)).toEqual([
      'booking.created',
      'payment.paid',
      'booking.cancelled',
      'payment.refunded',
    ]);
    expect((await s.events(id)).at(-1)?.data).toMatchObject({
      payment_status: 'REFUNDED',
      refund: estimated_total,
    });
    expect((await s.order(id)).payment).toMatchObject({ state: 'REFUNDED', refunded: estimated_total });
  });

  it('is retried while the gateway is down, and done once also when its answer was lost', async () => {
    const { master_reservation_id: id, estimated_total } = await s.confirm([await s.listing()], 'tok_ok');
    await s.cancel(id);
    s.wire.fault = (path) => (path === '/refunds' ? 'before' : undefined);
    expect(await s.reconcile()).toEqual({ reconciled: 0, failed: 1 });
    expect(await s.booking(id)).toMatchObject({ payment_status: 'PAID' });
    s.clock.advance(6 * minute);
    s.wire.fault = (path) => (path === '/refunds' ? 'after' : undefined);
    expect(await s.reconcile()).toEqual({ reconciled: 0, failed: 1 });
    s.clock.advance(10 * minute);
    s.wire.fault = undefined;
    await s.reconcile();
    expect(s.money(id).back).toBe(estimated_total);
    expect((await s.typesOf(id)).filter((type) => type === 'payment.refunded')).toHaveLength(1);
    expect(await s.due()).toEqual([]);
  });

  describe('of which the gateway does not say whether it was made', () => {
    const unsure = async () => {
      const confirmed = await s.confirm([await s.listing()], 'tok_ok');
      const id = confirmed.master_reservation_id;
      await s.cancel(id);
      let asked = 0;
      const refund = () => {
        asked++;
        return Promise.reject(new RefundOutcomeUnknown('type 03'));
      };
      const payments = () => ({ ...s.deps.sandbox.gateway, refund });
      await reconcilePayments({ ...s.deps, payments });
      s.clock.advance(hour);
      await reconcilePayments({ ...s.deps, payments });
      const [{ refund_id } = { refund_id: '' }] = (await s.order(id)).refunds;
      return { id, refund: { payment_id: id, refund_id }, total: confirmed.estimated_total, asked };
    };

    it('is UNSURE and not asked for again', async () => {
      const { id, asked } = await unsure();
      expect(asked).toBe(1);
      expect((await s.order(id)).refunds).toMatchObject([{ state: 'UNSURE' }]);
      expect(await s.booking(id)).toMatchObject({ state: 'CANCELLED', payment_status: 'PAID' });
      expect(await s.due()).toEqual([]);
    });

    it('is REFUNDED once a person has seen it in the gateway’s console', async () => {
      const { id, refund } = await unsure();
      expect(await confirmRefund(s.deps, refund)).toEqual({ ...refund, state: 'DONE' });
      expect(await s.booking(id)).toMatchObject({ payment_status: 'REFUNDED' });
      expect(s.money(id).back).toBe(0);
      for (const again of [confirmRefund, repeatRefund])
        await expect(again(s.deps, refund)).rejects.toMatchObject({ code: 'INVALID_STATE_TRANSITION' });
    });

    it('is asked for again when a person has seen that it is not there', async () => {
      const { id, refund, total } = await unsure();
      await repeatRefund(s.deps, refund);
      await s.reconcile();
      expect(s.money(id).back).toBe(total);
      expect(await s.booking(id)).toMatchObject({ payment_status: 'REFUNDED' });
    });
  });

  describe('that was made and has not reached the customer', () => {
    const paidBack = async () => {
      const { master_reservation_id: id, estimated_total } = await s.confirm([await s.listing()], 'tok_ok');
      await s.cancel(id);
      const [{ refund_id } = { refund_id: '' }] = (await s.order(id)).refunds;
      const refund = { payment_id: id, refund_id };
      return {
        id,
        refund,
        total: estimated_total,
        failure: { ...refund, reason: 'expired_or_canceled_card' },
      };
    };
    let calls: string[];
    beforeEach(() => (calls = []));
    /** A report of the gateway that it has the money again. */
    const report = (failure: FailedRefund) => {
      const readNotification = () => Promise.resolve(failure);
      const payments = () => ({ ...s.deps.sandbox.gateway, readNotification });
      const log = { ...s.deps.log, error: (message: string) => void calls.push(message) };
      return handlePaymentWebhook(systemContext({ ...s.deps, payments, log }, 'anonymous'), {
        ...{ provider: 'sandbox', method: 'POST' },
        raw: { body: '', headers: {}, query: {} },
      });
    };

    it('is FAILED once, is not repeated, and a person is called once', async () => {
      const { id, failure, total } = await paidBack();
      await s.reconcile();
      expect((await Promise.all([report(failure), report(failure)])).sort()).toEqual(['repeated', 'taken']);
      expect(await report(failure)).toBe('repeated');
      expect(calls).toEqual(['A person has to send a refund that has not reached the customer.']);
      await s.reconcile();
      expect(s.money(id).back).toBe(total);
      const { payment, refunds } = await s.order(id);
      expect(refunds).toMatchObject([{ state: 'FAILED' }]);
      expect(payment).toMatchObject({ state: 'REFUNDED', refunded: total });
      expect((await auditBooking(s.deps, id)).findings).toEqual([]);
    });

    it('is DONE when a person has sent the money, and counts once', async () => {
      const { id, refund, failure, total } = await paidBack();
      await s.reconcile();
      await report(failure);
      await expect(repeatRefund(s.deps, refund)).rejects.toMatchObject({ code: 'INVALID_STATE_TRANSITION' });
      expect(await confirmRefund(s.deps, refund)).toEqual({ ...refund, state: 'DONE' });
      expect((await s.order(id)).payment).toMatchObject({ state: 'REFUNDED', refunded: total });
      expect((await s.typesOf(id)).filter((type) => type === 'payment.refunded')).toHaveLength(1);
      await expect(confirmRefund(s.deps, refund)).rejects.toMatchObject({ code: 'INVALID_STATE_TRANSITION' });
    });

    it('is reported again while it is not recorded as made', async () => {
      const { id, failure } = await paidBack();
      await expect(report(failure)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
      expect((await s.order(id)).refunds).toMatchObject([{ state: 'DUE' }]);
      await s.reconcile();
      expect(await report(failure)).toBe('taken');
    });

    it('is unknown if no refund of the payment has that id', async () => {
      const { id, failure } = await paidBack();
      expect(await report({ ...failure, refund_id: 'cancel-1' })).toBe('unknown');
      expect(await report({ ...failure, payment_id: 16 })).toBe('unknown');
      expect((await s.order(id)).refunds).toMatchObject([{ state: 'DUE' }]);
    });
  });

  it('of one of two stays gives its part back; the other stays PAID', async () => {
    const { master_reservation_id: id, reservations } = await s.confirm(
      [await s.listing(), await s.listing({ full_rate: 3_000_000 })],
      'tok_ok',
    );
    const [one, two] = reservations;
    expect((await s.cancel(one!.id)).refund).toEqual({ amount: one!.total_price, status: 'PENDING' });
    await s.reconcile();
    expect(await s.booking(one!.id)).toMatchObject({ payment_status: 'REFUNDED' });
    expect(await s.booking(two!.id)).toMatchObject({ state: 'CONFIRMED', payment_status: 'PAID' });
    expect((await s.order(id)).payment).toMatchObject({ state: 'PAID', refunded: one!.total_price });
    await s.cancel(two!.id);
    await s.reconcile();
    expect((await s.order(id)).payment?.state).toBe('REFUNDED');
    expect(Object.keys(s.server.find(id)!.refunds)).toHaveLength(2);
  });

  it('too late gives nothing back, and asks nothing of the gateway', async () => {
    const { master_reservation_id: id } = await s.confirm(
      [await s.listing({ refund_rule: 'Non-refundable' })],
      'tok_ok',
    );
    expect((await s.cancel(id)).refund).toEqual({ amount: 0, status: 'NONE' });
    s.clock.advance(6 * minute);
    await s.reconcile();
    expect(s.money(id).back).toBe(0);
    expect(await s.booking(id)).toMatchObject({ payment_status: 'PAID' });
  });

  it('by two runs at once is done and emitted once', async () => {
    const { master_reservation_id: id } = await s.confirm([await s.listing()], 'tok_ok');
    await s.cancel(id);
    await Promise.all([s.reconcile(), s.reconcile()]);
    expect((await s.typesOf(id)).filter((type) => type === 'payment.refunded')).toHaveLength(1);
    const stay = await s.deps.table.get(ReservationEntity, { order_id: id, reservation_id: id + 1 });
    expect(stay?.payment_status).toBe('REFUNDED');
  });
});

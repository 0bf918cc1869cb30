import { beforeEach, describe, expect, it } from 'vitest';
import { cancelBooking } from '../../shared/domain/booking/cancel-booking.ts';
import { markPaid } from '../../shared/domain/booking/take-payment.ts';
import { isUnsecured } from '../../shared/domain/booking/move-reservation.ts';
import { confirmCheckout } from '../../shared/domain/checkout/confirm-checkout.ts';
import { createCheckout } from '../../shared/domain/checkout/create-checkout.ts';
import type { Listing } from '../../shared/domain/listing/listing.entity.ts';
import { acceptBooking } from '../../shared/domain/payment/accept-booking.ts';
import { moveDueBookings } from '../../shared/domain/payment/move-due-bookings.ts';
import { reconcilePayment, reconcilePayments } from '../../shared/domain/payment/reconcile-payments.ts';
import { systemContext } from '../../shared/platform/context.ts';
import { orderIdOf } from '../../shared/platform/ids.ts';
import { ConflictError } from '../../shared/platform/table/index.ts';
import { crashingTable, hour, minute, type PaymentScene, paymentScene } from '../support/payment-scene.ts';
import { testContext } from '../support/table.ts';

let s: PaymentScene;
beforeEach(async () => {
  s = await paymentScene();
  await s.clear();
});

const byHand = { instant_book_enabled: false };
const accept = (id: number, ctx = s.owner) => acceptBooking(ctx, id);
const asked = (path: string) => s.wire.asked.filter((one) => one === path).length;
const stateAt = (id: number) => s.server.find(id)?.state;

/** A stay that waits for its host, whose payment a token has authorised. */
const authorised = async (token = 'tok_ok', given: Partial<Listing> = {}) => {
  const listing = await s.listing({ ...byHand, ...given });
  const booked = await s.confirm([listing], token);
  return { listing, booked, id: booked.reservations[0]!.id, order: booked.master_reservation_id };
};

/** An instant stay and one that waits for its host. */
const mixed = async (token = 'tok_ok') => {
  const listings = [await s.listing(), await s.listing({ ...byHand, full_rate: 3_000_000 })];
  const booked = await s.confirm(listings, token);
  const [instant, waiting] = booked.reservations;
  return { booked, order: booked.master_reservation_id, instant: instant!, waiting: waiting! };
};

/** Runs of the schedule until nothing is left to be done. */
const settle = async () => {
  for (let run = 0; run < 4; run++) {
    await s.reconcile();
    s.clock.advance(6 * minute);
  }
};

/**
 * Never charged without a booking or a refund, never CONFIRMED without a charge, nothing kept at the bank for a stay that does
 * not wait for its host.
 */
const requireFair = async (order: number): Promise<void> => {
  const found = await s.order(order);
  expect(found.order?.state).not.toBe('CHARGING');
  const payments = [...found.separatePayments, ...(found.payment ? [found.payment] : [])];
  for (const payment of payments) {
    const { charged, back } = s.money(payment.payment_id);
    const stays = found.reservations.filter((stay) =>
      stay.pays_apart ? stay.reservation_id === payment.payment_id : payment.payment_id === order,
    );
    const open = stays.filter(({ state }) => state !== 'CANCELLED');
    const isPaid = open.length > 0 && open.every(({ payment_status }) => payment_status === 'PAID');
    expect({ id: payment.payment_id, isPaid }).toEqual({ id: payment.payment_id, isPaid: charged > back });
    for (const stay of open)
      if (stay.state === 'CONFIRMED') expect(charged - back, 'CONFIRMED without a charge').toBeGreaterThan(0);
    const isWaiting = open.some(({ state }) => state === 'PENDING');
    expect({ kept: /^(authorised|uncapturable)$/.test(stateAt(payment.payment_id) ?? '') }).toEqual({
      kept: isWaiting,
    });
    expect(['OPEN', 'CHARGING', 'CAPTURING']).not.toContain(payment.state);
  }
  expect(await s.due()).toEqual([]);
};

describe('a token for a stay that its host accepts by hand', () => {
  it('is authorised and not charged; the booking waits for its host', async () => {
    const { booked, id, order } = await authorised();
    expect(booked).toMatchObject({ payment_status: 'PENDING', reservations: [{ status: 'PENDING' }] });
    expect([booked.payment_url, booked.payment_transaction_id, booked.payment_expires_at]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(s.server.find(id)).toMatchObject({ state: 'authorised', amount: booked.estimated_total });
    expect((await s.order(order)).separatePayments).toMatchObject([{ payment_id: id, state: 'AUTHORISED' }]);
    expect(await s.typesOf(order)).toEqual(['booking.created']);
    s.clock.advance(6 * minute);
    await s.reconcile();
    await requireFair(order);
    expect([asked('/capture'), asked('/close'), asked('/find')]).toEqual([0, 0, 0]);
  });

  it('is charged when he accepts: CONFIRMED and PAID, by his act and the gateway’s', async () => {
    const { booked, id, order } = await authorised();
    s.clock.advance(20 * hour);
    expect(await accept(id)).toMatchObject({
      state: 'CONFIRMED',
      payment_status: 'PAID',
      payment_url: null,
      payment_transaction_id: expect.stringMatching(/^sbt_/) as string,
    });
    expect(s.money(id)).toEqual({ charged: booked.estimated_total, back: 0 });
    expect((await s.events(order)).map(({ event_type, actor }) => [event_type, actor])).toEqual([
      ['booking.created', `user:${s.guest.caller.user_id}`],
      ['payment.paid', 'system:payment-gateway:sandbox'],
      ['booking.confirmed', `user:${s.owner.caller.user_id}`],
    ]);
    await settle();
    await requireFair(order);
  });

  it('that is declined books nothing, releases the time and says so', async () => {
    const listing = await s.listing(byHand);
    await expect(s.confirm([listing], 'tok_declined')).rejects.toMatchObject({ code: 'PAYMENT_DECLINED' });
    await expect(createCheckout(s.other, { items: s.items(listing) })).resolves.toBeDefined();
    const [due] = await s.due();
    const order = due!.payment_id - 1;
    expect(await s.typesOf(order)).toEqual(['payment.failed']);
    await settle();
    await requireFair(order);
  });

  it('goes back whole when the accepted booking is cancelled', async () => {
    const { booked, id, order } = await authorised();
    await accept(id);
    expect((await s.cancel(id)).refund).toEqual({ amount: booked.estimated_total, status: 'PENDING' });
    await settle();
    expect(s.money(id).back).toBe(booked.estimated_total);
    await requireFair(order);
  });

  it('does not count as unpaid', async () => {
    const { order } = await authorised();
    expect((await s.order(order)).reservations.map(isUnsecured)).toEqual([false]);
    for (let stays = 0; stays < 6; stays++) await authorised();
    await expect(s.confirm([await s.listing(byHand)])).resolves.toBeDefined();
  });

  it('is not marked paid by the host beside it', async () => {
    const { id } = await authorised();
    await expect(markPaid(s.owner, id)).rejects.toMatchObject({ code: 'INVALID_STATE_TRANSITION' });
  });

  it('is refused where the gateway cannot authorise, before anything is done', async () => {
    s.wire.gateway.refusal = (_, byToken) => (byToken ? 'takes no token' : undefined);
    await expect(s.confirm([await s.listing(byHand)], 'tok_ok')).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { issues: [{ path: 'payment_gateway_token', message: 'takes no token' }] },
    });
    expect(s.wire.asked).toEqual([]);
  });

  it('that was captured at the gateway by another hand is PAID, and still waits for its host', async () => {
    const { id, order } = await authorised();
    await s.server.answer('/capture', s.server.find(id));
    expect(await s.report(id)).toBe('taken');
    expect(await s.booking(id)).toMatchObject({ state: 'PENDING', payment_status: 'PAID' });
    expect(await accept(id)).toMatchObject({ state: 'CONFIRMED', payment_status: 'PAID' });
    await settle();
    await requireFair(order);
  });

  it('is left as it is by a late report of what was authorised', async () => {
    const { id, order } = await authorised();
    expect(await s.report(id)).toBe('repeated');
    await s.server.answer('/close', s.server.find(id));
    await s.report(id);
    expect(await s.booking(id)).toMatchObject({ state: 'PENDING', payment_status: 'PENDING' });
    expect((await s.order(order)).separatePayments).toMatchObject([{ state: 'AUTHORISED' }]);
  });
});

describe('what is authorised is void, and nothing is charged or refunded,', () => {
  it.each([
    ['when the guest cancels', async (id: number) => expect((await s.cancel(id)).refund).toEqual(none)],
    [
      'when the host declines',
      async (id: number) => {
        expect((await cancelBooking(s.owner, id)).refund).toEqual(none);
      },
    ],
    [
      'when he has not accepted in 24 hours',
      async () => {
        s.clock.advance(24 * hour);
        await s.moveDue();
      },
    ],
  ])('%s', async (_, end) => {
    const { id, order, listing } = await authorised();
    await end(id);
    expect(await s.booking(id)).toMatchObject({ state: 'CANCELLED', payment_status: 'PENDING' });
    await s.reconcile();
    expect([stateAt(id), (await s.order(order)).separatePayments[0]?.state]).toEqual(['closed', 'VOIDED']);
    await settle();
    await requireFair(order);
    expect([asked('/capture'), asked('/refunds')]).toEqual([0, 0]);
    expect((await s.order(order)).refunds).toEqual([]);
    await expect(createCheckout(s.other, { items: s.items(listing) })).resolves.toBeDefined();
    await expect(accept(id)).rejects.toMatchObject({ code: 'INVALID_STATE_TRANSITION' });
  });

  it.each(['before', 'after'] as const)('when the gateway fails %s it, with the next run', async (when) => {
    const { id, order } = await authorised();
    await s.cancel(id);
    s.wire.fault = (path) => (path === '/close' ? when : undefined);
    expect(await s.reconcile()).toEqual({ reconciled: 0, failed: 1 });
    s.wire.fault = undefined;
    s.clock.advance(hour);
    await settle();
    expect(stateAt(id)).toBe('closed');
    await requireFair(order);
  });
});

const none = { amount: 0, status: 'NONE' };

describe('an acceptance', () => {
  it('whose authorisation cannot be captured cancels the booking and says so', async () => {
    const { id, order, listing } = await authorised('tok_uncapturable');
    await expect(accept(id)).rejects.toMatchObject({
      code: 'PAYMENT_DECLINED',
      details: { reason: 'declined', bookings: [id] },
    });
    expect(await s.booking(id)).toMatchObject({ state: 'CANCELLED', payment_status: 'PENDING' });
    expect(await s.typesOf(order)).toEqual(['booking.created', 'payment.failed', 'booking.cancelled']);
    await expect(createCheckout(s.other, { items: s.items(listing) })).resolves.toBeDefined();
    await settle();
    await requireFair(order);
  });

  it('that the gateway does not answer is 502; it is captured and CONFIRMED by the next try', async () => {
    for (const when of ['before', 'after'] as const) {
      const { id, order } = await authorised();
      s.wire.fault = (path) => (path === '/capture' ? when : undefined);
      await expect(accept(id)).rejects.toMatchObject({ code: 'PAYMENT_GATEWAY_UNAVAILABLE' });
      s.wire.fault = undefined;
      expect(await accept(id)).toMatchObject({ state: 'CONFIRMED', payment_status: 'PAID' });
      await settle();
      await requireFair(order);
    }
  });

  it('or by the schedule, in the name of the host who has accepted', async () => {
    const { id, order } = await authorised();
    s.wire.fault = (path) => (path === '/capture' ? 'before' : undefined);
    await expect(accept(id)).rejects.toThrow();
    s.wire.fault = undefined;
    await settle();
    expect(await s.booking(id)).toMatchObject({ state: 'CONFIRMED', payment_status: 'PAID' });
    expect((await s.events(order)).find((one) => one.event_type === 'booking.confirmed')?.actor).toBe(
      `user:${s.owner.caller.user_id}`,
    );
    await requireFair(order);
  });

  it('that is not finished when the 24 hours end is finished, not cancelled', async () => {
    const { id, order } = await authorised();
    s.clock.advance(24 * hour - minute);
    s.wire.fault = (path) => (path === '/capture' ? 'after' : undefined);
    await expect(accept(id)).rejects.toThrow();
    s.wire.fault = undefined;
    s.clock.advance(2 * minute);
    await s.moveDue();
    expect(await s.booking(id)).toMatchObject({ state: 'CONFIRMED', payment_status: 'PAID' });
    await settle();
    await requireFair(order);
  });

  it('whose report comes first is answered as it stands', async () => {
    const { id, order } = await authorised();
    const capture = s.wire.gateway.capture.bind(s.wire.gateway);
    s.wire.gateway.capture = async (opened) => {
      const outcome = await capture(opened);
      expect(await s.report(id)).toBe('taken');
      return outcome;
    };
    expect(await accept(id)).toMatchObject({ state: 'CONFIRMED', payment_status: 'PAID' });
    expect((await s.typesOf(order)).filter((type) => type === 'payment.paid')).toHaveLength(1);
    await settle();
    await requireFair(order);
  });

  it('twice at once is captured and confirmed once', async () => {
    const { id, order } = await authorised();
    const all = await Promise.allSettled([accept(id), accept(id), accept(id)]);
    expect(all.some(({ status }) => status === 'fulfilled')).toBe(true);
    for (const one of all)
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'INVALID_STATE_TRANSITION' });
    const types = await s.typesOf(order);
    for (const type of ['booking.confirmed', 'payment.paid'])
      expect(types.filter((one) => one === type)).toHaveLength(1);
    await settle();
    await requireFair(order);
  });

  it('of a booking that is cancelled before it is written down captures nothing', async () => {
    const { id, order } = await authorised();
    const table = new Proxy(s.deps.table, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target);
        if (name !== 'transact') return typeof value === 'function' ? (value.bind(target) as unknown) : value;
        return async (writes: never) => {
          if ((await s.booking(id)).state === 'PENDING') await s.cancel(id);
          return target.transact(writes);
        };
      },
    });
    await expect(
      accept(id, testContext({ ...s.deps, table }, s.owner.caller) as never),
    ).rejects.toMatchObject({ code: 'INVALID_STATE_TRANSITION' });
    expect(asked('/capture')).toBe(0);
    await settle();
    await requireFair(order);
  });

  it.each(['cancel', 'expire'] as const)('against %s: one of them, and the money as it says', async (end) => {
    for (let round = 0; round < 4; round++) {
      const { id, order } = await authorised();
      if (end === 'expire') s.clock.advance(24 * hour);
      const other = end === 'cancel' ? s.cancel(id) : moveDueBookings(s.deps);
      await Promise.allSettled(round % 2 ? [accept(id), other] : [other, accept(id)]);
      await settle();
      await requireFair(order);
    }
  });

  it.each(['/capture', '/close'])('that is overtaken by a cancellation at %s ends fairly', async (at) => {
    const { id, order } = await authorised();
    s.wire.meanwhile = async (path) => {
      if (path !== at) return;
      s.wire.meanwhile = undefined;
      if (at === '/capture') await s.cancel(id);
      else await accept(id).catch(() => undefined);
    };
    if (at === '/capture')
      await expect(accept(id)).rejects.toMatchObject({ code: 'INVALID_STATE_TRANSITION' });
    else await s.cancel(id);
    await settle();
    expect(await s.booking(id)).toMatchObject({ state: 'CANCELLED' });
    await requireFair(order);
  });
});

/** An instant stay and two that wait, of whose three payments one is declined. */
const declinedAt = async (position: number, ctx = s.guest) => {
  const listings = [await s.listing(), await s.listing(byHand), await s.listing(byHand)];
  const charge = s.wire.gateway.charge.bind(s.wire.gateway);
  let charges = 0;
  s.wire.gateway.charge = (opened) => charge(opened, charges++ === position ? 'tok_declined' : 'tok_ok');
  await expect(confirmCheckout(ctx, s.online(listings, 'tok_ok'))).rejects.toMatchObject({
    code: 'PAYMENT_DECLINED',
  });
  // An id that another test of this table has in use is a conflict: the payment announced before it belongs to no order.
  return { listings, order: orderIdOf(s.wire.opened.at(-1)!) };
};

describe('a token for both kinds of listings', () => {
  it('is charged for the one, and authorised for the other until its host accepts', async () => {
    const { booked, order, instant, waiting } = await mixed();
    expect([instant.status, waiting.status, booked.payment_status]).toEqual([
      'CONFIRMED',
      'PENDING',
      'PENDING',
    ]);
    expect(s.money(order).charged).toBe(instant.total_price);
    expect(s.server.find(waiting.id)).toMatchObject({ state: 'authorised', amount: waiting.total_price });
    expect(await s.booking(instant.id)).toMatchObject({ payment_status: 'PAID' });
    expect(await s.typesOf(order)).toEqual(['booking.created', 'booking.created', 'payment.paid']);
    await accept(waiting.id);
    expect(s.money(waiting.id).charged).toBe(waiting.total_price);
    expect((await s.cancel(order)).refund.amount).toBe(booked.estimated_total);
    await settle();
    await requireFair(order);
  });

  it('keeps the one when the other is not accepted', async () => {
    const { order, instant, waiting } = await mixed();
    s.clock.advance(24 * hour);
    await s.moveDue();
    await settle();
    expect(await s.booking(instant.id)).toMatchObject({ state: 'CONFIRMED', payment_status: 'PAID' });
    expect(await s.booking(waiting.id)).toMatchObject({ state: 'CANCELLED' });
    await requireFair(order);
  });

  it.each([0, 1, 2])('books nothing when payment %s of the three is declined', async (position) => {
    const { order, listings } = await declinedAt(position);
    expect(s.wire.opened.filter((id) => s.money(id).charged > 0)).toEqual([]);
    expect(s.wire.opened.filter((id) => stateAt(id) === 'authorised')).toEqual([]);
    expect(await s.typesOf(order)).toEqual(['payment.failed']);
    await expect(createCheckout(s.other, { items: s.items(...listings) })).resolves.toBeDefined();
    await settle();
    await requireFair(order);
  });

  it('begins again under another id when its own is in use, and nothing is charged under the first', async () => {
    // A moment of its own: at that of the other tests, an id may really be in use.
    s.clock.advance(61_125);
    let clashes = 1;
    const recordStart: typeof s.guest.recordStart = async (writes, orderId) => {
      if (clashes-- > 0) throw new ConflictError('Order');
      await s.guest.recordStart(writes, orderId);
    };
    const { order } = await declinedAt(1, { ...s.guest, recordStart });
    const [first, ...later] = [...new Set(s.wire.opened.map(orderIdOf))];
    expect(later).toEqual([order]);
    expect(await s.typesOf(first!)).toEqual([]);
    expect(await s.typesOf(order)).toEqual(['payment.failed']);
    expect(s.wire.opened.filter((id) => orderIdOf(id) === first).map(stateAt)).toEqual([
      'open',
      'open',
      'open',
    ]);
    await settle();
    await requireFair(order);
  });

  it('of several hosts is captured for each as each accepts', async () => {
    const listings = [await s.listing(byHand), await s.listing({ ...byHand, full_rate: 3_000_000 })];
    const { master_reservation_id: order, reservations } = await s.confirm(listings, 'tok_ok');
    const [one, two] = reservations;
    expect((await s.order(order)).payment).toBeUndefined();
    await accept(one!.id);
    expect([s.money(one!.id).charged, stateAt(two!.id)]).toEqual([one!.total_price, 'authorised']);
    await accept(order);
    expect(s.money(two!.id).charged).toBe(two!.total_price);
    await settle();
    await requireFair(order);
  });

  it('accepted together, of which one cannot be captured: that one is cancelled, the other CONFIRMED', async () => {
    const listings = [await s.listing(byHand), await s.listing(byHand)];
    const charge = s.wire.gateway.charge.bind(s.wire.gateway);
    let charges = 0;
    s.wire.gateway.charge = (opened) => charge(opened, charges++ === 0 ? 'tok_uncapturable' : 'tok_ok');
    const { master_reservation_id: order } = await s.confirm(listings, 'tok_ok');
    await expect(accept(order)).rejects.toMatchObject({ code: 'PAYMENT_DECLINED' });
    const { reservations } = await s.order(order);
    expect(reservations.map(({ state }) => state).sort()).toEqual(['CANCELLED', 'CONFIRMED']);
    await settle();
    await requireFair(order);
  });
});

describe('a confirm that is repeated while its outcome is not known', () => {
  const held = async (listings: { id: number }[]) => {
    const { checkout_id } = await s.hold(listings);
    const confirm = (token = 'tok_ok') =>
      confirmCheckout(s.guest, {
        checkout_id,
        payment_method: 'ONLINE_GATEWAY',
        payment_gateway_token: token,
      });
    return { checkout_id, confirm };
  };

  it.each(['before', 'after'] as const)('continues with the same authorisations (%s)', async (when) => {
    const { checkout_id, confirm } = await held([await s.listing(), await s.listing(byHand)]);
    let charges = 0;
    s.wire.fault = (path) => (path === '/charge' && ++charges === 2 ? when : undefined);
    await expect(confirm()).rejects.toMatchObject({ code: 'PAYMENT_GATEWAY_UNAVAILABLE' });
    s.wire.fault = undefined;
    expect((await confirm()).reservations.map(({ status }) => status)).toEqual(['CONFIRMED', 'PENDING']);
    expect(asked('/charges')).toBe(2);
    await settle();
    await requireFair(checkout_id);
  });

  it('after it was declined is declined again', async () => {
    const { confirm } = await held([await s.listing(byHand)]);
    await expect(confirm('tok_declined')).rejects.toMatchObject({ code: 'PAYMENT_DECLINED' });
    await expect(confirm()).rejects.toMatchObject({ code: 'CHECKOUT_EXPIRED' });
  });

  it('twice at once is authorised, charged and booked once', async () => {
    const { checkout_id, confirm } = await held([await s.listing(), await s.listing(byHand)]);
    const all = await Promise.allSettled([confirm(), confirm(), confirm()]);
    expect(all.some(({ status }) => status === 'fulfilled')).toBe(true);
    expect((await s.typesOf(checkout_id)).sort()).toEqual([
      'booking.created',
      'booking.created',
      'payment.paid',
    ]);
    await settle();
    await requireFair(checkout_id);
  });

  it('too late, when another has the time: nothing stays authorised', async () => {
    const listing = await s.listing(byHand);
    const { checkout_id, confirm } = await held([listing]);
    s.wire.meanwhile = async (path) => {
      if (path !== '/charge') return;
      s.clock.advance(16 * minute);
      await confirmCheckout(s.other, { items: s.items(listing), payment_method: 'CASH' });
    };
    await expect(confirm()).rejects.toMatchObject({ code: 'CHECKOUT_CREATE_BOOKING_FAILED' });
    s.wire.meanwhile = undefined;
    await settle();
    await requireFair(checkout_id);
  });
});

describe('a process that dies', () => {
  const faults = [
    ...[0, 1].flatMap((at) => (['before', 'after'] as const).map((when) => ({ where: 'table', at, when }))),
    ...['/charges 1', '/charges 2', '/charge 1', '/charge 2'].flatMap((at) =>
      (['before', 'after'] as const).map((when) => ({ where: 'gateway', at, when })),
    ),
  ];
  const dyingAt = ({ where, at, when }: (typeof faults)[number]) => {
    const seen = new Map<string, number>();
    if (where === 'gateway')
      s.wire.fault = (path) => {
        seen.set(path, (seen.get(path) ?? 0) + 1);
        return `${path} ${seen.get(path)}` === at ? when : undefined;
      };
    return where === 'table' ? crashingTable(s.deps.table, Number(at), when) : s.deps.table;
  };

  it.each(
    ['tok_ok', 'tok_declined'].flatMap((token) =>
      (['one that waits', 'both kinds', 'two that wait'] as const).flatMap((kind) =>
        faults.map((fault) => ({ token, kind, ...fault })),
      ),
    ),
  )(
    'in the confirm of $kind, $when step $at of the $where, with $token',
    async ({ token, kind, ...fault }) => {
      const listings = [await s.listing(byHand)];
      if (kind !== 'one that waits') listings.push(await s.listing(kind === 'both kinds' ? {} : byHand));
      const { checkout_id } = await s.hold(listings);
      const table = dyingAt(fault);
      await confirmCheckout(testContext({ ...s.deps, table }, s.guest.caller), {
        checkout_id,
        payment_method: 'ONLINE_GATEWAY',
        payment_gateway_token: token,
      }).catch(() => undefined);
      s.wire.fault = undefined;
      s.clock.advance(6 * minute);
      await settle();
      const { order, payment, separatePayments, reservations } = await s.order(checkout_id);
      if (payment ?? separatePayments[0]) await requireFair(checkout_id);
      else expect(order?.state).toBe('HELD');
      if (order?.state === 'BOOKED') expect(reservations).toHaveLength(listings.length);
    },
  );

  const acceptances = [
    ...[0, 1].flatMap((at) => (['before', 'after'] as const).map((when) => ({ where: 'table', at, when }))),
    ...(['before', 'after'] as const).map((when) => ({ where: 'gateway', at: '/capture 1', when })),
  ];
  it.each(
    ['tok_ok', 'tok_uncapturable'].flatMap((token) => acceptances.map((fault) => ({ token, ...fault }))),
  )('in the acceptance, $when step $at of the $where, with $token', async ({ token, ...fault }) => {
    const { id, order } = await authorised(token);
    const table = dyingAt(fault);
    await accept(id, testContext({ ...s.deps, table }, s.owner.caller) as never).catch(() => undefined);
    s.wire.fault = undefined;
    s.clock.advance(6 * minute);
    await settle();
    await requireFair(order);
    const isNotAccepted = fault.where === 'table' && fault.at === 0 && fault.when === 'before';
    const ended = token === 'tok_ok' ? 'CONFIRMED' : 'CANCELLED';
    expect((await s.booking(id)).state).toBe(isNotAccepted ? 'PENDING' : ended);
  });

  it.each([0, 1, 2].flatMap((at) => (['before', 'after'] as const).map((when) => ({ at, when }))))(
    'in the schedule, $when transaction $at, is made up for by the next run',
    async ({ at, when }) => {
      const { checkout_id } = await s.hold([await s.listing(byHand), await s.listing(byHand)]);
      let charges = 0;
      s.wire.fault = (path) =>
        path === '/charge' && ++charges === 2 ? (at > 1 ? 'before' : 'after') : undefined;
      await confirmCheckout(s.guest, {
        checkout_id,
        payment_method: 'ONLINE_GATEWAY',
        payment_gateway_token: 'tok_ok',
      }).catch(() => undefined);
      s.wire.fault = undefined;
      s.clock.advance(6 * minute);
      await reconcilePayments({ ...s.deps, table: crashingTable(s.deps.table, at, when) }).catch(
        () => undefined,
      );
      s.clock.advance(6 * minute);
      await settle();
      await requireFair(checkout_id);
    },
  );

  it('before its charge in an order of both kinds: nothing stays authorised', async () => {
    const { checkout_id } = await s.hold([await s.listing(), await s.listing(byHand)]);
    let charges = 0;
    s.wire.fault = (path) => (path === '/charge' && ++charges === 2 ? 'before' : undefined);
    await confirmCheckout(s.guest, {
      checkout_id,
      payment_method: 'ONLINE_GATEWAY',
      payment_gateway_token: 'tok_ok',
    }).catch(() => undefined);
    s.wire.fault = undefined;
    const looked = systemContext(s.deps, 'test');
    await reconcilePayment(looked, checkout_id);
    expect((await s.order(checkout_id)).order?.state).toBe('CHARGING');
    s.clock.advance(2 * minute);
    await settle();
    expect((await s.order(checkout_id)).order?.state).toBe('RELEASED');
    await requireFair(checkout_id);
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import { ReservationEntity } from '../../shared/domain/booking/reservation.entity.ts';
import { getExternalBooking } from '../../shared/domain/booking/external-bookings.ts';
import { markPaid } from '../../shared/domain/booking/take-payment.ts';
import { bookExternally } from '../../shared/domain/checkout/book-externally.ts';
import { confirmCheckout } from '../../shared/domain/checkout/confirm-checkout.ts';
import { createCheckout } from '../../shared/domain/checkout/create-checkout.ts';
import type { Listing } from '../../shared/domain/listing/listing.entity.ts';
import { acceptBooking } from '../../shared/domain/payment/accept-booking.ts';
import { change, equals } from '../../shared/platform/table/index.ts';
import { crashingTable, hour, minute, type PaymentScene, paymentScene } from '../support/payment-scene.ts';
import { testContext, testKey } from '../support/table.ts';

let s: PaymentScene;
beforeEach(async () => {
  s = await paymentScene();
  await s.clear();
});

const byHand = { instant_book_enabled: false };
const accept = (id: number, ctx = s.owner) => acceptBooking(ctx, id);
const sessions = () => s.wire.asked.filter((path) => path === '/sessions').length;

/** A stay whose host has to accept, to be paid online. */
const waiting = async (given: Partial<Listing> = {}) => {
  const listing = await s.listing({ ...byHand, ...given });
  const booked = await s.confirm([listing]);
  return { listing, booked, id: booked.reservations[0]!.id, order: booked.master_reservation_id };
};

describe('a stay that its host accepts by hand, to be paid online', () => {
  it('has no payment_url before, and nothing is opened for it', async () => {
    const { booked, id } = await waiting();
    expect(booked).toMatchObject({
      payment_status: 'PENDING',
      payment_expires_at: null,
      reservations: [{ status: 'PENDING' }],
    });
    expect(booked.payment_url).toBeUndefined();
    expect(await s.booking(id)).toMatchObject({
      state: 'PENDING',
      payment_url: null,
      payment_expires_at: null,
    });
    expect([sessions(), await s.due()]).toEqual([0, []]);
  });

  it('can be paid once he has accepted, within a window from then on', async () => {
    const { id, order } = await waiting();
    s.clock.advance(20 * hour);
    const accepted = await accept(id);
    const until = new Date(s.clock.now() + 24 * hour).toISOString();
    const open = { state: 'CONFIRMED', payment_status: 'PENDING', payment_expires_at: until };
    expect(accepted).toMatchObject(open);
    expect(accepted.payment_url).toContain(String(id));
    expect(await s.booking(id)).toMatchObject({ ...open, payment_url: accepted.payment_url });
    expect(await s.booking(order)).toMatchObject({ payment_url: accepted.payment_url });
    s.clock.advance(23 * hour);
    await s.moveDue();
    expect(await s.decide(id, 'success')).toBe('taken');
    expect(await s.booking(id)).toMatchObject({
      state: 'CONFIRMED',
      payment_status: 'PAID',
      payment_url: null,
    });
    expect(await s.typesOf(order)).toEqual(['booking.created', 'booking.confirmed', 'payment.paid']);
    s.clock.advance(3 * hour);
    await s.moveDue();
    await s.reconcile();
    expect(await s.booking(id)).toMatchObject({ state: 'CONFIRMED', payment_status: 'PAID' });
    expect(await s.due()).toEqual([]);
  });

  it('that is accepted and not paid in time is cancelled, and its time is free', async () => {
    const { id, listing } = await waiting();
    await accept(id);
    s.clock.advance(24 * hour);
    await s.moveDue();
    expect(await s.booking(id)).toMatchObject({ state: 'CANCELLED', payment_url: null });
    await expect(createCheckout(s.other, { items: s.items(listing) })).resolves.toBeDefined();
    await s.reconcile();
    expect(await s.due()).toEqual([]);
  });

  it('that is not accepted in 24 hours is cancelled, and nothing was ever opened', async () => {
    const { id } = await waiting();
    s.clock.advance(24 * hour);
    await s.moveDue();
    expect((await s.booking(id)).state).toBe('CANCELLED');
    await expect(accept(id)).rejects.toMatchObject({ code: 'INVALID_STATE_TRANSITION' });
    expect(sessions()).toBe(0);
  });

  it('is refused at once where the gateway would not take its payment later', async () => {
    s.wire.gateway.refusal = ({ currency }) => `takes no ${currency}`;
    const listing = await s.listing(byHand);
    await expect(s.confirm([listing])).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { issues: [{ path: 'payment_method', message: 'takes no VND' }] },
    });
    await expect(createCheckout(s.other, { items: s.items(listing) })).resolves.toBeDefined();
  });

  it('of a partner’s guest has its payment_url after the acceptance too', async () => {
    const listing = await s.listing(byHand);
    const { caller } = await testKey(s.deps, { team_ids: [listing.team_id] });
    const partner = testContext(s.deps, caller);
    const { booking } = await bookExternally(partner, {
      ...s.items(listing)[0]!,
      nights: 2,
      guest_info: { full_name: 'An', phone: '+84901234567', email: 'an@example.com' },
      payment_method: 'ONLINE_GATEWAY',
    } as never);
    expect(booking).toMatchObject({ status: 'PENDING', payment_status: 'PENDING' });
    expect(booking.payment_url ?? null).toBeNull();
    const { payment_url } = await accept(booking.id);
    expect(await getExternalBooking(partner, booking.id)).toMatchObject({ status: 'CONFIRMED', payment_url });
  });

  it('is not marked paid by the host while the guest may pay', async () => {
    const { id } = await waiting();
    await accept(id);
    await expect(markPaid(s.owner, id)).rejects.toMatchObject({ code: 'INVALID_STATE_TRANSITION' });
  });
});

describe('the acceptance', () => {
  it('while the gateway does not answer is 502 and changes nothing; again it is done', async () => {
    const { id } = await waiting();
    s.wire.fault = (path) => (path === '/sessions' ? 'before' : undefined);
    await expect(accept(id)).rejects.toMatchObject({ code: 'PAYMENT_GATEWAY_UNAVAILABLE' });
    expect(await s.booking(id)).toMatchObject({ state: 'PENDING', payment_url: null });
    s.wire.fault = undefined;
    expect(await accept(id)).toMatchObject({ state: 'CONFIRMED' });
  });

  it('twice at once is done once, with one payment', async () => {
    const { id, order } = await waiting();
    const both = await Promise.allSettled([accept(id), accept(id), accept(id)]);
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of both)
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'INVALID_STATE_TRANSITION' });
    expect((await s.typesOf(order)).filter((type) => type === 'booking.confirmed')).toHaveLength(1);
    expect((await s.order(order)).separatePayments).toHaveLength(1);
    expect(await s.due()).toHaveLength(1);
  });

  it.each(['before', 'after'] as const)(
    'whose process dies %s its transaction is done whole or not at all',
    async (when) => {
      const { id } = await waiting();
      const dying = testContext({ ...s.deps, table: crashingTable(s.deps.table, 0, when) }, s.owner.caller);
      await expect(accept(id, dying as never)).rejects.toThrow('died');
      const stay = await s.booking(id);
      if (when === 'before') {
        expect(stay).toMatchObject({ state: 'PENDING', payment_url: null });
        expect((await accept(id)).payment_url).toContain(String(id));
      } else expect(stay.payment_url).toContain(String(id));
      await s.decide(id, 'success');
      expect(await s.booking(id)).toMatchObject({ state: 'CONFIRMED', payment_status: 'PAID' });
    },
  );

  it('against the guest’s cancellation: one of them happens', async () => {
    const { id } = await waiting();
    const [accepted, cancelled] = await Promise.allSettled([accept(id), s.cancel(id)]);
    expect(cancelled.status).toBe('fulfilled');
    if (accepted.status === 'rejected')
      expect(accepted.reason).toMatchObject({ code: 'INVALID_STATE_TRANSITION' });
    expect(await s.booking(id)).toMatchObject({ state: 'CANCELLED', payment_url: null });
    s.clock.advance(6 * minute);
    await s.reconcile();
    expect(await s.due()).toEqual([]);
  });
});

describe('the payment of an accepted stay', () => {
  const accepted = async () => {
    const made = await waiting();
    await accept(made.id);
    return made;
  };

  it('whose report is lost is found by the schedule', async () => {
    const { id } = await accepted();
    s.server.decide(s.server.find(id)!, 'success');
    s.clock.advance(6 * minute);
    await s.reconcile();
    expect(await s.booking(id)).toMatchObject({ payment_status: 'PAID' });
    expect(await s.due()).toEqual([]);
  });

  it('that was made in time keeps the booking when its report is late', async () => {
    const { id } = await accepted();
    s.clock.advance(24 * hour - minute);
    s.server.decide(s.server.find(id)!, 'success');
    s.clock.advance(2 * minute);
    await s.moveDue();
    expect(await s.booking(id)).toMatchObject({ state: 'CONFIRMED', payment_status: 'PAID' });
  });

  it('that fails is tried again under the same booking', async () => {
    const { id, order } = await accepted();
    await s.decide(id, 'failure');
    expect((await s.order(order)).separatePayments).toMatchObject([
      { payment_id: id, state: 'OPEN', attempt: 2 },
    ]);
    await s.decide(id, 'success');
    expect(await s.booking(id)).toMatchObject({ payment_status: 'PAID' });
    expect(await s.typesOf(order)).toEqual([
      'booking.created',
      'booking.confirmed',
      'payment.failed',
      'payment.paid',
    ]);
  });

  it('goes back when the booking is cancelled', async () => {
    const { id, booked } = await accepted();
    await s.decide(id, 'success');
    expect((await s.cancel(id)).refund).toEqual({ amount: booked.estimated_total, status: 'PENDING' });
    await s.reconcile();
    expect(s.money(id)).toEqual({ charged: booked.estimated_total, back: booked.estimated_total });
    expect(await s.booking(id)).toMatchObject({ state: 'CANCELLED', payment_status: 'REFUNDED' });
    s.clock.advance(6 * minute);
    await s.reconcile();
    expect(await s.due()).toEqual([]);
  });

  it('that comes for a booking that was cancelled goes back', async () => {
    const { id } = await accepted();
    await s.cancel(id);
    await s.decide(id, 'success');
    await s.reconcile();
    const { charged, back } = s.money(id);
    expect(charged).toBeGreaterThan(0);
    expect(back).toBe(charged);
  });
});

describe('an order of both kinds of listings', () => {
  const mixed = async () => {
    const listings = [await s.listing(), await s.listing({ ...byHand, full_rate: 3_000_000 })];
    const { master_reservation_id: order, reservations, payment_url } = await s.confirm(listings);
    const [instant, asked] = reservations;
    return { order, payment_url, instant: instant!, asked: asked! };
  };

  it('asks for the money of the one now, and for that of the other when its host has accepted', async () => {
    const { order, payment_url, instant, asked } = await mixed();
    expect([instant.status, asked.status]).toEqual(['CONFIRMED', 'PENDING']);
    expect(s.server.find(order)).toMatchObject({ amount: instant.total_price });
    expect(await s.booking(order)).toMatchObject({ payment_url });
    await s.decide(order, 'success');
    expect(await s.booking(instant.id)).toMatchObject({ state: 'CONFIRMED', payment_status: 'PAID' });
    expect(await s.booking(asked.id)).toMatchObject({ state: 'PENDING', payment_status: 'PENDING' });
    await accept(asked.id);
    expect(s.server.find(asked.id)).toMatchObject({ amount: asked.total_price });
    expect((await s.booking(order)).payment_url).toContain(String(asked.id));
    await s.decide(asked.id, 'success');
    expect(await s.booking(asked.id)).toMatchObject({ state: 'CONFIRMED', payment_status: 'PAID' });
    const refund = (await s.cancel(order)).refund;
    expect(refund.amount).toBe(instant.total_price + asked.total_price);
    await s.reconcile();
    expect([s.money(order).back, s.money(asked.id).back]).toEqual([instant.total_price, asked.total_price]);
    for (const { id } of [instant, asked])
      expect(await s.booking(id)).toMatchObject({ state: 'CANCELLED', payment_status: 'REFUNDED' });
  });

  it('keeps the one when the other is not accepted, and nothing of it goes back', async () => {
    const { order, instant, asked } = await mixed();
    await s.decide(order, 'success');
    s.clock.advance(24 * hour);
    await s.moveDue();
    await s.reconcile();
    expect(await s.booking(asked.id)).toMatchObject({ state: 'CANCELLED' });
    expect(await s.booking(instant.id)).toMatchObject({ state: 'CONFIRMED', payment_status: 'PAID' });
    expect(s.money(order)).toEqual({ charged: instant.total_price, back: 0 });
  });

  it('cancels the one that is not paid, and leaves the other to its host', async () => {
    const { instant, asked } = await mixed();
    s.clock.advance(23 * hour);
    await accept(asked.id);
    await s.decide(asked.id, 'success');
    s.clock.advance(hour);
    await s.moveDue();
    expect(await s.booking(instant.id)).toMatchObject({ state: 'CANCELLED' });
    expect(await s.booking(asked.id)).toMatchObject({ state: 'CONFIRMED', payment_status: 'PAID' });
  });
});

describe('a booking from before, whose page was open while its host had not accepted', () => {
  const old = async () => {
    const { master_reservation_id: order, reservations } = await s.confirm([await s.listing()]);
    const id = reservations[0]!.id;
    await s.deps.table.transact([
      change(
        ReservationEntity,
        { order_id: order, reservation_id: id },
        { set: { state: 'PENDING' } },
        { when: equals('state', 'CONFIRMED') },
      ),
    ]);
    return { order, id };
  };

  it('is paid and not confirmed by its payment; its host confirms it', async () => {
    const { order, id } = await old();
    await s.decide(order, 'success');
    expect(await s.booking(id)).toMatchObject({ state: 'PENDING', payment_status: 'PAID' });
    expect(await s.typesOf(order)).toEqual(['booking.created', 'payment.paid']);
    expect(await accept(id)).toMatchObject({ state: 'CONFIRMED', payment_status: 'PAID', payment_url: null });
  });

  it('is cancelled when he does not, and all of it goes back', async () => {
    const { order, id } = await old();
    await s.decide(order, 'success');
    s.clock.advance(24 * hour);
    await s.moveDue();
    await s.reconcile();
    expect(await s.booking(id)).toMatchObject({ state: 'CANCELLED' });
    const { charged, back } = s.money(order);
    expect(back).toBe(charged);
  });
});

it('a stay by cash or transfer is accepted as before, without the gateway', async () => {
  for (const payment_method of ['CASH', 'BANK_TRANSFER'] as const) {
    const items = s.items(await s.listing(byHand));
    const { reservations } = await confirmCheckout(s.guest, { items, payment_method });
    expect(await accept(reservations[0]!.id)).toMatchObject({ state: 'CONFIRMED', payment_url: null });
  }
  expect(s.wire.asked).toEqual([]);
});

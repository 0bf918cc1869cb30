import { beforeEach, describe, expect, it } from 'vitest';
import { restoreByTransfer } from '../../shared/domain/booking/restore-stays.ts';
import { moveBooking } from '../../shared/domain/booking/move-booking.ts';
import { confirmCheckout } from '../../shared/domain/checkout/confirm-checkout.ts';
import { createCheckout } from '../../shared/domain/checkout/create-checkout.ts';
import { moveDueBookings } from '../../shared/domain/payment/move-due-bookings.ts';
import { acceptBooking } from '../../shared/domain/payment/accept-booking.ts';
import { hour, type PaymentScene, paymentScene } from '../support/payment-scene.ts';

let s: PaymentScene;
beforeEach(async () => {
  s = await paymentScene();
  await s.clear();
});

const byHand = { instant_book_enabled: false };
const online = { payment_method: 'ONLINE_GATEWAY' as const };

/** Stays from 2027-02-04, each until the 4th of the last month that its calendar is touched in. */
const staysUntil = async (months: readonly string[], given: object = {}) => {
  const listings = await Promise.all(months.map(() => s.listing(given)));
  return listings.map(({ id }, at) => ({
    listing_id: id,
    check_in_date: '2027-02-04',
    check_out_date: `${months[at]}-04`,
    guest_number: 2,
  }));
};

/** Ten stays that touch 55 months of calendars between them, the most that an order takes. */
const tenStays = (given: object = {}) =>
  staysUntil([...Array<string>(5).fill('2027-06'), ...Array<string>(5).fill('2027-07')], given);
const tooLarge = (verb: string) => ({
  code: 'VALIDATION_ERROR',
  details: {
    issues: [
      {
        path: 'booking_id',
        message: `the order is too large to ${verb} in one transaction; ${verb} its stays one by one`,
      },
    ],
  },
});

describe('an order of ten stays and 55 months', () => {
  it('whose stays are paid apart is cancelled stay by stay; at once it is refused, and nothing is written', async () => {
    const { master_reservation_id: order, reservations } = await confirmCheckout(s.guest, {
      ...online,
      items: await tenStays(byHand),
    });
    await acceptBooking(s.owner, order);
    for (const { id } of reservations) await s.decide(id, 'success');
    await expect(s.cancel(order)).rejects.toMatchObject(tooLarge('cancel'));
    const before = await s.order(order);
    expect(before.reservations.map(({ state }) => state)).toEqual(Array(10).fill('CONFIRMED'));
    expect(before.refunds).toEqual([]);
    for (const { id } of reservations) await s.cancel(id);
    await s.reconcile();
    const after = await s.order(order);
    expect(new Set(after.reservations.map(({ payment_status }) => payment_status))).toEqual(
      new Set(['REFUNDED']),
    );
    for (const { id, total_price } of reservations)
      expect(s.money(id)).toEqual({ charged: total_price, back: total_price });
  }, 60_000);

  it('that is paid together is cancelled at once', async () => {
    const items = await tenStays();
    const booked = await confirmCheckout(s.guest, { ...online, items, payment_gateway_token: 'tok_ok' });
    const { refund } = await s.cancel(booked.master_reservation_id);
    expect(refund.amount).toBe(booked.estimated_total);
  }, 60_000);

  it('that its hosts accept by hand is refused for one token before the gateway is asked', async () => {
    const items = await tenStays(byHand);
    const asked = { ...online, payment_gateway_token: 'tok_ok' };
    await expect(confirmCheckout(s.guest, { ...asked, items })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { issues: [{ path: 'items' }] },
    });
    expect(s.wire.asked).toEqual([]);
    const { checkout_id } = await createCheckout(s.guest, { items: items.slice(0, 9) });
    const { reservations } = await confirmCheckout(s.guest, { ...asked, checkout_id });
    expect(reservations).toHaveLength(9);
  }, 60_000);

  it.each([
    ['49 months, 100 writes with its booking, is refused', '2027-05', 'VALIDATION_ERROR'],
    ['48 months, 99 writes, is booked', '2027-04', undefined],
  ])(
    'that touches %s',
    async (_, last, code) => {
      const months = [...Array<string>(9).fill('2027-06'), last];
      const asked = { ...online, items: await staysUntil(months, byHand), payment_gateway_token: 'tok_ok' };
      const answer = confirmCheckout(s.guest, asked);
      if (code)
        await expect(answer).rejects.toMatchObject({ code, details: { issues: [{ path: 'items' }] } });
      else expect((await answer).reservations).toHaveLength(10);
    },
    60_000,
  );

  it('is not left early at once, but stay by stay', async () => {
    const { master_reservation_id: order, reservations } = await confirmCheckout(s.guest, {
      payment_method: 'CASH',
      items: await tenStays(),
    });
    s.clock.set('2027-02-04T08:00:00.000Z');
    await moveBooking(s.owner, order, 'check_in');
    s.clock.advance(20 * hour);
    await expect(moveBooking(s.owner, order, 'check_out')).rejects.toMatchObject(tooLarge('check out'));
    expect((await s.booking(order)).state).toBe('CHECKED_IN');
    for (const { id } of reservations) await moveBooking(s.owner, id, 'check_out');
    expect((await s.booking(order)).state).toBe('CHECKED_OUT');
  }, 60_000);
});

it('an order of ten stays and 50 months that lapsed is restored stay by stay, where their plans add to it', async () => {
  const { master_reservation_id: order } = await confirmCheckout(s.guest, {
    payment_method: 'BANK_TRANSFER',
    items: await staysUntil(Array<string>(10).fill('2027-06'), { deposit_percent: 30 }),
  });
  s.clock.advance(73 * hour);
  await moveDueBookings(s.deps);
  const { reservations } = await s.order(order);
  const restore = (stays: typeof reservations) =>
    restoreByTransfer(s.owner, stays, {
      ...{ reference: 'FT1', received_at: '2027-01-18T04:00:00.000Z' },
      amount: stays.reduce((sum, { plan }) => sum + plan!.deposit, 0),
    });
  expect(await restore(reservations)).toMatchObject({
    code: 'INVALID_STATE_TRANSITION',
    message: 'The booking is too large to be restored in one transaction; name its stays one by one.',
  });
  for (const stay of reservations) {
    const restored = await restore([stay]);
    if (restored instanceof Error) throw restored;
    await s.deps.table.transact([...restored.paid.flatMap(({ writes }) => writes), ...restored.beside]);
  }
  expect(new Set((await s.order(order)).reservations.map(({ state }) => state))).toEqual(
    new Set(['CONFIRMED']),
  );
});

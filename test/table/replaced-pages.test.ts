import { beforeEach, describe, expect, it } from 'vitest';
import { refundCancelled } from '../../functions/workers/refunds/index.ts';
import { auditBooking } from '../../shared/domain/audit/index.ts';
import { findOrder, ReservationEntity } from '../../shared/domain/booking/model.ts';
import { moveBooking } from '../../shared/domain/booking/move-booking.ts';
import { changeBooking } from '../../shared/domain/checkout/index.ts';
import { acceptBooking } from '../../shared/domain/payment/accept-booking.ts';
import { reconcilePayment } from '../../shared/domain/payment/reconcile-payments.ts';
import { settlePayment } from '../../shared/domain/payment/settle-payment.ts';
import { addPricePart } from '../../shared/domain/pricing/index.ts';
import { systemContext } from '../../shared/platform/context.ts';
import { orderIdOf } from '../../shared/platform/ids.ts';
import {
  type FinalOutcome,
  GatewayRefused,
  GatewayUnavailable,
} from '../../shared/platform/payment/index.ts';
import { change } from '../../shared/platform/table/index.ts';
import { hour, minute, paymentScene, type PaymentScene } from '../support/payment-scene.ts';

/** A page at the gateway. */
interface Page {
  amount: number;
  state: 'open' | 'closed' | 'paid' | 'processing';
  transaction: string;
  refunded: number;
  /** How often the gateway was asked about it. */
  asked: number;
}

let s: PaymentScene;
let pages: Map<string, Page>;
/** False: the gateway cannot close pages, as VNPay. */
let closes: boolean;
beforeEach(async () => {
  closes = true;
  s = await paymentScene();
  await s.clear();
  pages = gatewayOfManyPages();
});

/** A gateway of which each page has a life of its own, as Stripe's sessions have; a page is paid by its state alone. */
const gatewayOfManyPages = (all = new Map<string, Page>()) => {
  const { gateway } = s.wire;
  const outcomeOf = (reference: string): FinalOutcome => {
    const page = pageOf(reference);
    page.asked++;
    return page.state === 'paid'
      ? paidBy(page)
      : {
          ...{ state: 'unpaid', final: page.state === 'closed', reason: page.state },
          ...(page.state === 'closed' ? { closed: true } : {}),
        };
  };
  gateway.openSession = ({ payment_id, attempt, amount }) => {
    if (amount === 0) throw new GatewayRefused('amount_too_small');
    const reference = referenceOf(payment_id, attempt);
    if (all.get(reference)?.amount !== amount) {
      const transaction = `pi_${payment_id}_${attempt}`;
      all.set(reference, { amount, state: 'open', transaction, refunded: 0, asked: 0 });
    }
    return Promise.resolve({ reference, url: `https://pay.example/${reference}` });
  };
  gateway.find = ({ reference }) => Promise.resolve(outcomeOf(reference));
  gateway.close = ({ reference }) => {
    const page = pageOf(reference);
    if (page.state === 'processing') return Promise.reject(new GatewayUnavailable('still processing'));
    if (page.state === 'open' && closes) page.state = 'closed';
    return Promise.resolve(outcomeOf(reference));
  };
  gateway.refund = ({ transaction_id, amount }) => {
    for (const page of all.values()) if (page.transaction === transaction_id) page.refunded += amount;
    return Promise.resolve();
  };
  return all;
};

const referenceOf = (paymentId: number, attempt: number): string => `cs_${paymentId}_${attempt}`;
const pageOf = (reference: string): Page => {
  const page = pages.get(reference);
  if (!page) throw new Error(`there is no page ${reference}`);
  return page;
};
const paidBy = ({ transaction, amount }: Page) => ({
  ...{ state: 'paid' as const, transaction_id: transaction, amount, currency: 'VND' },
});

/** A stay of two guests; each more costs 100,000 a night. */
const home = () =>
  s.listing({
    ...{ refund_rule: 'Full refund until check-in', maximum_guest: 6 },
    ...{ guest_included_in_rate: 2, extra_adult_rate: 100_000 },
  });

const booked = async () => {
  const { id } = (await s.confirm([await home()])).reservations[0]!;
  return { id, order: orderIdOf(id), page: (attempt: number) => pageOf(referenceOf(orderIdOf(id), attempt)) };
};

const guests = (id: number, guest_number: number) => changeBooking(s.guest, id, { guest_number });
const report = (payment_id: number, reference: string, page: Page) =>
  settlePayment(systemContext(s.deps, 'test'), { payment_id, reference, outcome: paidBy(page) });
const afterCancellation = (id: number) =>
  refundCancelled(s.deps, {
    data: { id, master_reservation_id: orderIdOf(id) },
  } as Parameters<typeof refundCancelled>[1]);

/** Lets the schedules run each hour for a day and more; returns how many runs failed. */
const laterRuns = async (): Promise<number> => {
  let failures = 0;
  for (let at = 0; at < 30; at++) {
    s.clock.advance(hour);
    failures += (await s.reconcile()).failed;
    await s.moveDue();
  }
  return failures;
};

describe('a page that a change has replaced', () => {
  it('is closed when the booking is cancelled', async () => {
    const { id, page } = await booked();
    await guests(id, 3);
    await s.cancel(id);
    await afterCancellation(id);
    s.clock.advance(6 * minute);
    await s.reconcile();
    expect([page(1).state, page(2).state]).toEqual(['closed', 'closed']);
    expect(await laterRuns()).toBe(0);
    expect(await s.due()).toEqual([]);
  });

  it('is refunded when it is paid before that, also without a report', async () => {
    const { id, page } = await booked();
    await guests(id, 3);
    page(1).state = 'paid';
    await s.cancel(id);
    await laterRuns();
    expect(page(1).refunded).toBe(page(1).amount);
    expect(await s.due()).toEqual([]);
  });

  it('that cannot be closed is asked about again, and nothing is written of it', async () => {
    closes = false;
    const { id, order, page } = await booked();
    await guests(id, 3);
    page(2).state = 'paid';
    s.clock.advance(6 * minute);
    await s.reconcile();
    const { payment } = await s.order(order);
    s.clock.advance(6 * minute);
    await s.reconcile();
    expect(page(1).asked).toBeGreaterThan(1);
    expect((await s.order(order)).payment).toEqual(payment);
    expect(payment).toMatchObject({ state: 'PAID', amount: page(2).amount });
  });

  it('is known by its amount alone: of two that have it, the paid one is found, and the present page is asked about', async () => {
    const { id, order, page } = await booked();
    await guests(id, 3);
    await guests(id, 2);
    await guests(id, 4);
    page(3).state = 'paid';
    expect(await report(order, page(3).transaction, page(3))).toBe('taken');
    expect(await report(order, referenceOf(order, 3), page(3))).toBe('repeated');
    await s.reconcile();
    page(4).state = 'paid';
    await laterRuns();
    expect(page(4).asked).toBeGreaterThan(0);
    const { reservations, payment } = await s.order(order);
    expect(reservations).toMatchObject([{ state: 'CONFIRMED', payment_status: 'PAID' }]);
    expect(payment?.state).toBe('PAID');
    expect([page(1).state, page(3).refunded, page(4).refunded]).toEqual(['closed', page(3).amount, 0]);
    expect(await s.due()).toEqual([]);
  });

  it('leaves the present page of the same amount to be closed, when its charge is reported by another name', async () => {
    const { id, order, page } = await booked();
    await guests(id, 3);
    await guests(id, 2);
    page(1).state = 'paid';
    expect(await report(order, page(1).transaction, page(1))).toBe('taken');
    await laterRuns();
    expect([page(2).state, page(3).state]).toEqual(['closed', 'closed']);
    expect((await s.booking(id)).payment_status).toBe('PAID');
    expect(page(1).refunded).toBe(0);
  });

  it.each([false, true])(
    'does not cost a stay whose present page is paid in time, when it is paid too (reported: %s)',
    async (isReported) => {
      const { id, order, page } = await booked();
      for (const number of isReported ? [3, 2, 4] : [4]) await guests(id, number);
      const present = isReported ? 4 : 2;
      const { pay_until } = (await s.order(order)).reservations[0]!;
      s.clock.advance(pay_until! - s.clock.now() - minute);
      await s.reconcile();
      page(1).state = 'paid';
      if (isReported) await report(order, page(1).transaction, page(1));
      page(present).state = 'paid';
      s.clock.advance(minute + 1000);
      await s.moveDue();
      expect(await s.booking(id)).toMatchObject({ state: 'CONFIRMED', payment_status: 'PAID' });
      expect([page(1).refunded, page(present).refunded]).toEqual([page(1).amount, 0]);
    },
  );

  it('says of a refund that the price had changed, of less than is due by now', async () => {
    const { id, order, page } = await booked();
    await guests(id, 3);
    page(1).state = 'paid';
    s.clock.advance(6 * minute);
    await s.reconcile();
    await s.cancel(id);
    const { refunds } = await findOrder(s.deps.table, order);
    expect(refunds.map(({ amount, reason }) => [amount, reason])).toEqual([
      [page(1).amount, 'The price had changed before the payment came.'],
    ]);
  });

  it('is one of eight that a run settles at most; the next run settles the others', async () => {
    const listing = await s.listing({
      ...{ refund_rule: 'Full refund until check-in', maximum_guest: 20 },
      ...{ guest_included_in_rate: 2, extra_adult_rate: 100_000 },
    });
    const { id } = (await s.confirm([listing])).reservations[0]!;
    for (let guest = 3; guest <= 12; guest += 1) await guests(id, guest);
    const earlier = [...pages.values()].slice(0, -1);
    expect(earlier).toHaveLength(10);
    for (const page of earlier) page.state = 'paid';
    s.clock.advance(6 * minute);
    const refunded = async (): Promise<number> => {
      await reconcilePayment(systemContext(s.deps, 'test'), orderIdOf(id));
      return earlier.filter((page) => page.refunded === page.amount).length;
    };
    expect(await refunded()).toBe(8);
    expect(await refunded()).toBe(10);
  });

  it('does not hide the present page, when it was paid with another amount', async () => {
    const { id, page } = await booked();
    await guests(id, 3);
    page(1).state = 'paid';
    page(1).amount -= 1;
    page(2).state = 'paid';
    s.clock.advance(6 * minute);
    await s.reconcile();
    expect(await s.booking(id)).toMatchObject({ state: 'CONFIRMED', payment_status: 'PAID' });
    expect(page(2).refunded).toBe(0);
  });

  it('does not hold up refunds, nor the closing of others, while it is processed', async () => {
    const { id, order, page } = await booked();
    await guests(id, 3);
    await guests(id, 4);
    page(3).state = 'paid';
    await report(order, referenceOf(order, 3), page(3));
    page(1).state = 'processing';
    await s.cancel(id);
    await afterCancellation(id);
    expect([page(3).refunded, page(2).state]).toEqual([page(3).amount, 'closed']);
    const { asked } = page(2);
    s.clock.advance(6 * minute);
    // It is due again, and reported where it does not end.
    expect((await s.reconcile()).failed).toBeGreaterThan(0);
    expect(page(2).asked).toBe(asked);
    page(1).state = 'paid';
    s.clock.advance(hour);
    await s.reconcile();
    expect(page(1).refunded).toBe(page(1).amount);
  });

  it('is asked about until its own end, although the stay begins earlier now', async () => {
    closes = false;
    s.clock.set('2027-02-02T10:30:00Z');
    const { id, order, page } = await booked();
    const { ends_at: before } = (await s.order(order)).payment!;
    await changeBooking(s.guest, id, { check_in_date: '2027-02-03' });
    const { ends_at: after } = (await s.order(order)).payment!;
    expect(after).toBeLessThan(before - 2 * hour);
    page(2).state = 'paid';
    s.clock.advance(6 * minute);
    await s.reconcile();
    s.clock.advance(after + 2 * hour - s.clock.now());
    await s.reconcile();
    page(1).state = 'paid';
    s.clock.advance(6 * minute);
    await s.reconcile();
    expect(page(1).refunded).toBe(page(1).amount);
  });
});

it('a page of less is not opened while a change raises what is due to what the page before was for', async () => {
  const plain = () => s.listing({ full_rate: 1_000_000, cleaning_fee: 0 });
  const { reservations, master_reservation_id: order } = await s.confirm([await plain(), await plain()]);
  const [a, b] = reservations;
  await s.cancel(a!.id);
  const { gateway } = s.wire;
  const open = gateway.openSession.bind(gateway);
  let isFirst = true;
  gateway.openSession = async (due) => {
    const opened = await open(due);
    if (isFirst) {
      isFirst = false;
      await changeBooking(s.guest, b!.id, { check_out_date: '2027-02-08' });
    }
    return opened;
  };
  await reconcilePayment(systemContext(s.deps, 'test'), order);
  s.clock.advance(6 * minute);
  await s.reconcile();
  const { payment } = await s.order(order);
  const page = pageOf(payment!.reference);
  expect(page.state).toBe('open');
  page.state = 'paid';
  await report(order, payment!.reference, page);
  await laterRuns();
  const after = await s.order(order);
  expect(after.payment?.state).toBe('PAID');
  expect(after.reservations[1]).toMatchObject({ state: 'CONFIRMED', payment_status: 'PAID' });
  expect(page.refunded).toBe(0);
  // No payment has failed on the page that was closed for it.
  expect(await s.typesOf(order)).not.toContain('payment.failed');
});

it('a page of more than is due is closed at once when one of less is open', async () => {
  const { reservations, master_reservation_id: order } = await s.confirm([await home(), await home()]);
  const [a, b] = reservations;
  await s.cancel(a!.id);
  s.wire.gateway.openSession = () => Promise.reject(new GatewayUnavailable('session'));
  s.clock.advance(6 * minute);
  expect(await s.reconcile()).toMatchObject({ failed: 1 });
  expect(pageOf(referenceOf(order, 1)).state).toBe('open');
  pages = gatewayOfManyPages(pages);
  s.clock.advance(hour);
  expect(await s.reconcile()).toMatchObject({ failed: 0 });
  expect(pageOf(referenceOf(order, 1)).state).toBe('closed');
  const { total_price: amount } = await s.booking(b!.id);
  expect(pageOf(referenceOf(order, 2))).toMatchObject({ state: 'open', amount });
});

it('a page of less than the gateway takes is not opened: the present one stays, and what is too much goes back', async () => {
  const { reservations, master_reservation_id: order } = await s.confirm([await home(), await home()]);
  const [a, b] = reservations;
  s.wire.gateway.openSession = () => Promise.reject(new GatewayRefused('amount_too_small'));
  await s.cancel(a!.id);
  await afterCancellation(a!.id);
  const page = pageOf(referenceOf(order, 1));
  expect(page.state).toBe('open');
  expect((await s.order(order)).payment).toMatchObject({ state: 'OPEN', attempt: 1 });
  page.state = 'paid';
  s.clock.advance(6 * minute);
  expect(await s.reconcile()).toMatchObject({ failed: 0 });
  const stay = await s.booking(b!.id);
  expect(stay).toMatchObject({ state: 'CONFIRMED', payment_status: 'PAID' });
  expect(page.refunded).toBe(page.amount - stay.total_price);
});

describe('a stay that costs nothing, beside one that is cancelled before it is paid', () => {
  const free = async () => {
    const refund_rule = 'Full refund until check-in';
    const listing = await s.listing({ full_rate: 1_000_000, cleaning_fee: 0, refund_rule });
    await addPricePart(s.owner, 'rules', listing.id, {
      ...{ date_type: 'ALWAYS', charge_unit: 'PER_NIGHT', stay_type: 'ANY', price: 0, priority: 1 },
      ...{ is_active: true, day_of_week: null, date_from: null, date_to: null },
    });
    return listing;
  };
  const bookedWithFree = async () => {
    const { reservations, master_reservation_id: order } = await s.confirm([await home(), await free()]);
    return { paying: reservations[0]!.id, id: reservations[1]!.id, order };
  };

  it('needs no page: it is paid, and the page is closed', async () => {
    const { paying, id, order } = await bookedWithFree();
    await s.cancel(paying);
    await afterCancellation(paying);
    expect(await s.booking(id)).toMatchObject({ state: 'CONFIRMED', payment_status: 'PAID', total_price: 0 });
    expect(await laterRuns()).toBe(0);
    expect((await s.booking(id)).state).toBe('CONFIRMED');
    expect((await s.order(order)).payment?.state).toBe('EXPIRED');
    expect(pageOf(referenceOf(order, 1)).state).toBe('closed');
  });

  it('is not confirmed by that while its host has not accepted it', async () => {
    const { paying, id, order } = await bookedWithFree();
    const stay = (await s.order(order)).reservations.find((one) => one.reservation_id === id)!;
    await s.deps.table.transact([change(ReservationEntity, stay, { set: { state: 'PENDING' } })]);
    await s.cancel(paying);
    await afterCancellation(paying);
    expect(await s.booking(id)).toMatchObject({ state: 'PENDING', payment_status: 'PENDING' });
  });

  it('can be changed while the page cannot be closed', async () => {
    closes = false;
    const { paying, id, order } = await bookedWithFree();
    await s.cancel(paying);
    await afterCancellation(paying);
    expect((await s.order(order)).payment?.state).toBe('OPEN');
    const dates = { check_in_date: '2027-02-05', check_out_date: '2027-02-07' };
    expect(await changeBooking(s.guest, id, dates)).toMatchObject({ ...dates, payment_status: 'PAID' });
  });

  it('has no refund when the page is paid late: all of it is of the other', async () => {
    const { paying, id, order } = await bookedWithFree();
    await s.cancel(paying);
    const page = pageOf(referenceOf(order, 1));
    page.state = 'paid';
    await afterCancellation(paying);
    expect(page.refunded).toBe(page.amount);
    const refunds = (await s.events(order)).filter(({ event_type }) => event_type === 'payment.refunded');
    expect(refunds.map(({ data }) => (data as { id: number }).id)).toEqual([paying]);
    expect((await auditBooking(s.deps, id)).findings).toEqual([]);
  });

  it('is accepted by its host without a payment, after a change to that price', async () => {
    const { id } = (await s.confirm([await s.listing({ instant_book_enabled: false })])).reservations[0]!;
    const listing_id = (await free()).id;
    await changeBooking(s.guest, id, { listing_id });
    expect(await s.booking(id)).toMatchObject({
      state: 'PENDING',
      payment_status: 'PENDING',
      total_price: 0,
    });
    await acceptBooking(s.owner, id);
    expect(await s.booking(id)).toMatchObject({ state: 'CONFIRMED', payment_status: 'PAID' });
    expect(await s.typesOf(orderIdOf(id))).toContain('booking.confirmed');
  });
});

it('a payment that has ended is no finding of the audit when the stay is changed in house', async () => {
  s.clock.set('2027-02-04T06:00:00Z');
  const { id, order } = await booked();
  await moveBooking(s.owner, id, 'check_in');
  s.clock.set('2027-02-05T07:30:00Z');
  await s.reconcile();
  expect((await s.order(order)).payment?.state).toBe('EXPIRED');
  await changeBooking(s.owner, id, { check_out_date: '2027-02-07' });
  const rules = (await auditBooking(s.deps, id)).findings.map(({ rule }) => rule);
  expect(rules).not.toContain('payment-amount');
});

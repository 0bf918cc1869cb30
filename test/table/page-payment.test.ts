import { beforeEach, describe, expect, it } from 'vitest';
import { refundCancelled } from '../../functions/workers/refunds/index.ts';
import { sandboxSecret } from '../../infra/local/payments/index.ts';
import { auditBooking } from '../../shared/domain/audit/index.ts';
import { getFolio } from '../../shared/domain/booking/index.ts';
import { dueBookings } from '../../shared/domain/booking/due-booking.store.ts';
import { getExternalBooking } from '../../shared/domain/booking/external-bookings.ts';
import { moveBooking } from '../../shared/domain/booking/move-booking.ts';
import { markPaid } from '../../shared/domain/booking/take-payment.ts';
import { bookExternally } from '../../shared/domain/checkout/book-externally.ts';
import { changeBooking } from '../../shared/domain/checkout/change-booking.ts';
import { confirmCheckout } from '../../shared/domain/checkout/confirm-checkout.ts';
import { createCheckout } from '../../shared/domain/checkout/create-checkout.ts';
import { paymentWindowEnd } from '../../shared/domain/payment/payment-window.rules.ts';
import { handlePaymentWebhook, reconcilePayments } from '../../shared/domain/payment/reconcile-payments.ts';
import type { PartnerCaller } from '../../shared/platform/auth.ts';
import { systemContext } from '../../shared/platform/context.ts';
import { orderIdOf } from '../../shared/platform/ids.ts';
import type { FinalOutcome } from '../../shared/platform/payment/index.ts';
import { signSandbox } from '../../shared/platform/payment/sandbox.ts';
import type { Consumption } from '../../shared/platform/table/index.ts';
import { countsUnits } from '../support/costs.ts';
import { waitingIn } from '../support/due.ts';
import {
  crashingTable,
  hour,
  minute,
  nothingMoved,
  type PaymentScene,
  paymentScene,
} from '../support/payment-scene.ts';
import { freshId, testContext, testStart } from '../support/table.ts';

let s: PaymentScene;
beforeEach(async () => {
  s = await paymentScene();
  await s.clear();
});

/** A report as a gateway in error, or an attacker with its secret, could send it. */
const reportOf = (given: { payment_id: number; reference?: string; outcome: object }) => {
  const body = JSON.stringify({ reference: `sbx_${given.payment_id}_1`, ...given });
  const headers = { 'x-sandbox-signature': signSandbox(sandboxSecret, body) };
  return handlePaymentWebhook(systemContext(s.deps, 'anonymous'), {
    provider: 'sandbox',
    method: 'POST',
    raw: { body, headers, query: {} },
  });
};
const paidWith = (amount: number, transaction_id = 'sbt_other', currency = 'VND') => ({
  state: 'paid',
  transaction_id,
  amount,
  currency,
});

describe('the payment window', () => {
  const now = Date.parse(testStart);
  it('is 24 hours, never later than the first check-in, and at least 30 minutes (D73)', () => {
    expect(paymentWindowEnd(now, [now + 400 * hour])).toBe(now + 24 * hour);
    expect(paymentWindowEnd(now, [now + 400 * hour, now + 5 * hour])).toBe(now + 5 * hour);
    expect(paymentWindowEnd(now, [now + 10 * minute])).toBe(now + 30 * minute);
    expect(paymentWindowEnd(now, [now - hour])).toBe(now + 30 * minute);
  });
  it('can be configured', () => {
    process.env['PAYMENT_WINDOW_MINUTES'] = '60';
    expect(paymentWindowEnd(now, [now + 400 * hour])).toBe(now + hour);
    delete process.env['PAYMENT_WINDOW_MINUTES'];
  });
});

describe('a booking that is to be paid on the page', () => {
  it('is CONFIRMED and PENDING with a payment_url, in the detail too, until it is paid', async () => {
    const confirmed = await s.confirm([await s.listing()]);
    const id = confirmed.master_reservation_id;
    expect(confirmed).toMatchObject({
      payment_status: 'PENDING',
      payment_url: expect.stringContaining(`/sbx_${id}_1`) as string,
    });
    expect(confirmed.reservations[0]?.status).toBe('CONFIRMED');
    expect(await s.booking(id)).toMatchObject({
      payment_url: confirmed.payment_url,
      payment_transaction_id: null,
    });
    expect(await s.decide(id, 'success')).toBe('taken');
    expect(await s.booking(id)).toMatchObject({
      state: 'CONFIRMED',
      payment_status: 'PAID',
      payment_url: null,
      payment_transaction_id: s.server.find(id)?.transaction_id,
    });
    expect(await s.typesOf(id)).toEqual(['booking.created', 'payment.paid']);
    expect((await s.events(id)).at(-1)).toMatchObject({
      actor: 'system:payment-gateway:sandbox',
      data: {
        payment_status: 'PAID',
        payment_transaction_id: s.server.find(id)?.transaction_id,
        amount: confirmed.reservations[0]?.total_price,
        currency: 'VND',
      },
    });
  });

  it('is not made when the page cannot be opened', async () => {
    const listing = await s.listing();
    s.wire.fault = () => 'before';
    await expect(s.confirm([listing])).rejects.toMatchObject({ code: 'PAYMENT_GATEWAY_UNAVAILABLE' });
    expect(await createCheckout(s.other, { items: s.items(listing) })).toBeDefined();
    expect(await s.due()).toEqual([]);
  });

  it('is not marked paid by the host while the guest may still pay: afterwards it may be', async () => {
    s.clock.set('2027-02-04T03:00:00.000Z');
    const { master_reservation_id: id } = await s.confirm([await s.listing()]);
    await expect(markPaid(s.owner, id)).rejects.toMatchObject({ code: 'INVALID_STATE_TRANSITION' });
    await moveBooking(s.owner, id, 'check_in');
    s.clock.advance(5 * hour);
    await s.reconcile();
    expect((await s.booking(id)).payment_url).toBeNull();
    expect(await markPaid(s.owner, id)).toMatchObject({ state: 'CHECKED_IN', payment_status: 'PAID' });
    // The money that comes after all goes back: the stay is paid.
    await s.decide(id, 'success');
    expect(await s.booking(id)).toMatchObject({ payment_status: 'PAID' });
    expect(s.money(id)).toMatchObject({ back: s.server.find(id)?.amount });
  });
});

describe('a report of the gateway', () => {
  it('that comes again changes nothing', async () => {
    const { master_reservation_id: id } = await s.confirm([await s.listing()]);
    expect(await s.decide(id, 'success')).toBe('taken');
    const before = [await s.order(id), await s.typesOf(id)];
    expect(await s.report(id)).toBe('repeated');
    expect(await Promise.all([s.report(id), s.report(id)])).toEqual(['repeated', 'repeated']);
    expect([await s.order(id), await s.typesOf(id)]).toEqual(before);
    expect(s.money(id).back).toBe(0);
  });

  it('that comes five times at once is taken once', async () => {
    const { master_reservation_id: id } = await s.confirm([await s.listing()]);
    s.server.decide(s.server.find(id)!, 'success');
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => s.report(id)));
    expect(outcomes.filter((one) => one === 'taken')).toHaveLength(1);
    expect((await s.typesOf(id)).filter((type) => type === 'payment.paid')).toHaveLength(1);
  });

  it('of a failure leaves the booking PENDING, emits one event, and the guest may try again', async () => {
    const { master_reservation_id: id } = await s.confirm([await s.listing()]);
    const failed = s.server.find(id)!;
    await s.decide(id, 'failure');
    const outcome = { state: 'unpaid', final: true, reason: 'declined' };
    expect(await reportOf({ payment_id: id, reference: failed.reference, outcome })).toBe('repeated');
    expect(await s.typesOf(id)).toEqual(['booking.created', 'payment.failed']);
    const { state, payment_status, payment_url } = await s.booking(id);
    expect({ state, payment_status }).toEqual({ state: 'CONFIRMED', payment_status: 'PENDING' });
    expect(payment_url).not.toBeNull();
    await s.decide(id, 'success');
    expect(await s.booking(id)).toMatchObject({ payment_status: 'PAID' });
  });

  it('of a failure that comes after the success is too late', async () => {
    const { master_reservation_id: id } = await s.confirm([await s.listing()]);
    await s.decide(id, 'success');
    const outcome = { state: 'unpaid', final: true, reason: 'declined' };
    expect(await reportOf({ payment_id: id, outcome })).toBe('repeated');
    expect(await s.booking(id)).toMatchObject({ payment_status: 'PAID' });
    expect(await s.typesOf(id)).not.toContain('payment.failed');
  });

  it.each([
    ['another amount', (amount: number) => paidWith(amount - 1)],
    ['ten times the amount', (amount: number) => paidWith(amount * 10)],
    ['another currency', (amount: number) => paidWith(amount, 'sbt_other', 'USD')],
  ])('of %s is refused and reported', async (_, outcomeOf) => {
    const { master_reservation_id: id, estimated_total } = await s.confirm([await s.listing()]);
    expect(await reportOf({ payment_id: id, outcome: outcomeOf(estimated_total) })).toBe('mismatch');
    expect(await s.booking(id)).toMatchObject({ payment_status: 'PENDING' });
    expect(await s.typesOf(id)).toEqual(['booking.created']);
  });

  it('of a second charge gives that one back and leaves the booking PAID', async () => {
    const { master_reservation_id: id, estimated_total } = await s.confirm([await s.listing()]);
    await s.decide(id, 'success');
    expect(await reportOf({ payment_id: id, outcome: paidWith(estimated_total) })).toBe('taken');
    expect(await reportOf({ payment_id: id, outcome: paidWith(estimated_total) })).toBe('repeated');
    expect(s.server.find(id)?.refunds).toEqual({ 'charge-sbt_other': estimated_total });
    expect(await s.booking(id)).toMatchObject({ payment_status: 'PAID', state: 'CONFIRMED' });
    expect((await s.order(id)).payment).toMatchObject({ state: 'PAID', refunded: 0 });
  });

  it('of a cancelled booking gives the money back', async () => {
    const { master_reservation_id: id, estimated_total } = await s.confirm([await s.listing()]);
    expect((await s.cancel(id)).refund).toEqual({ amount: 0, status: 'NONE' });
    expect((await s.booking(id)).payment_url).toBeNull();
    expect(await s.decide(id, 'success')).toBe('taken');
    expect(s.money(id)).toEqual({ charged: estimated_total, back: estimated_total });
    expect(await s.booking(id)).toMatchObject({ state: 'CANCELLED', payment_status: 'REFUNDED' });
    expect(await s.typesOf(id)).toEqual(['booking.created', 'booking.cancelled', 'payment.refunded']);
  });

  it('of an order one of whose stays was cancelled pays the other, and refunds its part', async () => {
    const { master_reservation_id: id, reservations } = await s.confirm([
      await s.listing(),
      await s.listing({ full_rate: 2_500_000 }),
    ]);
    const [one, two] = reservations;
    await s.cancel(two!.id);
    await s.decide(id, 'success');
    expect(await s.booking(one!.id)).toMatchObject({ state: 'CONFIRMED', payment_status: 'PAID' });
    expect(await s.booking(two!.id)).toMatchObject({ state: 'CANCELLED', payment_status: 'REFUNDED' });
    expect(s.money(id).back).toBe(two!.total_price);
    expect((await s.order(id)).payment).toMatchObject({ state: 'PAID', refunded: two!.total_price });
  });

  it('of money that came too late says in its refund by which charge it came', async () => {
    const { master_reservation_id: id, estimated_total } = await s.confirm([await s.listing()]);
    await s.cancel(id);
    await s.decide(id, 'success');
    const emitted = (await s.events(id)).find(({ event_type }) => event_type === 'payment.refunded');
    expect(emitted?.data).toMatchObject({
      amount: estimated_total,
      refund: estimated_total,
      payment_transaction_id: s.server.find(id)?.transaction_id,
    });
  });

  it('of an earlier page for two stays, after both were cancelled, is refunded whole, whatever they cost by then', async () => {
    const home = () => s.listing({ refund_rule: 'Full refund until check-in' });
    const booked = await s.confirm([await home(), await home()]);
    const { master_reservation_id: id, reservations } = booked;
    const page = s.server.find(id)!;
    await changeBooking(s.guest, reservations[1]!.id, { check_out_date: '2027-02-05' });
    await s.cancel(id);
    s.server.decide(page, 'success');
    await s.report(page.reference);
    await s.reconcile();
    expect(s.money(id)).toEqual({ charged: page.amount, back: page.amount });
    const { amount_paid, amount_refunded } = await getFolio(s.owner, id);
    expect([amount_paid, amount_refunded]).toEqual([page.amount, page.amount]);
    const events = (await s.events(id)).filter(({ event_type }) => event_type === 'payment.refunded');
    const amounts = events.map(({ data }) => ('amount' in data ? data.amount : 0));
    expect(amounts).toEqual([page.amount / 2, page.amount / 2]);
    expect((await auditBooking(s.deps, id)).findings).toEqual([]);
  });

  it('of a page whose booking was never made gives the money back', async () => {
    const listing = await s.listing();
    const dying = testContext({ ...s.deps, table: crashingTable(s.deps.table, 0, 'before') }, s.guest.caller);
    await expect(confirmCheckout(dying, s.online([listing]))).rejects.toThrow('the process died');
    const sessions = s.wire.asked.filter((path) => path === '/sessions');
    expect(sessions).toHaveLength(1);
    const id = s.wire.opened[0]!;
    expect(await s.order(id)).toMatchObject({ order: undefined, payment: undefined });
    expect(await s.decide(id, 'success')).toBe('unknown');
    expect(s.money(id)).toMatchObject({ back: s.server.find(id)?.amount });
    expect((await s.order(id)).payment?.state).toBe('REFUNDED');
    expect(await s.report(id)).toBe('repeated');
  });

  it('of a failure of an unknown page is ignored', async () => {
    const id = freshId() * 16;
    const outcome = { state: 'unpaid', final: true, reason: 'declined' };
    expect(await reportOf({ payment_id: id, outcome })).toBe('unknown');
    expect((await s.order(id)).payment).toBeUndefined();
  });
});

describe('an unpaid page', () => {
  it('has its booking cancelled when the window ends, and the time is free', async () => {
    const listing = await s.listing();
    const { master_reservation_id: id } = await s.confirm([listing]);
    s.clock.advance(24 * hour - 1);
    await s.moveDue();
    expect(await s.booking(id)).toMatchObject({
      state: 'CONFIRMED',
      payment_url: expect.any(String) as string,
    });
    s.clock.advance(1);
    await s.moveDue();
    expect(await s.booking(id)).toMatchObject({ state: 'CANCELLED', payment_url: null });
    expect((await s.events(id)).at(-1)?.data).toMatchObject({ reason: 'The payment was not made in time.' });
    expect(await createCheckout(s.other, { items: s.items(listing) })).toBeDefined();
    await s.reconcile();
    expect((await s.order(id)).payment?.state).toBe('EXPIRED');
    expect(await s.due()).toEqual([]);
    await s.decide(id, 'success');
    expect(s.money(id)).toMatchObject({ back: s.server.find(id)?.amount });
    expect(await s.booking(id)).toMatchObject({ state: 'CANCELLED', payment_status: 'REFUNDED' });
  });

  it('is not cancelled once it is paid', async () => {
    const { master_reservation_id: id } = await s.confirm([await s.listing()]);
    s.clock.advance(23 * hour);
    await s.decide(id, 'success');
    s.clock.advance(2 * hour);
    await s.moveDue();
    expect(await s.booking(id)).toMatchObject({ state: 'CONFIRMED', payment_status: 'PAID' });
  });

  it('is closed soon after its booking was cancelled', async () => {
    const { master_reservation_id: id } = await s.confirm([await s.listing()]);
    await s.cancel(id);
    s.clock.advance(5 * minute);
    await s.reconcile();
    expect(s.server.find(id)?.state).toBe('closed');
    expect((await s.order(id)).payment?.state).toBe('EXPIRED');
    expect(await s.due()).toEqual([]);
  });

  it('has every stay of its order cancelled', async () => {
    const { master_reservation_id: id } = await s.confirm([await s.listing(), await s.listing()]);
    s.clock.advance(24 * hour);
    await s.moveDue();
    expect((await s.booking(id)).reservations.map(({ status }) => status)).toEqual([
      'CANCELLED',
      'CANCELLED',
    ]);
  });
});

describe('a report that was lost', () => {
  it('is made up for by asking the gateway, within 5 minutes', async () => {
    const { master_reservation_id: id } = await s.confirm([await s.listing()]);
    s.clock.advance(5 * minute);
    await s.reconcile();
    expect(await s.booking(id)).toMatchObject({ payment_status: 'PENDING' });
    s.server.decide(s.server.find(id)!, 'success');
    s.clock.advance(5 * minute);
    await s.reconcile();
    expect(await s.booking(id)).toMatchObject({ payment_status: 'PAID' });
    s.clock.advance(5 * minute);
    await s.reconcile();
    expect(await s.due()).toEqual([]);
    expect((await s.typesOf(id)).filter((type) => type === 'payment.paid')).toHaveLength(1);
  });

  it('of one payment does not keep the others when the gateway fails on it', async () => {
    const one = (await s.confirm([await s.listing()])).master_reservation_id;
    const two = (await s.confirm([await s.listing()])).master_reservation_id;
    for (const id of [one, two]) s.server.decide(s.server.find(id)!, 'success');
    s.wire.fault = (_, body) => ((body as { payment_id: number }).payment_id === one ? 'before' : undefined);
    s.clock.advance(5 * minute);
    expect(await s.reconcile()).toEqual({ reconciled: 1, failed: 1 });
    expect(await s.booking(two)).toMatchObject({ payment_status: 'PAID' });
    s.wire.fault = undefined;
    s.clock.advance(5 * minute);
    await s.reconcile();
    expect(await s.booking(one)).toMatchObject({ payment_status: 'PAID' });
  });

  it.each(['before', 'after'] as const)('survives a schedule that dies %s it is written', async (when) => {
    const { master_reservation_id: id } = await s.confirm([await s.listing()]);
    s.server.decide(s.server.find(id)!, 'success');
    s.clock.advance(5 * minute);
    const table = crashingTable(s.deps.table, 0, when);
    await reconcilePayments({ ...s.deps, table }).catch(() => undefined);
    s.clock.advance(5 * minute);
    await s.reconcile();
    expect(await s.booking(id)).toMatchObject({ payment_status: 'PAID' });
    expect((await s.typesOf(id)).filter((type) => type === 'payment.paid')).toHaveLength(1);
  });
});

describe('a payment that was made in time, its report lost until the window is over', () => {
  const paidLate = async (given: Parameters<PaymentScene['listing']>[0] = {}) => {
    const confirmed = await s.confirm([await s.listing(given)]);
    const id = confirmed.master_reservation_id;
    s.clock.advance(24 * hour - 3 * minute);
    s.server.decide(s.server.find(id)!, 'success');
    s.clock.advance(3 * minute);
    return { id, total: confirmed.estimated_total };
  };

  it('keeps the booking, CONFIRMED and PAID: the gateway is asked before anything is cancelled', async () => {
    const { id, total } = await paidLate();
    expect(await s.moveDue()).toEqual(nothingMoved);
    expect(await s.booking(id)).toMatchObject({ state: 'CONFIRMED', payment_status: 'PAID' });
    expect(s.money(id)).toEqual({ charged: total, back: 0 });
    expect(await s.typesOf(id)).toEqual(['booking.created', 'payment.paid']);
    expect(await s.report(id)).toBe('repeated');
  });

  it('keeps every stay of its order', async () => {
    const { master_reservation_id: id } = await s.confirm([await s.listing(), await s.listing()]);
    s.server.decide(s.server.find(id)!, 'success');
    s.clock.advance(24 * hour);
    await s.moveDue();
    expect((await s.booking(id)).reservations.map(({ status }) => status)).toEqual([
      'CONFIRMED',
      'CONFIRMED',
    ]);
    expect(s.money(id).back).toBe(0);
  });

  it('keeps it also when the report comes while the gateway is asked', async () => {
    const { id, total } = await paidLate();
    let reported: Promise<unknown> | undefined;
    s.wire.meanwhile = async (path) => {
      if (path === '/close') await (reported ??= s.report(id));
    };
    await s.moveDue();
    expect(await s.booking(id)).toMatchObject({ state: 'CONFIRMED', payment_status: 'PAID' });
    expect(s.money(id)).toEqual({ charged: total, back: 0 });
    expect((await s.typesOf(id)).filter((type) => type === 'payment.paid')).toHaveLength(1);
  });

  it('waits with growing delay while the gateway is down, and is found paid then', async () => {
    const { id, total } = await paidLate();
    s.wire.fault = () => 'before';
    const end = s.clock.now();
    for (const minutes of [5, 15, 35, 75]) {
      expect(await s.moveDue()).toEqual({ ...nothingMoved, failed: 1 });
      const [due] = await waitingIn(s.deps.table, dueBookings);
      expect(due?.due_at).toBe(end + minutes * minute);
      s.clock.set(new Date(due!.due_at).toISOString());
    }
    expect(await s.booking(id)).toMatchObject({ state: 'CONFIRMED', payment_status: 'PENDING' });
    s.wire.fault = undefined;
    await s.moveDue();
    expect(await s.booking(id)).toMatchObject({ state: 'CONFIRMED', payment_status: 'PAID' });
    expect(s.money(id)).toEqual({ charged: total, back: 0 });
    expect(await waitingIn(s.deps.table, dueBookings)).toEqual([]);
  });

  it('is cancelled after 6 hours without an answer, and the money goes back once the gateway answers', async () => {
    const { id, total } = await paidLate();
    s.wire.fault = () => 'before';
    const end = s.clock.now();
    for (;;) {
      const { cancelled } = await s.moveDue();
      if (cancelled > 0) break;
      expect(s.clock.now()).toBeLessThan(end + 6 * hour);
      s.clock.set(new Date((await waitingIn(s.deps.table, dueBookings))[0]!.due_at).toISOString());
    }
    expect(s.clock.now()).toBeGreaterThanOrEqual(end + 6 * hour);
    expect(s.clock.now()).toBeLessThan(end + 7 * hour);
    expect(await s.booking(id)).toMatchObject({ state: 'CANCELLED', payment_status: 'PENDING' });
    s.wire.fault = undefined;
    s.clock.advance(hour);
    await s.reconcile();
    expect(s.money(id)).toEqual({ charged: total, back: total });
    expect(await s.booking(id)).toMatchObject({ state: 'CANCELLED', payment_status: 'REFUNDED' });
  });
});

describe('a page that is still open when its window is over', () => {
  it('is closed at the gateway before its booking is cancelled', async () => {
    const { master_reservation_id: id } = await s.confirm([await s.listing()]);
    s.clock.advance(24 * hour);
    const seen: unknown[] = [];
    s.wire.meanwhile = async (path) => void seen.push([path, (await s.booking(id)).state]);
    expect(await s.moveDue()).toMatchObject({ cancelled: 1, failed: 0 });
    expect(seen).toEqual([['/close', 'CONFIRMED']]);
    expect(s.server.find(id)?.state).toBe('closed');
    expect((await s.order(id)).payment?.state).toBe('EXPIRED');
    expect((await s.booking(id)).state).toBe('CANCELLED');
  });

  it('leaves what was put off behind when the guest cancels meanwhile, and it comes to nothing', async () => {
    const { master_reservation_id: id } = await s.confirm([await s.listing()]);
    s.clock.advance(24 * hour);
    s.wire.fault = () => 'before';
    await s.moveDue();
    await s.cancel(id);
    s.wire.fault = undefined;
    s.clock.advance(hour);
    expect(await s.moveDue()).toEqual(nothingMoved);
    expect(await waitingIn(s.deps.table, dueBookings)).toEqual([]);
    expect((await s.typesOf(id)).filter((type) => type === 'booking.cancelled')).toHaveLength(1);
  });
});

describe('looking at an open payment', () => {
  it('by two runs at once leaves one place among the due ones', async () => {
    const { master_reservation_id: id } = await s.confirm([await s.listing()]);
    s.clock.advance(5 * minute);
    await Promise.all([s.reconcile(), s.reconcile()]);
    const due = await s.due();
    expect(due).toEqual([{ payment_id: id, due_at: s.clock.now() + 5 * minute }]);
  });

  it.runIf(countsUnits)('takes one Query, one question and one transaction of 4 WCU', async () => {
    await s.confirm([await s.listing()]);
    const spentBy = async () => {
      const spent: Consumption[] = [];
      await reconcilePayments({ ...s.deps, table: s.deps.table.measured((one) => spent.push(one)) });
      return { trips: spent.length, wcu: spent.reduce((sum, { writeUnits }) => sum + writeUnits, 0) };
    };
    const idle = await spentBy();
    s.clock.advance(5 * minute);
    s.wire.asked.length = 0;
    expect(await spentBy()).toEqual({ trips: idle.trips + 2, wcu: 4 });
    expect(s.wire.asked).toEqual(['/find']);
  });
});

describe('an external booking', () => {
  const partner = (collects_payment: boolean) => async () => {
    const listing = await s.listing();
    const caller: PartnerCaller = {
      kind: 'partner',
      key_id: freshId(),
      team_ids: [listing.team_id],
      collects_payment,
      rate_limit: null,
    };
    const ctx = testContext(s.deps, caller);
    const [item] = s.items(listing);
    const { booking } = await bookExternally(ctx, {
      ...item!,
      nights: 2,
      guest_info: { full_name: 'Bình', phone: '+84 912 345 678', email: 'binh@example.com' },
      payment_method: 'ONLINE_GATEWAY',
    } as never);
    return { ctx, booking };
  };

  it('has a payment_url for the partner to hand on, until its guest has paid', async () => {
    const { ctx, booking } = await partner(false)();
    expect(booking).toMatchObject({ status: 'CONFIRMED', payment_status: 'PENDING' });
    expect(booking.payment_url).toContain(`/sbx_${booking.master_reservation_id}_1`);
    expect(await getExternalBooking(ctx, booking.id)).toMatchObject({ payment_url: booking.payment_url });
    await s.decide(booking.master_reservation_id, 'success');
    const paid = await getExternalBooking(ctx, booking.id);
    expect(paid).toMatchObject({
      payment_status: 'PAID',
      payment_transaction_id: expect.any(String) as string,
    });
    expect(paid.payment_url).toBeNull();
  });

  it('of a partner that collects the money itself is PAID, and the gateway is not asked', async () => {
    const { booking } = await partner(true)();
    expect(booking).toMatchObject({ payment_status: 'PAID' });
    expect(booking.payment_url).toBeUndefined();
    expect(s.wire.asked).toEqual([]);
  });
});

describe('the page of an order of which a part was cancelled', () => {
  const three = async () => {
    const listings = [1, 2, 4].map((millions) => s.listing({ full_rate: millions * 1_000_000 }));
    const booked = await s.confirm(await Promise.all(listings));
    return { id: booked.master_reservation_id, stays: booked.reservations };
  };

  /** Cancels a stay; the worker of the event reconciles the payment. */
  const cancelled = async (id: number): Promise<void> => {
    await s.cancel(id);
    const data = { id, master_reservation_id: orderIdOf(id) };
    await refundCancelled(s.deps, { data } as Parameters<typeof refundCancelled>[1]);
  };

  it('asks for the rest, until the same deadline', async () => {
    const { id, stays } = await three();
    const before = await s.booking(id);
    const page = s.server.find(id)!;
    await cancelled(stays[1]!.id);
    expect(s.server.find(id)).toMatchObject({
      amount: stays[0]!.total_price + stays[2]!.total_price,
      ends_at: page.ends_at,
      state: 'open',
    });
    const { payment_url, payment_expires_at } = await s.booking(id);
    expect(payment_expires_at).toBe(before.payment_expires_at);
    expect(payment_url).not.toBe(before.payment_url);
    await cancelled(stays[2]!.id);
    await s.decide(id, 'success');
    expect(s.money(id)).toEqual({ charged: stays[0]!.total_price, back: 0 });
    expect(await s.booking(stays[0]!.id)).toMatchObject({ payment_status: 'PAID' });
    expect((await s.order(id)).payment).toMatchObject({ state: 'PAID', amount: stays[0]!.total_price });
    expect(await s.typesOf(id)).not.toContain('payment.refunded');
  });

  it('asks for it too when an attempt has failed', async () => {
    const { id, stays } = await three();
    await s.cancel(stays[1]!.id);
    await s.decide(id, 'failure');
    expect(s.server.find(id)).toMatchObject({ amount: stays[0]!.total_price + stays[2]!.total_price });
  });

  it('was paid before it was closed: the part of what was cancelled since goes back, and no other', async () => {
    const { id, stays } = await three();
    const [one, two, last] = stays;
    await cancelled(one!.id);
    const { reference, amount } = s.server.find(id)!;
    await cancelled(two!.id);
    expect(await reportOf({ payment_id: id, reference, outcome: paidWith(amount) })).toBe('taken');
    expect(s.server.find(reference)?.refunds).toEqual({ 'late-sbt_other': two!.total_price });
    expect((await s.order(id)).refunds).toMatchObject([{ reservation_ids: [two!.id] }]);
    expect(await s.booking(last!.id)).toMatchObject({ payment_status: 'PAID' });
    expect((await s.order(id)).payment).toMatchObject({ amount, refunded: two!.total_price, state: 'PAID' });
  });

  it('was paid by the gateway’s own name of the charge: its amount says by which page', async () => {
    const { id, stays } = await three();
    const whole = s.server.find(id)!.amount;
    await cancelled(stays[0]!.id);
    expect(await reportOf({ payment_id: id, reference: 'pi_1', outcome: paidWith(whole) })).toBe('taken');
    expect((await s.order(id)).refunds).toMatchObject([
      { refund_id: 'late-sbt_other', amount: stays[0]!.total_price },
    ]);
  });

  it('that the gateway cannot close is asked about, until the window ends', async () => {
    const { id, stays } = await three();
    const whole = s.server.find(id)!;
    const find = s.wire.gateway.find.bind(s.wire.gateway);
    const close = s.wire.gateway.close.bind(s.wire.gateway);
    s.wire.gateway.close = async () => ({ state: 'unpaid', final: false, reason: 'not paid yet' });
    await cancelled(stays[0]!.id);
    s.wire.gateway.close = close;
    const asked: string[] = [];
    s.wire.gateway.find = async (opened) => {
      asked.push(opened.reference);
      return opened.reference === whole.reference
        ? { state: 'paid', transaction_id: 'sbt_late', amount: whole.amount, currency: 'VND' }
        : find(opened);
    };
    s.clock.advance(6 * minute);
    await s.reconcile();
    expect(asked).toEqual([whole.reference]);
    expect(await s.booking(stays[1]!.id)).toMatchObject({ payment_status: 'PAID' });
    expect(s.server.find(whole.reference)?.refunds).toEqual({ 'late-sbt_late': stays[0]!.total_price });
  });

  it('is asked about when an earlier page was paid: a second charge goes back, reported or not', async () => {
    const { id, stays } = await three();
    const { reference, amount } = s.server.find(id)!;
    await cancelled(stays[0]!.id);
    const rest = s.server.find(id)!;
    const close = s.wire.gateway.close.bind(s.wire.gateway);
    const asked: string[] = [];
    s.wire.gateway.close = async (opened) => {
      asked.push(opened.reference);
      if (opened.reference !== rest.reference) return close(opened);
      return asked.length === 1
        ? { state: 'unpaid', final: false, reason: 'not paid yet' }
        : { state: 'paid', transaction_id: 'sbt_second', amount: rest.amount, currency: 'VND' };
    };
    expect(await reportOf({ payment_id: id, reference, outcome: paidWith(amount) })).toBe('taken');
    s.clock.advance(6 * minute);
    await s.reconcile();
    const often = asked.length;
    expect(new Set(asked)).toEqual(new Set([rest.reference]));
    s.clock.advance(6 * minute);
    await s.reconcile();
    expect(asked).toHaveLength(often);
    expect(s.server.find(id)?.refunds).toMatchObject({ 'charge-sbt_second': rest.amount });
    expect((await s.order(id)).payment?.earlier).toMatchObject([
      { reference },
      { reference: rest.reference },
    ]);
    expect(await s.booking(stays[1]!.id)).toMatchObject({ payment_status: 'PAID' });
  });
});

describe('a refund', () => {
  const refunded = () => {
    const opened: number[] = [];
    const refund = s.wire.gateway.refund.bind(s.wire.gateway);
    s.wire.gateway.refund = async (due) => {
      opened.push(due.opened_at);
      await refund(due);
    };
    return opened;
  };
  /** A first attempt that failed, and a second one an hour later. */
  const twoAttempts = async () => {
    const { master_reservation_id: id, estimated_total } = await s.confirm([await s.listing()]);
    const first = { opened_at: s.clock.now(), reference: s.server.find(id)!.reference };
    s.clock.advance(hour);
    await s.decide(id, 'failure');
    return { id, estimated_total, first, second: s.clock.now() };
  };

  it('of an attempt that was followed by another carries the date of its own', async () => {
    const { id, estimated_total, first } = await twoAttempts();
    const dates = refunded();
    const { reference } = first;
    await reportOf({ payment_id: id, reference, outcome: paidWith(estimated_total) });
    await s.cancel(id);
    await s.reconcile();
    expect([...new Set(dates)]).toEqual([first.opened_at]);
  });

  it('of a second charge too', async () => {
    const { id, estimated_total, first, second } = await twoAttempts();
    await s.decide(id, 'success');
    const dates = refunded();
    const { reference } = first;
    await reportOf({ payment_id: id, reference, outcome: paidWith(estimated_total) });
    await s.cancel(id);
    await s.reconcile();
    expect([...new Set(dates)]).toEqual([first.opened_at, second]);
  });
});

describe('found by the simulation of the whole service', () => {
  it('asks about the page of a cancelled booking until it can no longer be paid, where the gateway cannot close it', async () => {
    const { gateway } = s.deps.sandbox;
    const close: typeof gateway.close = async (opened) => (await gateway.find(opened)) as FinalOutcome;
    const deps = { ...s.deps, payments: () => ({ ...gateway, close }) };
    const { master_reservation_id: id } = await s.confirm([await s.listing()]);
    await s.cancel(id);
    await reconcilePayments(deps);
    // Paid on the page that is still open, and the report is lost.
    s.server.decide(s.server.find(id)!, 'success');
    s.clock.advance(6 * minute);
    await reconcilePayments(deps);
    const { charged, back } = s.money(id);
    expect(charged).toBeGreaterThan(0);
    expect(back).toBe(charged);
  });

  it('stops asking an hour after the window of such a page', async () => {
    const { gateway } = s.deps.sandbox;
    const close: typeof gateway.close = async (opened) => (await gateway.find(opened)) as FinalOutcome;
    const deps = { ...s.deps, payments: () => ({ ...gateway, close }) };
    const { master_reservation_id: id } = await s.confirm([await s.listing()]);
    await s.cancel(id);
    s.clock.advance(24 * hour + 10 * minute);
    await reconcilePayments(deps);
    expect((await s.order(id)).payment?.state).toBe('OPEN');
    s.clock.advance(hour);
    await reconcilePayments(deps);
    expect((await s.order(id)).payment?.state).toBe('EXPIRED');
  });

  it('refuses a report for now when it needs a gateway that does not respond', async () => {
    const { master_reservation_id: id } = await s.confirm([await s.listing()]);
    s.wire.fault = (path) => (path === '/sessions' ? 'before' : undefined);
    await expect(s.decide(id, 'failure')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    s.wire.fault = undefined;
    expect(await s.report(id)).toBe('taken');
  });
});

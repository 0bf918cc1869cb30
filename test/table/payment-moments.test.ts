import { beforeEach, describe, expect, it } from 'vitest';
import { getCancellation } from '../../shared/domain/booking/get-cancellation.ts';
import { acceptBooking } from '../../shared/domain/payment/accept-booking.ts';
import { moveDueBookings } from '../../shared/domain/payment/move-due-bookings.ts';
import { reconcilePayment } from '../../shared/domain/payment/reconcile-payments.ts';
import { systemContext } from '../../shared/platform/context.ts';
import { orderIdOf } from '../../shared/platform/ids.ts';
import { hour, minute, type PaymentScene, paymentScene } from '../support/payment-scene.ts';

let s: PaymentScene;
beforeEach(async () => {
  s = await paymentScene();
  await s.clear();
});

/** Reconciles a payment at a moment; returns whether it must be reconciled again. */
const reconciledAt = async (id: number, epochMs: number): Promise<boolean> => {
  s.clock.set(new Date(epochMs).toISOString());
  return (await reconcilePayment(systemContext(s.deps, 'test'), id)) !== undefined;
};
const paymentOf = async (id: number) => (await s.order(id)).payment!;
const opened = async () => {
  const { master_reservation_id: id } = await s.confirm([await s.listing()]);
  return { id, endsAt: (await paymentOf(id)).ends_at };
};
const notClosed = { state: 'unpaid', final: false, reason: 'not paid yet' } as const;

describe('an open page', () => {
  it('is closed at the millisecond at which its window ends, not before', async () => {
    const { id, endsAt } = await opened();
    expect(await reconciledAt(id, endsAt - 1)).toBe(true);
    expect((await paymentOf(id)).state).toBe('OPEN');
    expect(await reconciledAt(id, endsAt)).toBe(false);
    expect((await paymentOf(id)).state).toBe('EXPIRED');
  });

  it('has no further attempt when a failure is reported at the end of its window', async () => {
    const { id, endsAt } = await opened();
    s.clock.set(new Date(endsAt).toISOString());
    await s.decide(id, 'failure');
    expect(await paymentOf(id)).toMatchObject({ state: 'EXPIRED', attempt: 1 });
  });

  it('that the gateway cannot close is given up an hour later, to the millisecond', async () => {
    const { id, endsAt } = await opened();
    s.wire.gateway.close = async () => notClosed;
    expect(await reconciledAt(id, endsAt + hour - 1)).toBe(true);
    expect((await paymentOf(id)).state).toBe('OPEN');
    expect(await reconciledAt(id, endsAt + hour)).toBe(false);
    expect((await paymentOf(id)).state).toBe('EXPIRED');
  });

  it('of which nothing was cancelled is asked about, not replaced', async () => {
    const { id } = await opened();
    s.clock.advance(minute);
    await reconcilePayment(systemContext(s.deps, 'test'), id);
    expect(s.wire.asked.slice(-1)).toEqual(['/find']);
    expect((await paymentOf(id)).attempt).toBe(1);
  });
});

describe('the earlier page of a payment', () => {
  it.each(['PAID', 'REFUNDED'] as const)(
    'that is %s is asked about for an hour after the window, to the millisecond',
    async (state) => {
      const listings = [await s.listing(), await s.listing()];
      const { master_reservation_id: id, reservations } = await s.confirm(listings);
      const { ends_at: endsAt } = await paymentOf(id);
      await s.cancel(reservations[0]!.id);
      s.wire.gateway.close = async () => notClosed;
      await reconciledAt(id, s.clock.now());
      await s.decide(id, 'success');
      if (state === 'REFUNDED') await s.cancel(reservations[1]!.id);
      await reconciledAt(id, s.clock.now());
      expect(await paymentOf(id)).toMatchObject({ state, earlier: [{ may_be_paid: true }] });
      const asked: number[] = [];
      s.wire.gateway.close = async ({ now }) => {
        asked.push(now);
        return notClosed;
      };
      expect(await reconciledAt(id, endsAt + hour - 1)).toBe(true);
      expect(await reconciledAt(id, endsAt + hour)).toBe(false);
      expect(asked).toEqual([endsAt + hour - 1]);
    },
  );
});

describe('a charge that its confirm has left', () => {
  /** Returns the id of an order whose gateway was not reached. */
  const left = async (given: object = {}): Promise<number> => {
    const listing = await s.listing(given);
    s.wire.fault = (path) => (path === '/charge' ? 'before' : undefined);
    await expect(s.confirm([listing], 'tok_ok')).rejects.toMatchObject({
      code: 'PAYMENT_GATEWAY_UNAVAILABLE',
    });
    s.wire.fault = undefined;
    return s.wire.opened.at(-1)!;
  };

  it('is closed a minute after it was opened, not a millisecond earlier', async () => {
    const id = await left();
    const { opened_at: openedAt } = await paymentOf(id);
    const before = s.wire.asked.length;
    expect(await reconciledAt(id, openedAt + minute - 1)).toBe(true);
    expect([(await paymentOf(id)).state, s.wire.asked.length - before]).toEqual(['CHARGING', 0]);
    expect(await reconciledAt(id, openedAt + minute)).toBe(false);
    expect((await paymentOf(id)).state).toBe('FAILED');
  });

  it('has failed also where the gateway says that it may still be paid: its token is gone', async () => {
    const id = await left();
    s.wire.gateway.close = async () => notClosed;
    expect(await reconciledAt(id, s.clock.now() + minute)).toBe(false);
    expect((await paymentOf(id)).state).toBe('FAILED');
    expect((await s.order(id)).order?.state).toBe('RELEASED');
  });

  it('of a stay that its host accepts by hand has failed for the reason that the gateway gives', async () => {
    const id = await left({ instant_book_enabled: false });
    s.wire.gateway.find = async () => notClosed;
    await reconciledAt(id, s.clock.now() + minute);
    const [failed] = await s.events(orderIdOf(id));
    expect(failed).toMatchObject({ event_type: 'payment.failed', data: { reason: notClosed.reason } });
  });
});

it('a refund is offered until its deadline, to the millisecond, and not afterwards', async () => {
  const { master_reservation_id: id, estimated_total: total } = await s.confirm(
    [await s.listing()],
    'tok_ok',
  );
  const [first] = (await getCancellation(s.guest, id)).schedule;
  const deadline = Date.parse(first!.until!);
  const offeredAt = async (epochMs: number) => {
    s.clock.set(new Date(epochMs).toISOString());
    const { refund_now: now, schedule } = await getCancellation(s.guest, id);
    return { now: now.amount, schedule };
  };
  const nothing = { until: null, refund: 0 };
  expect(await offeredAt(deadline)).toEqual({
    now: total,
    schedule: [{ until: first!.until, refund: total }, nothing],
  });
  expect(await offeredAt(deadline + 1)).toEqual({ now: 0, schedule: [nothing] });
});

describe('an unpaid booking whose gateway does not answer', () => {
  it.each([
    ['is kept until a millisecond before 6 hours have passed', -1, 'CONFIRMED'],
    ['is cancelled when 6 hours have passed', 0, 'CANCELLED'],
  ])('%s', async (_, ms, state) => {
    const { id, endsAt } = await opened();
    s.wire.fault = () => 'before';
    s.clock.set(new Date(endsAt + 6 * hour + ms).toISOString());
    await moveDueBookings(s.deps);
    expect((await s.booking(id)).state).toBe(state);
  });
});

it('what was captured while the guest cancelled goes back at once, not with the next run', async () => {
  const { reservations } = await s.confirm([await s.listing({ instant_book_enabled: false })], 'tok_ok');
  const [{ id, total_price: total }] = reservations as [(typeof reservations)[number]];
  const capture = s.wire.gateway.capture.bind(s.wire.gateway);
  s.wire.gateway.capture = async (asked) => {
    const outcome = await capture(asked);
    await s.cancel(id);
    return outcome;
  };
  await expect(acceptBooking(s.owner, id)).rejects.toMatchObject({
    code: 'INVALID_STATE_TRANSITION',
  });
  expect(s.money(id)).toEqual({ charged: total, back: total });
});

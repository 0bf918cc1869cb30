import { beforeEach, describe, expect, it } from 'vitest';
import { markPaid } from '../../shared/domain/booking/take-payment.ts';
import { blockTime } from '../../shared/domain/calendar/block-time.ts';
import { confirmCheckout } from '../../shared/domain/checkout/confirm-checkout.ts';
import { releaseCheckout } from '../../shared/domain/checkout/release-checkout.ts';
import { reconcilePayment, reconcilePayments } from '../../shared/domain/payment/reconcile-payments.ts';
import { confirmRefund } from '../../shared/domain/payment/refunds.ts';
import { declineAuthorised } from '../../shared/domain/payment/book-charged.ts';
import { settlePayment } from '../../shared/domain/payment/settle-payment.ts';
import { systemContext } from '../../shared/platform/context.ts';
import { newOrderId } from '../../shared/platform/ids.ts';
import { RefundOutcomeUnknown } from '../../shared/platform/payment/index.ts';
import { interrupted, interruptedTable, writing } from '../support/interrupted.ts';
import { crashingTable, minute, type PaymentScene, paymentScene } from '../support/payment-scene.ts';
import { testContext } from '../support/table.ts';

let s: PaymentScene;
beforeEach(async () => {
  s = await paymentScene();
  await s.clear();
});

const gateway = () => systemContext(s.deps, 'anonymous');
const charged = (payment_id: number, amount: number, transaction_id: string) => ({
  payment_id,
  reference: s.server.find(payment_id)?.reference ?? `sbx_${payment_id}_1`,
  outcome: { state: 'paid' as const, transaction_id, amount, currency: 'VND' },
});

describe('between the reads and the write', () => {
  it('of a payment that a host notes, the guest cancels: it is not noted, and the stay stays cancelled', async () => {
    const items = s.items(await s.listing());
    const { master_reservation_id: id, reservations } = await confirmCheckout(s.guest, {
      items,
      payment_method: 'CASH',
    });
    const ctx = interrupted(s.owner, () => s.cancel(reservations[0]!.id));
    await expect(markPaid(ctx, id)).rejects.toMatchObject({ code: 'INVALID_STATE_TRANSITION' });
    expect(await s.booking(id)).toMatchObject({ state: 'CANCELLED', payment_status: 'PENDING' });
  });

  it('of a release, a lapsed checkout is confirmed: the booking stays', async () => {
    const listing = await s.listing();
    const { checkout_id } = await s.hold([listing]);
    s.clock.advance(16 * minute);
    // Rewrites the month without the lapsed lock.
    await blockTime(s.owner, listing.id, { block_date: '2027-02-20' });
    const confirm = () => confirmCheckout(s.guest, { checkout_id, payment_method: 'CASH' });
    await expect(releaseCheckout(interrupted(s.guest, confirm), checkout_id)).rejects.toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
    });
    expect((await s.order(checkout_id)).order?.state).toBe('BOOKED');
  });
});

describe('between the reads of an order and of its months', () => {
  const before = { before: 'CalendarMonth' };

  it('the checkout is confirmed: it is not released', async () => {
    const { checkout_id } = await s.hold([await s.listing()]);
    const confirm = () => confirmCheckout(s.guest, { checkout_id, payment_method: 'CASH' });
    await expect(releaseCheckout(interrupted(s.guest, confirm, before), checkout_id)).rejects.toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
    });
    expect((await s.order(checkout_id)).order?.state).toBe('BOOKED');
  });

  it('a declined payment has released the order: it is released once', async () => {
    const { checkout_id } = await s.hold([await s.listing()]);
    const dying = testContext({ ...s.deps, table: crashingTable(s.deps.table, 0, 'after') }, s.guest.caller);
    const { items: _, ...request } = s.online([], 'tok_ok');
    await expect(confirmCheckout(dying, { ...request, checkout_id })).rejects.toThrow('died');
    const decline = () => declineAuthorised(s.guest, checkout_id, 'declined');
    await declineAuthorised(interrupted(s.guest, decline, before), checkout_id, 'declined');
    expect((await s.order(checkout_id)).order?.state).toBe('RELEASED');
    expect((await s.typesOf(checkout_id)).filter((type) => type === 'payment.failed')).toHaveLength(1);
  });
});

describe('what goes back', () => {
  it('of two stays is counted once each, also when both are noted at once', async () => {
    const stays = [await s.listing(), await s.listing({ full_rate: 3_000_000 })];
    const { master_reservation_id: id, reservations, estimated_total } = await s.confirm(stays, 'tok_ok');
    await s.cancel(reservations[0]!.id);
    const refund = () => Promise.reject(new RefundOutcomeUnknown('type 03'));
    await reconcilePayments({ ...s.deps, payments: () => ({ ...s.wire.gateway, refund }) });
    const [unsure] = (await s.order(id)).refunds;
    await s.cancel(reservations[1]!.id);
    const table = interruptedTable(s.deps.table, writing('Payment'), () => s.reconcile());
    await confirmRefund({ ...s.deps, table }, unsure!);
    const { payment, refunds } = await s.order(id);
    expect(refunds.map(({ state }) => state)).toEqual(['DONE', 'DONE']);
    expect(payment).toMatchObject({ state: 'REFUNDED', refunded: estimated_total });
  });

  it('of a second charge is not due again when its report comes twice at once', async () => {
    const { master_reservation_id: id, estimated_total } = await s.confirm([await s.listing()], 'tok_ok');
    const second = charged(id, estimated_total, 'sbt_other');
    const ctx = interrupted(gateway(), async () => {
      await settlePayment(gateway(), second);
      await s.reconcile();
    });
    expect(await settlePayment(ctx, second)).toBe('repeated');
    expect((await s.order(id)).refunds).toMatchObject([{ transaction_id: 'sbt_other', state: 'DONE' }]);
  });

  it('of two charges for no booking is both, and the first to be written stays the payment', async () => {
    const id = newOrderId(s.clock);
    const ctx = interrupted(gateway(), () => settlePayment(gateway(), charged(id, 700_000, 'sbt_one')));
    await settlePayment(ctx, charged(id, 700_000, 'sbt_two'));
    const { payment, refunds } = await s.order(id);
    expect(payment?.transaction_id).toBe('sbt_one');
    expect(refunds.map(({ transaction_id }) => transaction_id).sort()).toEqual(['sbt_one', 'sbt_two']);
  });
});

describe('a refund that two runs ask for at once', () => {
  /** Another run handles the same refund while the gateway answers the first. */
  const refundTwice = async (first: () => Promise<void>, second: () => Promise<void>) => {
    const { master_reservation_id: id, reservations } = await s.confirm([await s.listing()], 'tok_ok');
    await s.cancel(reservations[0]!.id);
    const answers = [first, second];
    const errors: string[] = [];
    const log = { ...s.deps.log, error: (message: string) => void errors.push(message) };
    const run = () => reconcilePayment({ ...systemContext(s.deps, 'test'), log }, id);
    s.wire.gateway.refund = async () => {
      const answer = answers.shift()!;
      if (answers.length > 0) await run();
      await answer();
    };
    await run();
    const { refunds, reservations: after } = await s.order(id);
    return { states: refunds.map(({ state }) => state), stay: after[0]?.payment_status, errors };
  };
  const made = () => Promise.resolve();
  const repeated = () => Promise.reject(new RefundOutcomeUnknown('94'));

  it('is made when the gateway says so to the first, and takes the second for a repetition', async () => {
    expect(await refundTwice(made, repeated)).toMatchObject({ states: ['DONE'], stay: 'REFUNDED' });
  });

  it('calls no person when the second has recorded it', async () => {
    expect(await refundTwice(repeated, made)).toEqual({ states: ['DONE'], stay: 'REFUNDED', errors: [] });
  });
});

it('two runs at once leave an open payment due once', async () => {
  await s.confirm([await s.listing()]);
  s.clock.advance(6 * minute);
  const table = interruptedTable(s.deps.table, writing('DuePayment'), async () => {
    s.clock.advance(minute);
    await s.reconcile();
  });
  await reconcilePayments({ ...s.deps, table });
  expect(await s.due()).toHaveLength(1);
});

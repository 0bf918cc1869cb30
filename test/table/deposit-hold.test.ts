import { beforeEach, describe, expect, it, vi } from 'vitest';
import { auditBooking } from '../../shared/domain/audit/index.ts';
import {
  cancelBooking,
  changeDeposit,
  getBooking,
  getFolio,
  markNoShow,
  moveBooking,
} from '../../shared/domain/booking/index.ts';
import type { DepositRequest } from '../../shared/domain/booking/folio.schema.ts';
import { changeBooking, confirmCheckout } from '../../shared/domain/checkout/index.ts';
import { changeHold, reconcilePayments } from '../../shared/domain/payment/index.ts';
import { reconcilePayment } from '../../shared/domain/payment/reconcile-payments.ts';
import { reconcileDeposit } from '../../shared/domain/payment/reconcile-deposit.ts';
import { DuePaymentEntity, PaymentEntity } from '../../shared/domain/payment/payment.entity.ts';
import { readStatement } from '../../shared/domain/statement/index.ts';
import { type Context, systemContext } from '../../shared/platform/context.ts';
import { orderIdOf, orderPartition } from '../../shared/platform/ids.ts';
import type { OpenedPayment } from '../../shared/platform/payment/index.ts';
import { remove, type Table } from '../../shared/platform/table/index.ts';
import type { UserCaller } from '../../shared/platform/auth.ts';
import { interrupted } from '../support/interrupted.ts';
import { besideFunctions } from '../support/rights/as-function.ts';
import { crashingTable, hour, minute, paymentScene, type PaymentScene } from '../support/payment-scene.ts';

let s: PaymentScene;
beforeEach(async () => {
  s = await paymentScene();
  await s.clear();
});

const deposit = 500_000;
const card = { method: 'ONLINE_GATEWAY' } as const;
const note = 'A broken lamp';
/** 48 hours before a check-in at 14:00 in Vietnam. */
const from = Date.parse('2027-02-02T07:00:00.000Z');
const at = (epochMs: number): void => s.clock.set(new Date(epochMs).toISOString());

const book = async (given: object = {}, check_out_date = '2027-02-06'): Promise<number> => {
  const { id } = await s.listing({
    security_deposit: deposit,
    refund_rule: 'Full refund until check-in',
    ...given,
  });
  const items = [{ listing_id: id, check_in_date: '2027-02-04', check_out_date, guest_number: 2 }];
  return (await confirmCheckout(s.guest, { items, payment_method: 'CASH' })).reservations[0]!.id;
};
const folio = (id: number) => getFolio(s.owner, id);
const depositOf = async (id: number) => (await folio(id)).security_deposit;
const take = (id: number, amount = deposit, ctx: Context = s.owner) =>
  changeHold(ctx, id, { action: 'TAKE', amount, ...card });
const release = (id: number, ctx: Context = s.owner, amount = deposit) =>
  changeHold(ctx, id, { action: 'RETURN', amount, ...card });
const keep = (id: number, amount = 200_000, ctx: Context = s.owner) =>
  changeHold(ctx, id, { action: 'KEEP', amount, ...card, note });
const holdOf = async (id: number): Promise<number> =>
  (await s.order(orderIdOf(id))).reservations.find(({ reservation_id }) => reservation_id === id)!
    .deposit_hold!.payment_id;
const stateOf = async (payment_id: number) => (await s.deps.table.get(PaymentEntity, { payment_id }))!.state;
const atGateway = (payment_id: number) => {
  const { state, captured } = s.server.find(payment_id)!;
  return captured === undefined ? state : `${state} ${captured}`;
};
const changesOf = async (id: number) =>
  (await s.events(orderIdOf(id)))
    .filter(({ event_type }) => event_type === 'booking.deposit_changed')
    .map(({ data }) => data as unknown as { action: string; amount: number; reason: string | null })
    .map(({ action, amount, reason }) => [action, amount, reason]);
const kindsOf = async (id: number) =>
  (await folio(id)).postings.slice(1).map(({ kind, amount, method }) => [kind, amount, method]);
const requireSound = async (id: number): Promise<void> =>
  // Nothing here schedules and runs the ends of stays.
  expect(
    (await auditBooking(s.deps, id)).findings.filter(
      ({ rule }) => rule !== 'due-booking-missing' && rule !== 'work-late',
    ),
  ).toEqual([]);
/** The owner, whose process dies at its n-th transaction. */
const crashing = (nth: number, when: 'before' | 'after'): Context<UserCaller> => {
  const table = crashingTable(s.deps.table, nth, when);
  const commit: Context['commit'] = async (writes, answer) => {
    await table.transact(writes);
    return answer;
  };
  return { ...s.owner, table, commit };
};

/** The table, where something else happens once, after the first reading of an order. */
const afterReading = (id: number, meanwhile: () => Promise<unknown>): Table => {
  const { table } = s.deps;
  let isOver = false;
  const queryAllMixed: Table['queryAllMixed'] = async (range) => {
    const found = await table.queryAllMixed(range);
    const isNow = !isOver && range.pk === orderPartition(orderIdOf(id));
    isOver ||= isNow;
    if (isNow) await besideFunctions(meanwhile);
    return found;
  };
  return new Proxy(table, {
    get: (target, name) => {
      if (name === 'queryAllMixed') return queryAllMixed;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
};

/** A stay whose guest has authorised the deposit. */
const authorised = async (given: object = {}): Promise<{ id: number; hold: number }> => {
  const id = await book(given);
  at(from);
  await take(id);
  const hold = await holdOf(id);
  await s.decide(hold, 'success');
  return { id, hold };
};

describe('a security deposit on a card', () => {
  it('is authorised on a page from 48 hours before check-in, and is in no other sum', async () => {
    const id = await book();
    at(from - 1);
    await expect(take(id)).rejects.toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
      details: { authorised_from: new Date(from).toISOString() },
    });
    at(from);
    const before = await folio(id);
    const page = (await take(id)).security_deposit;
    expect(page).toEqual({
      ...{ amount: deposit, held: 0, authorised: 0, kept: 0, returned: 0 },
      payment_url: expect.stringMatching(/^http/) as unknown,
      payment_expires_at: new Date(from + 24 * hour).toISOString(),
    });
    expect((await getBooking(s.guest, id)).security_deposit).toEqual(page);
    expect((await take(id)).security_deposit).toEqual(page);
    const hold = await holdOf(id);
    await s.decide(hold, 'success');
    const after = await folio(id);
    expect(after).toEqual({
      ...before,
      security_deposit: {
        ...{ amount: deposit, held: deposit, authorised: deposit, kept: 0, returned: 0 },
        ...{ payment_url: null, payment_expires_at: null },
      },
      postings: after.postings,
    });
    expect(await kindsOf(id)).toEqual([['deposit_taken', deposit, 'ONLINE_GATEWAY']]);
    expect(await changesOf(id)).toEqual([['TAKE', deposit, null]]);
    expect(await stateOf(hold)).toBe('AUTHORISED');
    await expect(take(id, 1)).rejects.toMatchObject({ code: 'INVALID_STATE_TRANSITION' });
    await requireSound(id);
  });

  it('is noted once, however often and late it is reported, and without a report', async () => {
    const { id, hold } = await authorised();
    await Promise.all([s.report(hold), s.report(hold), s.reconcile()]);
    expect(await changesOf(id)).toHaveLength(1);
    const other = await book();
    await take(other);
    s.server.decide(s.server.find(await holdOf(other))!, 'success');
    at(from + 5 * minute);
    await s.reconcile();
    expect((await depositOf(other)).authorised).toBe(deposit);
  });

  it('is kept in part: that is captured, the rest released', async () => {
    const { id, hold } = await authorised();
    at(from + 49 * hour);
    await moveBooking(s.owner, id, 'check_in');
    expect((await keep(id)).security_deposit).toMatchObject({
      ...{ held: 0, authorised: 0, kept: 200_000, returned: 300_000 },
    });
    expect(atGateway(hold)).toBe('paid 200000');
    expect(await stateOf(hold)).toBe('PAID');
    expect(await changesOf(id)).toEqual([
      ['TAKE', deposit, null],
      ['KEEP', 200_000, note],
      ['RETURN', 300_000, null],
    ]);
    expect((await folio(id)).postings.at(-2)).toMatchObject({
      ...{ kind: 'deposit_kept', payment_id: hold, reference: s.server.find(hold)!.transaction_id },
    });
    expect((await folio(id)).amount_paid).toBe(0);
    await requireSound(id);
    await expect(keep(id, 1)).rejects.toMatchObject({ code: 'INVALID_STATE_TRANSITION' });
    expect((await depositOf(id)).kept).toBe(200_000);
  });

  it('is income that the gateway has collected', async () => {
    const { id } = await authorised();
    await keep(id);
    const { listing_id } = (await s.order(orderIdOf(id))).reservations[0]!;
    const { rows } = await readStatement(s.owner, '2027-02');
    const row = rows.find((one) => one.listing_id === listing_id)!;
    expect(row).toMatchObject({ fees: 200_000, cash_on_hand: 0 });
    expect(row.collected.filter(({ payments }) => payments > 0)).toEqual([
      { collector: 'GATEWAY', payments: 200_000, refunds: 0 },
    ]);
  });

  it('is released as a whole', async () => {
    const { id, hold } = await authorised();
    await expect(release(id, s.owner, 100_000)).rejects.toMatchObject({
      details: {
        issues: [{ path: 'amount', message: 'must be 500000: the gateway releases it as a whole' }],
      },
    });
    expect((await release(id)).security_deposit).toMatchObject({ held: 0, authorised: 0, returned: deposit });
    expect(atGateway(hold)).toBe('closed');
    expect(await stateOf(hold)).toBe('VOIDED');
    expect(await changesOf(id)).toEqual([
      ['TAKE', deposit, null],
      ['RETURN', deposit, null],
    ]);
    // It can be asked for again.
    expect((await take(id)).security_deposit.payment_url).not.toBeNull();
    await requireSound(id);
  });

  it('is apart from what the host has in cash', async () => {
    const id = await book();
    at(from);
    const desk = (given: Omit<DepositRequest, 'method'>) =>
      changeDeposit(s.owner, id, {
        ...given,
        ...(given.action === 'KEEP' ? {} : { method: 'CASH' as const }),
      });
    await desk({ action: 'TAKE', amount: 100_000 });
    await expect(take(id)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    await take(id, 400_000);
    await s.decide(await holdOf(id), 'success');
    await expect(desk({ action: 'RETURN', amount: 100_001 })).rejects.toMatchObject({
      details: { issues: [{ message: 'must be at most 100000 VND, which is held' }] },
    });
    await expect(keep(id, 400_001)).rejects.toMatchObject({
      details: { issues: [{ message: 'must be at most 400000 VND, which is authorised' }] },
    });
    await desk({ action: 'KEEP', amount: 100_000, note });
    expect((await keep(id, 400_000)).security_deposit).toMatchObject({ held: 0, kept: 500_000, returned: 0 });
  });

  it('is released by itself 48 hours after check-out', async () => {
    const { id, hold } = await authorised();
    at(from + 49 * hour);
    await moveBooking(s.owner, id, 'check_in');
    at(from + 60 * hour);
    await s.reconcile();
    await moveBooking(s.owner, id, 'check_out');
    for (let looks = 0; looks < 8; looks++) {
      expect(atGateway(hold)).toBe('authorised');
      const [next] = (await s.due()).filter(({ payment_id }) => payment_id === hold);
      expect(next!.due_at).toBeLessThanOrEqual(from + 108 * hour);
      at(next!.due_at);
      await s.reconcile();
    }
    expect(s.clock.now()).toBe(from + 108 * hour);
    expect(atGateway(hold)).toBe('closed');
    expect((await changesOf(id)).at(-1)).toEqual([
      'RETURN',
      deposit,
      '48 hours have passed since check-out.',
    ]);
    expect(await s.due()).toEqual([]);
    await requireSound(id);
  });

  it('of a guest who was not checked out is released 48 hours after the end', async () => {
    const { id, hold } = await authorised();
    const { end_at } = (await s.order(orderIdOf(id))).reservations[0]!;
    const until = Date.parse(`${end_at.slice(0, 16)}:00.000Z`) - 7 * hour + 48 * hour;
    at(until - 1);
    await s.reconcile();
    expect(atGateway(hold)).toBe('authorised');
    at(until);
    await s.reconcile();
    expect(atGateway(hold)).toBe('closed');
  });

  it('is released by the next run where the booking is cancelled, and where the guest does not come', async () => {
    const { id, hold } = await authorised();
    await cancelBooking(s.guest, id);
    await s.reconcile();
    expect(atGateway(hold)).toBe('closed');
    expect((await changesOf(id)).at(-1)).toEqual(['RETURN', deposit, 'The booking fell through.']);
    const missed = await authorised();
    at(from + 73 * hour);
    await markNoShow(s.owner, missed.id);
    await s.reconcile();
    expect(atGateway(missed.hold)).toBe('closed');
    for (const one of [id, missed.id]) await requireSound(one);
  });

  it('of a guest who cancels after check-in is released 48 hours after the end', async () => {
    const [{ id, hold }, other] = [await authorised(), await authorised()];
    at(from + 48 * hour - 1);
    await cancelBooking(s.guest, other.id);
    at(from + 48 * hour);
    await cancelBooking(s.guest, id);
    await s.reconcile();
    expect([atGateway(other.hold), atGateway(hold)]).toEqual(['closed', 'authorised']);
    expect(await depositOf(id)).toMatchObject({ held: deposit, authorised: deposit });
    at(from + 142 * hour - 1);
    await s.reconcile();
    expect(atGateway(hold)).toBe('authorised');
    at(from + 142 * hour);
    await s.reconcile();
    expect(atGateway(hold)).toBe('closed');
    expect((await depositOf(id)).held).toBe(0);
    await requireSound(id);
  });

  it('can be kept of a guest who has cancelled after check-in', async () => {
    const { id } = await authorised();
    at(from + 60 * hour);
    await cancelBooking(s.guest, id);
    await s.reconcile();
    expect((await keep(id)).security_deposit).toMatchObject({ held: 0, kept: 200_000, returned: 300_000 });
  });

  it('is not released by a run that has read its payment before another noted it', async () => {
    const id = await book();
    at(from);
    await take(id);
    const hold = await holdOf(id);
    s.server.decide(s.server.find(hold)!, 'success');
    const late = afterReading(hold, () => reconcilePayment(systemContext(s.deps, 'test'), hold));
    await reconcileDeposit({ ...systemContext(s.deps, 'test'), table: late }, hold);
    expect(atGateway(hold)).toBe('authorised');
    expect(await changesOf(id)).toEqual([['TAKE', deposit, null]]);
  });

  it('is audited: one that nothing would release is found', async () => {
    const { id, hold } = await authorised();
    await requireSound(id);
    for (const due of await s.due()) await s.deps.table.transact([remove(DuePaymentEntity, due)]);
    const { findings } = await auditBooking(s.deps, id);
    expect(findings).toContainEqual(
      expect.objectContaining({
        rule: 'due-payment-missing',
        where: expect.objectContaining({ payment_id: hold }) as unknown,
      }),
    );
  });

  it('whose page is open is not authorised after a cancellation', async () => {
    const id = await book();
    at(from);
    await take(id);
    const hold = await holdOf(id);
    await cancelBooking(s.guest, id);
    await s.decide(hold, 'success');
    expect(atGateway(hold)).toBe('closed');
    expect(await stateOf(hold)).toBe('EXPIRED');
    expect(await changesOf(id)).toEqual([]);
  });

  it('that the gateway has ended is shown as returned, and can be asked for again', async () => {
    const { id, hold } = await authorised();
    await s.deps.sandbox.server.answer('/close', { reference: s.server.find(hold)!.reference });
    at(from + 7 * hour);
    await s.reconcile();
    expect((await depositOf(id)).held).toBe(0);
    expect((await changesOf(id)).at(-1)).toEqual(['RETURN', deposit, 'The authorisation has ended.']);
    await take(id);
    expect((await depositOf(id)).payment_url).not.toBeNull();
  });

  it('that cannot be captured has ended, which the host is answered', async () => {
    const { id, hold } = await authorised();
    await s.deps.sandbox.server.answer('/close', { reference: s.server.find(hold)!.reference });
    await expect(keep(id)).rejects.toMatchObject({ code: 'PAYMENT_DECLINED' });
    expect(await depositOf(id)).toMatchObject({ held: 0, kept: 0, returned: deposit });
    expect((await changesOf(id)).at(-1)).toEqual(['RETURN', deposit, 'It could not be captured: closed']);
    await requireSound(id);
  });

  it('that no guest has authorised says so when its page ends', async () => {
    const id = await book();
    at(from);
    await take(id);
    const hold = await holdOf(id);
    at(from + 24 * hour);
    expect((await depositOf(id)).payment_url).toBeNull();
    await s.reconcile();
    expect(await stateOf(hold)).toBe('EXPIRED');
    expect(await changesOf(id)).toEqual([['FAIL', deposit, 'It was not authorised.']]);
    expect(await s.due()).toEqual([]);
  });

  it('is authorised on the newest page alone', async () => {
    const id = await book();
    at(from);
    await take(id);
    const before = await holdOf(id);
    await take(id, 300_000);
    const hold = await holdOf(id);
    await s.decide(before, 'success');
    expect([atGateway(before), await stateOf(before)]).toEqual(['closed', 'EXPIRED']);
    await s.decide(hold, 'success');
    expect(await depositOf(id)).toMatchObject({ held: 300_000, authorised: 300_000 });
    expect(await changesOf(id)).toEqual([['TAKE', 300_000, null]]);
  });

  it('has one page that counts where two clerks open one at once', async () => {
    const id = await book();
    at(from);
    await Promise.all([take(id), take(id, 300_000)]);
    const hold = await holdOf(id);
    for (const payment of new Set(s.wire.opened)) {
      // The address of a page that was not written is not published.
      if (!(await s.deps.table.get(PaymentEntity, { payment_id: payment }))) continue;
      s.server.decide(s.server.find(payment)!, 'success');
      at(s.clock.now() + 5 * minute);
      await s.reconcile();
      expect(atGateway(payment)).toBe(payment === hold ? 'authorised' : 'closed');
    }
    const { held, authorised: onCard } = await depositOf(id);
    expect([held, onCard]).toEqual([s.server.find(hold)!.amount, held]);
    await requireSound(id);
  });

  it('is asked for once by two clerks who want the same', async () => {
    const id = await book();
    at(from);
    let other = '';
    const late = interrupted(s.owner, async () => {
      other = (await take(id)).security_deposit.payment_url ?? '';
    });
    expect((await take(id, deposit, late)).security_deposit.payment_url).toBe(other);
  });

  it('is released where the desk has taken it meanwhile', async () => {
    const id = await book();
    at(from);
    await take(id);
    const hold = await holdOf(id);
    await changeDeposit(s.owner, id, { action: 'TAKE', amount: deposit, method: 'CASH' });
    await s.decide(hold, 'success');
    expect(atGateway(hold)).toBe('closed');
    expect(await depositOf(id)).toMatchObject({ held: deposit, authorised: 0 });
    // The guest has authorised it: the reason blames no one.
    expect((await changesOf(id)).at(-1)).toEqual(['FAIL', deposit, 'It was not authorised.']);
  });

  it('stays as it is through a change of the stay, until 48 hours after the new check-out', async () => {
    const { id, hold } = await authorised();
    await changeBooking(s.owner, id, { check_out_date: '2027-02-07' });
    at(from + 7 * hour);
    await s.reconcile();
    expect(await depositOf(id)).toMatchObject({ held: deposit, authorised: deposit });
    expect(atGateway(hold)).toBe('authorised');
  });

  it('stays asked for while its page is open, and is asked for anew once that has ended', async () => {
    const id = await book();
    at(from);
    const { payment_url: url } = (await take(id)).security_deposit;
    const hold = await holdOf(id);
    at(from + 5 * minute);
    await s.reconcile();
    expect(await stateOf(hold)).toBe('OPEN');
    expect((await s.due()).map(({ due_at }) => due_at)).toEqual([from + 10 * minute]);
    at(from + 24 * hour - 1);
    expect((await take(id)).security_deposit.payment_url).toBe(url);
    at(from + 24 * hour);
    expect((await take(id)).security_deposit.payment_url).not.toBe(url);
    await s.reconcile();
    expect(await stateOf(hold)).toBe('EXPIRED');
    expect(await stateOf(await holdOf(id))).toBe('OPEN');
  });

  it('whose page is open is closed by the next run after a cancellation', async () => {
    const id = await book();
    at(from);
    await take(id);
    const hold = await holdOf(id);
    await cancelBooking(s.guest, id);
    await s.reconcile();
    expect([atGateway(hold), await stateOf(hold)]).toEqual(['closed', 'EXPIRED']);
    expect(await changesOf(id)).toEqual([]);
  });

  it('whose page ends with a refused card is not authorised, and the event says so', async () => {
    const id = await book();
    at(from);
    await take(id);
    const hold = await holdOf(id);
    await s.decide(hold, 'failure');
    expect(await stateOf(hold)).toBe('EXPIRED');
    expect(await changesOf(id)).toEqual([['FAIL', deposit, 'It was not authorised.']]);
  });

  it('is not asked for any more 48 hours after check-out', async () => {
    const id = await book({}, '2027-02-14');
    at(from + 49 * hour);
    await moveBooking(s.owner, id, 'check_in');
    await moveBooking(s.owner, id, 'check_out');
    at(from + 97 * hour);
    await expect(take(id)).rejects.toMatchObject({
      ...{
        code: 'INVALID_STATE_TRANSITION',
        message: 'A security deposit is authorised until 48 hours after check-out.',
      },
    });
    at(from + 97 * hour - 1);
    expect((await take(id)).security_deposit.payment_url).not.toBeNull();
  });

  it('of a booking that was completed meanwhile is not authorised', async () => {
    const id = await book();
    at(from + 49 * hour);
    await moveBooking(s.owner, id, 'check_in');
    await moveBooking(s.owner, id, 'check_out');
    await take(id);
    const hold = await holdOf(id);
    await moveBooking(s.owner, id, 'complete');
    await s.decide(hold, 'success');
    expect(atGateway(hold)).toBe('closed');
    expect((await depositOf(id)).held).toBe(0);
  });

  it('is on one card alone: the rest is taken at the desk', async () => {
    const id = await book();
    at(from);
    await take(id, 300_000);
    await s.decide(await holdOf(id), 'success');
    await expect(take(id, 200_000)).rejects.toMatchObject({
      ...{
        code: 'INVALID_STATE_TRANSITION',
        message: 'A card is authorised already; take the rest at the desk.',
      },
    });
    await changeDeposit(s.owner, id, { action: 'TAKE', amount: 200_000, method: 'CASH' });
    expect(await depositOf(id)).toMatchObject({ held: deposit, authorised: 300_000 });
  });

  it('that has ended is not asked about again', async () => {
    const { id, hold } = await authorised();
    await release(id);
    s.wire.asked.length = 0;
    expect(await reconcilePayment(systemContext(s.deps, 'test'), hold)).toBeUndefined();
    expect(s.wire.asked).toEqual([]);
  });

  it('of a gateway that keeps its pages open is asked about for an hour after the end', async () => {
    const id = await book();
    at(from);
    await take(id);
    const hold = await holdOf(id);
    const close = async () => ({ state: 'unpaid', final: false, reason: 'open' }) as const;
    const ctx = systemContext({ ...s.deps, payments: () => ({ ...s.deps.sandbox.gateway, close }) }, 'test');
    at(from + 25 * hour - 1);
    expect(await reconcilePayment(ctx, hold)).toBe(s.clock.now() + 5 * minute);
    at(from + 25 * hour);
    expect(await reconcilePayment(ctx, hold)).toBeUndefined();
    expect(await stateOf(hold)).toBe('EXPIRED');
  });

  it('is refused by a gateway that authorises nothing on its page', async () => {
    const id = await book();
    at(from);
    const payments = () => ({ ...s.deps.sandbox.gateway, refusal: () => 'no' });
    await expect(take(id, deposit, { ...s.owner, payments })).rejects.toMatchObject({
      ...{ code: 'VALIDATION_ERROR', details: { issues: [{ path: 'method', message: 'no' }] } },
    });
  });
});

describe('a decision about a security deposit on a card', () => {
  it.each(['before', 'after'] as const)('goes on without an answer of the gateway (%s)', async (fault) => {
    const { id, hold } = await authorised();
    s.wire.fault = (path) => (path === '/capture' ? fault : undefined);
    await expect(keep(id)).rejects.toMatchObject({ code: 'PAYMENT_GATEWAY_UNAVAILABLE' });
    expect((await depositOf(id)).held).toBe(deposit);
    s.wire.fault = undefined;
    await expect(keep(id, 100_000)).rejects.toMatchObject({ code: 'INVALID_STATE_TRANSITION' });
    await expect(release(id)).rejects.toMatchObject({ code: 'INVALID_STATE_TRANSITION' });
    at(from + 5 * minute);
    await s.reconcile();
    expect(atGateway(hold)).toBe('paid 200000');
    expect(await depositOf(id)).toMatchObject({ held: 0, kept: 200_000, returned: 300_000 });
    const [, kept] = await changesOf(id);
    expect(kept).toEqual(['KEEP', 200_000, note]);
    const stay = (await s.order(orderIdOf(id))).reservations[0]!;
    expect(stay.deposit_hold).toBeUndefined();
    expect(stay.postings!.map(({ actor }) => actor).slice(1)).toEqual([
      `user:${s.owner.caller.user_id}`,
      `user:${s.owner.caller.user_id}`,
    ]);
  });

  it.each(['before', 'after'] as const)('to release goes on without an answer (%s)', async (fault) => {
    const { id, hold } = await authorised();
    s.wire.fault = (path) => (path === '/close' ? fault : undefined);
    await expect(release(id)).rejects.toMatchObject({ code: 'PAYMENT_GATEWAY_UNAVAILABLE' });
    s.wire.fault = undefined;
    expect((await release(id)).security_deposit).toMatchObject({ held: 0, returned: deposit });
    expect(atGateway(hold)).toBe('closed');
  });

  it('is made once by two clerks at once, whatever they want', async () => {
    const { id, hold } = await authorised();
    const both = await Promise.allSettled([keep(id, 200_000), release(id)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const { held, kept, returned } = await depositOf(id);
    expect([held, kept + returned]).toEqual([0, deposit]);
    expect(kept === 0 ? 'closed' : 'paid 200000').toBe(atGateway(hold));
    const other = await authorised();
    const same = await Promise.allSettled([keep(other.id), keep(other.id), s.reconcile()]);
    expect(same.map(({ status }) => status)).toContain('fulfilled');
    expect(await depositOf(other.id)).toMatchObject({ held: 0, kept: 200_000, returned: 300_000 });
    expect(await changesOf(other.id)).toHaveLength(3);
  });

  it('that the schedule makes first is answered as made', async () => {
    const { id, hold } = await authorised();
    s.wire.meanwhile = async (path) => {
      if (path !== '/capture') return;
      s.wire.meanwhile = undefined;
      await reconcilePayment(systemContext(s.deps, 'test'), hold);
    };
    expect((await keep(id)).security_deposit).toMatchObject({ kept: 200_000, returned: 300_000 });
    expect(await changesOf(id)).toHaveLength(3);
  });

  it('that the schedule makes first, in vain, is answered as refused', async () => {
    const { id, hold } = await authorised();
    s.wire.meanwhile = async (path) => {
      if (path !== '/capture') return;
      s.wire.meanwhile = undefined;
      await s.server.answer('/close', { reference: s.server.find(hold)!.reference });
      await reconcilePayment(systemContext(s.deps, 'test'), hold);
    };
    await expect(keep(id)).rejects.toMatchObject({ code: 'PAYMENT_DECLINED' });
    const other = await authorised();
    s.wire.meanwhile = async (path) => {
      if (path !== '/close') return;
      s.wire.meanwhile = undefined;
      await reconcilePayment(systemContext(s.deps, 'test'), other.hold);
    };
    expect((await release(other.id)).security_deposit).toMatchObject({ held: 0, returned: deposit });
  });

  it('that another clerk makes between the reads is answered as made', async () => {
    const { id } = await authorised();
    const late = { ...s.owner, table: afterReading(id, () => keep(id)) };
    expect((await keep(id, 200_000, late)).security_deposit).toMatchObject({ kept: 200_000, held: 0 });
    const other = await authorised();
    const lateToo = { ...s.owner, table: afterReading(other.id, () => release(other.id)) };
    expect((await release(other.id, lateToo)).security_deposit).toMatchObject({ returned: deposit, held: 0 });
    expect(await changesOf(id)).toHaveLength(3);
    expect(await changesOf(other.id)).toHaveLength(2);
  });

  it('to capture what the gateway refuses leaves nothing authorised', async () => {
    const { id, hold } = await authorised();
    const capture = async () => ({ state: 'unpaid', final: true, reason: 'too small' }) as const;
    const payments = () => ({ ...s.deps.sandbox.gateway, capture });
    await expect(keep(id, 1, { ...s.owner, payments })).rejects.toMatchObject({
      ...{ code: 'PAYMENT_DECLINED', details: { reason: 'too small' } },
    });
    expect(atGateway(hold)).toBe('closed');
    expect((await changesOf(id)).at(-1)).toEqual(['RETURN', deposit, 'It could not be captured: too small']);
    const late = await authorised();
    const captureLate = async (opened: OpenedPayment) => {
      await s.deps.sandbox.gateway.capture(opened);
      return capture();
    };
    const both = () => ({ ...s.deps.sandbox.gateway, capture: captureLate });
    expect((await keep(late.id, 200_000, { ...s.owner, payments: both })).security_deposit).toMatchObject({
      ...{ kept: 200_000, returned: 300_000 },
    });
  });

  it('goes on beside what the desk takes at the same time', async () => {
    const id = await book();
    at(from);
    await take(id, 400_000);
    await s.decide(await holdOf(id), 'success');
    s.wire.meanwhile = async (path) => {
      if (path !== '/capture') return;
      s.wire.meanwhile = undefined;
      await changeDeposit(s.owner, id, { action: 'TAKE', amount: 100_000, method: 'CASH' });
    };
    expect((await keep(id)).security_deposit).toMatchObject({
      held: 100_000,
      kept: 200_000,
      returned: 200_000,
    });
    expect(await changesOf(id)).toHaveLength(4);
  });

  it('is open while the gateway does not say that it is made', async () => {
    const { id, hold } = await authorised();
    const capture = async () => ({ state: 'unpaid', final: false, reason: 'processing' }) as const;
    const payments = () => ({ ...s.deps.sandbox.gateway, capture });
    await expect(keep(id, 200_000, { ...s.owner, payments })).rejects.toMatchObject({
      code: 'PAYMENT_GATEWAY_UNAVAILABLE',
    });
    expect(await stateOf(hold)).toBe('CAPTURING');
  });

  it.each([
    [0, 'before', 'authorised', 0],
    [0, 'after', 'paid 200000', 200_000],
    [1, 'before', 'paid 200000', 200_000],
    [1, 'after', 'paid 200000', 200_000],
  ] as const)('survives a crash at transaction %i (%s)', async (nth, when, state, kept) => {
    const { id, hold } = await authorised();
    await expect(keep(id, 200_000, crashing(nth, when))).rejects.toThrow('the process died');
    at(from + 5 * minute);
    await reconcilePayments(s.deps);
    expect(atGateway(hold)).toBe(state);
    expect((await depositOf(id)).kept).toBe(kept);
    await requireSound(id);
  });

  it('is noted where the deposit was captured at the gateway by hand', async () => {
    const { id, hold } = await authorised();
    await s.server.answer('/capture', { reference: s.server.find(hold)!.reference, captures: 50_000 });
    await s.report(hold);
    expect(await depositOf(id)).toMatchObject({ held: 0, kept: 50_000, returned: 450_000 });
    expect((await changesOf(id))[1]).toEqual(['KEEP', 50_000, 'It was captured at the gateway.']);
  });

  it('is reported to a person where it was captured by hand and no booking has it', async () => {
    const id = await book();
    at(from);
    await take(id);
    const hold = await holdOf(id);
    s.server.decide(s.server.find(hold)!, 'success');
    await take(id, 300_000);
    await s.server.answer('/capture', { reference: s.server.find(hold)!.reference });
    const log = { ...s.deps.log, error: vi.fn() };
    await reconcilePayment(systemContext({ ...s.deps, log }, 'test'), hold);
    expect(log.error).toHaveBeenCalledWith(
      'A deposit was captured that no booking has.',
      expect.objectContaining({ payment_id: hold, amount: deposit }),
    );
    expect(await stateOf(hold)).toBe('PAID');
    expect(await changesOf(id)).toEqual([]);
  });
});

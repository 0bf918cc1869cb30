import { beforeAll, expect, it } from 'vitest';
import { auditBooking } from '../../shared/domain/audit/index.ts';
import {
  addCharge,
  cancelBooking,
  correctPayment,
  markNoShow,
  markPaid,
  refundBooking,
  removeCharge,
  returnRefund,
  takePayment,
} from '../../shared/domain/booking/index.ts';
import { findOrder } from '../../shared/domain/booking/booking.store.ts';
import { ReservationEntity } from '../../shared/domain/booking/reservation.entity.ts';
import { addAdjustment, changeBooking, removeAdjustment } from '../../shared/domain/checkout/index.ts';
import { openDuePage } from '../../shared/domain/payment/index.ts';
import type { Adjustment } from '../../shared/domain/pricing/model.ts';
import { confirmCheckout } from '../../shared/domain/checkout/confirm-checkout.ts';
import { ServiceError } from '../../shared/platform/errors.ts';
import { orderIdOf } from '../../shared/platform/ids.ts';
import { paymentScene, type PaymentScene } from '../support/payment-scene.ts';

const runs = 200;
const steps = 12;

let s: PaymentScene;
beforeAll(async () => {
  s = await paymentScene();
});

/** Numbers from 0 to `below`, the same for the same seed. */
const drawing = (start: number) => {
  let seed = start;
  return (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor(seed / 65_536) % below;
  };
};

const stayOf = async (id: number) =>
  (await s.deps.table.get(ReservationEntity, { order_id: orderIdOf(id), reservation_id: id }))!;

const home = () =>
  s.listing({
    refund_rule: 'Full refund until check-in',
    ...{ guest_included_in_rate: 2, extra_adult_rate: 100_000, maximum_guest: 6 },
  });

const book = async (draw: (below: number) => number) => {
  const homes = [await home(), await home()];
  if (draw(4) > 0) return s.confirm(homes, 'tok_ok');
  if (draw(2) > 0) return s.confirm(homes);
  return confirmCheckout(s.guest, { items: s.items(...homes), payment_method: 'BANK_TRANSFER' });
};

/** The guest pays on the newest page of a payment, if there is one. */
const pay = async (payment: number | undefined): Promise<unknown> =>
  payment !== undefined && s.server.find(payment)?.state === 'open' && s.decide(payment, 'success');

/** What may happen to the money of an order of two stays, by guest, hosts and gateway. */
const next = async (draw: (below: number) => number, order: number, id: number): Promise<unknown> => {
  const { postings = [], pending_change: pending, due_page: page } = await stayOf(id);
  const found = await findOrder(s.deps.table, order);
  const item = found.order?.items.find(({ reservation_id }) => reservation_id === id);
  const adjusted = item?.request.adjustments ?? [];
  const flags = { as_credit: draw(2) > 0, charge_later: draw(2) > 0 };
  const amount = (1 + draw(40)) * 50_000;
  const guests = { guest_number: 1 + draw(6) };
  const which = draw(2) > 0 ? order : id;
  const acts: (() => Promise<unknown>)[] = [
    () => takePayment(s.owner, which, { amount, method: 'CASH', overpaid: draw(2) > 0 }),
    () => correctPayment(s.owner, id, 1 + draw(postings.length + 1), 'A slip'),
    () => changeBooking(s.owner, id, { ...guests, charge_later: true }),
    () => changeBooking(s.owner, id, { ...guests, charge_later: true }),
    () => changeBooking(s.guest, id, { ...guests, check_out_date: `2027-02-0${5 + draw(4)}` }),
    () => s.reconcile(),
    () => pay(pending),
    () => pay(order),
    () => markPaid(s.owner, order),
    () => addCharge(s.owner, id, { label: 'Minibar', amount, quantity: 1 + draw(2) }),
    () => removeCharge(s.owner, id, 1 + draw(postings.length + 1), 'A slip'),
    () => openDuePage(s.owner, id),
    () => pay(page),
    () => addAdjustment(s.owner, id, { ...adjustmentOf(draw), ...flags }),
    () => removeAdjustment(s.owner, id, adjusted[draw(adjusted.length)]?.id ?? 0),
    () => changeBooking(s.owner, id, { ...guests, price: 'KEEP' }),
    () => changeBooking(s.owner, id, { adjustments: [], ...flags }),
    () =>
      refundBooking(s.owner, id, { amount, reason: 'Credit', ...(draw(2) > 0 ? { method: 'CASH' } : {}) }),
    () => returnRefund(s.owner, id, 1 + draw(postings.length + 1)),
    async () => draw(3) === 0 && cancelBooking(draw(2) > 0 ? s.owner : s.guest, which),
    async () => draw(3) === 0 && markNoShow(s.owner, id),
  ];
  return acts[draw(acts.length)]!();
};

const adjustmentOf = (draw: (below: number) => number): Adjustment =>
  draw(2) > 0
    ? { label: 'Cold shower', amount: -(1 + draw(20)) * 30_000, reason: 'GOODWILL' }
    : { label: 'A dog', percent: 1 + draw(30), reason: 'SURCHARGE' };

/** Tries one; what is refused changes nothing. */
const attempt = async (act: Promise<unknown>): Promise<boolean> => {
  try {
    await act;
    return true;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return false;
  }
};

it(`in ${runs} random histories the folios of two stays by one charge agree with gateway, events and audit`, async () => {
  const counts = { done: 0, refused: 0 };
  for (let run = 1; run <= runs; run++) {
    const draw = drawing(run);
    const { master_reservation_id: order, reservations } = await book(draw);
    const ids = reservations.map(({ id }) => id);
    const payments = new Set([order]);
    const audited = async (when: string) =>
      expect((await auditBooking(s.deps, order)).findings, `${when} of run ${run}`).toEqual([]);
    for (let step = 1; step <= steps; step++) {
      const isDone = await attempt(next(draw, order, ids[draw(2)]!));
      counts[isDone ? 'done' : 'refused']++;
      for (const { pending_change = order, due_page = order } of await Promise.all(ids.map(stayOf)))
        payments.add(pending_change).add(due_page);
      await audited(`step ${step}`);
    }
    for (let again = 0; again < 3; again++) await s.reconcile();
    await audited('the end');
    const stays = await Promise.all(ids.map(stayOf));
    const posted = stays
      .flatMap(({ postings = [] }) => postings)
      .reduce((sum, { payment_id, refund_id, amount }) => {
        if (payment_id !== undefined) return sum + amount;
        return refund_id === undefined ? sum : sum - amount;
      }, 0);
    const kept = [...payments].reduce((sum, id) => sum + s.money(id).charged - s.money(id).back, 0);
    expect(posted, `run ${run}`).toBe(kept);
  }
  expect(Math.min(counts.done, counts.refused)).toBeGreaterThan(runs);
}, 240_000);

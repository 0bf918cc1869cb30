import { beforeEach, describe, expect, it } from 'vitest';
import { violationsOf } from '../../shared/domain/audit/audit-rule.rules.ts';
import { dueRules } from '../../shared/domain/audit/due-audit.rules.ts';
import { cancelBooking } from '../../shared/domain/booking/cancel-booking.ts';
import { dueBookings } from '../../shared/domain/booking/due-booking.store.ts';
import { moveBooking } from '../../shared/domain/booking/move-booking.ts';
import { markPaid } from '../../shared/domain/booking/take-payment.ts';
import { confirmCheckout } from '../../shared/domain/checkout/confirm-checkout.ts';
import { orderIdOf } from '../../shared/platform/ids.ts';
import { waitingIn } from '../support/due.ts';
import { answerOf, playOperator } from '../support/operator.ts';
import { nothingMoved, paymentScene, type PaymentScene } from '../support/payment-scene.ts';

/** An instant at which no other test has stays, so that `--from` leaves them all out. */
const at = '2041-03-01T03:00:00.000Z';
const stay = { check_in_date: '2041-03-04', check_out_date: '2041-03-06', guest_number: 2 };
const dayAfterEnd = Date.parse('2041-03-07T05:00:00.000Z');
const hourMs = 3_600_000;

let s: PaymentScene;
beforeEach(async () => {
  s = await paymentScene();
  await s.clear();
  s.clock.set(at);
});

/** Books as it was done before ends were scheduled: no consumer has listed it. */
const book = async (given: Parameters<PaymentScene['listing']>[0] = {}): Promise<number> => {
  const { id: listing_id } = await s.listing(given);
  const { reservations } = await confirmCheckout(s.guest, {
    items: [{ listing_id, ...stay }],
    payment_method: 'CASH',
  });
  return reservations[0]!.id;
};

const scheduleEnds = async (...flags: string[]) =>
  answerOf<Record<string, unknown>>(
    await playOperator(s.deps, ['booking', 'schedule-ends', '--rate', '10000', ...flags]),
  );
const ends = async () =>
  (await waitingIn(s.deps.table, dueBookings))
    .filter(({ due_at }) => due_at === dayAfterEnd)
    .map(({ reservation_id }) => reservation_id)
    .sort((one, other) => one - other);
const stateOf = async (id: number) => (await s.booking(id)).state;

describe('operator booking schedule-ends', () => {
  it('lists the end of open stays that have none, so that the schedule moves them and the audit agrees', async () => {
    const [unpaid, paid, inHouse, waits, gone, left] = [
      ...[await book(), await book(), await book()],
      ...[await book({ instant_book_enabled: false }), await book(), await book()],
    ] as [number, number, number, number, number, number];
    await cancelBooking(s.guest, gone);
    await markPaid(s.owner, paid);
    s.clock.set('2041-03-04T08:00:00.000Z');
    for (const id of [inHouse, left]) await moveBooking(s.owner, id, 'check_in');
    await moveBooking(s.owner, left, 'check_out');
    const findings = async () => {
      const found = await s.order(orderIdOf(unpaid));
      const audited = { ...found, order_id: 0, events: [], change_orders: [], now: s.clock.now() };
      const listed = { audited, dueBookings: new Set(await ends()), duePayments: new Set<number>() };
      return violationsOf(dueRules, listed).map(({ rule }) => rule);
    };
    expect(await findings()).toEqual(['due-booking-missing']);

    const open = [unpaid, paid, inHouse, waits].sort((one, other) => one - other);
    expect(await scheduleEnds('--from', at, '--dry-run')).toMatchObject({ would_schedule: 4, ended: 0 });
    expect(await ends()).toEqual([]);
    expect(await scheduleEnds('--from', at)).toEqual({ scheduled: 4, ended: 0 });
    expect(await ends()).toEqual(open);
    expect(await findings()).toEqual([]);
    expect(await scheduleEnds('--from', at)).toEqual({ scheduled: 0, ended: 0 });

    s.clock.set(new Date(dayAfterEnd).toISOString());
    await s.moveDue();
    expect(await Promise.all([unpaid, paid, inHouse, waits, gone, left].map(stateOf))).toEqual([
      ...['NO_SHOW', 'COMPLETED', 'CHECKED_OUT', 'CANCELLED', 'CANCELLED', 'COMPLETED'],
    ]);
  });

  it('has the next run move a stay that has ended, unless --from leaves it out', async () => {
    const id = await book();
    s.clock.set(new Date(dayAfterEnd + hourMs).toISOString());
    const end = dayAfterEnd - 24 * hourMs;
    const after = new Date(end + 1).toISOString();
    expect(await scheduleEnds('--from', after)).toEqual({ scheduled: 0, ended: 0 });
    expect(await s.moveDue()).toEqual(nothingMoved);
    expect(await scheduleEnds('--from', new Date(end).toISOString())).toEqual({ scheduled: 1, ended: 1 });
    expect(await s.moveDue()).toEqual({ ...nothingMoved, no_show: 1 });
    expect(await stateOf(id)).toBe('NO_SHOW');
  });
});

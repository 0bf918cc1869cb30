import { randomInt } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { icalWorker } from '../../functions/workers/ical/index.ts';
import { searchIndexWorker } from '../../functions/workers/search-index/index.ts';
import { exportCalendar } from '../../shared/domain/ical/export-calendar.ts';
import { listFeeds } from '../../shared/domain/ical/list-feeds.ts';
import { CellReader } from '../../shared/domain/search/cell-reader.ts';
import { searchListings } from '../../shared/domain/search/search-listings.ts';
import { SearchQuery } from '../../shared/domain/search/search.schema.ts';
import type { EventType } from '../../shared/events.ts';
import { typesOf } from '../../shared/subscriptions.ts';
import { testContext, testUser } from '../support/table.ts';
import { listIndexWorker } from '../../functions/workers/list-index/index.ts';
import { refundsWorker } from '../../functions/workers/refunds/index.ts';
import { getCancellation } from '../../shared/domain/booking/get-cancellation.ts';
import { violationsOf } from '../../shared/domain/audit/audit-rule.rules.ts';
import { paymentRules } from '../../shared/domain/audit/payment-audit.rules.ts';
import { findOrderWithEvents } from '../../shared/domain/booking/booking.store.ts';
import { cancelBooking } from '../../shared/domain/booking/cancel-booking.ts';
import { declineBooking } from '../../shared/domain/booking/decline-booking.ts';
import { dueBookings, scheduleEnds } from '../../shared/domain/booking/due-booking.store.ts';
import { createReview } from '../../shared/domain/listing/reviews.ts';
import type { UserCaller } from '../../shared/platform/auth.ts';
import type { Context } from '../../shared/platform/context.ts';
import { markNoShow } from '../../shared/domain/booking/mark-no-show.ts';
import { moveBooking } from '../../shared/domain/booking/move-booking.ts';
import { markPaid } from '../../shared/domain/booking/take-payment.ts';
import { changeBooking } from '../../shared/domain/checkout/index.ts';
import { CalendarDraft } from '../../shared/domain/calendar/calendar-draft.store.ts';
import { confirmCheckout } from '../../shared/domain/checkout/confirm-checkout.ts';
import { acceptBooking } from '../../shared/domain/payment/accept-booking.ts';
import { moveDueBookings } from '../../shared/domain/payment/move-due-bookings.ts';
import { reconcilePayments } from '../../shared/domain/payment/reconcile-payments.ts';
import { waitingIn } from '../support/due.ts';
import { eventsOf, queueEvent } from '../support/events.ts';
import { interrupted, interruptedTable } from '../support/interrupted.ts';
import { crashingTable, paymentScene, type PaymentScene } from '../support/payment-scene.ts';

const cutOff = '2027-02-04T17:00:00.000Z'; // midnight after the check-in date in Ho Chi Minh City
const dayAfterEnd = '2027-02-07T05:00:00.000Z';
const price = 2_200_000;
const refused = { code: 'INVALID_STATE_TRANSITION' };

let s: PaymentScene;
beforeEach(async () => {
  s = await paymentScene();
  await s.clear();
});

interface Booked {
  id: number;
  order: number;
  listing: number;
}

const book = async (
  method: 'CASH' | 'ONLINE_GATEWAY' = 'CASH',
  { token, byHand = false }: { token?: string; byHand?: boolean } = {},
): Promise<Booked> => {
  const { id: listing } = await s.listing({ instant_book_enabled: !byHand });
  const { master_reservation_id: order, reservations } = await confirmCheckout(s.guest, {
    items: s.items({ id: listing }),
    payment_method: method,
    ...(token === undefined ? {} : { payment_gateway_token: token }),
  });
  return { id: reservations[0]!.id, order, listing };
};

const taken = async ({ listing }: Booked): Promise<string[]> => {
  const time = { calendar_id: listing, listing_id: listing };
  const year = { ...time, start_at: '2027-01-01T00:00:00', end_at: '2028-01-01T00:00:00' };
  const draft = await CalendarDraft.load(s.deps.table, [year], s.clock.now());
  return draft.taken(year).map(({ start_at, end_at }) => `${start_at.slice(5, 13)} ${end_at.slice(5, 13)}`);
};
const stateOf = async ({ order }: Booked) => {
  const { state, payment_status } = (await s.order(order)).reservations[0]!;
  return [state, payment_status];
};
const types = ({ order }: Booked) => s.typesOf(order);
const due = () => waitingIn(s.deps.table, dueBookings);
const created = async ({ order }: Booked) =>
  (await eventsOf(s.deps.table, `ORDER#${order}`)).filter(
    ({ event_type }) => event_type === 'booking.created',
  );

describe('of two moves at once the first counts, and the other is refused:', () => {
  it('a decline and the guest’s cancellation', async () => {
    const one = await book('CASH', { byHand: true });
    await expect(
      declineBooking(
        interrupted(s.owner, () => cancelBooking(s.guest, one.id)),
        one.id,
      ),
    ).rejects.toMatchObject(refused);
    expect(await types(one)).toEqual(['booking.created', 'booking.cancelled']);
    const other = await book('CASH', { byHand: true });
    await expect(
      cancelBooking(
        interrupted(s.guest, () => declineBooking(s.owner, other.id)),
        other.id,
      ),
    ).rejects.toMatchObject(refused);
    expect(await types(other)).toEqual(['booking.created', 'booking.declined']);
    expect([await taken(one), await taken(other)]).toEqual([[], []]);
  });

  it('a decline and the host’s acceptance', async () => {
    const one = await book('ONLINE_GATEWAY', { token: 'tok_ok', byHand: true });
    await expect(
      declineBooking(
        interrupted(s.owner, () => acceptBooking(s.owner, one.id)),
        one.id,
      ),
    ).rejects.toMatchObject(refused);
    expect(await stateOf(one)).toEqual(['CONFIRMED', 'PAID']);
    const other = await book('ONLINE_GATEWAY', { token: 'tok_ok', byHand: true });
    await expect(
      acceptBooking(
        interrupted(s.owner, () => declineBooking(s.owner, other.id)),
        other.id,
      ),
    ).rejects.toMatchObject(refused);
    await s.reconcile();
    expect(await stateOf(other)).toEqual(['CANCELLED', 'PENDING']);
    expect(s.server.find(other.id)).toMatchObject({ state: 'closed' });
  });

  it('a no-show and the check-in', async () => {
    const [one, other] = [await book(), await book()];
    s.clock.set(cutOff);
    await expect(
      markNoShow(
        interrupted(s.owner, () => moveBooking(s.owner, one.id, 'check_in')),
        one.id,
      ),
    ).rejects.toMatchObject(refused);
    expect(await types(one)).toEqual(['booking.created', 'booking.checked_in']);
    expect(await taken(one)).toEqual(['02-04T14 02-06T12']);
    await expect(
      moveBooking(
        interrupted(s.owner, () => markNoShow(s.owner, other.id)),
        other.id,
        'check_in',
      ),
    ).rejects.toMatchObject(refused);
    expect(await types(other)).toEqual(['booking.created', 'booking.no_show']);
    expect(await taken(other)).toEqual(['02-04T14 02-05T00']);
  });

  it('three no-shows: one frees the hours, which another guest may book meanwhile', async () => {
    const one = await book();
    s.clock.set(cutOff);
    const all = await Promise.allSettled([1, 2, 3].map(() => markNoShow(s.owner, one.id)));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const items = [{ ...s.items({ id: one.listing })[0]!, check_in_date: '2027-02-05' }];
    await confirmCheckout(s.other, { items, payment_method: 'CASH' });
    await expect(markNoShow(s.owner, one.id)).rejects.toMatchObject(refused);
    expect(await taken(one)).toEqual(['02-04T14 02-05T00', '02-05T14 02-06T12']);
    expect((await types(one)).filter((type) => type === 'booking.no_show')).toHaveLength(1);
  });

  it('a review and the no-show of a stay that was completed without check-in', async () => {
    const one = await book();
    await markPaid(s.owner, one.id);
    await scheduleEnds(s.deps, [one.id]);
    s.clock.set('2027-02-07T05:00:00.000Z');
    await s.moveDue();
    await expect(
      createReview(interrupted(s.guest, () => markNoShow(s.owner, one.id)) as Context<UserCaller>, one.id, {
        rating: 5,
        comment: '',
      }),
    ).rejects.toMatchObject(refused);
    const [stay] = (await s.order(one.order)).reservations;
    expect([stay?.state, stay?.review_id]).toEqual(['NO_SHOW', undefined]);
  });

  it('a review that comes first stays with the no-show', async () => {
    const one = await book();
    await markPaid(s.owner, one.id);
    await scheduleEnds(s.deps, [one.id]);
    s.clock.set('2027-02-07T05:00:00.000Z');
    await s.moveDue();
    const review = await createReview(s.guest, one.id, { rating: 5, comment: '' });
    await markNoShow(s.owner, one.id);
    const [stay] = (await s.order(one.order)).reservations;
    expect([stay?.state, stay?.review_id]).toEqual(['NO_SHOW', review.id]);
  });

  it('a no-show and a payment on site: the payment is not lost', async () => {
    const one = await book();
    s.clock.set(cutOff);
    const answer = await markNoShow(
      interrupted(s.owner, () => markPaid(s.owner, one.id)),
      one.id,
    );
    expect(answer).toMatchObject({ state: 'NO_SHOW', payment_status: 'PAID', refund: { amount: 0 } });
    expect(await types(one)).toEqual(['booking.created', 'payment.paid', 'booking.no_show']);
  });

  it('the undoing of a check-in and the check-out', async () => {
    const [one, other] = [await book(), await book()];
    s.clock.set(cutOff);
    for (const { id } of [one, other]) await moveBooking(s.owner, id, 'check_in');
    await expect(
      moveBooking(
        interrupted(s.owner, () => moveBooking(s.owner, one.id, 'check_out')),
        one.id,
        'undo_check_in',
      ),
    ).rejects.toMatchObject(refused);
    expect(await stateOf(one)).toEqual(['CHECKED_OUT', 'PENDING']);
    await expect(
      moveBooking(
        interrupted(s.owner, () => moveBooking(s.owner, other.id, 'undo_check_in')),
        other.id,
        'check_out',
      ),
    ).rejects.toMatchObject(refused);
    expect(await stateOf(other)).toEqual(['CONFIRMED', 'PENDING']);
    expect(await taken(other)).toEqual(['02-04T14 02-06T12']);
  });
});

describe('the schedule of a stay that has ended', () => {
  const listEnd = async (one: Booked) => {
    const worker = listIndexWorker(() => s.deps);
    const message = queueEvent(...(await created(one)));
    await worker(message);
    await worker(message);
  };

  it('is put into the list by the event of the booking, once, and moves it at its time', async () => {
    const one = await book();
    expect(await due()).toEqual([]);
    await listEnd(one);
    expect(await due()).toEqual([{ due_at: Date.parse(dayAfterEnd), reservation_id: one.id }]);
    s.clock.set('2027-02-07T04:59:59.999Z');
    await s.moveDue();
    expect(await stateOf(one)).toEqual(['CONFIRMED', 'PENDING']);
    s.clock.advance(1);
    expect(await s.moveDue()).toMatchObject({ no_show: 1, completed: 0, failed: 0 });
    expect(await stateOf(one)).toEqual(['NO_SHOW', 'PENDING']);
    expect(await due()).toEqual([]);
    expect(await taken(one)).toEqual(['02-04T14 02-06T12']);
  });

  it('completes a stay of which a part was paid: the host may still note the rest', async () => {
    const one = await book('ONLINE_GATEWAY', { token: 'tok_ok' });
    const longer = { check_out_date: '2027-02-07' };
    await changeBooking(s.owner, one.id, { ...longer, charge_later: true });
    await scheduleEnds(s.deps, [one.id]);
    s.clock.set('2027-02-08T05:00:00.000Z');
    expect(await s.moveDue()).toMatchObject({ no_show: 0, completed: 1, failed: 0 });
    expect(await stateOf(one)).toEqual(['COMPLETED', 'PENDING']);
    await markPaid(s.owner, one.id);
    expect(await stateOf(one)).toEqual(['COMPLETED', 'PAID']);
  });

  it('leaves a booking alone whose event came after its cancellation', async () => {
    const one = await book();
    await cancelBooking(s.guest, one.id);
    await listEnd(one);
    s.clock.set(dayAfterEnd);
    expect(await s.moveDue()).toMatchObject({ no_show: 0, completed: 0, failed: 0 });
    expect(await types(one)).toEqual(['booking.created', 'booking.cancelled']);
    expect(await due()).toEqual([]);
  });

  it('checks out who was left in the house, and completes the stay a day later', async () => {
    const one = await book();
    await listEnd(one);
    s.clock.set(cutOff);
    await moveBooking(s.owner, one.id, 'check_in');
    s.clock.set(dayAfterEnd);
    expect(await s.moveDue()).toMatchObject({ checked_out: 1, failed: 0 });
    s.clock.advance(24 * 3_600_000);
    expect(await s.moveDue()).toMatchObject({ completed: 1, failed: 0 });
    expect(await types(one)).toEqual([
      'booking.created',
      'booking.checked_in',
      'booking.checked_out',
      'booking.completed',
    ]);
    expect(await due()).toEqual([]);
  });

  it('and the host’s no-show move the stay once, whichever is first', async () => {
    const [one, other] = [await book(), await book()];
    for (const booked of [one, other]) await markPaid(s.owner, booked.id);
    await listEnd(one);
    s.clock.set(dayAfterEnd);
    const table = interruptedTable(s.deps.table, 'transact', () => markNoShow(s.owner, one.id));
    expect(await moveDueBookings({ ...s.deps, table })).toMatchObject({ completed: 0, failed: 0 });
    expect(await types(one)).toEqual(['booking.created', 'payment.paid', 'booking.no_show']);
    await listEnd(other);
    await markNoShow(
      interrupted(s.owner, () => s.moveDue()),
      other.id,
    );
    expect(await types(other)).toEqual([
      'booking.created',
      'payment.paid',
      'booking.completed',
      'booking.no_show',
    ]);
    expect(await due()).toEqual([]);
  });

  it('in two runs at once, and after a crash, moves it once', async () => {
    for (const when of ['before', 'after'] as const) {
      const one = await book();
      await listEnd(one);
      s.clock.set(dayAfterEnd);
      const table = crashingTable(s.deps.table, 0, when);
      await expect(moveDueBookings({ ...s.deps, table })).rejects.toThrow('could be neither done');
      await Promise.all([s.moveDue(), s.moveDue()]);
      expect(await types(one)).toEqual(['booking.created', 'booking.no_show']);
      expect(await due()).toEqual([]);
      s.clock.set('2027-01-16T03:00:00.000Z');
    }
  });
});

describe('search and the calendar export', () => {
  const followed = async (leave: (one: Booked) => Promise<unknown>, byHand: boolean) => {
    const spot = { latitude: -60 + randomInt(2000) / 100, longitude: randomInt(17_000) / 100 };
    const { id: listing, team_id } = await s.listing({ instant_book_enabled: !byHand, ...spot });
    const { master_reservation_id: order, reservations } = await confirmCheckout(s.guest, {
      items: s.items({ id: listing }),
      payment_method: 'CASH',
    });
    const one = { id: reservations[0]!.id, order, listing };
    const owner = (await testUser(s.deps, { memberships: [{ team_id, role: 'OWNER' }] })).caller;
    const [index, ical] = [searchIndexWorker(() => s.deps), icalWorker(() => s.deps)];
    const deliver = async () => {
      for (const pk of [`ORDER#${order}`, `LISTING#${listing}`])
        for (const event of await eventsOf(s.deps.table, pk))
          for (const [worker, consumer] of [
            [index, 'search-index'],
            [ical, 'ical'],
          ] as const)
            if (typesOf(consumer).includes(event.event_type as EventType)) await worker(queueEvent(event));
    };
    const found = async () => {
      const query = SearchQuery.parse({
        ...{ location: `${spot.latitude},${spot.longitude}`, radius_km: '1' },
        ...{ check_in: '2027-02-05', check_out: '2027-02-06' },
      });
      const { items } = await searchListings(s.guest, query, { cells: new CellReader({ keepMs: 0 }) });
      return items.map(({ id }) => id);
    };
    const exported = async () => {
      const { export_url } = await listFeeds(testContext(s.deps, owner), listing, 'https://x.example');
      const token = new URL(export_url).searchParams.get('token') ?? '';
      const { body } = await exportCalendar(s.deps, listing, { token });
      return [...body.matchAll(/DT(?:START|END);VALUE=DATE:(\d+)/g)].map(([, date]) => date);
    };
    await deliver();
    expect([await found(), await exported()]).toEqual([[], ['20270204', '20270206']]);
    await leave(one);
    await deliver();
    expect(await found()).toEqual([listing]);
    return exported();
  };

  it('follow a decline', async () => {
    expect(await followed(({ id }) => declineBooking(s.owner, id), true)).toEqual([]);
  });

  it('follow a no-show, whose first night stays taken', async () => {
    const missed = ({ id }: Booked) => {
      s.clock.set('2027-02-05T03:30:00.000Z');
      return markNoShow(s.owner, id);
    };
    expect(await followed(missed, false)).toEqual(['20270204', '20270205']);
  });
});

describe('the money of a guest who did not come', () => {
  it('goes back once, whatever dies between the steps', async () => {
    for (const amount of [price, 700_000])
      for (const at of [0, 1])
        for (const when of ['before', 'after'] as const) {
          const one = await book('ONLINE_GATEWAY', { token: 'tok_ok' });
          s.clock.set(cutOff);
          const answer = await markNoShow(s.owner, one.id, amount);
          expect(answer.refund).toEqual({ amount, status: 'PENDING' });
          expect(s.money(one.order)).toEqual({ charged: price, back: 0 });
          const table = crashingTable(s.deps.table, at, when);
          await reconcilePayments({ ...s.deps, table }).catch(() => undefined);
          s.clock.advance(3_600_000);
          await s.reconcile();
          expect(s.money(one.order)).toEqual({ charged: price, back: amount });
          expect(await stateOf(one)).toEqual(['NO_SHOW', amount === price ? 'REFUNDED' : 'PAID']);
          expect((await types(one)).filter((type) => type === 'payment.refunded')).toHaveLength(1);
          expect((await getCancellation(s.owner, one.id)).paid).toBe(amount === price ? 0 : price - amount);
          s.clock.set('2027-01-15T03:00:00.000Z');
        }
  });

  it.each([2 * price, 3_000_000, price, 500])(
    'goes back for every stay of an order by its master id: %d of two stays paid as one',
    async (amount) => {
      const { master_reservation_id: order } = await s.confirm(
        [await s.listing(), await s.listing()],
        'tok_ok',
      );
      s.clock.set(cutOff);
      expect((await markNoShow(s.owner, order, amount)).refund).toEqual({ amount, status: 'PENDING' });
      expect(await s.due()).toContainEqual({ due_at: Date.parse(cutOff), payment_id: order });
      await s.reconcile();
      expect(s.money(order)).toEqual({ charged: 2 * price, back: amount });
      const found = await findOrderWithEvents(s.deps.table, order, { consistent: true });
      expect(found.reservations.map(({ state }) => state)).toEqual(['NO_SHOW', 'NO_SHOW']);
      expect(
        violationsOf(paymentRules, { ...found, order_id: order, change_orders: [], now: s.clock.now() }),
      ).toEqual([]);
    },
  );

  it('is refunded at once by the worker, and a page that waits for it is closed', async () => {
    s.clock.set('2027-02-04T16:50:00.000Z');
    const [paid, open] = [await book('ONLINE_GATEWAY', { token: 'tok_ok' }), await book('ONLINE_GATEWAY')];
    s.clock.set(cutOff);
    const { charged } = s.money(paid.order);
    await markNoShow(s.owner, paid.id, charged);
    await markNoShow(s.owner, open.id);
    const worker = refundsWorker(() => s.deps);
    for (const { order } of [paid, open]) {
      const events = await eventsOf(s.deps.table, `ORDER#${order}`);
      await worker(queueEvent(...events.filter(({ event_type }) => event_type === 'booking.no_show')));
    }
    expect(s.money(paid.order).back).toBe(charged);
    expect(s.server.find(open.order)?.state).toBe('closed');
  });

  it.each(['ONLINE_GATEWAY', 'CASH'] as const)(
    'of which a part was paid by %s is what was paid, less what goes back',
    async (method) => {
      const one = await book(method, method === 'CASH' ? {} : { token: 'tok_ok' });
      if (method === 'CASH') await markPaid(s.owner, one.id);
      await changeBooking(s.owner, one.id, { check_out_date: '2027-02-07', charge_later: true });
      s.clock.set(cutOff);
      await markNoShow(s.owner, one.id, 700_000);
      await s.reconcile();
      expect(await stateOf(one)).toEqual(['NO_SHOW', 'PENDING']);
      expect((await getCancellation(s.owner, one.id)).paid).toBe(price - 700_000);
      const found = await findOrderWithEvents(s.deps.table, one.order, { consistent: true });
      const audited = { ...found, order_id: one.order, change_orders: [], now: s.clock.now() };
      expect(violationsOf(paymentRules, audited)).toEqual([]);
    },
  );

  it('that comes after it is refunded: the stay is not paid', async () => {
    s.clock.set('2027-02-04T16:50:00.000Z');
    const one = await book('ONLINE_GATEWAY');
    s.clock.set(cutOff);
    await markNoShow(s.owner, one.id);
    await s.decide(one.order, 'success');
    await s.reconcile();
    const { charged, back } = s.money(one.order);
    expect([charged > 0, back]).toEqual([true, charged]);
    expect((await stateOf(one))[0]).toBe('NO_SHOW');
    expect(await types(one)).toEqual(['booking.created', 'booking.no_show', 'payment.refunded']);
    await expect(markPaid(s.owner, one.id)).rejects.toMatchObject(refused);
  });
});

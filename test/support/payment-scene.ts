import { EventEntity } from '../../shared/platform/events/event.entity.ts';
import { findOrder } from '../../shared/domain/booking/booking.store.ts';
import { cancelBooking } from '../../shared/domain/booking/cancel-booking.ts';
import { dueBookings } from '../../shared/domain/booking/due-booking.store.ts';
import { getBooking } from '../../shared/domain/booking/read-bookings.ts';
import { confirmCheckout } from '../../shared/domain/checkout/confirm-checkout.ts';
import { createCheckout } from '../../shared/domain/checkout/create-checkout.ts';
import { moveDueBookings } from '../../shared/domain/payment/move-due-bookings.ts';
import { duePayments } from '../../shared/domain/payment/payment.entity.ts';
import { handlePaymentWebhook, reconcilePayments } from '../../shared/domain/payment/reconcile-payments.ts';
import type { Caller } from '../../shared/platform/auth.ts';
import { fixedClock } from '../../shared/platform/time/clock.ts';
import { type Context, systemContext } from '../../shared/platform/context.ts';
import type { Table } from '../../shared/platform/table/index.ts';
import { clearList, waitingIn } from './due.ts';
import { testListing } from './listings.ts';
import { testContext, testDependencies, testStart, testTeam, testUser } from './table.ts';

export const minute = 60_000;
export const hour = 60 * minute;
const stayDates = { check_in_date: '2027-02-04', check_out_date: '2027-02-06', guest_number: 2 };

/** What a run of the schedule of due bookings answers that moves none. */
export const nothingMoved = {
  ...{ balance_due: 0, cancelled: 0, change_ended: 0, completed: 0, checked_out: 0, no_show: 0 },
  failed: 0,
};

/** Returns the table with a crash at the n-th transaction: before its commit, or after. */
export const crashingTable = (
  table: Table,
  at: number,
  when: 'before' | 'after',
  onDeath: () => void = () => undefined,
): Table => {
  let calls = 0;
  const died = () => new Error('the process died');
  let dead = false;
  const transact: Table['transact'] = async (writes) => {
    if (dead) throw died();
    const isLast = calls++ === at;
    if (isLast) {
      dead = true;
      onDeath();
    }
    if (isLast && when === 'before') throw died();
    await table.transact(writes);
    if (isLast) throw died();
  };
  return new Proxy(table, {
    get: (target, name) => {
      if (name === 'transact') return transact;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
};

let scenes = 0;

/**
 * Creates a guest, a host and a sandbox gateway, at a fixed clock. Each scene has a second of its own for ids: those of one that
 * begins at the same instant on the same table may be taken, and a write that is sent again for it counts as another.
 */
export const paymentScene = async () => {
  const begins = ++scenes * 1000;
  const fixed = fixedClock(testStart);
  const clock = { ...fixed, steady: () => fixed.now() + begins };
  const deps = await testDependencies({ clock });
  const { team_id } = await testTeam(deps);
  const guest = testContext(deps, (await testUser(deps)).caller);
  const other = testContext(deps, (await testUser(deps)).caller);
  const owner = testContext(
    deps,
    (await testUser(deps, { memberships: [{ team_id, role: 'OWNER' }] })).caller,
  );
  const { server } = deps.sandbox;
  const listing = (given: Partial<Parameters<typeof testListing>[1]> = {}) =>
    testListing(deps, { team_id, ...given });
  const items = (...listings: { id: number }[]) =>
    listings.map(({ id }) => ({ listing_id: id, ...stayDates }));
  const online = (listings: { id: number }[], token?: string) => ({
    items: items(...listings),
    payment_method: 'ONLINE_GATEWAY' as const,
    ...(token === undefined ? {} : { payment_gateway_token: token }),
  });
  const money = (payment_id: number) => {
    const attempts = server.attempts(payment_id);
    const sum = (amounts: number[]) => amounts.reduce((all, amount) => all + amount, 0);
    return {
      charged: sum(attempts.filter(({ state }) => state === 'paid').map(({ amount }) => amount)),
      back: sum(attempts.flatMap(({ refunds }) => Object.values(refunds))),
    };
  };
  const events = (orderId: number) =>
    deps.table.queryAll(EventEntity, { pk: `ORDER#${orderId}`, prefix: 'EVENT#' });
  const scene = {
    clock,
    deps,
    guest,
    other,
    owner,
    server,
    wire: deps.sandbox,
    listing,
    house: async (count: number) => {
      const house = await listing();
      const room = () => listing({ parent_listing_id: house.id });
      return { house, rooms: await Promise.all(Array.from({ length: count }, room)) };
    },
    items,
    online,
    money,
    events,
    typesOf: async (orderId: number) => (await events(orderId)).map(({ event_type }) => event_type),
    as: (caller: Caller, given: Partial<Context> = {}): Context => ({
      ...testContext(deps, caller),
      ...given,
    }),
    hold: (listings: { id: number }[]) => createCheckout(guest, { items: items(...listings) }),
    confirm: (listings: { id: number }[], token?: string) => confirmCheckout(guest, online(listings, token)),
    order: (id: number) => findOrder(deps.table, id),
    booking: (id: number) => getBooking(guest, id),
    cancel: (id: number) => cancelBooking(guest, id),
    /** Applies the customer's decision on the page and delivers the gateway's notification. */
    decide: async (payment_id: number, outcome: 'success' | 'failure') => {
      server.decide(server.find(payment_id)!, outcome);
      return scene.report(payment_id);
    },
    /** Delivers the notification of a page, or of the newest one of a payment. */
    report: (page: string | number) => {
      const { headers, body } = deps.sandbox.notificationOf(server.find(page)!);
      return handlePaymentWebhook(systemContext(deps, 'anonymous'), {
        provider: 'sandbox',
        method: 'POST',
        raw: { body, headers, query: {} },
      });
    },
    reconcile: () => reconcilePayments(deps),
    moveDue: () => moveDueBookings(deps),
    /** Deletes what other tests left. */
    clear: async () => {
      await clearList(deps.table, duePayments);
      await clearList(deps.table, dueBookings);
    },
    due: () => waitingIn(deps.table, duePayments),
  };
  return scene;
};
export type PaymentScene = Awaited<ReturnType<typeof paymentScene>>;

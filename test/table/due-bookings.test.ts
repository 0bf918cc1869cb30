import { beforeEach, describe, expect, it } from 'vitest';
import { listBookingHistory } from '../../shared/domain/booking/booking-history.ts';
import { DueBookingEntity, dueBookings } from '../../shared/domain/booking/due-booking.store.ts';
import { moveBooking } from '../../shared/domain/booking/move-booking.ts';
import { markPaid } from '../../shared/domain/booking/take-payment.ts';
import { getBooking } from '../../shared/domain/booking/read-bookings.ts';
import { confirmCheckout } from '../../shared/domain/checkout/confirm-checkout.ts';
import { moveDueBookings } from '../../shared/domain/payment/move-due-bookings.ts';
import { fixedClock } from '../../shared/platform/time/clock.ts';
import { dueShards } from '../../shared/platform/due/index.ts';
import { ServiceError } from '../../shared/platform/errors.ts';
import { type Consumption, create, type Table } from '../../shared/platform/table/index.ts';
import { countsUnits } from '../support/costs.ts';
import { clearList, waitingIn } from '../support/due.ts';
import { testListing } from '../support/listings.ts';
import { nothingMoved } from '../support/payment-scene.ts';
import { freshId, testContext, testDependencies, testStart, testTeam, testUser } from '../support/table.ts';

const checkInDay = '2027-02-03T17:00:00.000Z'; // midnight of 2027-02-04 in Ho Chi Minh City
const checkOut = Date.parse(checkInDay);
const minute = 60_000;
const day = 24 * 60 * minute;

const scene = async () => {
  const clock = fixedClock(testStart);
  const deps = await testDependencies({ clock });
  const { team_id } = await testTeam(deps);
  const guest = testContext(deps, (await testUser(deps)).caller);
  const owner = testContext(
    deps,
    (await testUser(deps, { memberships: [{ team_id, role: 'OWNER' }] })).caller,
  );
  const book = async (instant_book_enabled = true, listings = 1) => {
    const items = [];
    for (let made = 0; made < listings; made++) {
      const { id } = await testListing(deps, { team_id, instant_book_enabled });
      items.push({
        listing_id: id,
        check_in_date: '2027-02-04',
        check_out_date: '2027-02-06',
        guest_number: 2,
      });
    }
    const booked = await confirmCheckout(guest, { items, payment_method: 'CASH' });
    return { master: booked.master_reservation_id, id: booked.reservations[0]!.id };
  };
  const checkedOut = async (listings = 1) => {
    const booked = await book(true, listings);
    clock.set(checkInDay);
    await moveBooking(owner, booked.master, 'check_in');
    await moveBooking(owner, booked.master, 'check_out');
    return booked;
  };
  const due = () => waitingIn(deps.table, dueBookings);
  const typesOf = async (id: number) =>
    (await listBookingHistory(owner, id)).items.map(({ event_type }) => event_type);
  const stateOf = async (id: number) => (await getBooking(guest, id)).state;
  return { clock, deps, guest, owner, book, checkedOut, due, typesOf, stateOf };
};

/** The table of this file holds one queue of due bookings: each test leaves it empty. */
let s: Awaited<ReturnType<typeof scene>>;
beforeEach(async () => {
  s = await scene();
  await clearList(s.deps.table, dueBookings);
});

/** The table, but the moves of stays that `fault` names end in another way: before they are committed, or after. */
const faulty = (
  table: Table,
  fault: (call: number) => 'before' | 'after' | undefined,
  faulted = ['Reservation'],
): Table => {
  let calls = 0;
  const lost = () => new ServiceError('SERVICE_UNAVAILABLE');
  const transact: Table['transact'] = async (writes) => {
    const when = writes.some(({ entity }) => faulted.includes(entity)) ? fault(calls++) : undefined;
    if (when === 'before') throw lost();
    await table.transact(writes);
    if (when === 'after') throw lost();
  };
  return new Proxy(table, {
    get: (target, name) => {
      if (name === 'transact') return transact;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
};

describe('a booking that was checked out', () => {
  it('is completed by the schedule after 24 hours, not a millisecond before', async () => {
    const { id } = await s.checkedOut();
    expect(await s.due()).toEqual([{ due_at: checkOut + day, reservation_id: id }]);
    s.clock.advance(day - 1);
    expect(await moveDueBookings(s.deps)).toEqual(nothingMoved);
    expect(await s.stateOf(id)).toBe('CHECKED_OUT');
    s.clock.advance(1);
    expect(await moveDueBookings(s.deps)).toEqual({ ...nothingMoved, completed: 1 });
    expect(await s.stateOf(id)).toBe('COMPLETED');
    expect(await s.due()).toEqual([]);
    expect((await listBookingHistory(s.owner, id)).items.at(-1)).toMatchObject({
      event_type: 'booking.completed',
      who: { kind: 'system', id: null, name: null },
      why: '24 hours have passed since check-out.',
    });
  });

  it('is left alone when the host has completed it', async () => {
    const { id } = await s.checkedOut();
    await moveBooking(s.owner, id, 'complete');
    expect(await s.due()).toEqual([]);
    s.clock.advance(2 * day);
    expect(await moveDueBookings(s.deps)).toEqual(nothingMoved);
    expect((await s.typesOf(id)).filter((type) => type === 'booking.completed')).toHaveLength(1);
  });

  it('is completed at its time also when it was paid after the check-out', async () => {
    const { id } = await s.checkedOut();
    s.clock.advance(3_600_000);
    await markPaid(s.owner, id);
    expect(await s.due()).toEqual([{ due_at: checkOut + day, reservation_id: id }]);
    s.clock.set('2027-02-04T17:00:00.000Z');
    expect(await moveDueBookings(s.deps)).toEqual({ ...nothingMoved, completed: 1 });
    expect(await getBooking(s.guest, id)).toMatchObject({ state: 'COMPLETED', payment_status: 'PAID' });
  });

  it('is completed with the other stays of its order, each once, by two runs at once', async () => {
    const { master, id } = await s.checkedOut(3);
    s.clock.advance(day);
    const runs = await Promise.all([moveDueBookings(s.deps), moveDueBookings(s.deps)]);
    expect(runs[0].completed + runs[1].completed).toBe(3);
    expect((await getBooking(s.guest, master)).reservations.map(({ status }) => status)).toEqual([
      'COMPLETED',
      'COMPLETED',
      'COMPLETED',
    ]);
    expect((await s.typesOf(id)).filter((type) => type === 'booking.completed')).toHaveLength(1);
    expect(await s.due()).toEqual([]);
  });

  it('is completed once when host and schedule do it at once', async () => {
    const { id } = await s.checkedOut();
    s.clock.advance(day);
    const [, byHand] = await Promise.allSettled([
      moveDueBookings(s.deps),
      moveBooking(s.owner, id, 'complete'),
    ]);
    if (byHand.status === 'rejected')
      expect(byHand.reason).toMatchObject({ code: 'INVALID_STATE_TRANSITION' });
    expect(await s.typesOf(id)).toEqual([
      'booking.created',
      'booking.checked_in',
      'booking.checked_out',
      'booking.completed',
    ]);
    expect(await s.due()).toEqual([]);
  });
});

describe('a run of the schedule', () => {
  it('that dies between its steps is made up for by the next, and nothing is done twice', async () => {
    const [one, two, three] = [await s.checkedOut(), await s.checkedOut(), await s.checkedOut()];
    s.clock.advance(day);
    const table = faulty(s.deps.table, (call) => (['before', 'after'] as const)[call]);
    expect(await moveDueBookings({ ...s.deps, table })).toEqual({
      ...nothingMoved,
      cancelled: 0,
      completed: 1,
      failed: 2,
    });
    const states = await Promise.all([one, two, three].map(({ id }) => s.stateOf(id)));
    expect(states.sort()).toEqual(['CHECKED_OUT', 'COMPLETED', 'COMPLETED']);
    s.clock.advance(5 * minute);
    expect(await moveDueBookings(s.deps)).toEqual({ ...nothingMoved, completed: 1 });
    for (const { id } of [one, two, three])
      expect((await s.typesOf(id)).filter((type) => type === 'booking.completed')).toHaveLength(1);
    expect(await s.due()).toEqual([]);
  });

  it('that is throttled fails, leaves everything due and is made up for', async () => {
    const { id } = await s.checkedOut();
    s.clock.advance(day);
    const table = faulty(s.deps.table, () => 'before', ['Reservation', 'DueBooking']);
    await expect(moveDueBookings({ ...s.deps, table })).rejects.toThrow(
      '1 due items of DUE_BOOKINGS could be neither done nor rescheduled',
    );
    expect(await s.stateOf(id)).toBe('CHECKED_OUT');
    expect(await moveDueBookings(s.deps)).toEqual({ ...nothingMoved, completed: 1 });
  });

  it('does both: cancels what no host accepted and completes what was checked out', async () => {
    const waiting = await s.book(false);
    expect(await s.due()).toEqual([{ due_at: Date.parse(testStart) + day, reservation_id: waiting.id }]);
    const over = await s.checkedOut();
    s.clock.advance(day);
    expect(await moveDueBookings(s.deps)).toEqual({ ...nothingMoved, cancelled: 1, completed: 1 });
    expect([await s.stateOf(waiting.id), await s.stateOf(over.id)]).toEqual(['CANCELLED', 'COMPLETED']);
  });

  it('judges by the booking as it stands, not by an item that was read before the host accepted', async () => {
    const { id } = await s.book(false);
    const [stale] = await s.due();
    await moveBooking(s.owner, id, 'confirm');
    await s.deps.table.transact([create(DueBookingEntity, stale!)]);
    s.clock.advance(day);
    expect(await moveDueBookings(s.deps)).toEqual(nothingMoved);
    expect(await s.stateOf(id)).toBe('CONFIRMED');
    expect(await s.due()).toEqual([]);
  });

  it('that was put off is moved once, and leaves nothing at either time', async () => {
    const { id } = await s.checkedOut();
    s.clock.advance(day);
    await moveDueBookings({ ...s.deps, table: faulty(s.deps.table, () => 'before') });
    expect(await s.due()).toEqual([{ reservation_id: id, due_at: s.clock.now() + 5 * minute, attempts: 1 }]);
    s.clock.advance(5 * minute);
    expect(await moveDueBookings(s.deps)).toEqual({ ...nothingMoved, completed: 1 });
    expect(await s.due()).toEqual([]);
  });

  it('takes away what is due for a booking that is none', async () => {
    const reservation_id = freshId() * 16 + 1;
    await s.deps.table.transact([create(DueBookingEntity, { due_at: 1, reservation_id })]);
    expect(await moveDueBookings(s.deps)).toEqual(nothingMoved);
    expect(await s.due()).toEqual([]);
  });
});

describe.runIf(countsUnits)('the cost', () => {
  const spentBy = async (verb: (table: Table) => Promise<unknown>) => {
    const spent: Consumption[] = [];
    await verb(s.deps.table.measured((one) => spent.push(one)));
    return {
      trips: spent.length,
      wcu: spent.reduce((sum, { writeUnits }) => sum + writeUnits, 0),
    };
  };

  it('of a check-out is one small item more than that of a check-in, and completion takes it away', async () => {
    const { id } = await s.book();
    // At its beginning: an earlier check-in takes hours too.
    s.clock.set('2027-02-04T07:00:00.000Z');
    const move = (name: 'check_in' | 'check_out') =>
      spentBy((table) => moveBooking({ ...s.owner, table, commit: commitTo(table) }, id, name));
    const checkIn = await move('check_in');
    // At the end of the stay: an earlier check-out frees hours too.
    s.clock.set('2027-02-06T05:00:00.000Z');
    const checkOutCost = await move('check_out');
    expect(checkIn.wcu).toBe(8);
    expect(checkOutCost).toEqual({ trips: checkIn.trips, wcu: checkIn.wcu + 2 });
    s.clock.advance(day);
    const [idle, one] = [
      await spentBy((table) => moveDueBookings({ ...s.deps, clock: fixedClock(testStart), table })),
      await spentBy((table) => moveDueBookings({ ...s.deps, table })),
    ];
    expect(idle).toEqual({ trips: dueShards + 1, wcu: 0 });
    expect(one).toEqual({ trips: idle.trips + 2, wcu: 10 });
  });
});

const commitTo =
  (table: Table) =>
  async <Body>(writes: Parameters<Table['transact']>[0], body: Body): Promise<Body> => {
    await table.transact(writes);
    return body;
  };

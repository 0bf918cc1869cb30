import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { auditBookings } from '../../shared/domain/audit/index.ts';
import { AuditReading } from '../../shared/domain/audit/audit-reading.store.ts';
import { AuditRoundEntity } from '../../shared/domain/audit/audit-round.entity.ts';
import { readRound } from '../../shared/domain/audit/audit-round.store.ts';
import { auditScopes } from '../../shared/domain/audit/audit-scopes.ts';
import { ReservationEntity } from '../../shared/domain/booking/reservation.entity.ts';
import { findOrder } from '../../shared/domain/booking/booking.store.ts';
import { dueBookings } from '../../shared/domain/booking/due-booking.store.ts';
import { AvailabilityEntryEntity } from '../../shared/domain/calendar/calendar.store.ts';
import type { Dependencies } from '../../shared/platform/context.ts';
import type { Clock } from '../../shared/platform/time/clock.ts';
import { remove, type Table } from '../../shared/platform/table/index.ts';
import { bookAudited, publishEvents, rawItems, readUnitsOf } from '../support/audit-scene.ts';
import { countsUnits } from '../support/costs.ts';
import { waitingIn } from '../support/due.ts';
import { figuresOf } from '../support/figures.ts';
import { hour, minute, type PaymentScene, paymentScene } from '../support/payment-scene.ts';

const bookings = 72;
const byHand = { instant_book_enabled: false };

let s: PaymentScene;
let items: Awaited<ReturnType<typeof rawItems>>;
/** The orders, in the order of their ids: each of one night in a listing of its own, a third of them waits for its host. */
let orders: number[];

beforeAll(async () => {
  s = await paymentScene();
  items = await rawItems();
  orders = await bookAudited(s, bookings, (at) => s.listing(at % 3 === 0 ? byHand : {}));
}, 120_000);

afterEach(() => items.undo());

const stayOf = async (order: number) => (await findOrder(s.deps.table, order)).reservations[0]!;
const run = (given: Partial<Dependencies> = {}) => auditBookings({ ...s.deps, ...given });
/** Forgets all rounds: the next one audits the last 24 hours. */
const startAnew = () => s.deps.table.transact([remove(AuditRoundEntity, { name: 'bookings' })]);

/** A table of which some reads are answered differently. */
const altered = (table: Table, method: 'queryAllMixed' | 'put', answer: (read: never) => unknown): Table =>
  new Proxy(table, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (name === method) return answer;
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });

it.runIf(countsUnits)(
  'costs at most 2.5 read units a booking at its first look, where each has a calendar of its own',
  async () => {
    const { rcu, wcu } = await readUnitsOf(s.deps.table, (table) => run({ table }));
    expect((await readRound(s.deps.table))?.orders).toBe(bookings);
    expect(rcu / bookings).toBeLessThanOrEqual(2.5);
    // The checkpoint: one for each 50 orders and each 100 teams, and two for the lease.
    expect(wcu).toBeLessThanOrEqual(8);
    await startAnew();
  },
);

describe('a round of the audit', () => {
  it('continues in the next run where the time of one is over, and audits every order once', async () => {
    // Each reading of the clock takes 2 seconds, so 3 minutes are over after the first orders.
    const slow = { now: () => (s.clock.advance(2000), s.clock.now()) };
    const first = await run({ clock: slow });
    expect(first).toMatchObject({ finished: false, findings: 0 });
    expect(first.orders).toBeGreaterThan(0);
    expect(first.orders).toBeLessThan(bookings);
    const runs = [first];
    while (!runs.at(-1)!.finished) runs.push(await run({ clock: slow }));
    expect(runs.reduce((sum, { orders: some }) => sum + some, 0)).toBe(bookings);
  });

  it('is one an hour', async () => {
    await startAnew();
    const figures = await figuresOf(async () => {
      expect(await run()).toEqual({ orders: bookings, findings: 0, finished: true });
    });
    // A metric is paid for each hour with data: figures that ring nothing are not recorded.
    expect(figures).toEqual([]);
    s.clock.advance(20 * minute);
    const { master_reservation_id: id } = await s.confirm([await s.listing()], 'tok_ok');
    await publishEvents(s.deps, [`ORDER#${id}`]);
    s.clock.advance(39 * minute);
    expect(await run()).toEqual({ orders: 0, findings: 0, finished: true });
    s.clock.advance(minute);
    const second = await run();
    expect(second).toMatchObject({ findings: 0, finished: true });
    // The new one, and those of the page of the feed that was still open.
    expect(second.orders).toBeGreaterThanOrEqual(1);
    expect(second.orders).toBeLessThanOrEqual(4);
  });

  it('is made by one run at a time', async () => {
    await startAnew();
    const runs = await Promise.all([run(), run(), run()]);
    expect(runs.map((one) => one.orders).sort((one, other) => one - other)).toEqual([0, 0, bookings + 1]);
  });

  it('ends for a run that was frozen until another has taken it over', async () => {
    await startAnew();
    let saves = 0;
    let taken: unknown;
    const frozen = altered(s.deps.table, 'put', async (write: never) => {
      if (saves++ === 1) {
        s.clock.advance(6 * minute);
        taken = await run();
      }
      return s.deps.table.put(write);
    });
    expect(await run({ table: frozen })).toMatchObject({ finished: false });
    expect(taken).toMatchObject({ orders: bookings + 1, finished: true });
    expect(await readRound(s.deps.table)).toMatchObject({ orders: bookings + 1, open: [] });
  });

  it('reports a finding by its ids alone, and audits it again until it is mended', async () => {
    await startAnew();
    const stay = await stayOf(orders[30]!);
    await items.plant(AvailabilityEntryEntity.key(stay), () => undefined);
    const error = vi.spyOn(s.deps.log, 'error');
    const figures = await figuresOf(async () => {
      expect(await run()).toMatchObject({ findings: 2, finished: true });
    });
    expect(figures.map(({ name, value }) => [name, value])).toEqual([['audit_findings', 2]]);
    const logged = error.mock.calls.map(([, figures]) => figures as unknown as Record<string, unknown>);
    expect(logged).toContainEqual({
      rule: 'stay-without-entry',
      holds: expect.any(String) as string,
      reservation_id: stay.reservation_id,
      order_id: stay.order_id,
      listing_id: stay.listing_id,
      calendar_id: stay.calendar_id,
    });
    expect(Object.keys(logged[0]!).every((name) => !/name|phone|email/.test(name))).toBe(true);
    expect(await run()).toMatchObject({ findings: 2 });
    s.clock.advance(61 * minute);
    expect(await run()).toMatchObject({ findings: 2, finished: true });
    expect(await run()).toMatchObject({ findings: 2 });
    await items.undo();
    s.clock.advance(61 * minute);
    expect(await run()).toMatchObject({ findings: 0 });
    error.mockRestore();
  });

  it('looks a second time a day later, and finds what has not moved by itself', async () => {
    await startAnew();
    expect(await run()).toMatchObject({ findings: 0 });
    const waiting = orders[0]!;
    const due = await waitingIn(s.deps.table, dueBookings);
    const lost = due.find(({ reservation_id }) => reservation_id === waiting + 1)!;
    await items.plant(dueBookings.entity.key(lost), () => undefined);
    s.clock.advance(13 * hour);
    expect(await run()).toMatchObject({ findings: 0 });
    s.clock.advance(11 * hour);
    while (!(await run()).finished);
    const { open } = (await readRound(s.deps.table))!;
    expect(open.filter(({ where }) => where['order_id'] === waiting).map(({ rule }) => rule)).toEqual([
      'due-booking-missing',
    ]);
  });
});

describe('what a reading shows for a moment', () => {
  const seen = { order: 0, hidden: 0 };
  const forgetful = (times: number) =>
    altered(s.deps.table, 'queryAllMixed', async (options: never) => {
      const found = await s.deps.table.queryAllMixed(options);
      const { pk, consistent } = options as { pk: string; consistent: boolean };
      const hides =
        pk === `ORDER#${orders[7]!}` && (times === 0 ? !consistent : consistent && seen.order++ < times);
      if (!hides) return found;
      seen.hidden++;
      return { entries: found.entries.filter(({ kind }) => kind !== ReservationEntity.name) };
    });

  it('rings nothing where an index or an eventually consistent read is behind', async () => {
    await startAnew();
    expect(await run({ table: forgetful(0) })).toMatchObject({ findings: 0 });
    expect(seen.hidden).toBe(1);
  });

  it('rings nothing where a strong reading sees half of a transaction', async () => {
    const reading = new AuditReading(
      { ...s.deps, table: forgetful(1) },
      { from: s.clock.now() - 40 * hour, to: s.clock.now() },
      { consistent: true },
    );
    const scope = { kind: 'order', order_id: orders[7]! } as const;
    seen.order = 0;
    expect(await auditScopes(s.deps, reading, [scope])).toEqual([]);
    expect(seen.order).toBeGreaterThan(1);
  });

  it('rings nothing where a transaction shows in parts for half a second', async () => {
    const stay = await stayOf(orders[8]!);
    await items.plant(AvailabilityEntryEntity.key(stay), () => undefined);
    const window = { from: s.clock.now() - 40 * hour, to: s.clock.now() };
    const scopes = [{ kind: 'order', order_id: orders[8]! }] as const;
    const findings = (clock: Clock) => {
      const deps = { ...s.deps, clock };
      return auditScopes(deps, new AuditReading(deps, window, { consistent: true }), scopes);
    };
    expect(await findings(s.clock)).not.toEqual([]);
    // A timer waits for a clock whose time passes by itself.
    const timer = vi.spyOn(timers, 'setTimeout').mockImplementation(() => items.undo());
    syncBuiltinESMExports();
    try {
      expect(await findings({ now: () => s.clock.now() })).toEqual([]);
      expect(timer.mock.calls).toEqual([[500]]);
    } finally {
      timer.mockRestore();
      syncBuiltinESMExports();
    }
  });
});

describe.runIf(countsUnits)('the audit costs', () => {
  it('at most 3 read units a booking at its second look, a day later', async () => {
    await startAnew();
    const { rcu, wcu } = await readUnitsOf(s.deps.table, (table) => run({ table }));
    expect((await readRound(s.deps.table))?.orders).toBeGreaterThanOrEqual(bookings);
    expect(rcu / bookings).toBeLessThanOrEqual(3);
    expect(wcu).toBeLessThanOrEqual(8);
  });

  it('2 read units where nothing has to be done', async () => {
    expect(await readUnitsOf(s.deps.table, (table) => run({ table }))).toEqual({ rcu: 2, wcu: 0 });
  });
});

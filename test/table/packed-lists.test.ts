import { beforeAll, describe, expect, it } from 'vitest';
import { listIndexWorker } from '../../functions/workers/list-index/index.ts';
import { bookingEvents } from '../../shared/domain/booking/booking.events.ts';
import type { BookingFilter } from '../../shared/domain/booking/booking-filter.schema.ts';
import { ownerGuest, ownerTeam, stayList } from '../../shared/domain/booking/booking-list.store.ts';
import { stayConditions } from '../../shared/domain/booking/stay-filter.rules.ts';
import { type Reservation, ReservationEntity } from '../../shared/domain/booking/reservation.entity.ts';
import type { BookingState } from '../../shared/domain/booking/booking-state.schema.ts';
import { foldText } from '../../shared/platform/text/fold-text.ts';
import { type Owner, packList, pageList } from '../../shared/platform/lists/index.ts';
import type { PageOf } from '../../shared/platform/schema/schema.ts';
import { change, has, put, type Table } from '../../shared/platform/table/index.ts';
import { queueEvent } from '../support/events.ts';
import { interruptedTable, writing } from '../support/interrupted.ts';
import { chanceOf, manyStays, storeStays } from '../support/many-stays.ts';
import { freshId, type TestDependencies, testDependencies } from '../support/table.ts';

const kind = { ...stayList, packedFrom: 1 };
const dayMs = 86_400_000;
const columns = { created_at: 'id', updated_at: 'updated', check_in: 'check_in' } as const;
type Sort = keyof typeof columns;

let deps: TestDependencies;
beforeAll(async () => {
  deps = await testDependencies();
});

const walk = async (
  from: Pick<TestDependencies, 'table' | 'clock'>,
  owners: readonly Owner[],
  filter: BookingFilter,
  { sort, descending, limit }: { sort: Sort; descending: boolean; limit: number },
) => {
  const query = {
    name: JSON.stringify(filter),
    conditions: stayConditions(filter),
    order: { by: columns[sort], descending },
  };
  const ids: number[] = [];
  const totals = new Set<string>();
  for (let cursor: string | null = '', page = 1; cursor !== null; page++) {
    const found: PageOf<Reservation> = await pageList(from, kind, owners, query, {
      page: 1,
      limit,
      ...(cursor ? { cursor } : {}),
    });
    expect(found.page).toBe(page);
    ids.push(...found.items.map(({ reservation_id }) => reservation_id));
    totals.add(`${found.total} ${found.total_is_exact}`);
    cursor = found.next_cursor;
  }
  return { ids, totals: [...totals] };
};

/** The same by plain comparisons of the records. */
const expected = (
  stays: readonly Reservation[],
  filter: BookingFilter,
  { sort, descending }: { sort: Sort; descending: boolean },
): number[] => {
  const { state, payment_status, listing_id, updated_since, external_booking_id, q } = filter;
  const { from, to, check_in_from, check_in_to, check_out_from, check_out_to, to_return } = filter;
  const matches = (stay: Reservation): boolean =>
    (state === undefined || stay.state === state) &&
    (payment_status === undefined || stay.payment_status === payment_status) &&
    (listing_id === undefined || stay.listing_id === listing_id) &&
    (updated_since === undefined || stay.updated_at >= updated_since) &&
    (external_booking_id === undefined || stay.external_booking_id === external_booking_id) &&
    (from === undefined || stay.check_out_date >= from) &&
    (to === undefined || stay.check_in_date <= to) &&
    (check_in_from === undefined || stay.check_in_date >= check_in_from) &&
    (check_in_to === undefined || stay.check_in_date <= check_in_to) &&
    (check_out_from === undefined || stay.check_out_date >= check_out_from) &&
    (check_out_to === undefined || stay.check_out_date <= check_out_to) &&
    (q === undefined || isAsked(stay, q)) &&
    (to_return === undefined || owes(stay) === to_return);
  const valueOf = (stay: Reservation) =>
    ({ created_at: '', updated_at: stay.updated_at, check_in: stay.check_in_date })[sort];
  const sorted = stays
    .filter(matches)
    .sort((a, b) =>
      valueOf(a) === valueOf(b) ? a.reservation_id - b.reservation_id : valueOf(a) < valueOf(b) ? -1 : 1,
    );
  return (descending ? sorted.reverse() : sorted).map(({ reservation_id }) => reservation_id);
};

const owes = ({ state, postings = [] }: Reservation): boolean =>
  postings.some(
    ({ kind, to_return }) =>
      to_return || (kind === 'deposit_taken' && (state === 'COMPLETED' || state === 'CANCELLED')),
  );
const folios = [
  [],
  [{ kind: 'refund', amount: 1, at: 0, to_return: true }],
  [{ kind: 'refund', amount: 1, at: 0 }],
  [{ kind: 'deposit_taken', amount: 1, at: 0 }],
] satisfies Reservation['postings'][];

const isAsked = ({ guest, reservation_id, order_id }: Reservation, q: string): boolean => {
  if (q.includes('@')) return guest.email === q;
  if (/^\d+$/.test(q)) return [reservation_id, order_id].includes(Number(q));
  if (q.startsWith('+')) return guest.phone === q;
  const words = foldText(guest.full_name).split(' ');
  return foldText(q)
    .split(' ')
    .every((part) => words.some((word) => word.startsWith(part)));
};

/** A table that fails a write now and then, before or after it was done. */
const unreliable = (table: Table, chance: () => number): Table =>
  new Proxy(table, {
    get: (target, name) => {
      const found: unknown = Reflect.get(target, name);
      if (typeof found !== 'function') return found;
      const method = (...given: unknown[]): unknown => Reflect.apply(found, target, given);
      if (name !== 'transact' && name !== 'put') return method;
      return async (...given: unknown[]) => {
        if (chance() < 0.1) throw new Error('the process died before');
        await method(...given);
        if (chance() < 0.1) throw new Error('the process died after');
      };
    },
  });

const states: BookingState[] = ['PENDING', 'CONFIRMED', 'CHECKED_IN', 'COMPLETED', 'CANCELLED'];

/** Teams whose bookings come and change while their lists are packed late, twice, at once, and by workers that die. */
const history = async (seed: number) => {
  const chance = chanceOf(seed);
  const below = (most: number) => Math.floor(chance() * most);
  const one = <T>(values: readonly T[]): T => values[below(values.length)]!;
  const start = deps.clock.now();
  const teams = [freshId(), freshId(), freshId()];
  const guest = freshId();
  const stays = teams.flatMap((team_id, at) =>
    manyStays({
      ...{ team_id, count: [420, 60, 5][at]!, until: start, days: 60, listings: 4, seed: seed * 10 + at },
      user_id: at === 1 ? guest : null,
    }),
  );
  await storeStays(stays);
  const owners = [...teams.map(ownerTeam), ownerGuest(guest)];
  const idsOf = (owner: Owner) =>
    stays.filter((stay) => kind.belongs(stay, owner)).map(({ reservation_id }) => reservation_id);
  const pack = async (owner: Owner, table = deps.table) =>
    packList(
      { ...deps, table },
      kind,
      owner,
      Array.from({ length: below(4) }, () => one(idsOf(owner))),
    );

  const alter = async () => {
    const at = below(stays.length);
    const set = {
      ...{ state: one(states), payment_status: one(['PENDING', 'PAID', 'REFUNDED'] as const) },
      postings: one(folios),
      updated_at: new Date(deps.clock.now()).toISOString(),
    };
    await deps.table.transact([change(ReservationEntity, stays[at]!, { set }, { when: has('state') })]);
    stays[at] = { ...stays[at]!, ...set };
  };
  const book = async () => {
    const now = deps.clock.now();
    const made = {
      count: 1,
      until: now - below(2) * below(20 * dayMs),
      days: 0.001,
      seed: below(1e9),
      listings: 1,
    };
    const [stay] = manyStays({ ...made, team_id: one(teams), user_id: chance() < 0.3 ? guest : null });
    const booked = { ...stay!, updated_at: new Date(now).toISOString(), listing_id: one(stays).listing_id };
    await deps.table.transact([put(ReservationEntity, booked)]);
    stays.push(booked);
  };
  const filterOf = (): BookingFilter => {
    const stay = one(stays);
    const day = () => one(stays).check_in_date;
    const fields: [number, BookingFilter][] = [
      [0.4, { state: one(states) }],
      [0.2, { payment_status: one(['PENDING', 'PAID']) }],
      [0.2, { listing_id: stay.listing_id }],
      [0.15, { updated_since: one(stays).updated_at }],
      [0.1, { check_in_from: day() }],
      [0.1, { check_out_to: day() }],
      [0.1, { from: day() }],
      [0.15, { to_return: chance() < 0.7 }],
      [0.05, { external_booking_id: stay.external_booking_id ?? 'none' }],
      [0.05, { q: stay.guest.email }],
      [0.05, { q: stay.guest.phone }],
      [0.1, { q: String(chance() < 0.5 ? stay.reservation_id : stay.order_id) }],
      [0.2, { q: one(['ng', 'nguyen', 'tran an', 'th l', 'xyz']) }],
    ];
    const picked = fields.filter(([likely]) => chance() < likely).map(([, field]) => field);
    return Object.assign({}, ...picked) as BookingFilter;
  };
  const look = async () => {
    const filter = filterOf();
    const chosen = chance() < 0.3 ? teams.map(ownerTeam) : [one(owners)];
    const how = {
      ...{ sort: one(['created_at', 'updated_at', 'check_in'] as const), descending: chance() < 0.5 },
      limit: one([19, 60, 100]),
    };
    const own = stays.filter((stay) => chosen.some((owner) => kind.belongs(stay, owner)));
    const wanted = expected(own, filter, how);
    const found = await walk(deps, chosen, filter, how);
    expect(found, JSON.stringify({ seed, filter, how })).toEqual({
      ids: wanted,
      totals: [`${wanted.length} true`],
    });
  };
  /** Everything is packed, and long enough ago: no page reads what changed. */
  const settle = async () => {
    deps.clock.advance(3_600_000);
    for (const owner of owners) await pack(owner);
    deps.clock.advance(60_000);
  };
  const step = async () => {
    const kindOfStep = chance();
    if (kindOfStep < 0.25) await settle();
    else if (kindOfStep < 0.4) for (let times = below(5); times >= 0; times--) await alter();
    else if (kindOfStep < 0.5) await book();
    else if (kindOfStep < 0.65) deps.clock.advance(one([5, 200, 15_000, 70_000, 3_600_000]));
    else if (kindOfStep < 0.8) await pack(one(owners));
    else if (kindOfStep < 0.9) {
      const owner = one(owners);
      await Promise.all(Array.from({ length: 8 }, () => pack(owner)));
    } else await pack(one(owners), unreliable(deps.table, chance)).catch(() => undefined);
  };
  return { step, look };
};

describe('lists that workers pack late, twice, at once, or not at all', () => {
  it.each([1, 2, 3, 4])(
    'show page after page what a plain model shows (seed %i)',
    async (seed) => {
      const { step, look } = await history(seed);
      await look();
      for (let steps = 0; steps < 40; steps++) {
        await step();
        await look();
      }
    },
    120_000,
  );
});

it('a worker that stood still writes nothing old over something newer', async () => {
  const team_id = freshId();
  const stays = manyStays({ team_id, count: 60, until: deps.clock.now() - dayMs });
  await storeStays(stays);
  const [owner, stay] = [ownerTeam(team_id), stays[30]!];
  const alter = async (state: BookingState) => {
    const set = { state, updated_at: new Date(deps.clock.now()).toISOString() };
    await deps.table.transact([change(ReservationEntity, stay, { set }, { when: has('state') })]);
  };
  const pack = (table = deps.table) => packList({ ...deps, table }, kind, owner, [stay.reservation_id]);
  for (const state of ['CHECKED_IN', 'CHECKED_OUT', 'CHECKED_IN'] as const) {
    await pack();
    deps.clock.advance(1000);
    await alter(state);
  }
  const slow = new Proxy(deps.table, {
    get: (target, name) => {
      const found: unknown = Reflect.get(target, name);
      if (typeof found !== 'function') return found;
      return async (...given: unknown[]) => {
        if (name === 'put' || name === 'transact') await meanwhile();
        return Reflect.apply(found, target, given) as unknown;
      };
    },
  });
  let isFirst = true;
  const meanwhile = async () => {
    if (!isFirst) return;
    isFirst = false;
    deps.clock.advance(120_000);
    await alter('CHECKED_OUT');
    deps.clock.advance(120_000);
    await pack();
    deps.clock.advance(120_000);
    await pack();
  };
  await pack(slow);
  deps.clock.advance(120_000);
  const filter = { state: 'CHECKED_OUT' } as const;
  const how = { sort: 'updated_at', descending: true, limit: 10 } as const;
  expect((await walk(deps, [owner], filter, how)).ids).toContain(stay.reservation_id);
});

describe('two workers at once', () => {
  /** A list that is packed by a worker which another one overtakes before its first write of a kind. */
  const overtaken = async (written: string) => {
    const team_id = freshId();
    const stays = manyStays({ team_id, count: 60, until: deps.clock.now() - dayMs });
    await storeStays(stays);
    const [owner, stay] = [ownerTeam(team_id), stays[30]!];
    const pack = (table = deps.table, { reservation_id } = stay) =>
      packList({ ...deps, table }, kind, owner, [reservation_id]);
    const settle = async (named = stay) => {
      for (let times = 0; times < 3; times++) {
        deps.clock.advance(120_000);
        await pack(deps.table, named);
      }
      deps.clock.advance(120_000);
    };
    const idsOf = async (filter: BookingFilter) =>
      (await walk(deps, [owner], filter, { sort: 'created_at', descending: true, limit: 100 })).ids;
    const packWhile = (meanwhile: () => Promise<unknown>) =>
      pack(interruptedTable(deps.table, writing(written), meanwhile));
    return { stays, stay, pack, settle, idsOf, packWhile };
  };

  it.each(['ListHead', 'ListChunk'])(
    'start a list: the newer state of a record stays (%s)',
    async (written) => {
      const { stays, stay, settle, idsOf, packWhile, pack } = await overtaken(written);
      await packWhile(async () => {
        await pack();
        deps.clock.advance(1000);
        const set = { state: 'CHECKED_OUT', updated_at: new Date(deps.clock.now()).toISOString() } as const;
        await deps.table.transact([change(ReservationEntity, stay, { set }, { when: has('state') })]);
        await settle();
      }).catch(() => undefined);
      await settle(stays[0]);
      expect(await idsOf({ state: 'CHECKED_OUT' })).toContain(stay.reservation_id);
      expect(await idsOf({})).toHaveLength(stays.length);
    },
  );

  it('add values that the list has not had: all are found', async () => {
    const { stays, settle, idsOf, pack } = await overtaken('ListHead');
    await settle();
    await pack();
    // From here on the list is packed so lately that each run packs its own records alone.
    const moved = [0, 1, 2].map((at) => {
      const changed = { listing_id: freshId(), updated_at: new Date(deps.clock.now()).toISOString() };
      return { ...stays[at]!, ...changed };
    });
    await storeStays(moved);
    const [one, ...others] = moved;
    const table = interruptedTable(deps.table, writing('ListHead'), async () => {
      for (const other of others) await pack(deps.table, other);
    });
    await pack(table, one);
    await settle();
    for (const { listing_id, reservation_id } of moved)
      expect(await idsOf({ listing_id })).toEqual([reservation_id]);
  });
});

it('a record is in one chunk, also where a worker packs as another one divides its chunk', async () => {
  const team_id = freshId();
  const owner = ownerTeam(team_id);
  const stays = manyStays({ team_id, count: 276, until: deps.clock.now() - 600_000 });
  const [old, late] = [stays.slice(0, 176), stays.slice(176)];
  const pack = (some: typeof stays, table = deps.table) =>
    packList(
      { ...deps, table },
      kind,
      owner,
      some.map(({ reservation_id }) => reservation_id),
    );
  await storeStays(old);
  await pack(old.slice(0, 1));
  await storeStays(late);
  let isFirst = true;
  // The question for the chunk behind is answered before the other worker's write, that for the chunk itself after it.
  const table = new Proxy(deps.table, {
    get: (target, name) => {
      if (name === 'query')
        return async (of: { name: string }, range: { descending?: boolean }) => {
          if (of.name === 'ListChunk' && range.descending && isFirst) {
            isFirst = false;
            await pack(late);
          }
          return target.query(of as never, range as never);
        };
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  await pack([old[5]!, late[1]!], table);
  for (let times = 0; times < 3; times++) {
    deps.clock.advance(120_000);
    await pack(stays.slice(0, 1));
  }
  deps.clock.advance(120_000);
  const { ids } = await walk(deps, [owner], {}, { sort: 'created_at', descending: true, limit: 100 });
  expect(ids.toSorted((one, other) => one - other)).toEqual(
    stays.map(({ reservation_id }) => reservation_id),
  );
});

/** How many chunks of the bookings of a team are packed. */
const packedOf = async (teamId: number): Promise<number> => {
  const { entries } = await deps.table.queryAllMixed({ pk: `LIST#STAYROWS-T${teamId.toString(36)}#main` });
  return entries.length;
};

it.each(Object.entries(bookingEvents))(
  '%s packs the bookings of its team',
  async (event_type, { example }) => {
    const team_id = freshId();
    const stays = manyStays({ team_id, count: stayList.packedFrom, until: deps.clock.now() - dayMs });
    await storeStays(stays);
    await listIndexWorker(() => deps)(
      queueEvent({
        ...{ id: `evt_${freshId()}`, event_type, occurred_at: '2027-01-15T03:00:00.000Z' },
        ...{ team_id, actor: 'user:1', data: { ...example, id: stays[0]!.reservation_id } },
      }),
    );
    expect(await packedOf(team_id)).toBe(2);
  },
);

it('a list of fewer records than are worth it is not packed', async () => {
  const team_id = freshId();
  const until = deps.clock.now() - dayMs;
  const stays = manyStays({ team_id, count: stayList.packedFrom - 1, until });
  await storeStays(stays);
  await packList(deps, stayList, ownerTeam(team_id), [stays[0]!.reservation_id]);
  expect(await packedOf(team_id)).toBe(0);
  await storeStays(manyStays({ team_id, count: 1, until, seed: 2 }));
  await packList(deps, stayList, ownerTeam(team_id), [stays[0]!.reservation_id]);
  expect(await packedOf(team_id)).toBe(2);
});

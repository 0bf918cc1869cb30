import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memoryStage } from '../memory/stage.ts';
import type { HistoryEvent, Intent, Wanted } from '../schedule/history.ts';
import { anyPlan } from '../schedule/plan.ts';
import { runPlan } from '../schedule/run.ts';
import { type HomeName, homes } from '../schedule/scene.ts';
import { makeVirtual } from '../schedule/virtual.ts';
import { seededBugs } from '../seeded-bugs.ts';
import type { Asked } from './calendar.ts';
import type { Stay } from './calendar-stays.ts';
import type { Call } from './linearize.ts';
import { linearProblems } from './problems.ts';
import { scheduleFamilies } from './schedule-calls.ts';

const night = { from: 10, to: 20 };
const stay = (home: string, id: number, more: Partial<Stay> = {}): Stay => ({
  ...{ home, ...night, ids: [id], who: 'an', until: null, looseFrom: Infinity },
  ...more,
});

let at = 0;
type Doing = Asked extends infer One
  ? One extends Asked
    ? Omit<One, 'who' | 'since' | 'by'>
    : never
  : never;
/** A request beside nothing else; `clock` says the time of the service. */
const call = (asked: Doing, { clock = 0, who = 'an', lost = false } = {}): Call<Asked> => {
  at += 2;
  const waited = { who, since: clock, by: lost ? Infinity : clock };
  return { name: who, begin: at, end: lost ? Infinity : at + 1, asked: { ...asked, ...waited } };
};
const problems = (...calls: Call<Asked>[]): string[] =>
  linearProblems([{ name: 'house', parents: { one: 'parent', two: 'parent' }, calls }]);

const take = (...stays: Stay[]): Doing => ({ did: 'take', stays });
const refused = (home: string): Doing => ({ did: 'find taken', places: [{ home, ...night }] });
const reads = (home: string, ...taken: number[]): Doing => ({
  did: 'read',
  place: { home, from: 10, to: 12 },
  taken: new Set(taken),
});

describe('as the clients of a family saw it', () => {
  it.each<[string, () => Call<Asked>[]]>([
    ['siblings are taken at one time', () => [call(take(stay('one', 1))), call(take(stay('two', 2)))]],
    ['a child is refused because of its parent', () => [call(take(stay('parent', 1))), call(refused('one'))]],
    [
      'what was cancelled is taken again',
      () => [call(take(stay('one', 1))), call({ did: 'free', id: 1 }), call(take(stay('parent', 2)))],
    ],
    [
      'a lock that has expired is not in the way',
      () => [
        call(take(stay('one', 1, { until: [100, 100] }))),
        call(take(stay('one', 2)), { clock: 100, who: 'binh' }),
      ],
    ],
    [
      'a caller’s own lock makes way',
      () => [call(take(stay('one', 1, { until: [100, 100] }))), call(take(stay('one', 2)))],
    ],
    [
      'a booking without an answer may have been made',
      () => [call(take(stay('one', 1)), { lost: true }), call(refused('one'))],
    ],
    [
      'a cancellation without an answer may have been made',
      () => [
        call(take(stay('one', 1))),
        call({ did: 'free', id: 1 }, { lost: true }),
        call(take(stay('one', 2))),
      ],
    ],
    [
      'a read sees the hours of the parent',
      () => [call(take(stay('parent', 1))), call(reads('one', 10, 11))],
    ],
    [
      'an unpaid booking may have gone, or not',
      () => [
        call(take(stay('one', 1, { looseFrom: 0 }))),
        call(refused('one'), { clock: 5 }),
        call(take(stay('one', 2)), { clock: 5 }),
      ],
    ],
    [
      'a home that has moved away is free of its parent',
      () => [
        call(take(stay('parent', 1))),
        call({ did: 'move', home: 'one', parent: null }),
        call(take(stay('one', 2))),
      ],
    ],
  ])('%s', (_, calls) => {
    expect(problems(...calls())).toEqual([]);
  });

  it.each<[string, () => Call<Asked>[]]>([
    ['a night is sold twice', () => [call(take(stay('one', 1))), call(take(stay('one', 2)))]],
    ['a room is sold with the house', () => [call(take(stay('parent', 1))), call(take(stay('two', 2)))]],
    ['a free night is refused', () => [call(refused('one'))]],
    [
      'a cancelled night is refused',
      () => [call(take(stay('one', 1))), call({ did: 'free', id: 1 }), call(refused('one'))],
    ],
    ['a read is stale', () => [call(take(stay('one', 1))), call(reads('one'))]],
    ['a read sees half of a stay', () => [call(take(stay('one', 1))), call(reads('one', 10))]],
    ['a read sees hours that are free', () => [call(reads('one', 10))]],
    [
      'a lock gives way before it expires',
      () => [
        call(take(stay('one', 1, { until: [100, 100] }))),
        call(take(stay('one', 2)), { clock: 99, who: 'binh' }),
      ],
    ],
    [
      'a lock is extended that another has replaced',
      () => [
        call(take(stay('one', 1, { until: [100, 100] }))),
        call(take(stay('one', 2)), { clock: 100, who: 'binh' }),
        call({ did: 'extend', id: 1, byMs: [9, 9] }, { clock: 100 }),
      ],
    ],
    [
      'a booking without an answer is seen, and then its night is sold',
      () => [
        call(take(stay('one', 1)), { lost: true }),
        call(refused('one')),
        call(take(stay('one', 2)), { who: 'binh' }),
      ],
    ],
    [
      'a night is shown as free that is sold',
      () => [
        call(take(stay('one', 1))),
        call({ did: 'read nights', nights: [{ home: 'one', ...night, isFree: true }] }),
      ],
    ],
  ])('it is seen that %s', (_, calls) => {
    expect(problems(...calls())).toHaveLength(1);
  });
});

describe('what the clients of a schedule saw', () => {
  const night = (home: HomeName): Wanted => ({ home, from: 734, to: 756 });
  const evening = (home: HomeName): Wanted => ({ home, from: 732, to: 734 });
  const who = { hold: 'an', confirm: 'binh', cancel: 'an', confirmHeld: 'an', book: 'partner' } as const;
  let op = 0;
  const asked = (
    verb: keyof typeof who,
    items: Wanted[],
    { status = 201, body = {}, ...more }: Partial<Intent> & { status?: number; body?: object } = {},
  ): HistoryEvent[] => {
    op += 1;
    const code = status === 409 ? { code: 'LISTING_NOT_AVAILABLE' } : {};
    return [
      { type: 'begin', op, intent: { who: who[verb], verb, items, content: 'same', ...more } },
      { type: 'end', op, answer: { status, body: JSON.stringify(body), replayed: false, ...code } },
    ];
  };
  const locked_until = '2027-01-15T03:15:00.000Z';
  const families = (...history: HistoryEvent[][]) => scheduleFamilies(history.flat());
  const unexplained = (...history: HistoryEvent[][]): string[] => linearProblems(families(...history));

  /** Two locks of one caller; the second replaces the first with its whole order. Then another takes the parent. */
  const replaced = (...first: HomeName[]): HistoryEvent[][] => [
    asked('hold', first.map(night), { body: { checkout_id: 100, locked_until } }),
    asked('hold', [night('lone')], { body: { checkout_id: 101, locked_until } }),
    asked('confirm', [night('parent')], { body: { master_reservation_id: 102 } }),
  ];

  it('makes two families one when an order has homes of both', () => {
    expect(unexplained(...replaced('lone', 'parent'))).toEqual([]);
    expect(families(...replaced('lone', 'parent')).map(({ name }) => name)).toEqual(['all homes']);
  });

  it('is judged by family otherwise', () => {
    const found = unexplained(...replaced('parent'));
    expect(found).toEqual([expect.stringMatching(/binh#\d+ confirm takes parent/)]);
  });

  const external = { external: 'X1', body: { id: 100 } };
  const taken = asked('confirm', [night('lone')], { status: 409 });

  it('is a booking of a partner whether its answer says that it was made or that it is there', () => {
    expect(unexplained(asked('book', [night('lone')], { ...external, status: 200 }), taken)).toEqual([]);
  });

  it('is one booking when a partner asks for it again', () => {
    const lost = asked('book', [night('lone')], { ...external, status: 503 });
    const found = asked('book', [night('lone')], { ...external, status: 200 });
    const cancelled = asked('cancel', [], { status: 200, target: 100 });
    const sold = asked('confirm', [night('lone')], { body: { master_reservation_id: 102 } });
    expect(unexplained(lost, found, cancelled, sold)).toEqual([]);
    expect(unexplained(lost, found, sold)).toHaveLength(1);
  });

  it('does not say which of two stays of one day was cancelled', () => {
    const items = [night('one'), evening('one')];
    const held = asked('hold', items, { body: { checkout_id: 100, locked_until } });
    const stays = [101, 102].map((id) => ({ id, listing_id: homes.one, check_in_date: '2027-01-31' }));
    const body = { master_reservation_id: 100, reservations: stays };
    const booked = asked('confirmHeld', [], { target: 100, body });
    const cancelled = asked('cancel', [], { status: 200, target: 101 });
    const sold = asked('confirm', [night('one')], { body: { master_reservation_id: 103 } });
    expect(unexplained(held, booked, cancelled, sold)).toEqual([]);
    expect(unexplained(held, booked, sold)).toHaveLength(1);
  });
});

describe('in random schedules, by what the clients saw alone', { timeout: 60_000 }, () => {
  it.each([
    'months written whatever they have become',
    'live locks overlooked',
    'cancelled time stays taken',
  ])('it finds: %s', async (name) => {
    makeVirtual();
    const bug = seededBugs.find((one) => one.name === name)!;
    const undo = bug.patch?.();
    try {
      let found: string[] = [];
      for (const plan of fc.sample(anyPlan(), { numRuns: 400, seed: 7 })) {
        const { history } = await runPlan(plan, await memoryStage(bug.tamper, plan.weather));
        found = linearProblems(scheduleFamilies(history));
        if (found.length > 0) break;
      }
      expect(found).toEqual([expect.stringMatching(/^no order explains that /)]);
    } finally {
      undo?.();
    }
  });
});

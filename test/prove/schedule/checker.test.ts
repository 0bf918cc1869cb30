import { describe, expect, it } from 'vitest';
import { violations } from './checker.ts';
import type { Answered, HistoryEvent, Intent, Names, View, Wanted } from './history.ts';
import { hourSpan, start } from './scene.ts';

/** Hand-written histories, valid and invalid, that the checker must classify. */

const night = hourSpan({ from: '2027-01-31T14:00', to: '2027-02-01T12:00' });
const lone: Wanted = { home: 'lone', ...night };
const parent: Wanted = { home: 'parent', ...night };
const child: Wanted = { home: 'one', ...night };
const sibling: Wanted = { home: 'two', ...night };

const begin = (op: number, intent: Partial<Intent> & Pick<Intent, 'verb'>): HistoryEvent => ({
  type: 'begin',
  op,
  intent: { who: 'an', items: [], content: JSON.stringify(intent), ...intent },
});
const confirm = (op: number, item: Wanted, more: Partial<Intent> = {}): HistoryEvent =>
  begin(op, { verb: 'confirm', items: [item], ...more });
const booked = (op: number, order: number, view?: View): HistoryEvent => {
  const names: Names = { order, reservations: [order + 1], availabilities: [order + 2] };
  return { type: 'commit', op, names, ...(view ? { view } : {}) };
};
const held = (op: number, order: number, until = start + 900_000): HistoryEvent => ({
  type: 'commit',
  op,
  names: { order, reservations: [order + 1], availabilities: [order + 2], until },
});
const end = (op: number, status: number, more: Partial<Answered> = {}): HistoryEvent => ({
  type: 'end',
  op,
  answer: { status, body: `{"by":${op}}`, replayed: false, ...more },
});
const taken = (...items: Wanted[]): Partial<Answered> => ({
  code: 'LISTING_NOT_AVAILABLE',
  body: JSON.stringify({
    details: {
      unavailable: items.map(({ home }) => ({
        listing_id: { parent: 10, one: 11, two: 12, three: 13, lone: 20, moved: 30 }[home],
        start_at: '2027-01-31T14:00:00',
        end_at: '2027-02-01T12:00:00',
      })),
    },
  }),
});
const view = (...orders: [Wanted, number][]): View => ({
  taken: Object.fromEntries(orders.map(([{ home, from, to }]) => [home, [{ from, to }]])),
  entries: orders.map(([item, order]) => ({
    ...item,
    id: order + 2,
    kind: 'BOOKED',
    until: null,
    reservation: order + 1,
  })),
  bookings: orders.map(([item, order]) => ({ ...item, id: order + 1, order, state: 'CONFIRMED' })),
  events: orders.map(([, order]) => ({ type: 'booking.created', id: order + 1 })),
});
const rest = (at: View): HistoryEvent => ({ type: 'rest', view: at });
const later = (ms: number): HistoryEvent => ({ type: 'clock', now: start + ms });

/** A soft lock of another home and of a room. */
const bothHeld: HistoryEvent[] = [
  begin(0, { verb: 'hold', items: [lone, child] }),
  {
    type: 'commit',
    op: 0,
    names: { order: 16, reservations: [17, 18], availabilities: [18, 19], until: start + 900_000 },
  },
  end(0, 201),
];

describe('a good history', () => {
  it.each<[string, HistoryEvent[]]>([
    [
      'one wins, one is refused',
      [
        confirm(0, lone),
        confirm(1, lone, { who: 'binh' }),
        booked(0, 16),
        end(0, 201),
        end(1, 409, taken(lone)),
        rest(view([lone, 16])),
      ],
    ],
    [
      'siblings at once',
      [
        confirm(0, child),
        booked(0, 16),
        end(0, 201),
        confirm(1, sibling),
        booked(1, 32),
        end(1, 201),
        rest(view([child, 16], [sibling, 32])),
      ],
    ],
    [
      'a lapsed lock makes room',
      [
        begin(0, { verb: 'hold', items: [lone] }),
        held(0, 16),
        end(0, 201),
        later(900_000),
        confirm(1, lone, { who: 'binh' }),
        booked(1, 32),
        end(1, 201),
        rest(view([lone, 32])),
      ],
    ],
    [
      'a hold beside the release of an own lock of a room and another home',
      [
        ...bothHeld,
        begin(1, { verb: 'release', target: 16 }),
        begin(2, { verb: 'hold', items: [parent, lone] }),
        { type: 'commit', op: 1, names: { order: 16, reservations: [], availabilities: [] } },
        end(1, 200),
        end(2, 409, taken(parent)),
        rest(view()),
      ],
    ],
    [
      'an answer that never came',
      [
        confirm(0, lone),
        { type: 'fault', op: 0, kind: 'lost reply, SDK gives up' },
        booked(0, 16),
        end(0, 503),
        rest(view([lone, 16])),
      ],
    ],
    [
      'a crash after the commit',
      [confirm(0, lone), booked(0, 16), { type: 'crash', op: 0 }, rest(view([lone, 16]))],
    ],
    [
      'twins under one key',
      [
        confirm(0, lone, { key: 'k', content: 'c' }),
        confirm(1, lone, { key: 'k', content: 'c' }),
        booked(1, 16),
        end(1, 201, { body: 'b' }),
        end(0, 201, { body: 'b', replayed: true }),
        rest(view([lone, 16])),
      ],
    ],
  ])('%s', (_, history) => {
    expect(violations(history)).toEqual([]);
  });
});

describe('a bad history', () => {
  const both = [confirm(0, lone), confirm(1, lone, { who: 'binh' }), booked(0, 16), end(0, 201)];
  it.each<[string, RegExp, HistoryEvent[]]>([
    ['two bookings of one night', /took hours that are taken/, [...both, booked(1, 32), end(1, 201)]],
    [
      'a child beside its parent',
      /took hours that are taken/,
      [confirm(0, parent), booked(0, 16), end(0, 201), confirm(1, child), booked(1, 32), end(1, 201)],
    ],
    [
      'a booking over a live lock',
      /took hours that are taken/,
      [
        begin(0, { verb: 'hold', items: [lone] }),
        held(0, 16),
        end(0, 201),
        later(899_999),
        confirm(1, lone, { who: 'binh' }),
        booked(1, 32),
        end(1, 201),
      ],
    ],
    [
      'entries that overlap',
      /taken twice/,
      [...both, end(1, 409, taken(lone)), rest(view([lone, 16], [lone, 32]))],
    ],
    [
      'an entry without its hours',
      /the hours of lone/,
      [confirm(0, lone), booked(0, 16), end(0, 201), rest({ ...view([lone, 16]), taken: {} })],
    ],
    [
      'hours without an entry',
      /entry is missing/,
      [confirm(0, lone), booked(0, 16), end(0, 201), rest({ ...view([lone, 16]), entries: [] })],
    ],
    ['hours that stay taken', /the hours of lone/, [rest({ ...view(), taken: { lone: [night] } })]],
    [
      'no event',
      /event is missing/,
      [confirm(0, lone), booked(0, 16), end(0, 201), rest({ ...view([lone, 16]), events: [] })],
    ],
    [
      'an event too many',
      /event too many/,
      [rest({ ...view(), events: [{ type: 'booking.created', id: 17 }] })],
    ],
    ['a refusal of free time', /without a reason/, [confirm(0, lone), end(0, 409, taken(lone))]],
    [
      'a refusal that names free hours',
      /without a reason/,
      [confirm(0, child), booked(0, 16), end(0, 201), confirm(1, child), end(1, 409, taken(sibling))],
    ],
    [
      'a refusal before there was a reason',
      /without a reason/,
      [confirm(1, lone), end(1, 409, taken(lone)), confirm(0, lone), booked(0, 16), end(0, 201)],
    ],
    ['a success without effect', /without a reason/, [confirm(0, lone), end(0, 201)]],
    [
      'an effect that was refused',
      /but took effect/,
      [confirm(0, lone), booked(0, 16), end(0, 409, taken(lone))],
    ],
    ['an effect twice', /took effect 2 times/, [confirm(0, lone), booked(0, 16), booked(0, 32), end(0, 201)]],
    [
      'two bookings for one key',
      /took effect 2 times/,
      [
        confirm(0, lone, { key: 'k', content: 'c' }),
        booked(0, 16),
        end(0, 201),
        confirm(1, lone, { key: 'k', content: 'c' }),
        booked(1, 32),
        end(1, 201),
      ],
    ],
    [
      'two answers for one key',
      /was answered 201 .* and 201/,
      [
        confirm(0, lone, { key: 'k', content: 'c' }),
        booked(0, 16),
        end(0, 201),
        confirm(1, lone, { key: 'k', content: 'c' }),
        end(1, 201),
      ],
    ],
    [
      'a hold that does not replace the own lock of a room and another home',
      /without a reason/,
      [...bothHeld, begin(2, { verb: 'hold', items: [parent, lone] }), end(2, 409, taken(parent))],
    ],
    ['a fault of ours', /was answered 500/, [confirm(0, lone), end(0, 500, { code: 'INTERNAL_ERROR' })]],
    ['busy without a cause', /although nothing went wrong/, [confirm(0, lone), end(0, 503)]],
    [
      'a lock of another caller confirmed',
      /of another caller/,
      [
        begin(0, { verb: 'hold', items: [lone] }),
        held(0, 16),
        end(0, 201),
        begin(1, { who: 'binh', verb: 'confirmHeld', target: 16 }),
        booked(1, 16),
        end(1, 201),
      ],
    ],
    [
      'extended twice',
      /extended twice/,
      [
        begin(0, { verb: 'hold', items: [lone] }),
        held(0, 16),
        end(0, 201),
        ...[1, 2].flatMap((op) => [begin(op, { verb: 'extend', target: 16 }), held(op, 16), end(op, 200)]),
      ],
    ],
    [
      'one of three booked',
      /hours of|entry/,
      [
        begin(0, { verb: 'confirm', items: [lone, child] }),
        { type: 'commit', op: 0, names: { order: 16, reservations: [17, 18], availabilities: [18, 19] } },
        end(0, 201),
        rest(view([lone, 16])),
      ],
    ],
    [
      'hours read that never were',
      /without a reason/,
      [begin(0, { verb: 'hours', items: [lone] }), end(0, 200, { body: '["2027-01-31T1400"]' })],
    ],
  ])('%s', (_, problem, history) => {
    expect(violations(history).join('\n')).toMatch(problem);
  });
});

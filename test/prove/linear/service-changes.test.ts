import { describe, expect, it } from 'vitest';
import type { Sent } from '../service/client.ts';
import {
  bulk,
  cancel,
  changeStay,
  confirm,
  nextMoment,
  on,
  orders,
  problemsOf,
  range,
  shift,
  taken,
  undo,
} from './service-scene.ts';

/** The answer to a change that is made when its page is paid: the stay as it still is. */
const waiting = (id: number) => ({
  ...{ id, listing_id: 20, check_in_date: '2027-02-08', check_out_date: '2027-02-09' },
  ...{ start_at: '2027-02-08T14:00:00', end_at: '2027-02-09T12:00:00' },
  change: { payment_url: 'https://bank.test/1' },
});

describe('as the clients saw the calendars when stays were changed, and days were blocked in bulk', () => {
  it.each<[string, () => Sent[]]>([
    [
      'a stay that was changed leaves its time to others, and takes hours that it had',
      () => [confirm([20]), changeStay(orders + 1, { home: 20, day: 7, last: 9 }), on(20, 9)],
    ],
    [
      'a stay goes from a house into its room, and the house stays taken',
      () => [confirm([10]), changeStay(orders + 1, { home: 11 }), on(10, 8, taken)],
    ],
    [
      'a stay goes to a home of another family, and leaves its time to others',
      () => [confirm([10]), changeStay(orders + 1, { home: 20 }), on(11, 8), on(20, 8, taken)],
    ],
    [
      'of two changes at once, the one that is answered last came first',
      () => {
        const all = [confirm([20]), changeStay(orders + 1, { home: 20, day: 8, last: 10 })];
        const shorter = changeStay(orders + 1, { home: 20 });
        all[1]!.end = nextMoment();
        return [...all, shorter, on(20, 9)];
      },
    ],
    [
      'a change is refused because of another stay',
      () => [
        on(20, 9),
        confirm([20]),
        shift(orders + 1, { check_out_date: '2027-02-10' }, taken),
        shift(orders + 1, { listing_id: 11 }, { status: 409, code: 'STAY_NOT_ALLOWED' }),
      ],
    ],
    [
      'a change without an answer was made, or not',
      () => [
        confirm([20]),
        changeStay(orders + 1, { home: 10 }, { isLost: true }),
        on(20, 8),
        on(10, 8, taken),
        on(10, 8),
      ],
    ],
    [
      'a stay of an order that was changed is cancelled with its order',
      () => [confirm([20]), changeStay(orders + 1, { home: 10 }), cancel(orders), on(10, 8)],
    ],
    [
      'a stay is changed whose booking had no answer',
      () => [confirm([20], { isLost: true }), changeStay(500, { home: 20, day: 7 }), on(20, 8)],
    ],
    [
      'days that were blocked in bulk are refused, and taken when a part is lifted',
      () => [
        bulk('BLOCKED', [20, 10], [range(6, 9)], { undo_id: 1 }),
        on(20, 7, taken),
        on(11, 7, taken),
        bulk('AVAILABLE', [20], [range(7, 8)]),
        on(20, 7),
        on(20, 9, taken),
      ],
    ],
    [
      'a change waits for its page: its night is refused, and taken when it is given up',
      () => [
        confirm([20]),
        shift(orders + 1, { check_out_date: '2027-02-10' }, { status: 200, json: waiting(orders + 1) }),
        on(20, 9, taken),
        on(20, 9),
      ],
    ],
    [
      'a house and its room are blocked in one bulk change',
      () => [bulk('BLOCKED', [10, 11], [range(7, 8)], { undo_id: 1 }), on(11, 7, taken)],
    ],
    [
      'a room that the block of its house took is free when that is undone, though the undo does not name it',
      () => [bulk('BLOCKED', [10, 11], [range(7, 8)], { undo_id: 1 }), undo(1, 10, [range(7, 8)]), on(11, 7)],
    ],
    [
      'a bulk block is undone, without the days that were lifted since',
      () => [
        bulk('BLOCKED', [20], [range(6, 9)], { undo_id: 1 }),
        bulk('AVAILABLE', [20], [range(7)]),
        undo(1, 20, []),
        on(20, 8, taken),
      ],
    ],
    [
      'a bulk block is refused for one home alone',
      () => [on(20, 7), bulk('BLOCKED', [20], [range(6, 9)], { error: 'LISTING_NOT_AVAILABLE' }), on(20, 8)],
    ],
    [
      'a home that a bulk block did not reach is blocked or not',
      () => [
        bulk('BLOCKED', [20], [range(7, 8)], { error: 'SERVICE_UNAVAILABLE' }),
        on(20, 7, taken),
        on(20, 7),
      ],
    ],
    [
      'an undo has no answer',
      () => [
        bulk('BLOCKED', [20], [range(7, 8)], { undo_id: 1 }),
        undo(1, 20, [], { isLost: true }),
        on(20, 7, taken),
        on(20, 7),
      ],
    ],
    [
      'what was lifted in bulk is blocked again',
      () => [
        bulk('AVAILABLE', [20], [range(7, 8)], { undo_id: 1 }),
        undo(1, 20, [range(7, 8)]),
        on(20, 7, taken),
      ],
    ],
  ])('it may be that %s', (_, all) => {
    expect(problemsOf(...all())).toEqual([]);
  });

  it.each<[string, () => Sent[]]>([
    [
      'a stay is changed to time that is taken',
      () => [on(20, 9), confirm([20]), changeStay(orders + 1, { home: 20, day: 9 })],
    ],
    [
      'the new time of a stay is taken',
      () => [confirm([20]), changeStay(orders + 1, { home: 20, day: 7 }), on(20, 7)],
    ],
    [
      'the time that a stay has left is refused',
      () => [confirm([20]), changeStay(orders + 1, { home: 10 }), on(20, 8, taken)],
    ],
    [
      'a change is refused because of the stay itself',
      () => [confirm([20]), shift(orders + 1, { check_out_date: '2027-02-10' }, taken)],
    ],
    [
      'a room is refused to a stay that leaves its house',
      () => [confirm([10]), shift(orders + 1, { listing_id: 11 }, taken)],
    ],
    [
      'a stay that was cancelled is changed',
      () => [confirm([20]), cancel(orders), changeStay(orders + 1, { home: 20, day: 7 })],
    ],
    ['a day that was blocked in bulk is taken', () => [bulk('BLOCKED', [10], [range(7, 8)]), on(11, 7)]],
    [
      'a house and its room are blocked, by two bulk changes',
      () => [
        bulk('BLOCKED', [10], [range(7, 8)], { undo_id: 1 }),
        bulk('BLOCKED', [11], [range(7, 8)], { undo_id: 2 }),
      ],
    ],
    ['a taken day is blocked in bulk', () => [on(20, 7), bulk('BLOCKED', [20], [range(6, 9)])]],
    [
      'a day is refused whose bulk block was undone',
      () => [
        bulk('BLOCKED', [20], [range(7, 8)], { undo_id: 1 }),
        undo(1, 20, [range(7, 8)]),
        on(20, 7, taken),
      ],
    ],
    [
      'a bulk block is refused of free days',
      () => [bulk('BLOCKED', [20], [range(6, 9)], { error: 'LISTING_NOT_AVAILABLE' })],
    ],
  ])('it cannot be that %s', (_, all) => {
    expect(problemsOf(...all())).toHaveLength(1);
  });
});

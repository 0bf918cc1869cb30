import { describe, expect, it } from 'vitest';
import { foldFetch, type KeptEvent } from '../../../shared/domain/ical/kept-events.ts';
import { addDays } from '../../../shared/platform/time/time.ts';

const now = '2027-01-15T10:00:00';
const day = (number: number) => addDays('2027-02-01', number);
const nights = (key: string, from: number, to: number): Omit<KeptEvent, 'misses'> => ({
  key,
  start_at: `${day(from)}T14:00:00`,
  end_at: `${day(to)}T12:00:00`,
  late: false,
  joined: false,
});
const known = (...events: Omit<KeptEvent, 'misses'>[]) => events.map((event) => ({ ...event, misses: 0 }));
const fold = (
  before: readonly KeptEvent[],
  after: Omit<KeptEvent, 'misses'>[],
  echoes: Omit<KeptEvent, 'misses'>[] = [],
) => foldFetch(before, after, { now, inARow: true, confirmed: false, echoes, isShrunk: () => false });

it('frees nothing that the calendar still shows, though it is ours by now', () => {
  const rolling = known(nights('house', 20, 120));
  expect(fold(rolling, [], [nights('moved', 21, 121)]).quarantined).toBe(0);
  expect(fold(rolling, [], [nights('moved', 80, 121)]).quarantined).toBe(100);
});

describe('what a fetch may free at once', () => {
  it.each<[string, KeptEvent[], Omit<KeptEvent, 'misses'>[], number]>([
    ['4 nights, all that it had', known(nights('a', 1, 5)), [], 0],
    ['5 nights, all that it had', known(nights('a', 1, 6)), [], 5],
    ['half', known(nights('a', 1, 7), nights('b', 10, 16)), [nights('a', 1, 7)], 0],
    ['one night more than half', known(nights('a', 1, 7), nights('b', 10, 17)), [nights('a', 1, 7)], 7],
    [
      'many small events beside a long one',
      known(nights('a', 1, 40), ...[50, 52, 54, 56, 58, 60].map((at) => nights(`b${at}`, at, at + 1))),
      [nights('a', 1, 40)],
      0,
    ],
    ['a block that moves by a day under a new UID', known(nights('a', 20, 120)), [nights('b', 21, 121)], 0],
    ['a block that moves by a day under its UID', known(nights('a', 20, 120)), [nights('a', 21, 121)], 0],
    ['a stay that moves under its UID', known(nights('a', 1, 11)), [nights('a', 30, 40)], 0],
    ['a stay that moves under a new UID', known(nights('a', 1, 11)), [nights('b', 30, 40)], 10],
    ['a block that shrinks under its UID', known(nights('a', 1, 101)), [nights('a', 1, 3)], 100],
    ['what lies beyond a year', known(nights('a', 1, 3), nights('b', 400, 500)), [nights('a', 1, 3)], 0],
    [
      'the time of one event that others take',
      known(nights('a', 1, 11)),
      [nights('b', 1, 6), nights('c', 6, 11)],
      0,
    ],
  ])('%s', (_, before, after, quarantined) => {
    expect(fold(before, after).quarantined).toBe(quarantined);
  });

  it('never holds a block that moves by a day a day', () => {
    let events = known(nights('0', 20, 120));
    for (let at = 1; at < 100; at++) {
      const next = fold(events, [nights(String(at), 20 + at, 120 + at)]);
      expect(next.quarantined).toBe(0);
      ({ events } = next);
    }
    expect(events).toHaveLength(2);
  });

  it('keeps what is held until it is back', () => {
    const held = fold(known(nights('a', 1, 101)), [nights('a', 1, 3)]);
    expect(held.events.map(({ start_at, end_at }) => `${start_at} ${end_at}`)).toHaveLength(2);
    const again = fold(held.events, [nights('a', 1, 3)]);
    expect(again).toEqual(held);
    expect(fold(again.events, [nights('a', 1, 101)])).toMatchObject({
      quarantined: 0,
      events: [{ key: 'a' }],
    });
  });

  it('counts hours within a date as that date', () => {
    const hours = (key: string, at: number) => ({ ...nights(key, at, at), start_at: `${day(at)}T08:00:00` });
    const all = [1, 2, 3, 4, 5].map((at) => hours(String(at), at));
    expect(fold(known(...all), []).quarantined).toBe(5);
    expect(fold(known(...all), [hours('1', 1)]).quarantined).toBe(0);
  });
});

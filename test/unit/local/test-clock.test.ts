import { afterEach, describe, expect, it } from 'vitest';
import { ClockChange, clockVariable, testClock } from '../../../infra/local/home/test-clock.ts';
import { machineClock, systemClock } from '../../../shared/platform/time/clock.ts';
import { newId } from '../../../shared/platform/ids.ts';

afterEach(() => void Reflect.deleteProperty(process.env, clockVariable));

const moved: number[] = [];
const clock = testClock(({ offset_ms }) => void moved.push(offset_ms));

describe('the test clock', () => {
  it('goes anywhere within its bounds and back, and ids go on growing', () => {
    const ids: number[] = [];
    for (const now of ['2199-12-31T00:00:00Z', '2000-01-02T00:00:00+07:00', '2030-01-01T00:00:00Z']) {
      clock.change(ClockChange.parse({ now }));
      expect(Math.abs(systemClock.now() - Date.parse(now))).toBeLessThan(10_000);
      ids.push(newId(systemClock));
    }
    expect(clock.reset().offset_ms).toBe(0);
    ids.push(newId(systemClock));
    expect(ids.toSorted((one, other) => one - other)).toEqual(ids);
    expect(Math.abs(systemClock.now() - machineClock.now())).toBeLessThan(1000);
    expect(moved.at(-1)).toBe(0);
  });

  it.each([
    ['2150-01-01T00:00:00Z', { now: '1999-12-31T23:59:59Z' }],
    ['2150-01-01T00:00:00Z', { now: '2200-01-01T00:00:01Z' }],
    ['2150-01-01T00:00:00Z', { now: '0001-01-01T00:00:00Z' }],
    ['2150-01-01T00:00:00Z', { advance: 'P60Y' }],
    ['2050-01-01T00:00:00Z', { advance: '-P60Y' }],
  ])('at %s refuses %j, and stays where it is', (now, change) => {
    const { offset_ms } = clock.change({ now });
    expect(() => clock.change(ClockChange.parse(change))).toThrow('the clock goes from 2000');
    expect(clock.read().offset_ms).toBe(offset_ms);
  });
});

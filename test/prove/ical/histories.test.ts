import { describe, expect, it } from 'vitest';
import { playHistory } from './history.ts';
import { proveHistories } from './prove-histories.ts';
import { calendarBugs } from './seeded-bugs.ts';

const seed = 2027;

describe(
  'after two refreshes no calendar holds a phantom and none misses a night',
  { timeout: 300_000 },
  () => {
    it(`in 20 random two-way histories (seed ${seed}; more: npm run prove)`, async () => {
      const { failure, histories, counts } = await proveHistories({ histories: 20, seed });
      expect(failure).toBeUndefined();
      expect(histories).toBe(20);
      for (const [name, least] of [
        ['bookings', 30],
        ['cancellations', 20],
        ['there', 20],
        ['echoes', 30],
      ] as const)
        expect(counts[name], name).toBeGreaterThan(least);
    });

    it('and a history that is played again goes the same way', async () => {
      const [first, second] = [await playHistory(seed), await playHistory(seed)];
      expect(second).toEqual(first);
      expect(first.story.length).toBeGreaterThan(5);
    });

    it.each(calendarBugs)('and they see when $name', async (bug) => {
      const { failure } = await proveHistories({ histories: 60, seed: 42, bug });
      expect(failure?.problems).not.toEqual([]);
      expect(failure?.history).toBeDefined();
    });
  },
);

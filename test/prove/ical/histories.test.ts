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

    it('in 12 histories of a platform that links a house with its rooms (more: npm run prove -- --linked)', async () => {
      const { failure, counts } = await proveHistories({ histories: 12, seed: 3001, kind: 'linked' });
      expect(failure).toBeUndefined();
      expect(counts.there).toBeGreaterThan(20);
    });

    it.each([
      ['a sale is one event with the hours that another platform left beside it', 362378842, 4],
      ['it is so in several events at once', 362378842, 2],
      ['what is left of such an event looks as the sale did', 362378842, 124],
    ])('where %s (found by a run with seed %d, history %d)', async (_, found, only) => {
      const { failure } = await proveHistories({ histories: 1, seed: found, only });
      expect(failure).toBeUndefined();
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

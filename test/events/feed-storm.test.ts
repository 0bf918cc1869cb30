import { describe, expect, it } from 'vitest';
import { feedStorm } from '../support/feed-storm.ts';

const limits = [2, 3, 100];

describe('workers that enter events of every size for one team, over a hostile table', () => {
  it.each([
    [2, 1],
    [2, 2],
    [20, 3],
    [20, 4],
    [20, 32],
  ])(
    '%d of them (seed %d): every reader sees each event exactly once, and no message fails',
    async (workers, seed) => {
      const { ids, seen, failed, counts } = await feedStorm({ seed, events: 400, workers, limits });
      expect(failed).toBe(0);
      expect(counts.get('transaction conflict')).toBeGreaterThan(0);
      for (const read of seen) expect(read.toSorted()).toEqual(ids.toSorted());
    },
  );
});

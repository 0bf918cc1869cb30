import { describe, expect, it } from 'vitest';
import { admitCrowd, crowds, type Way, ways } from './crowds.ts';
import { usual } from './manners.ts';

const cases = crowds.flatMap((crowd) => (Object.keys(ways) as Way[]).map((way) => ({ ...crowd, way })));

describe('over a hostile table no buyer gets 503, and everything that is free is sold once', () => {
  it.each(cases)('$name: $way', { timeout: 60_000 }, async (crowd) => {
    const { problems, manners } = await admitCrowd(crowd, crowd.way, 2027);
    expect(problems).toEqual([]);
    for (const manner of ['transaction conflict', 'throttled', 'unprocessed', 'torn read', 'cancelled hold'])
      expect(manners[manner], manner).toBeGreaterThan(0);
  });

  it('on a usual day 99 of 100 buyers of siblings, 50 a second, have their answer within 300 ms', async () => {
    const crowd = crowds.find(({ perSecond }) => perSecond === 50)!;
    for (const way of ['confirm', 'hold'] as const) {
      const slowest: number[] = [];
      for (let seed = 1; seed <= 5; seed++) {
        const { p99_ms, problems } = await admitCrowd(crowd, way, seed, usual);
        expect(problems).toEqual([]);
        slowest.push(p99_ms);
      }
      expect(slowest.toSorted((one, other) => one - other)[2], way).toBeLessThanOrEqual(300);
    }
  }, 60_000);

  it('and a crowd of the same seed goes the same way', async () => {
    const [crowd] = crowds;
    expect(await admitCrowd(crowd!, 'confirm', 7)).toEqual(await admitCrowd(crowd!, 'confirm', 7));
  });
});

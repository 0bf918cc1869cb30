import { describe, expect, it } from 'vitest';
import { findInMoney } from '../bugs.ts';
import { play } from './history.ts';
import { planOf } from './plan.ts';
import { moneyBugs } from './planted.ts';
import { proveMoney } from './prove-money.ts';

const seed = 2027;

describe('money adds up', { timeout: 300_000 }, () => {
  it(`in 200 random histories of a booking, to the đồng (seed ${seed}; more: npm run prove)`, async () => {
    const { failure, histories, counts } = await proveMoney({ histories: 200, seed });
    expect(failure).toBeUndefined();
    expect(histories).toBe(200);
    for (const [name, least] of [
      ...([
        ['done', 1000],
        ['refused', 300],
        ['crashed', 50],
      ] as const),
      ...([
        ['together', 100],
        ['paid', 40],
        ['checks', 1500],
      ] as const),
      ...([
        ['balances', 5],
        ['transfers', 20],
        ['restored', 0],
        ['givenUp', 2],
      ] as const),
    ] as const)
      expect(counts[name], name).toBeGreaterThan(least);
  });

  it('and a history that is played again goes the same way', async () => {
    const [first, second] = [await play(planOf(seed)), await play(planOf(seed))];
    expect(second).toEqual(first);
    expect(first.lines.length).toBeGreaterThan(5);
  });

  it.each(moneyBugs)('and they see when $name', async (bug) => {
    expect(await findInMoney(bug, { seed, histories: 400 })).toMatchObject({ isFound: true });
  });
});

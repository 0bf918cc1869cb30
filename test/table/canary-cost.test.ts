import { beforeAll, describe, expect, it } from 'vitest';
import { external } from '../../functions/external/index.ts';
import { externalRoutes } from '../../functions/external/routes.ts';
import { measured } from '../../infra/cost/usage.ts';
import { systemClock } from '../../shared/platform/time/clock.ts';
import { dayMs } from '../../shared/platform/time/time.ts';
import { canaryScene } from '../support/canary-scene.ts';
import { countsUnits, measuredTable } from '../support/costs.ts';

/** A night between two months takes an item more; of thirty runs that is one. */
const middleOfMonth = (): number =>
  Array.from({ length: 31 }, (_, night) => night).find(
    (night) => new Date(systemClock.now() + (60 + night) * dayMs).getUTCDate() === 15,
  ) ?? 0;

describe.runIf(countsUnits)('a run of the canary', () => {
  let cost: ReturnType<typeof measuredTable>['cost'];
  let s: Awaited<ReturnType<typeof canaryScene>>;
  beforeAll(async () => {
    s = await canaryScene((deps) => {
      const measuring = measuredTable(deps.table);
      cost = measuring.cost;
      return [{ group: externalRoutes, handler: external(() => ({ ...deps, table: measuring.table })) }];
    });
  });

  it('takes what the bill says, also after many before it', async () => {
    for (let runs = 0; runs < 60; runs++) await s.run();
    let sent = 0;
    const spent = await cost(async () => {
      sent = (await s.run(undefined, { pick: middleOfMonth })).sent.length;
    });
    const { requests, readUnits, writeUnits, trips } = measured.canary;
    expect(sent).toBe(requests);
    expect(spent.trips).toBeLessThanOrEqual(trips);
    expect(spent.rcu).toBeLessThanOrEqual(readUnits);
    expect(spent.wcu).toBeLessThanOrEqual(writeUnits);
  });
});

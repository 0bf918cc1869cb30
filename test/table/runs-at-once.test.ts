import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { claimRound } from '../../shared/domain/audit/audit-round.store.ts';
import { TeamEntity } from '../../shared/domain/people/team.store.ts';
import { AlreadyInProgress, leaseMs, runOnce } from '../../shared/platform/events/run-once.ts';
import { change, ConflictError, lacks } from '../../shared/platform/table/index.ts';
import { interruptedTable, writing } from '../support/interrupted.ts';
import { freshId, type TestDependencies, testDependencies } from '../support/table.ts';

let deps: TestDependencies;
beforeEach(async () => void (deps = await testDependencies()));

it('an audit that another one left unfinished goes on in one of two runs', async () => {
  await claimRound(deps);
  deps.clock.advance(86_400_000);
  let other: unknown;
  const meanwhile = async () => (other = await claimRound(deps));
  const table = interruptedTable(deps.table, writing('AuditRound'), meanwhile);
  expect([await claimRound({ ...deps, table }), other !== undefined]).toEqual([undefined, true]);
});

describe('an effect that outlives its claim', () => {
  const handling = () => ({ consumer: 'test', event_id: randomUUID(), recipient: null });
  const lapse = () => deps.clock.advance(leaseMs + 1);

  it('and fails leaves the claim of the delivery that took over', async () => {
    const event = handling();
    const goesOn = Promise.withResolvers<undefined>();
    let second: Promise<unknown> | undefined;
    const first = runOnce(deps, event, async () => {
      lapse();
      const begins = Promise.withResolvers<undefined>();
      second = runOnce(deps, event, async () => {
        begins.resolve(undefined);
        await goesOn.promise;
      });
      await begins.promise;
      throw new Error('the mail server is down');
    });
    await expect(first).rejects.toThrow('the mail server is down');
    await expect(runOnce(deps, event, async () => undefined)).rejects.toBeInstanceOf(AlreadyInProgress);
    goesOn.resolve(undefined);
    expect(await second).toBe(true);
  });

  it('is not repeated once it is done, also where the delivery that took over failed', async () => {
    const event = handling();
    await runOnce(deps, event, async () => {
      lapse();
      await runOnce(deps, event, () => Promise.reject(new Error('down'))).catch(() => undefined);
    });
    expect(await runOnce(deps, event, async () => undefined)).toBe(false);
  });
});

it('a change never makes an item that is not there', async () => {
  const ids = { team_id: freshId() };
  const named = change(TeamEntity, ids, { set: { name: 'Hồ Tây' } }, { when: lacks('language') });
  await expect(deps.table.transact([named])).rejects.toBeInstanceOf(ConflictError);
  expect(await deps.table.get(TeamEntity, ids)).toBeUndefined();
});

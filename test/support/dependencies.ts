import type { Caller } from '../../shared/platform/auth.ts';
import { type Clock, fixedClock } from '../../shared/platform/time/clock.ts';
import type { Context, Dependencies } from '../../shared/platform/context.ts';
import { logOf } from '../../shared/platform/metrics/log.ts';
import { type FakeIdentity, fakeIdentity } from './identity.ts';
import { testSealing } from './sealing.ts';
import { type TestGateway, testGateway } from './sandbox.ts';
import { testTable } from './test-table.ts';

type TestClock = ReturnType<typeof fixedClock>;

/** The default start time of tests. */
export const testStart = '2027-01-15T03:00:00.000Z';

export interface TestDependencies<C extends Clock = TestClock> extends Dependencies {
  clock: C;
  provider: FakeIdentity;
  sandbox: TestGateway;
}

/**
 * Returns the dependencies of a function under test: the worker's table, a fixed clock, an in-memory identity provider, a
 * silent log.
 */
export const testDependencies = async <C extends Clock = TestClock>(
  given: { clock?: C } = {},
): Promise<TestDependencies<C>> => {
  process.env['METRICS_DISABLED'] ??= 'true';
  const provider = fakeIdentity();
  const clock = given.clock ?? (fixedClock(testStart) as Clock as C);
  const sandbox = testGateway(clock);
  return {
    table: await testTable(),
    clock,
    log: logOf({ level: 'SILENT' }),
    identity: () => provider,
    provider,
    payments: () => sandbox.gateway,
    sandbox,
    sealing: testSealing,
  };
};

/** Returns a context as `serve` does, without an Idempotency-Key. */
export const testContext = <C extends Caller, D extends Dependencies>(
  deps: D,
  caller: C,
  given: Partial<Pick<Context, 'requestId' | 'teamHeader'>> = {},
): D & Context<C> => ({
  requestId: 'test-request',
  teamHeader: undefined,
  ...deps,
  ...given,
  caller,
  commit: async (writes, body) => {
    await deps.table.transact(writes);
    return body;
  },
  recordStart: (writes) => deps.table.transact(writes),
  startedId: async () => undefined,
});

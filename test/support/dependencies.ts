import { Logger } from '@aws-lambda-powertools/logger';
import type { Caller } from '../../shared/platform/auth.ts';
import { type Clock, fixedClock } from '../../shared/platform/clock.ts';
import type { Context, Dependencies } from '../../shared/platform/context.ts';
import { type FakeIdentity, fakeIdentity } from './identity.ts';
import { type TestGateway, testGateway } from './sandbox.ts';
import { testTable } from './test-table.ts';

type TestClock = ReturnType<typeof fixedClock>;

/** The moment at which tests begin unless they say another. */
export const testStart = '2027-01-15T03:00:00.000Z';

export interface TestDependencies<C extends Clock = TestClock> extends Dependencies {
  clock: C;
  provider: FakeIdentity;
  sandbox: TestGateway;
}

/** The dependencies of a function under test: the worker's table, a clock that stands still, a provider in memory, a silent log. */
export const testDependencies = async <C extends Clock = TestClock>(
  given: { clock?: C } = {},
): Promise<TestDependencies<C>> => {
  process.env['POWERTOOLS_METRICS_DISABLED'] ??= 'true';
  const provider = fakeIdentity();
  const clock = given.clock ?? (fixedClock(testStart) as Clock as C);
  const sandbox = testGateway(clock);
  return {
    table: await testTable(),
    clock,
    log: new Logger({ logLevel: 'SILENT' }),
    identity: () => provider,
    provider,
    payments: () => sandbox.gateway,
    sandbox,
  };
};

/** A context as `serve` makes it, without an Idempotency-Key. */
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
  startedOrderId: async () => undefined,
});

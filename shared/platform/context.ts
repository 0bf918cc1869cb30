import type { Logger } from '@aws-lambda-powertools/logger';
import type { Caller, SystemCaller } from './auth.ts';
import type { Clock } from './clock.ts';
import type { IdentityProvider } from './identity/index.ts';
import type { PaymentGateway } from './payment/index.ts';
import type { Table, Write } from './table/index.ts';

/** What a function is given by its environment; tests give their own. */
export interface Dependencies {
  table: Table;
  clock: Clock;
  log: Logger;
  /** Made at first use: most functions never need it. */
  identity: () => IdentityProvider;
  /** Of functions that take payments alone. */
  payments: () => PaymentGateway;
}

/** Everything a verb works with. */
export interface Context<C extends Caller = Caller> extends Dependencies {
  caller: C;
  requestId: string;
  /** The `X-Team-ID` header, when it was sent. */
  teamHeader: number | undefined;
  /** The access token of the call, of a signed-in person alone; never to be logged. */
  bearer?: string;
  /**
   * Writes all or nothing, together with the idempotency record of the request when it carries a key (D6), and answers `body`.
   * The body is stored as it will be sent, so a repetition gets it byte for byte.
   */
  commit: <Body>(writes: readonly Write[], body: Body) => Promise<Body>;
  /**
   * Writes the first step of a request that takes several, unless the request was answered before: then that answer comes
   * again. What was begun (the id of an order) is kept under the request's Idempotency-Key, for whoever repeats it.
   */
  recordStart: (writes: readonly Write[], orderId: number) => Promise<void>;
  /** What this very request began before, if it carries an Idempotency-Key and was not answered. */
  startedOrderId: () => Promise<number | undefined>;
}

/** The service itself at work, for nobody who waits for an answer: a schedule or a consumer. */
export const systemContext = (deps: Dependencies, name: string): Context<SystemCaller> => ({
  ...deps,
  caller: { kind: 'system', name },
  requestId: name,
  teamHeader: undefined,
  commit: async (writes, body) => {
    await deps.table.transact(writes);
    return body;
  },
  recordStart: (writes) => deps.table.transact(writes),
  startedOrderId: async () => undefined,
});

import type { Caller, SystemCaller } from './auth.ts';
import type { Clock } from './time/clock.ts';
import type { Sealing } from './data-key/sealing.ts';
import type { IdentityProvider } from './identity/index.ts';
import type { Log } from './metrics/log.ts';
import type { PaymentGateway } from './payment/index.ts';
import type { Table, Write } from './table/index.ts';

/** The dependencies of a function. */
export interface Dependencies {
  table: Table;
  clock: Clock;
  log: Log;
  /** Created at the first use. */
  identity: () => IdentityProvider;
  /** Present only in functions that take payments. */
  payments: () => PaymentGateway;
  /** Present only in functions that show or send what is encrypted (D140). */
  sealing: () => Sealing;
  /** Waits before a slow answer of a sandbox scenario; by default as long as it says. */
  wait?: (ms: number) => Promise<unknown>;
}

/** The context of one request. */
export interface Context<C extends Caller = Caller> extends Dependencies {
  caller: C;
  requestId: string;
  /** The `X-Team-ID` header, if present. */
  teamHeader: number | undefined;
  /** The access token of a user; never logged. */
  bearer?: string;
  /**
   * Writes all or nothing, together with the idempotency record of a request that has a key (D6), and returns `body`. The
   * record holds the body as it is sent, so a retry receives the same bytes.
   */
  commit: <Body>(writes: readonly Write[], body: Body) => Promise<Body>;
  /**
   * Writes the first step of a request that takes several, and records the id of what it starts, an order or a bulk change,
   * under its Idempotency-Key for a retry. Throws the stored response if the request was already answered.
   */
  recordStart: (writes: readonly Write[], id: number) => Promise<void>;
  /** Returns the id that an earlier attempt of this request recorded; undefined without an Idempotency-Key. */
  startedId: () => Promise<number | undefined>;
}

/** Returns a context for a schedule or a consumer. */
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
  startedId: async () => undefined,
});

import type { Logger } from '@aws-lambda-powertools/logger';
import type { Caller } from './auth.ts';
import type { Clock } from './clock.ts';
import type { IdentityProvider } from './identity/index.ts';
import type { Table, Write } from './table/index.ts';

/** What a function is given by its environment; tests give their own. */
export interface Dependencies {
  table: Table;
  clock: Clock;
  log: Logger;
  /** Made at first use: most functions never need it. */
  identity: () => IdentityProvider;
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
}

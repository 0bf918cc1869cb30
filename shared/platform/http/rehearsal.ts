import type { Context, Dependencies } from '../context.ts';
import type { IdentityProvider } from '../identity/index.ts';
import { type GatewayConduct, rehearsedGateway } from '../payment/rehearsed-gateway.ts';
import type { Rehearse } from '../table/rehearse.ts';
import type { Write } from '../table/index.ts';

interface Staging {
  /** How the payment gateway behaves; by default a call ends the rehearsal. */
  gateway?: Exclude<GatewayConduct, object>;
  /** Whether the rehearsal ends where the verb asks for its earlier attempt, which it does before it calls other services. */
  endsAtServices?: boolean;
  /**
   * Called with the writes that begin or complete the request, whose conditions hold. It may throw what they meet instead, or
   * the end of the rehearsal.
   */
  meet?: (writes: readonly Write[], deps: Dependencies, end: () => Error) => Promise<void>;
}

/** What a rehearsed verb returned. */
interface Rehearsed {
  result: unknown;
}

/** Thrown into a verb to end its rehearsal; what it is answered with is kept by the rehearsal. */
class RehearsalEnded extends Error {}

/** The calls of a verb that are rehearsed, in place of those of {@link VerbCall}. */
type Rehearsing = Dependencies & Pick<Context, 'commit' | 'recordStart' | 'startedId'>;

/**
 * One run of a verb that changes nothing (D98). It reads the table; of its writes the conditions are checked until the first
 * that it believes written. No other service is asked to do anything.
 */
export class Rehearsal {
  readonly #deps: Dependencies;
  readonly #staging: Staging;
  #hasWritten = false;
  #committed: Rehearsed | undefined;
  #end: { rehearsed: Rehearsed | undefined } | undefined;

  constructor(deps: Dependencies, staging: Staging) {
    this.#staging = staging;
    this.#deps = {
      ...deps,
      table: deps.table.rehearsing(this.#rehearse),
      identity: () => this.#readingOnly(deps.identity()),
      payments: () =>
        rehearsedGateway(deps.payments(), staging.gateway ?? { unreachable: () => this.#ended(undefined) }),
    };
  }

  /** Returns the verb's result; undefined if the rehearsal ended before it. Throws the verb's own errors. */
  async run(verb: (rehearsing: Rehearsing) => Promise<unknown>): Promise<Rehearsed | undefined> {
    try {
      const result = await verb({
        ...this.#deps,
        commit: this.#commit,
        recordStart: this.#recordStart,
        startedId: this.#startedId,
      });
      return this.#end ? this.#end.rehearsed : { result };
    } catch (error) {
      if (this.#end) return this.#end.rehearsed;
      throw error;
    }
  }

  #commit: Context['commit'] = async (writes, body) => {
    await this.#recordStart(writes);
    this.#committed = { result: body };
    return body;
  };

  #recordStart = async (writes: readonly Write[]): Promise<void> => {
    await this.#deps.table.transact(writes);
    await this.#staging.meet?.(writes, this.#deps, () => this.#ended(undefined));
  };

  #startedId: Context['startedId'] = async () => {
    if (this.#staging.endsAtServices) throw this.#ended(undefined);
    return undefined;
  };

  /** What follows the commit of a request is not its answer any more. */
  #rehearse: Rehearse = async (_, check) => {
    if (this.#committed) throw this.#ended(this.#committed);
    if (!this.#hasWritten) await check();
    this.#hasWritten = true;
  };

  #ended(rehearsed: Rehearsed | undefined): Error {
    this.#end ??= { rehearsed };
    return new RehearsalEnded();
  }

  #readingOnly(real: IdentityProvider): IdentityProvider {
    const refuse = async (): Promise<never> => {
      throw this.#ended(undefined);
    };
    return {
      readUser: (subject) => real.readUser(subject),
      findUserByEmail: (email) => real.findUserByEmail(email),
      signUp: refuse,
      passwordLogin: refuse,
      sendVerificationEmail: refuse,
      deleteUser: refuse,
      sendPasswordReset: refuse,
    };
  }
}

import type { Context, Dependencies } from '../context.ts';
import { ServiceError } from '../errors.ts';
import type { TimeLimit } from '../table/index.ts';
import { parseCompiledLater } from '../schema/uncompiled.ts';
import { compressBody, sealBody, storedBody } from './compressed-body.ts';
import {
  findStarted,
  type IdempotentRequest,
  isReplayable,
  Replay,
  saveRefusal,
  saveReply,
  saveStart,
  type StoredAnswer,
} from './idempotency.ts';
import { type Answer, errorBody, jsonHeaders, Reply } from './reply.ts';
import { isDocument, type Route } from './route.ts';
import { holdsSealed } from './sealed-fields.ts';

interface VerbCallOptions {
  route: Route;
  deps: Dependencies;
  limit: TimeLimit;
  /** Present if the request has an Idempotency-Key. */
  repeatable: IdempotentRequest | undefined;
  /** Resolves if the request is within its rate limits. */
  withinLimit: () => Promise<void>;
}

/**
 * One run of a verb. Under an Idempotency-Key the stored record is read in parallel with the verb's first reads, and no read
 * returns before it: a repeated request receives the stored response. The response is stored in the same transaction as the
 * verb's writes.
 */
export class VerbCall {
  readonly #calling: VerbCallOptions;
  readonly #deps: Dependencies;
  #kept = false;
  #passed: Promise<void> | undefined;
  /** The order id recorded by an earlier attempt, as first read. */
  #earlier: { started: number | undefined } | undefined;

  constructor(calling: VerbCallOptions) {
    this.#calling = calling;
    const table = calling.deps.table.waitingFor(() => this.allowed(), calling.limit);
    this.#deps = { ...calling.deps, table };
  }

  /** The verb's dependencies; no request to the table returns before {@link allowed}. */
  get deps(): Dependencies {
    return this.#deps;
  }

  /**
   * Resolves if the request is within its rate limits and was not answered before; otherwise throws the error or its {@link
   * Replay}.
   */
  allowed(): Promise<void> {
    if (this.#passed) return this.#passed;
    this.#passed = this.#pass();
    // Reads that fail for another reason do not await it.
    this.#passed.catch(() => undefined);
    return this.#passed;
  }

  async #pass(): Promise<void> {
    const [admitted, earlier] = await Promise.allSettled([this.#calling.withinLimit(), this.#findEarlier()]);
    if (admitted.status === 'rejected') throw admitted.reason;
    if (earlier.status === 'rejected') throw earlier.reason;
    this.#earlier = { started: earlier.value };
  }

  #findEarlier(): Promise<number | undefined> {
    const { repeatable, deps } = this.#calling;
    return repeatable ? findStarted(deps.table, repeatable, deps.clock.now()) : Promise.resolve(undefined);
  }

  commit: Context['commit'] = async (writes, body) => {
    const { repeatable, route } = this.#calling;
    const { table, clock } = this.#deps;
    if (!repeatable) await table.transact(writes);
    else {
      const answer = await this.#stored(repeatable, route.status, rendered(route, body));
      await table.transact([saveReply(repeatable, answer, clock.now()), ...writes]);
      this.#kept = true;
    }
    return body;
  };

  recordStart: Context['recordStart'] = async (writes, orderId) => {
    const { repeatable } = this.#calling;
    const { table, clock } = this.#deps;
    const kept = repeatable ? [saveStart(repeatable, orderId, clock.now())] : [];
    await table.transact([...kept, ...writes]);
  };

  startedId: Context['startedId'] = async () => {
    await this.allowed();
    const first = this.#earlier;
    this.#earlier = undefined;
    return first ? first.started : this.#findEarlier();
  };

  async run(verb: () => Promise<unknown>): Promise<Answer> {
    const { route, repeatable } = this.#calling;
    try {
      const result = await verb();
      await this.allowed();
      const answer = answerOf(route, result);
      const { statusCode: status, body } = answer;
      if (repeatable && !this.#kept && !isDocument(route.reply)) await this.#save(repeatable, status, body);
      return answer;
    } catch (error) {
      return (await this.#replayOf(error)) ?? (await this.#refused(error));
    }
  }

  /** Returns the error response, or the {@link Replay} of a concurrent duplicate; some errors are stored (D100). */
  async #refused(error: unknown): Promise<Answer> {
    const { repeatable } = this.#calling;
    if (!repeatable || !(error instanceof ServiceError)) throw error;
    if (error.status >= 500 || error.code === 'IDEMPOTENCY_KEY_REUSED') throw error;
    try {
      await this.allowed();
      if (!isReplayable(error.status)) await this.#findEarlier();
      else await this.#save(repeatable, error.status, errorBody(error, repeatable.request_id));
    } catch (other) {
      const replay = await this.#replayOf(other);
      if (replay) return replay;
      throw other;
    }
    throw error;
  }

  /** Returns an answer as it is stored: encrypted where it shows a door code or a secret (D140). */
  async #stored(request: IdempotentRequest, status: number, body: string): Promise<StoredAnswer> {
    const { sealing } = this.#calling.deps;
    const stored = holdsSealed(body) ? await sealBody(sealing(), body, request) : compressBody(body);
    return { status, ...stored };
  }

  async #save(request: IdempotentRequest, status: number, body: string): Promise<void> {
    const answer = await this.#stored(request, status, body);
    await saveRefusal(this.#deps.table, request, answer, this.#deps.clock.now());
  }

  async #replayOf(error: unknown): Promise<Answer | undefined> {
    if (!(error instanceof Replay)) return undefined;
    return {
      statusCode: error.record.status,
      headers: { ...jsonHeaders, 'Idempotent-Replayed': 'true' },
      body: await storedBody(this.#calling.deps.sealing, error.record),
    };
  }
}

/** Returns the answer of a verb's result, filtered by the row. */
export const answerOf = (route: Route, result: unknown): Answer => {
  const answered: Reply<unknown> = result instanceof Reply ? result : new Reply(result, {});
  const { body, headers, status = route.status } = answered;
  const other = typeof body === 'string' ? route.alternative : undefined;
  const document = isDocument(route.reply) ? route.reply : other;
  if (document) return documentAnswer(document.contentType, status, { body, headers });
  return { statusCode: status, headers: { ...jsonHeaders, ...headers }, body: rendered(route, body) };
};

const rendered = ({ reply }: Route, body: unknown): string =>
  JSON.stringify(isDocument(reply) ? body : parseCompiledLater(reply, body));

const documentAnswer = (
  contentType: string,
  statusCode: number,
  { body, headers }: Pick<Reply<unknown>, 'body' | 'headers'>,
): Answer => {
  const binary = Buffer.isBuffer(body);
  return {
    statusCode,
    headers: { 'Content-Type': contentType, 'Cache-Control': 'no-store', ...headers },
    body: binary ? body.toString('base64') : String(body),
    isBase64Encoded: binary,
  };
};

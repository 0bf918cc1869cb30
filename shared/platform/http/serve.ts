import middy, { type MiddyfiedHandler } from '@middy/core';
import httpErrorHandler from '@middy/http-error-handler';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { callerRef, type PartnerCaller, type UserCaller, type Caller } from '../auth.ts';
import type { Context, Dependencies } from '../context.ts';
import { ServiceError } from '../errors.ts';
import { countRequest } from '../metrics/index.ts';
import { type Answer, Answered, errorBody, errorHeaders, jsonHeaders, visibleError } from './answer.ts';
import { countRequests } from './count-requests.ts';
import {
  findBegun,
  type IdempotentRequest,
  idempotentRequest,
  keepAnswer,
  keepBegun,
  keepRefusal,
  Replay,
} from './idempotency.ts';
import { bodilessHead } from './head.ts';
import { rawRequestOf } from './raw-request.ts';
import { admit, bearerOf, callerOf, headerOf, maxBodyBytes, teamHeaderOf, validated } from './request.ts';
import type { Admission } from './rate-limit.ts';
import {
  answeredBy,
  type Body,
  type Input,
  isDocument,
  type Route,
  type RouteGroup,
  type Routes,
  takesTeam,
} from './route.ts';

type CallerOf<R extends Route> = R['access'] extends 'partner'
  ? PartnerCaller
  : R['access'] extends 'customer' | 'host'
    ? UserCaller
    : Caller;

/** One verb for each row: a missing one, or an answer of the wrong shape, does not compile. */
export type Verbs<R extends Routes> = {
  [Id in keyof R]: (
    ctx: Context<CallerOf<R[Id]>>,
    input: Input<R[Id]>,
  ) => Promise<Body<R[Id]> | Answered<Body<R[Id]>>>;
};

type AnyVerb = (ctx: Context, input: unknown) => Promise<unknown>;
export type GroupHandler = MiddyfiedHandler<APIGatewayProxyEvent, Answer>;

interface Call {
  event: APIGatewayProxyEvent;
  route: Route;
  verb: AnyVerb;
  deps: Dependencies;
  admission: Admission;
}

/** The Lambda handler of a group: parse, admit, validate, run the verb, filter its answer by the row. */
export const serve = <const R extends Routes>(
  { group, routes }: RouteGroup<R>,
  verbs: Verbs<R>,
): ((deps: () => Dependencies) => GroupHandler) => {
  const rows = new Map(
    Object.entries(routes).map(([id, route]) => [
      `${route.method} ${route.path}`,
      { id, route, verb: verbs[id] as unknown as AnyVerb },
    ]),
  );
  return (deps) => {
    const rowOf = (event: APIGatewayProxyEvent) =>
      rows.get(`${answeredBy(event.httpMethod)} ${event.resource}`);
    const counted = countRequests(deps, (event) => rowOf(event)?.route);
    const parse = httpJsonBodyParser<APIGatewayProxyEvent>();
    const readBody = ({ event }: Incoming): void => {
      const route = rowOf(event)?.route;
      const { body } = event;
      if (route?.raw && Buffer.byteLength(body ?? '') > maxBodyBytes)
        throw new ServiceError('PAYLOAD_TOO_LARGE');
      if (!route?.body || (!body && route.bodyOptional)) return;
      if (Buffer.byteLength(body ?? '') > maxBodyBytes) throw new ServiceError('PAYLOAD_TOO_LARGE');
      parse.before?.({ event: Object.assign(event, { body: body ?? undefined }) } as never);
    };
    const showError = async (request: Incoming & { error: unknown }): Promise<void> => {
      const refusal: unknown = await counted
        .admissionOf(request.event)
        .passed()
        .catch((error: unknown) => error);
      request.error = shown(deps(), group, refusal ?? request.error, request.event);
    };
    return middy<APIGatewayProxyEvent, Answer>()
      .use(bodilessHead())
      .use({ before: counted.count as never, after: counted.tell as never, onError: counted.tell as never })
      .use({ before: readBody as never })
      .use(
        httpErrorHandler({ logger: false, fallbackMessage: errorBody(new ServiceError('INTERNAL_ERROR')) }),
      )
      .use({ onError: showError as never })
      .handler(async (event: APIGatewayProxyEvent) => {
        const row = rowOf(event);
        if (!row) throw new ServiceError('NOT_FOUND');
        const answer = await answerCall({
          event,
          deps: deps(),
          admission: counted.admissionOf(event),
          ...row,
        });
        countRequest(group, row.id, answer.statusCode);
        return answer;
      }) as GroupHandler;
  };
};

interface Incoming {
  event: APIGatewayProxyEvent;
}

const answerCall = async ({ event, route, verb, deps: ungated, admission }: Call): Promise<Answer> => {
  const caller = callerOf(event);
  admit(route, caller, ungated.clock);
  const deps = { ...ungated, table: ungated.table.admitting(() => admission.passed()) };
  const teamHeader = takesTeam(route) ? teamHeaderOf(event) : undefined;
  const input = { ...validated(route, event), raw: route.raw ? rawRequestOf(event) : undefined };
  if (route.attempts) {
    admission.countAttempt(route.attempts, caller, input.body);
    await admission.passed();
  }
  const requestId = event.requestContext.requestId;
  const repeatable = route.idempotent
    ? idempotentRequest(headerOf(event, 'Idempotency-Key'), callerRef(caller), {
        request_id: requestId,
        method: event.httpMethod,
        path: `${event.path}#${teamHeader ?? ''}`,
        body: withoutSecrets(route, event.body),
      })
    : undefined;
  const call = new VerbCall(route, deps, repeatable);
  const ctx: Context = {
    ...deps,
    caller,
    requestId,
    teamHeader,
    ...bearerOf(event, caller),
    commit: (writes, body) => call.commit(writes, body),
    begin: (writes, orderId) => call.begin(writes, orderId),
    begun: () => call.begun(),
  };
  await admission.mayBegin();
  const answer = await call.run(() => verb(ctx, input));
  await admission.passed();
  answer.headers['X-Request-Id'] = requestId;
  return answer;
};

const withoutSecrets = ({ secret = [] }: Route, body: unknown): unknown =>
  secret.length === 0
    ? body
    : { ...(body as object), ...Object.fromEntries(secret.map((field) => [field, null])) };

/** One run of a verb: its answer is kept under the request's Idempotency-Key, in the same transaction as what it writes. */
class VerbCall {
  readonly #route: Route;
  readonly #deps: Dependencies;
  readonly #repeatable: IdempotentRequest | undefined;
  #kept = false;

  constructor(route: Route, deps: Dependencies, repeatable: IdempotentRequest | undefined) {
    this.#route = route;
    this.#deps = deps;
    this.#repeatable = repeatable;
  }

  commit: Context['commit'] = async (writes, body) => {
    if (!this.#repeatable) await this.#deps.table.transact(writes);
    else {
      const answer = { status: this.#route.status, body: this.#rendered(body) };
      await this.#deps.table.transact([
        keepAnswer(this.#repeatable, answer, this.#deps.clock.now()),
        ...writes,
      ]);
      this.#kept = true;
    }
    return body;
  };

  begin: Context['begin'] = async (writes, orderId) => {
    const { table, clock } = this.#deps;
    const kept = this.#repeatable ? [keepBegun(this.#repeatable, orderId, clock.now())] : [];
    await table.transact([...kept, ...writes]);
  };

  begun: Context['begun'] = async () =>
    this.#repeatable && findBegun(this.#deps.table, this.#repeatable, this.#deps.clock.now());

  async run(verb: () => Promise<unknown>): Promise<Answer> {
    try {
      const result = await verb();
      const answered = result instanceof Answered ? result : new Answered(result, {});
      const status = answered.status ?? this.#route.status;
      if (isDocument(this.#route.reply))
        return documentAnswer(this.#route.reply.contentType, status, answered);
      const body = this.#rendered(answered.body);
      if (this.#repeatable && !this.#kept) await this.#keep(status, body);
      return { statusCode: status, headers: { ...jsonHeaders, ...answered.headers }, body };
    } catch (error) {
      return await this.#replayed(error);
    }
  }

  #rendered(body: unknown): string {
    const { reply } = this.#route;
    return JSON.stringify(isDocument(reply) ? body : reply.parse(body));
  }

  async #keep(status: number, body: string): Promise<void> {
    if (!this.#repeatable) return;
    await keepRefusal(this.#deps.table, this.#repeatable, { status, body }, this.#deps.clock.now());
  }

  /** A refusal is kept as an answer too (D73), unless the request was answered before: then that answer comes again. */
  async #replayed(error: unknown): Promise<Answer> {
    if (error instanceof Replay) return replayAnswer(error);
    const refusal = error instanceof ServiceError && error.status < 500 && error.status !== 429;
    if (!this.#repeatable || !refusal || error.code === 'IDEMPOTENCY_KEY_REUSED') throw error;
    try {
      await this.#keep(error.status, errorBody(error));
    } catch (earlier) {
      if (earlier instanceof Replay) return replayAnswer(earlier);
      throw earlier;
    }
    throw error;
  }
}

const replayAnswer = (replay: Replay): Answer => ({
  statusCode: replay.status,
  headers: { ...jsonHeaders, 'Idempotent-Replayed': 'true' },
  body: replay.body,
});

const documentAnswer = (contentType: string, statusCode: number, answered: Answered<unknown>): Answer => {
  const binary = Buffer.isBuffer(answered.body);
  return {
    statusCode,
    headers: { 'Content-Type': contentType, 'Cache-Control': 'no-store', ...answered.headers },
    body: binary ? answered.body.toString('base64') : String(answered.body),
    isBase64Encoded: binary,
  };
};

/** The error in the form that the error handler exposes; what is not ours is logged and hidden. */
const shown = (deps: Dependencies, group: string, thrown: unknown, event: APIGatewayProxyEvent): Error => {
  const error = visibleError(thrown);
  const requestId = event.requestContext.requestId;
  if (error.status >= 500)
    deps.log.error(error.message, {
      requestId,
      group,
      code: error.code,
      cause: String((error.cause as Error | undefined)?.stack ?? error.cause),
    });
  countRequest(group, `${event.httpMethod} ${event.resource}`, error.status);
  return Object.assign(new Error(errorBody(error)), {
    statusCode: error.status,
    expose: true,
    headers: { ...errorHeaders(error), 'X-Request-Id': requestId },
  });
};

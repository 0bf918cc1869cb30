import middy, { type MiddyfiedHandler } from '@middy/core';
import httpErrorHandler from '@middy/http-error-handler';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEvent, Context as LambdaContext } from 'aws-lambda';
import { type Caller, callerRef, type PartnerCaller, type UserCaller } from '../auth.ts';
import type { Context, Dependencies } from '../context.ts';
import { ServiceError } from '../errors.ts';
import { countRequest } from '../metrics/index.ts';
import { readSettings } from '../settings.ts';
import type { TimeLimit } from '../table/index.ts';
import { countRequests } from './count-requests.ts';
import { bodilessHead } from './head.ts';
import { idempotentRequest } from './idempotency.ts';
import type { RateLimitCheck } from './rate-limit.ts';
import { rawRequestOf } from './raw-request.ts';
import { type Answer, errorBody, errorHeaders, type Reply, visibleError } from './reply.ts';
import {
  authorizeCaller,
  bearerOf,
  callerOf,
  headerOf,
  maxBodyBytes,
  teamHeaderOf,
  validated,
} from './request.ts';
import {
  answeredBy,
  type Body,
  type Input,
  type Route,
  type RouteGroup,
  type Routes,
  takesTeam,
} from './route.ts';
import { timeoutOptions, timeLimitOf } from './timeout.ts';
import { VerbCall } from './verb-call.ts';

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
  ) => Promise<Body<R[Id]> | Reply<Body<R[Id]>>>;
};

type AnyVerb = (ctx: Context, input: unknown) => Promise<unknown>;
export type GroupHandler = MiddyfiedHandler<APIGatewayProxyEvent, Answer>;

interface Call {
  event: APIGatewayProxyEvent;
  route: Route;
  verb: AnyVerb;
  deps: Dependencies;
  admission: RateLimitCheck;
  limit: TimeLimit;
}

/**
 * The Lambda handler of a group: parse, admit, validate, run the verb, filter its answer by the row. The group that the gateway
 * asks about paths without a row says what is wrong with them.
 */
export const serve = <const R extends Routes>(
  { group, routes }: RouteGroup<R>,
  verbs: Verbs<R>,
  unknownPath: (event: APIGatewayProxyEvent) => Promise<ServiceError> = async () =>
    new ServiceError('NOT_FOUND'),
): ((deps: () => Dependencies) => GroupHandler) => {
  const rows = new Map(
    Object.entries(routes).map(([id, route]) => [
      `${route.method} ${route.path}`,
      { id, route, verb: verbs[id] as unknown as AnyVerb },
    ]),
  );
  return (deps) => {
    // A wrong setting stops the function when it is loaded, not each of its calls.
    readSettings();
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
        .checkOf(request.event)
        .allowed()
        .catch((error: unknown) => error);
      request.error = exposedError(deps(), group, refusal ?? request.error, request.event);
    };
    return middy<APIGatewayProxyEvent, Answer>(timeoutOptions)
      .use(bodilessHead())
      .use({
        before: counted.count as never,
        after: counted.writeHeaders as never,
        onError: counted.writeHeaders as never,
      })
      .use({ before: readBody as never })
      .use(
        httpErrorHandler({ logger: false, fallbackMessage: errorBody(new ServiceError('INTERNAL_ERROR')) }),
      )
      .use({ onError: showError as never })
      .handler(async (event: APIGatewayProxyEvent, lambda: LambdaContext, { signal }) => {
        const row = rowOf(event);
        if (!row) throw await unknownPath(event);
        const answer = await answerCall({
          event,
          deps: deps(),
          limit: timeLimitOf(lambda, signal),
          admission: counted.checkOf(event),
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

const answerCall = async ({ event, route, verb, deps, admission, limit }: Call): Promise<Answer> => {
  const caller = callerOf(event);
  authorizeCaller(route, caller, deps.clock);
  const teamHeader = takesTeam(route) ? teamHeaderOf(event) : undefined;
  const input = { ...validated(route, event), raw: route.raw ? rawRequestOf(event) : undefined };
  if (route.attempts) admission.countAttempt(route.attempts, caller, input.body);
  const requestId = event.requestContext.requestId;
  const repeatable = route.idempotent
    ? idempotentRequest(headerOf(event, 'Idempotency-Key'), callerRef(caller), {
        request_id: requestId,
        method: event.httpMethod,
        path: `${event.path}#${teamHeader ?? ''}`,
        body: withoutSecrets(route, event.body),
      })
    : undefined;
  const call = new VerbCall({ route, deps, limit, repeatable, withinLimit: () => admission.allowed() });
  const ctx: Context = {
    ...call.deps,
    caller,
    requestId,
    teamHeader,
    ...bearerOf(event, caller),
    commit: call.commit,
    recordStart: call.recordStart,
    startedOrderId: call.startedOrderId,
  };
  await admission.waitInBurst();
  const answer = await call.run(async () => {
    if (route.attempts) await call.allowed();
    return verb(ctx, input);
  });
  answer.headers['X-Request-Id'] = requestId;
  return answer;
};

const withoutSecrets = ({ secret = [] }: Route, body: unknown): unknown =>
  secret.length === 0
    ? body
    : { ...(body as object), ...Object.fromEntries(secret.map((field) => [field, null])) };

/** The error in the form that the error handler exposes; what is not ours is logged and hidden. */
const exposedError = (
  deps: Dependencies,
  group: string,
  thrown: unknown,
  event: APIGatewayProxyEvent,
): Error => {
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
  return Object.assign(new Error(errorBody(error, requestId)), {
    statusCode: error.status,
    expose: true,
    headers: { ...errorHeaders(error), 'X-Request-Id': requestId },
  });
};

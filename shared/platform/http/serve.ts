import middy, { type MiddyfiedHandler } from '@middy/core';
import httpErrorHandler from '@middy/http-error-handler';
import type { APIGatewayProxyEvent, Context as LambdaContext } from 'aws-lambda';
import {
  type Caller,
  callerRef,
  type GuestCaller,
  type PartnerCaller,
  type PublishableCaller,
  type UserCaller,
} from '../auth.ts';
import type { Context, Dependencies } from '../context.ts';
import { ServiceError } from '../errors.ts';
import { countRequest } from '../metrics/index.ts';
import { readSettings } from '../settings.ts';
import type { TimeLimit } from '../table/index.ts';
import { BrowserAnswers } from './browser-answers.ts';
import { countRequests } from './count-requests.ts';
import { bodilessHead } from './head.ts';
import { headerOf } from './header.ts';
import { idempotentRequest } from './idempotency.ts';
import type { RateLimitCheck } from './rate-limit.ts';
import { rawRequestOf } from './raw-request.ts';
import { readBody } from './read-body.ts';
import { type Answer, browserSafety, errorBody, errorHeaders, type Reply, visibleError } from './reply.ts';
import {
  authorizeCaller,
  bearerOf,
  callerOf,
  guestTokenOf,
  requireCredential,
  teamHeaderOf,
  validated,
} from './request.ts';
import {
  answeredBy,
  type Body,
  type Input,
  type Route,
  type RouteGroup,
  objectiveOf,
  type Routes,
  takesTeam,
} from './route.ts';
import { isAskedFor, playScenario, type PlayedScenarios, scenarioHeader, scenarioOf } from './scenario.ts';
import { timeoutOptions, timeLimitOf } from './timeout.ts';
import { VerbCall } from './verb-call.ts';

type CallerOf<R extends Route> = R['access'] extends 'partner'
  ? PartnerCaller
  : R['access'] extends 'customer' | 'host'
    ? UserCaller
    : R['access'] extends 'guest'
      ? GuestCaller
      : R['access'] extends 'publishable'
        ? PublishableCaller
        : Caller;

/** One verb for each row; a missing verb or a wrong response type does not compile. */
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
  rateLimit: RateLimitCheck;
  limit: TimeLimit;
  played: PlayedScenarios;
  readers: Pick<GroupOptions, 'readGuest' | 'readPublishable'>;
  answers: BrowserAnswers;
}

/** Reads the publishable key of a request, which it counts. */
export type ReadPublishable = (
  deps: Dependencies,
  event: APIGatewayProxyEvent,
  count: RateLimitCheck['count'],
) => Promise<{ caller: PublishableCaller; origins: readonly string[] }>;

interface GroupOptions {
  /** The error for a path that no row has. */
  unknownPath?: (event: APIGatewayProxyEvent) => Promise<ServiceError>;
  /** For groups that sell time, in the sandbox scenario `taken`. */
  takenFirst?: PlayedScenarios['takenFirst'];
  /** Returns whom the token of a guest's link names; throws NOT_FOUND if it opens nothing (D122). For groups with such routes. */
  readGuest?: (deps: Dependencies, token: string) => Promise<GuestCaller>;
  /** Returns the page that the publishable key of a request names; throws UNAUTHORIZED if it opens nothing (D144). */
  readPublishable?: ReadPublishable;
}

/**
 * Returns the Lambda handler of a group: it parses, authorizes and validates the request, runs the verb, and filters its
 * response by the row. The group that receives unknown paths explains what is wrong with them.
 */
export const serve = <const R extends Routes>(
  { group, routes }: RouteGroup<R>,
  verbs: Verbs<R>,
  { unknownPath = async () => new ServiceError('NOT_FOUND'), takenFirst, ...readers }: GroupOptions = {},
): ((deps: () => Dependencies) => GroupHandler) => {
  const rows = new Map(
    Object.entries(routes).map(([id, route]) => [
      `${route.method} ${route.path}`,
      // `Verbs` has checked it against its row, which the names of entries no longer show.
      { id, route, verb: verbs[id] as unknown as AnyVerb },
    ]),
  );
  return (deps) => {
    // A wrong setting fails at start, not at each call.
    const { SANDBOX_SCENARIOS } = readSettings();
    const answers = new BrowserAnswers((event) => rowOf(event)?.route);
    const played = { allowed: SANDBOX_SCENARIOS === 'on', takenFirst };
    const rowOf = (event: APIGatewayProxyEvent) =>
      rows.get(`${answeredBy(event.httpMethod)} ${event.resource}`);
    const { checkOf, count, writeHeaders } = countRequests(deps, (event) => rowOf(event)?.route);
    const read = ({ event }: Incoming): void => {
      const route = rowOf(event)?.route;
      requireCredential(route, event);
      readBody(route, event);
    };
    const showError = async (request: Incoming & { error: unknown }): Promise<void> => {
      const refusal: unknown = await checkOf(request.event)
        .allowed()
        .catch((error: unknown) => error);
      const error = visibleError(refusal ?? request.error);
      countAnswer(rowOf(request.event)?.route, request.event, error.status);
      request.error = exposedError(deps(), group, error, request.event);
    };
    return middy<APIGatewayProxyEvent, Answer>(timeoutOptions)
      .use(bodilessHead())
      .use(answers.middleware)
      .use({ after: identify as never, onError: identify as never })
      .use({ before: count as never, after: writeHeaders as never, onError: writeHeaders as never })
      .use({ before: read as never })
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
          rateLimit: checkOf(event),
          played,
          readers,
          answers,
          ...row,
        });
        countAnswer(row.route, event, answer.statusCode);
        return answer;
      }) as GroupHandler;
  };
};

interface Incoming {
  event: APIGatewayProxyEvent;
}

/** Adds to every response, errors included, its request id and what browsers must keep to (D5, D112). */
const identify = ({ event, response }: Incoming & { response: Answer | null }): void =>
  void Object.assign(response?.headers ?? {}, {
    'X-Request-Id': event.requestContext.requestId,
    ...browserSafety,
  });

/** Counts an answer for the objective of its route. An error that the caller has asked for is none of the service. */
const countAnswer = (route: Route | undefined, event: APIGatewayProxyEvent, status: number): void => {
  const objective = route && objectiveOf(route);
  if (objective && headerOf(event, scenarioHeader) === undefined)
    countRequest(objective, `${event.httpMethod} ${event.resource}`, status);
};

const answerCall = async (asked: Call): Promise<Answer> => {
  const { event, route, verb, deps, rateLimit, limit, played } = asked;
  const caller = await readCaller(asked);
  authorizeCaller(route, caller, deps.clock);
  const teamHeader = takesTeam(route) ? teamHeaderOf(event) : undefined;
  const input = { ...validated(route, event), raw: route.raw ? rawRequestOf(event) : undefined };
  const scenario = scenarioOf(route, event, played);
  const requestId = event.requestContext.requestId;
  const repeatable = route.idempotent
    ? await idempotentRequest(headerOf(event, 'Idempotency-Key'), callerRef(caller), {
        request_id: requestId,
        method: event.httpMethod,
        path: `${event.path}#${teamHeader ?? ''}`,
        body: withoutSecrets(route, event.body),
        sealing: deps.sealing,
      })
    : undefined;
  const request = { caller, requestId, teamHeader, ...bearerOf(event, caller) };
  if (scenario) {
    const table = deps.table.waitingFor(() => rateLimit.allowed(), limit);
    const scene = { route, deps: { ...deps, table }, request, verb, input, rateLimit, played };
    return playScenario(scenario, scene);
  }
  const call = new VerbCall({ route, deps, limit, repeatable, withinLimit: () => rateLimit.allowed() });
  const ctx: Context = {
    ...call.deps,
    ...request,
    commit: call.commit,
    recordStart: call.recordStart,
    startedId: call.startedId,
  };
  await rateLimit.waitInBurst();
  return call.run(async () => {
    if (route.countedFirst) await call.allowed();
    return verb(ctx, input);
  });
};

/** The gateway knows neither links of guests nor publishable keys: they are read, and counted, here. */
const readCaller = async (call: Call): Promise<Caller> => {
  const { event, route, deps, rateLimit } = call;
  const caller =
    route.access === 'guest'
      ? await call.readers.readGuest?.(deps, guestTokenOf(event))
      : route.access === 'publishable'
        ? await pageOf(call)
        : undefined;
  if (!caller) return callerOf(event);
  rateLimit.countFor(caller);
  return caller;
};

const pageOf = async (call: Call): Promise<PublishableCaller | undefined> => {
  const { event, deps, rateLimit, readers, answers } = call;
  const page = await readers.readPublishable?.(deps, event, (counted) => rateLimit.count(counted));
  if (page) answers.open(event, page.origins);
  return page?.caller;
};

const withoutSecrets = ({ secret = [] }: Route, body: unknown): unknown =>
  secret.length === 0
    ? body
    : { ...(body as object), ...Object.fromEntries(secret.map((field) => [field, null])) };

/** Returns the error in the form that the error handler exposes; internal errors are logged and hidden. */
const exposedError = (
  deps: Dependencies,
  group: string,
  error: ServiceError,
  event: APIGatewayProxyEvent,
): Error => {
  const requestId = event.requestContext.requestId;
  if (error.status >= 500) {
    const cause = String((error.cause as Error | undefined)?.stack ?? error.cause);
    const figures = { requestId, group, code: error.code, cause };
    if (isAskedFor(event, error)) deps.log.warn(error.message, figures);
    else deps.log.error(error.message, figures);
  }
  return Object.assign(new Error(errorBody(error, requestId)), {
    statusCode: error.status,
    expose: true,
    headers: errorHeaders(error),
  });
};

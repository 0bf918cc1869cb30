import type { APIGatewayProxyEvent } from 'aws-lambda';
import { setTimeout as pause } from 'node:timers/promises';
import type { Context, Dependencies } from '../context.ts';
import { type ErrorCode, invalid, ServiceError } from '../errors.ts';
import type { Write } from '../table/index.ts';
import type { RateLimitCheck } from './rate-limit.ts';
import { Rehearsal } from './rehearsal.ts';
import type { Answer } from './reply.ts';
import { headerOf } from './header.ts';
import type { Route } from './route.ts';
import { nearest } from './validation-messages.ts';
import { answerOf } from './verb-call.ts';

export const scenarioHeader = 'X-Sandbox-Scenario';

/** The scenarios of the sandbox (D98), each with the error that an operation must declare to have it. */
const scenarios = {
  taken: 'LISTING_NOT_AVAILABLE',
  price_changed: 'PRICE_CHANGED',
  declined: 'PAYMENT_DECLINED',
  gateway_down: 'PAYMENT_GATEWAY_UNAVAILABLE',
  busy: 'SERVICE_UNAVAILABLE',
  rate_limited: 'RATE_LIMIT_EXCEEDED',
  slow: undefined,
} as const satisfies Record<string, ErrorCode | undefined>;
type Scenario = keyof typeof scenarios;
const names = Object.keys(scenarios) as Scenario[];

/** How a group plays scenarios. */
export interface PlayedScenarios {
  allowed: boolean;
  /** Returns the error of writes whose time another caller has taken first; undefined if they take no time. */
  takenFirst?:
    | ((
        deps: Pick<Dependencies, 'table' | 'clock'>,
        writes: readonly Write[],
      ) => Promise<ServiceError | undefined>)
    | undefined;
}

/** How long `slow` takes. */
const slowMs = 3000;

const refused = (message: string): ServiceError =>
  invalid({ path: scenarioHeader, message: `${scenarioHeader} ${message}` });

/**
 * Returns the scenario that a request names; undefined without one. Throws VALIDATION_ERROR where it cannot be played. An
 * operation without any input does not look at it.
 */
export const scenarioOf = (
  route: Route,
  event: APIGatewayProxyEvent,
  { allowed }: Pick<PlayedScenarios, 'allowed'>,
): Scenario | undefined => {
  const asked = headerOf(event, scenarioHeader);
  if (asked === undefined) return undefined;
  if (!allowed)
    throw refused('is for laptops and for stages with the setting SANDBOX_SCENARIOS: leave it out here');
  if (route.method === 'GET') throw refused('is for requests that write: leave it out of a GET');
  const known = names.find((name) => name === asked);
  const possible = names.filter((name) => isPossible(route, name));
  if (known && possible.includes(known)) return known;
  const near = nearest(asked, names);
  throw refused(
    known
      ? `takes ${possible.join(', ')} here: this operation never answers ${scenarios[known]}`
      : `takes ${names.join(', ')}.${near === undefined ? '' : ` Did you mean ${near}?`}`,
  );
};

/** Whether an error is the one of the scenario that its request names. */
export const isAskedFor = (event: APIGatewayProxyEvent, { code }: ServiceError): boolean => {
  const asked = headerOf(event, scenarioHeader);
  return names.some((name) => name === asked && scenarios[name] === code);
};

/** As `errorsOf` has it, whose table the functions do not need. */
const isPossible = (route: Route, name: Scenario): boolean => {
  const code = scenarios[name];
  if (name === 'rate_limited') return route.access !== 'public';
  return name === 'busy' || code === undefined || route.errors.includes(code);
};

/** A request that names a scenario; it is valid and its caller may make it. */
interface Scene {
  route: Route;
  deps: Dependencies;
  /** The context of the request, without what a rehearsal replaces. */
  request: Omit<Context, keyof Dependencies | 'commit' | 'recordStart' | 'startedId'>;
  verb: (ctx: Context, input: unknown) => Promise<unknown>;
  input: object & { body: unknown };
  rateLimit: RateLimitCheck;
  played: PlayedScenarios;
}

/**
 * Answers a request as the scenario has it. Nothing is written, no idempotency record either. The verb is rehearsed: where it
 * refuses by itself, that is the answer. Busy services and rate limits refuse before a verb runs.
 */
export const playScenario = async (scenario: Scenario, scene: Scene): Promise<Answer> => {
  const { rateLimit } = scene;
  await rateLimit.allowed();
  if (scenario === 'busy')
    throw new ServiceError(
      'SERVICE_UNAVAILABLE',
      undefined,
      {},
      { retryAfterSeconds: 1, cause: scenarioHeader },
    );
  if (scenario === 'rate_limited') throw rateLimit.exhaust();
  if (scenario === 'slow') {
    const answer = await playSlow(scene);
    if (answer) return answer;
  } else await provocations[scenario](scene);
  throw refused(`${scenario} cannot happen to this request, which ${missing[scenario]}`);
};

type RehearsedScenario = Exclude<Scenario, 'busy' | 'rate_limited'>;

/** What a request does that cannot meet a scenario. */
const missing: Record<RehearsedScenario, string> = {
  taken: 'takes no time',
  price_changed: 'books nothing',
  declined: 'charges no payment_gateway_token',
  gateway_down: 'needs no payment gateway',
  slow: 'calls other services, or writes more than once; for a slow charge there is the token tok_slow',
};

const rehearsed = (
  { deps, request, verb, input }: Scene,
  staging: ConstructorParameters<typeof Rehearsal>[1],
): ReturnType<Rehearsal['run']> =>
  new Rehearsal(deps, staging).run((rehearsing) => verb({ ...request, ...rehearsing }, input));

const playSlow = async (scene: Scene): Promise<Answer | undefined> => {
  const done = await rehearsed(scene, { endsAtServices: true });
  if (!done) return undefined;
  const answer = answerOf(scene.route, done.result);
  await (scene.deps.wait ?? pause)(slowMs);
  return answer;
};

const playPriceChanged = async (scene: Scene): Promise<void> => {
  if (await isPriced(scene))
    for (const input of otherTotals(scene.input)) await rehearsed({ ...scene, input }, {});
};

/** Each throws its error unless the request cannot meet it. */
const provocations: Record<Exclude<RehearsedScenario, 'slow'>, (scene: Scene) => Promise<unknown>> = {
  taken: (scene) => rehearsed(scene, { gateway: 'declines', meet: meetTaken(scene) }),
  price_changed: playPriceChanged,
  declined: (scene) => rehearsed(scene, { gateway: 'declines' }),
  gateway_down: (scene) => rehearsed(scene, { gateway: 'down' }),
};

/** The error comes out of the commit, as a real one does: a verb may make another of it. */
const meetTaken =
  ({ played }: Scene) =>
  async (writes: readonly Write[], deps: Dependencies): Promise<void> => {
    const error = await played.takenFirst?.(deps, writes);
    if (error) throw error;
  };

/** Returns whether a request, as it is, comes to its writes; it does not if it only repeats a booking. */
const isPriced = async (scene: Scene): Promise<boolean> => {
  let writes = false;
  const meet = async (_: unknown, __: unknown, end: () => Error): Promise<never> => {
    writes = true;
    throw end();
  };
  await rehearsed(scene, { gateway: 'declines', meet });
  return writes;
};

/** Returns the request with totals of which at least one is not the price. */
const otherTotals = (input: Scene['input']): Scene['input'][] => {
  const body = input.body as { expected_total?: number; expected_difference?: number } | undefined;
  const { expected_total: total = 0, expected_difference: difference = 0 } = body ?? {};
  return [1, 2].map((more) => ({
    ...input,
    body: { ...body, expected_total: total + more, expected_difference: difference + more },
  }));
};

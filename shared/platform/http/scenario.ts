import type { APIGatewayProxyEvent } from 'aws-lambda';
import { setTimeout as pause } from 'node:timers/promises';
import type { Context, Dependencies } from '../context.ts';
import { type ErrorCode, invalid, ServiceError } from '../errors.ts';
import type { Write } from '../table/index.ts';
import type { RateLimitCheck } from './rate-limit.ts';
import { Rehearsal } from './rehearsal.ts';
import type { Answer } from './reply.ts';
import { headerOf } from './request.ts';
import { errorsOf, type Route } from './route.ts';
import { nearest } from './validation-messages.ts';
import { answerOf } from './verb-call.ts';

const header = 'X-Sandbox-Scenario';

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

const refused = (message: string): ServiceError => invalid({ path: header, message: `${header} ${message}` });

/**
 * Returns the scenario that a request names; undefined without one. Throws VALIDATION_ERROR where it cannot be played. An
 * operation without any input does not look at it.
 */
export const scenarioOf = (
  route: Route,
  event: APIGatewayProxyEvent,
  { allowed }: Pick<PlayedScenarios, 'allowed'>,
): Scenario | undefined => {
  const asked = headerOf(event, header);
  const codes = asked ? errorsOf(route) : [];
  if (!asked || !codes.includes('VALIDATION_ERROR')) return undefined;
  if (!allowed)
    throw refused('is for laptops and for stages with the setting SANDBOX_SCENARIOS: leave it out here');
  if (route.method === 'GET') throw refused('is for requests that write: leave it out of a GET');
  const known = names.find((name) => name === asked);
  const possible = names.filter((name) => {
    const code = scenarios[name];
    return code === undefined || codes.includes(code);
  });
  if (known && possible.includes(known)) return known;
  const near = nearest(asked, names);
  throw refused(
    known
      ? `takes ${possible.join(', ')} here: this operation never answers ${scenarios[known]}`
      : `takes ${names.join(', ')}.${near === undefined ? '' : ` Did you mean ${near}?`}`,
  );
};

/** A request that names a scenario; it is valid and its caller may make it. */
interface Scene {
  route: Route;
  deps: Dependencies;
  /** The context of the request, without what a rehearsal replaces. */
  request: Omit<Context, keyof Dependencies | 'commit' | 'recordStart' | 'startedOrderId'>;
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
  switch (scenario) {
    case 'busy':
      throw new ServiceError('SERVICE_UNAVAILABLE', undefined, {}, { retryAfterSeconds: 1, cause: header });
    case 'rate_limited':
      throw rateLimit.exhaust();
    case 'slow':
      return playSlow(scene);
    case 'taken':
      await rehearsed(scene, { gateway: 'declines', meet: meetTaken(scene) });
      throw refused('taken cannot happen to this request: it takes no time');
    case 'price_changed':
      if (await isPriced(scene))
        for (const input of otherTotals(scene.input)) await rehearsed({ ...scene, input }, {});
      throw refused('price_changed cannot happen to this request: it books nothing');
    case 'declined':
      await rehearsed(scene, { gateway: 'declines' });
      throw refused(
        'declined cannot happen to this request, which charges nothing: it is for ONLINE_GATEWAY with a payment_gateway_token, and for accepting what was paid so',
      );
    case 'gateway_down':
      await rehearsed(scene, { gateway: 'down' });
      throw refused(
        'gateway_down cannot happen to this request, which does not need the payment gateway: it is for ONLINE_GATEWAY',
      );
  }
};

const rehearsed = (
  { deps, request, verb, input }: Scene,
  staging: ConstructorParameters<typeof Rehearsal>[1],
): ReturnType<Rehearsal['run']> =>
  new Rehearsal(deps, staging).run((rehearsing) => verb({ ...request, ...rehearsing }, input));

const playSlow = async (scene: Scene): Promise<Answer> => {
  const done = await rehearsed(scene, { endsAtServices: true });
  if (!done)
    throw refused(
      'slow cannot be played for a request that calls other services; a slow charge is the payment_gateway_token tok_slow of the sandbox gateway',
    );
  const answer = answerOf(scene.route, done.result);
  await (scene.deps.wait ?? pause)(slowMs);
  return answer;
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
  const body = input.body as { expected_total?: number } | undefined;
  const expected = body?.expected_total ?? 0;
  return [1, 2].map((more) => ({ ...input, body: { ...body, expected_total: expected + more } }));
};

import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { authorizerOf } from '../../../shared/platform/http/gateway-document.ts';
import type { GatewayRefusal } from '../../../shared/platform/http/gateway-responses.ts';
import { type Arrival, authorizerEvent, headerOf, methodArn } from './events.ts';

export type AuthorizerFunction = (
  event: APIGatewayRequestAuthorizerEvent,
) => Promise<APIGatewayAuthorizerResult>;

/** Either what the function is told about the caller, or why the gateway refuses. */
type Admission =
  | { refusal: GatewayRefusal; cause?: unknown; message?: string }
  | { refusal: undefined; context: Record<string, unknown> | undefined };

interface Remembered {
  result: APIGatewayAuthorizerResult;
  until: number;
}

const maxRemembered = 10_000;

/** Asks the authorizer as API Gateway does: once for each identity source and time to live, whatever the route. */
export const gatekeeper = (
  ask: AuthorizerFunction,
  ttlMs: number,
): ((arrival: Arrival) => Promise<Admission>) => {
  const remembered = new Map<string, Remembered>();
  const asking = new Map<string, Promise<APIGatewayAuthorizerResult>>();
  const asked = async (identity: string, arrival: Arrival): Promise<APIGatewayAuthorizerResult> => {
    const result = await ask(authorizerEvent(arrival));
    if (remembered.size >= maxRemembered) remembered.clear();
    remembered.set(identity, { result, until: performance.now() + ttlMs });
    return result;
  };
  const resultFor = async (identity: string, arrival: Arrival): Promise<APIGatewayAuthorizerResult> => {
    const known = remembered.get(identity);
    if (known && known.until > performance.now()) return known.result;
    if (ttlMs === 0) return asked(identity, arrival);
    // One process stands for many functions here: a burst with one key asks once, or it would drown the table's emulator.
    const pending = asking.get(identity) ?? asked(identity, arrival).finally(() => asking.delete(identity));
    asking.set(identity, pending);
    return pending;
  };
  return async (arrival) => {
    const scheme = authorizerOf[arrival.target.route.access];
    if (!scheme) return { refusal: undefined, context: undefined };
    const identity = headerOf(arrival.request, scheme === 'ApiKey' ? 'X-API-Key' : 'Authorization');
    if (identity === undefined || identity === '') return { refusal: 'UNAUTHORIZED' };
    const source = scheme === 'ApiKey' ? `${identity} ${arrival.request.sourceIp}` : identity;
    try {
      return judged(await resultFor(`${scheme} ${source}`, arrival), arrival);
    } catch (error) {
      const unauthorized = (error instanceof Error ? error.message : error) === 'Unauthorized';
      return { refusal: unauthorized ? 'UNAUTHORIZED' : 'AUTHORIZER_FAILURE', cause: error };
    }
  };
};

const judged = (result: APIGatewayAuthorizerResult, arrival: Arrival): Admission => {
  const context = Object.entries<unknown>(result.context ?? {});
  const readable = context.every(([, value]) => ['string', 'number', 'boolean'].includes(typeof value));
  if (!result.principalId || !readable)
    return {
      refusal: 'AUTHORIZER_CONFIGURATION_ERROR',
      cause: 'the authorizer answered what no gateway can read',
    };
  if (!allows(result, methodArn(arrival)))
    return { refusal: 'ACCESS_DENIED', message: String(result.context?.['message'] ?? '') };
  const texts = context.map(([name, value]) => [name, String(value)]);
  const told = Object.fromEntries(texts) as Record<string, string>;
  return { refusal: undefined, context: { principalId: result.principalId, ...told } };
};

/** Whether the policy lets the method be invoked: a denial wins, silence is a denial. */
const allows = ({ policyDocument }: APIGatewayAuthorizerResult, arn: string): boolean => {
  const effects = policyDocument.Statement.filter((statement) => {
    const { Action, Resource } = statement as { Action?: string | string[]; Resource?: string | string[] };
    const invokes = [Action ?? []].flat().some((action) => matches(action, 'execute-api:Invoke'));
    return invokes && [Resource ?? []].flat().some((resource) => matches(resource, arn));
  }).map(({ Effect }) => Effect);
  return effects.includes('Allow') && !effects.includes('Deny');
};

const matches = (pattern: string, text: string): boolean => {
  const expression = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${expression}$`).test(text);
};

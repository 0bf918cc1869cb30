import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { authorizerOf } from '../../../shared/platform/http/gateway-document.ts';
import type { GatewayRefusal } from '../../../shared/platform/http/gateway-responses.ts';
import { type RoutedRequest, authorizerEvent, headerOf, methodArn } from './events.ts';

export type AuthorizerFunction = (
  event: APIGatewayRequestAuthorizerEvent,
) => Promise<APIGatewayAuthorizerResult>;

/** The authorizer context for the function, or the refusal of the gateway. */
type AuthorizerOutcome =
  | { refusal: GatewayRefusal; cause?: unknown; message?: string }
  | { refusal: undefined; context: Record<string, unknown> | undefined };

interface CachedResult {
  result: APIGatewayAuthorizerResult;
  until: number;
}

const maxCached = 10_000;

/** Returns a function that calls the authorizer as API Gateway does, with results cached for each identity source. */
export const cachedAuthorizer = (
  ask: AuthorizerFunction,
  ttlMs: number,
): ((arrival: RoutedRequest) => Promise<AuthorizerOutcome>) => {
  const remembered = new Map<string, CachedResult>();
  const asking = new Map<string, Promise<APIGatewayAuthorizerResult>>();
  const asked = async (identity: string, arrival: RoutedRequest): Promise<APIGatewayAuthorizerResult> => {
    const result = await ask(authorizerEvent(arrival));
    if (remembered.size >= maxCached) remembered.clear();
    remembered.set(identity, { result, until: performance.now() + ttlMs });
    return result;
  };
  const resultFor = async (identity: string, arrival: RoutedRequest): Promise<APIGatewayAuthorizerResult> => {
    const known = remembered.get(identity);
    if (known && known.until > performance.now()) return known.result;
    if (ttlMs === 0) return asked(identity, arrival);
    // Concurrent requests with one key share a call: this process replaces many functions, and a burst would overload the
    // table's emulator.
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
      return outcomeOf(await resultFor(`${scheme} ${source}`, arrival), arrival);
    } catch (error) {
      const unauthorized = (error instanceof Error ? error.message : error) === 'Unauthorized';
      return { refusal: unauthorized ? 'UNAUTHORIZED' : 'AUTHORIZER_FAILURE', cause: error };
    }
  };
};

const outcomeOf = (result: APIGatewayAuthorizerResult, arrival: RoutedRequest): AuthorizerOutcome => {
  const context = Object.entries<unknown>(result.context ?? {});
  const readable = context.every(([, value]) => ['string', 'number', 'boolean'].includes(typeof value));
  if (!result.principalId || !readable)
    return {
      refusal: 'AUTHORIZER_CONFIGURATION_ERROR',
      cause: 'the authorizer answered what no gateway can read',
    };
  if (!isAllowedBy(result, methodArn(arrival)))
    return { refusal: 'ACCESS_DENIED', message: String(result.context?.['message'] ?? '') };
  const texts = context.map(([name, value]) => [name, String(value)]);
  const claims = Object.fromEntries(texts) as Record<string, string>;
  return { refusal: undefined, context: { principalId: result.principalId, ...claims } };
};

/** Returns whether the policy allows the method: a Deny takes precedence, and no statement means denied. */
const isAllowedBy = ({ policyDocument }: APIGatewayAuthorizerResult, arn: string): boolean => {
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

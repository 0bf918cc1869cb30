import type { APIGatewayProxyEvent } from 'aws-lambda';
import type * as z from 'zod';
import { type Caller, requireHostToken, requireScope } from '../auth.ts';
import { type Clock, machineClock } from '../time/clock.ts';
import { issuesText, type Issue, invalid, ServiceError } from '../errors.ts';
import { uncompiled } from '../schema/uncompiled.ts';
import { headerOf } from './header.ts';
import { fieldsAt, nearestIssues, validationMessage, unknownField } from './validation-messages.ts';
import type { Access, Route } from './route.ts';

/** Returns the caller that the authorizer identified. */
export const callerOf = (event: APIGatewayProxyEvent): Caller => {
  const text = (event.requestContext.authorizer as { caller?: unknown } | null | undefined)?.caller;
  return typeof text === 'string' ? (JSON.parse(text) as Caller) : { kind: 'anonymous' };
};

const kindOf: Record<Access, Caller['kind'] | undefined> = {
  public: undefined,
  guest: 'guest',
  publishable: 'publishable',
  customer: 'user',
  host: 'user',
  partner: 'partner',
};

/**
 * Rejects a caller of the wrong kind with UNAUTHORIZED, as the authorizer does too. Also rejects keys and tokens that have
 * expired since: the gateway caches the authorizer's result for a minute. A key without the row's scope is FORBIDDEN (D93),
 * also where a repeated request would get a stored response; so is a token of a guest on a host route (D106).
 */
export const authorizeCaller = (route: Route, caller: Caller, clock: Clock): void => {
  if (hasEnded(caller, clock)) throw new ServiceError('UNAUTHORIZED');
  const wanted = kindOf[route.access];
  if (route.access === 'partner' && caller.kind === 'partner')
    requireScope(caller, route.scope, `${route.method} ${route.path}`);
  if (route.access === 'host' && caller.kind === 'user') requireHostToken(caller);
  if (wanted === undefined || caller.kind === wanted) return;
  throw new ServiceError(
    'UNAUTHORIZED',
    wanted === 'partner'
      ? 'This path takes an API key in X-API-Key.'
      : 'This path takes an access token in Authorization: Bearer.',
  );
};

/** Tokens expire by the system clock, because the identity provider issues them (D74). */
const hasEnded = (caller: Caller, clock: Clock): boolean => {
  if (caller.kind === 'partner') return (caller.valid_until ?? Infinity) <= clock.now();
  return caller.kind === 'user' && (caller.valid_until ?? Infinity) <= machineClock.now();
};

/** Returns the token of a guest's link, `Authorization: Guest <token>` (D122). Throws UNAUTHORIZED if there is none. */
export const guestTokenOf = (event: APIGatewayProxyEvent): string => {
  const [, token] = /^Guest +(\S+)$/i.exec(headerOf(event, 'Authorization') ?? '') ?? [];
  if (token !== undefined) return token;
  throw new ServiceError(
    'UNAUTHORIZED',
    'This path takes the token of a guest’s link in Authorization: Guest.',
  );
};

/** Returns the publishable key of a page (D144). Throws UNAUTHORIZED if there is none. */
export const publishableKeyOf = (event: APIGatewayProxyEvent): string => {
  const text = headerOf(event, 'X-API-Key') ?? '';
  if (text.startsWith('pk_')) return text;
  throw new ServiceError(
    'UNAUTHORIZED',
    'This path takes a publishable key, pk_…, in X-API-Key. A secret key does not belong in a page.',
  );
};

/** Throws UNAUTHORIZED as the gateway does for other credentials: without any, nothing else is looked at. */
export const requireCredential = (route: Route | undefined, event: APIGatewayProxyEvent): void => {
  if (route?.access === 'guest') guestTokenOf(event);
  if (route?.access === 'publishable') publishableKeyOf(event);
};

/** Returns the access token of a user. */
export const bearerOf = (event: APIGatewayProxyEvent, caller: Caller): { bearer?: string } => {
  const [, bearer] = /^Bearer +(\S+)$/i.exec(headerOf(event, 'Authorization') ?? '') ?? [];
  return caller.kind === 'user' && bearer !== undefined ? { bearer } : {};
};

export const teamHeaderOf = (event: APIGatewayProxyEvent): number | undefined => {
  const header = headerOf(event, 'X-Team-ID');
  if (header === undefined || header === '') return undefined;
  if (!/^[1-9]\d{0,15}$/.test(header))
    throw invalid({ path: 'X-Team-ID', message: 'X-Team-ID is the id of a team.' });
  return Number(header);
};

interface Parsed {
  params: unknown;
  query: unknown;
  body: unknown;
}

/** Returns params, query and body validated against the row. Throws every problem at once (D5). */
export const validated = (route: Route, event: APIGatewayProxyEvent): Parsed => {
  const issues: Issue[] = repeatedParameters(route, event);
  const parsed = {
    params: part(route, 'params', event.pathParameters ?? {}, issues),
    query: part(route, 'query', event.queryStringParameters ?? {}, issues),
    body: undefined as unknown,
  };
  if (!route.raw) issues.push(...unexpected(route, event));
  const codes = new Map(Object.entries(route.queryErrors ?? {}));
  const own = issues.find(({ path }) => codes.has(path));
  const code = own && codes.get(own.path);
  if (code)
    throw new ServiceError(code, issuesText([own, ...issues.filter((issue) => issue !== own)]), { issues });
  const body: unknown = event.body;
  issues.push(...illFormed(body));
  if (!(route.bodyOptional && (body === null || body === undefined)))
    parsed.body = part(route, 'body', body, issues);
  if (issues.length > 0) throw invalid(...issues);
  return parsed;
};

/** Returns an issue for each parameter of a row that has none, and for what a body has where none is expected (D112). */
const unexpected = ({ query, body }: Route, event: APIGatewayProxyEvent): Issue[] => [
  ...(query ? [] : Object.keys(event.queryStringParameters ?? {})).map((path) => ({
    path,
    message: `${unknownField(path, [])} This operation has no query parameters.`,
  })),
  ...(body ? [] : fieldsOf(event.body)),
];

const noBody = 'This operation takes no body: leave it out.';

/** An empty body and an empty object say nothing, and clients send them. */
const fieldsOf = (body: string | null): Issue[] => {
  if (body === null || body.trim() === '') return [];
  const value = jsonOf(body);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return [{ path: '', message: noBody }];
  const names = Object.keys(value).slice(0, mostNamed);
  return names.map((path) => ({ path, message: `${unknownField(path, [])} ${noBody}` }));
};

/** A body that nothing limits may have any number of fields. */
const mostNamed = 20;

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/** Returns an issue for each repeated query parameter: the gateway passes on only one of its values. */
const repeatedParameters = ({ query }: Route, event: APIGatewayProxyEvent): Issue[] => {
  const given = event.multiValueQueryStringParameters ?? {};
  return (query ? Object.keys(query.shape) : [])
    .filter((name) => (given[name]?.length ?? 0) > 1)
    .map((path) => ({ path, message: `is given ${given[path]?.length} times: give it once` }));
};

const notText = 'must be well-formed Unicode text';

/**
 * Returns an issue for each lone surrogate: neither the table nor mails can carry them. Iterative, so deep bodies do not
 * overflow the stack.
 */
const illFormed = (body: unknown): Issue[] => {
  const issues: Issue[] = [];
  const pending: { value: unknown; path: string }[] = [{ value: body, path: '' }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { value, path } = next;
    if (typeof value === 'string' && !value.isWellFormed()) issues.push({ path, message: notText });
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, item] of Object.entries(value)) {
      if (!key.isWellFormed()) issues.push({ path, message: notText });
      const step = Array.isArray(value) ? `[${key}]` : path === '' ? key : `.${key}`;
      // Longer paths are cut.
      pending.push({ value: item, path: path.length > 200 ? path : path + step });
    }
  }
  return issues;
};

const part = (route: Route, name: 'params' | 'query' | 'body', value: unknown, issues: Issue[]): unknown => {
  const schema = route[name];
  if (!schema) return undefined;
  const result = schema.safeParse(value, uncompiled);
  if (result.success) return result.data;
  for (const issue of result.error.issues.flatMap(nearestIssues)) {
    if (issue.code === 'unrecognized_keys') {
      issues.push(
        ...issue.keys.map((key) => ({
          path: pathText([...issue.path, key]),
          message: unknownField(key, fieldsAt(schema, issue.path)),
        })),
      );
    } else {
      const path = pathText(issue.path);
      const hint = name === 'query' && route.query ? plusHint(route.query, value, path) : '';
      const message = validationMessage(issue) + hint;
      issues.push({ path, message: path === '' && name === 'body' ? `The body ${message}` : message });
    }
  }
  return undefined;
};

/** Returns a hint for a parameter that is right with each space as the `+` that it was: in a query a `+` is a space. */
const plusHint = (schema: z.ZodObject, query: unknown, name: string): string => {
  const value = (query as Record<string, unknown>)[name];
  const field = schema.shape[name] as z.ZodType | undefined;
  if (typeof value !== 'string' || !value.includes(' ') || !field) return '';
  return field.safeParse(value.replaceAll(' ', '+')).success ? '; write + as %2B' : '';
};

/** `['items', 0, 'rooms']` as `items[0].rooms`. */
const pathText = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (text, step) =>
      typeof step === 'number' ? `${text}[${step}]` : text === '' ? String(step) : `${text}.${String(step)}`,
    '',
  );

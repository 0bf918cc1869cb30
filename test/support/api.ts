import * as z from 'zod';
import { authorize } from '../../functions/authorizer/authorize.ts';
import type { HostAccess } from '../../functions/authorizer/host-access.ts';
import { routeGroups } from '../../functions/routes.ts';
import { createGateway, type GroupFunction } from '../../infra/local/gateway/index.ts';
import { errorDetails } from '../../shared/error-details.ts';
import { systemClock } from '../../shared/platform/time/clock.ts';
import { type ErrorCode, ServiceError } from '../../shared/platform/errors.ts';
import type { TokenClaims, TokenVerifier } from '../../shared/platform/identity/index.ts';
import { allowedOrigins } from '../../shared/platform/http/cors.ts';
import type { RouteGroup } from '../../shared/platform/http/route.ts';
import { testDataKey } from './sealing.ts';
import { type TestDependencies, testDependencies, testTableName } from './table.ts';

export interface Asked {
  /** An API key. */
  key?: string;
  /** An access token: the subject of a user. */
  token?: string;
  /** The token of a guest's link. */
  link?: string;
  /** Claims of the token that differ from those of a host application's. */
  claims?: Record<string, unknown>;
  /** X-Team-ID. */
  team?: number;
  /** Sent as JSON; text or bytes unchanged. */
  body?: unknown;
  query?: Record<string, string | number>;
  headers?: Record<string, string>;
  sourceIp?: string;
}

export interface Reply {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  /** As it was sent. */
  text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look at what they expect
  body: any;
}

export interface TestGroup {
  group: RouteGroup;
  handler: GroupFunction;
}

export interface Api {
  deps: TestDependencies<typeof systemClock>;
  call: (method: string, path: string, asked?: Asked) => Promise<Reply>;
}

interface ApiSettings {
  /** Additional groups of the test. */
  extra?: (deps: Api['deps']) => TestGroup[];
  timeoutMs?: number;
  onAccess?: Parameters<typeof createGateway>[0]['onAccess'];
  /** How long the gateway caches the authorizer; default not at all. */
  authorizerTtlMs?: number;
  /** When every token expires, in epoch seconds. */
  tokensEnd?: number;
  /** The stage of its keys. */
  stage?: string;
}

/**
 * Returns the whole API in this process: every group from source over the worker's table, behind the authorizer and the
 * gateway.
 */
export const api = async ({
  extra,
  timeoutMs,
  onAccess,
  authorizerTtlMs = 0,
  tokensEnd = 4_102_444_800,
  stage = 'test',
}: ApiSettings = {}): Promise<Api> => {
  Object.assign(process.env, {
    TABLE_NAME: await testTableName(),
    STAGE: stage,
    PAYMENT_GATEWAY: 'none',
    DATA_KEY: testDataKey,
    METRICS_DISABLED: 'true',
    LOG_LEVEL: 'SILENT',
  });
  const deps = await testDependencies({ clock: systemClock });
  const own = extra?.(deps) ?? [];
  const functions = new Map(own.map(({ group, handler }) => [group.group, handler]));
  const gateway = createGateway({
    groups: [...routeGroups, ...own.map(({ group }) => group)],
    functionOf: (group) => functions.get(group) ?? fromSource(group),
    authorizer: authorize({ deps, stage, hosts, verify: verifyUntil(tokensEnd) }),
    authorizerTtlMs,
    origins: allowedOrigins(),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(onAccess === undefined ? {} : { onAccess }),
  });
  const call = async (method: string, path: string, asked: Asked = {}): Promise<Reply> => {
    const query = new URLSearchParams(
      Object.entries(asked.query ?? {}).map(([name, value]): [string, string] => [name, String(value)]),
    );
    const { status, headers, body } = await gateway.dispatch({
      method,
      url: query.size > 0 ? `${path}?${query.toString()}` : path,
      headers: Object.entries(headersOf(asked)),
      body: bytesOf(asked.body),
      sourceIp: asked.sourceIp ?? '203.0.113.7',
    });
    if (status >= 400) requireKnownDetails(parsed(body));
    const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
    return { status, headers: Object.fromEntries(lower) as Reply['headers'], text: body, body: parsed(body) };
  };
  return { deps, call };
};

/** Throws for an error with details that the table of details does not have. */
const requireKnownDetails = (body: unknown): void => {
  const { code, details } = body as { code?: ErrorCode; details?: object };
  if (code === undefined || details === undefined) return;
  const schemas: Partial<Record<ErrorCode, z.ZodObject>> = errorDetails;
  const found = (schemas[code] ?? z.object({})).strict().safeParse(details);
  if (!found.success) throw new Error(`shared/error-details.ts, ${code}: ${found.error.message}`);
};

/** A group's own handler, in the environment set above. */
const fromSource =
  (group: string): GroupFunction =>
  async (event, context) => {
    const { handler } = (await import(`../../functions/${group}/index.ts`)) as { handler: GroupFunction };
    return handler(event, context);
  };

const hostApplication = 'host-application';

/** What makes a token one of a host. */
export const hostClaims = { azp: hostApplication, amr: ['pwd', 'mfa'] };

/** Tokens of tests are for hosts, with a second factor. */
export const hosts: HostAccess = {
  applications: new Set([hostApplication]),
  mfa: 'required',
  audience: 'https://api.example.com',
};

/** In tests a token is its subject in plain text, and the claims that differ; the verifier has tests of its own. */
const verifyUntil =
  (exp: number): TokenVerifier =>
  async (token) => {
    if (!token.startsWith('auth0|')) throw new ServiceError('UNAUTHORIZED');
    const [subject = '', claims] = token.split('~');
    const own = claims === undefined ? {} : (JSON.parse(fromBase64(claims)) as Partial<TokenClaims>);
    return { subject, claims: { ...hostClaims, sub: subject, exp, ...own } };
  };

const fromBase64 = (text: string): string => Buffer.from(text, 'base64url').toString();

/** Returns the text of a token with claims of its own. */
const tokenWith = (token: string, claims: Record<string, unknown>): string =>
  `${token}~${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;

const headersOf = ({ key, token, link, claims, team, body, headers }: Asked): Record<string, string> => ({
  ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
  ...(key === undefined ? {} : { 'X-API-Key': key }),
  ...(token === undefined ? {} : { Authorization: `Bearer ${claims ? tokenWith(token, claims) : token}` }),
  ...(link === undefined ? {} : { Authorization: `Guest ${link}` }),
  ...(team === undefined ? {} : { 'X-Team-ID': String(team) }),
  ...headers,
});

const bytesOf = (body: unknown): Buffer => {
  if (Buffer.isBuffer(body)) return body;
  if (body === undefined) return Buffer.alloc(0);
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
};

import type * as z from 'zod';
import type { Permission, RouteScope } from '../auth.ts';
import type { ErrorCode } from '../errors.ts';
import type { Objective } from '../metrics/objectives.ts';

export type Access = 'public' | 'guest' | 'publishable' | 'customer' | 'host' | 'partner';
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A response that is not JSON: its media type and description. */
interface Document {
  contentType: string;
  meaning: string;
}

/** The unparsed request, for signature checks. */
export interface RawRequest {
  body: string;
  headers: Readonly<Record<string, string | undefined>>;
  query: Readonly<Record<string, string | undefined>>;
}

interface RouteBase {
  method: Method;
  /** With `{param}` placeholders. API Gateway requires the same name at the same position in all routes. */
  path: `/${string}`;
  tag: string;
  /** The service-level objective that its requests count for; other requests of partners count for `partner`. */
  objective?: Exclude<Objective, 'partner'>;
  summary: string;
  description?: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** The body is optional. */
  bodyOptional?: boolean;
  /** The verb receives the unparsed request, to verify the sender's signature first. */
  raw?: boolean;
  status: 200 | 201 | 202 | 302;
  /** The description of a 200 response where `status` is 201: the same body, for a record that already existed (D52). */
  repeated?: string;
  reply: z.ZodType | Document;
  /** The same answer in another form, for requests that ask for it: the verb returns it as text. */
  alternative?: Document & { example: string };
  /** Response headers besides those of every response. */
  headers?: readonly ('X-Total-Count' | 'X-Next-Cursor')[];
  /** The verb's own errors; `errorsOf` adds those of every route of its kind. */
  errors: readonly ErrorCode[];
  /** Codes that replace VALIDATION_ERROR for a query parameter (D9). */
  queryErrors?: Record<string, ErrorCode>;
  /** Accepts an Idempotency-Key (D6). */
  idempotent?: boolean;
  /** The verb starts once the request is within its limits: it asks another service before the table. */
  countedFirst?: boolean;
  /** Body fields that are never stored or logged, not even as part of a fingerprint. */
  secret?: readonly string[];
  examples: Examples;
}

/**
 * What the documentation shows, and sends when it is tried as it is. A path parameter without an example has that of
 * `examplePath`; a query parameter without one is left out.
 */
interface Examples {
  params?: Readonly<Record<string, string | number>>;
  query?: Readonly<Record<string, string | number>>;
  body?: unknown;
  reply: unknown;
}

/**
 * A row of the route table. Gateway, authorizer, validation, response filter, documents and refusal tests are derived from it.
 */
export type Route = RouteBase &
  (
    | { access: 'host'; permission: Permission; scope?: never }
    /** The scope that the key must have (D93). */
    | { access: 'partner'; scope: RouteScope; permission?: never }
    | { access: Exclude<Access, 'host' | 'partner'>; permission?: never; scope?: never }
  );

/** Returns the method whose row answers: GET for HEAD (D104). */
export const answeredBy = (method: string): string => (method === 'HEAD' ? 'GET' : method);

export type Routes = Record<string, Route>;

export interface RouteGroup<R extends Routes = Routes> {
  /** The folder below `functions/` and the name of the Lambda. */
  group: string;
  routes: R;
}

export const defineRoutes = <const R extends Routes>(group: string, routes: R): RouteGroup<R> => ({
  group,
  routes,
});

export const isDocument = (reply: Route['reply']): reply is Document => 'contentType' in reply;

type Parsed<T> = T extends z.ZodType ? z.output<T> : undefined;

/** The validated request that a verb receives. */
export interface Input<R extends Route> {
  params: Parsed<R['params']>;
  query: Parsed<R['query']>;
  body: R['bodyOptional'] extends true ? Parsed<R['body']> | undefined : Parsed<R['body']>;
  raw: R['raw'] extends true ? RawRequest : undefined;
}

/** The response body that a verb returns. */
export type Body<R extends Route> =
  | (R['reply'] extends z.ZodType ? z.input<R['reply']> : string | Buffer)
  | (R['alternative'] extends Document ? string : never);

/** Returns the service-level objective that requests of the route count for. */
export const objectiveOf = ({ objective, access }: Route): Objective | undefined =>
  objective ?? (access === 'partner' ? 'partner' : undefined);

/** Returns whether the route accepts `X-Team-ID` (D14). */
export const takesTeam = ({ access }: Pick<Route, 'access'>): boolean =>
  access === 'host' || access === 'customer';

const always: readonly ErrorCode[] = ['VALIDATION_ERROR', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'];

/** What is refused for the form of the request or of its caller, whatever the operation does; each has a status of its own. */
export const generalErrors: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...always,
  'IDEMPOTENCY_KEY_REUSED',
  'PAYLOAD_TOO_LARGE',
  'RATE_LIMIT_EXCEEDED',
  'UNAUTHORIZED',
  'UNSUPPORTED_MEDIA_TYPE',
]);

/** Returns every error code of a route. */
export const errorsOf = (route: Route): ErrorCode[] => {
  return [
    ...new Set<ErrorCode>([
      ...route.errors,
      ...Object.values(route.queryErrors ?? {}),
      ...(route.body ? (['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const) : []),
      ...(route.raw && route.method === 'POST' ? (['PAYLOAD_TOO_LARGE'] as const) : []),
      ...(route.idempotent ? (['IDEMPOTENCY_KEY_REUSED'] as const) : []),
      ...(route.access === 'public' ? [] : (['UNAUTHORIZED', 'RATE_LIMIT_EXCEEDED'] as const)),
      ...(['host', 'partner', 'publishable'].includes(route.access) ? (['FORBIDDEN'] as const) : []),
      ...(route.access === 'host' ? (['MFA_REQUIRED'] as const) : []),
      ...(route.access === 'guest' ? (['NOT_FOUND'] as const) : []),
      ...always,
    ]),
  ];
};

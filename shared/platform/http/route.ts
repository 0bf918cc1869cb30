import type * as z from 'zod';
import type { Permission } from '../auth.ts';
import type { ErrorCode } from '../errors.ts';

export type Access = 'public' | 'customer' | 'host' | 'partner';
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** An answer that is not JSON: its media type and what it is. */
export interface Document {
  contentType: string;
  meaning: string;
}

/** What a row counts besides the caller's requests: attempts with one and the same value of a body field (D10). */
export interface Attempts {
  /** `login`, `register`: attempts of one kind count together. */
  of: string;
  /** The body field whose value is attempted, an e-mail address. */
  by: string;
}

/** A request as it came off the wire: what a signature is over. */
export interface RawRequest {
  body: string;
  headers: Readonly<Record<string, string | undefined>>;
  query: Readonly<Record<string, string | undefined>>;
}

interface RouteBase {
  method: Method;
  /** With `{param}` placeholders; one name a position over all routes, as the gateway asks for. */
  path: `/${string}`;
  tag: string;
  summary: string;
  description?: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** A body may be left out altogether. */
  bodyOptional?: boolean;
  /** The verb is given the request as it came, to check the sender's signature before it reads anything. */
  raw?: boolean;
  status: 200 | 201 | 202 | 302;
  /** What is answered with 200 where `status` is 201: the same reply, of something that was made before (D52). */
  repeated?: string;
  reply: z.ZodType | Document;
  /** Headers of the answer besides those of every answer. */
  headers?: readonly ('X-Total-Count' | 'X-Next-Cursor')[];
  /** The errors of the verb itself; those of every route of its kind are added by `errorsOf`. */
  errors: readonly ErrorCode[];
  /** Codes that take VALIDATION_ERROR's place for a query parameter (D9). */
  queryErrors?: Record<string, ErrorCode>;
  /** Takes an Idempotency-Key (D6). */
  idempotent?: boolean;
  /** Limited by the value of a body field too, not by the caller's requests alone (D10). */
  attempts?: Attempts;
  /** Body fields that are neither stored nor logged in any form, not even as part of a fingerprint. */
  secret?: readonly string[];
  examples: { body?: unknown; reply: unknown };
}

/** One row of the route table: gateway, authorizer, validation, reply filter, documents and refusal tests are derived from it. */
export type Route = RouteBase &
  ({ access: 'host'; permission: Permission } | { access: Exclude<Access, 'host'>; permission?: never });

/** The method whose row answers: HEAD is asked of a GET's (D104). */
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

/** What a verb is given: the request, validated. */
export interface Input<R extends Route> {
  params: Parsed<R['params']>;
  query: Parsed<R['query']>;
  body: R['bodyOptional'] extends true ? Parsed<R['body']> | undefined : Parsed<R['body']>;
  raw: R['raw'] extends true ? RawRequest : undefined;
}

/** What a verb answers. */
export type Body<R extends Route> = R['reply'] extends z.ZodType ? z.input<R['reply']> : string | Buffer;

/** Whether a route's caller may name the acting team by `X-Team-ID` (D14). */
export const takesTeam = ({ access }: Pick<Route, 'access'>): boolean =>
  access === 'host' || access === 'customer';

const always: readonly ErrorCode[] = ['INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'];

/** Every error code a route can answer with. */
export const errorsOf = (route: Route): ErrorCode[] => {
  const takesInput = route.params ?? route.query ?? route.body ?? (route.idempotent || takesTeam(route));
  return [
    ...new Set<ErrorCode>([
      ...route.errors,
      ...(takesInput ? (['VALIDATION_ERROR'] as const) : []),
      ...Object.values(route.queryErrors ?? {}),
      ...(route.body ? (['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const) : []),
      ...(route.raw && route.method === 'POST' ? (['PAYLOAD_TOO_LARGE'] as const) : []),
      ...(route.idempotent ? (['IDEMPOTENCY_KEY_REUSED'] as const) : []),
      ...(route.access === 'public' ? [] : (['UNAUTHORIZED', 'RATE_LIMIT_EXCEEDED'] as const)),
      ...(route.access === 'host' || route.access === 'partner' ? (['FORBIDDEN'] as const) : []),
      ...always,
    ]),
  ];
};

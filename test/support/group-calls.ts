import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEvent, Context as LambdaContext } from 'aws-lambda';
import type * as z from 'zod';
import type { Caller } from '../../shared/platform/auth.ts';
import type { Issue } from '../../shared/platform/errors.ts';
import type { Route, RouteGroup, Routes } from '../../shared/platform/http/route.ts';
import type { Answer as Answered } from '../../shared/platform/http/reply.ts';

export interface Asked {
  params?: Record<string, number | string>;
  query?: Record<string, string>;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Reply {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** An error: its code and the paths of its issues. */
interface Refusal {
  status: number;
  code: string;
  details: Record<string, unknown>;
  paths: string[];
}

type Answer<R extends Route> = R['reply'] extends z.ZodType ? z.output<R['reply']> : string;
type Who = Caller | undefined;

export interface GroupCalls<R extends Routes> {
  /** Returns the reply unchanged. */
  call: (who: Who, id: keyof R & string, asked?: Asked) => Promise<Reply>;
  /** Returns the body; throws unless the status is the row's. */
  ok: <Id extends keyof R & string>(who: Who, id: Id, asked?: Asked) => Promise<Answer<R[Id]>>;
  /** Returns the error; throws if there is none. */
  refusal: (who: Who, id: keyof R & string, asked?: Asked) => Promise<Refusal>;
}

/** Returns functions that call the rows of a group in process, after the authorizer. */
export const groupCalls = <R extends Routes>(
  handler: (event: APIGatewayProxyEvent, lambda: LambdaContext) => Promise<Answered>,
  { routes }: RouteGroup<R>,
  lambda: () => Partial<LambdaContext> = () => ({}),
): GroupCalls<R> => {
  const call = async (who: Who, id: keyof R & string, asked: Asked = {}): Promise<Reply> => {
    const { statusCode, headers, body } = await handler(eventOf(routes[id]!, who, asked), lambda() as never);
    return { status: statusCode, headers, text: body };
  };
  return {
    call,
    ok: async (who, id, asked) => {
      const { status, text } = await call(who, id, asked);
      if (status !== routes[id]?.status) throw new Error(`${id} answered ${status}: ${text}`);
      return JSON.parse(text) as Answer<R[typeof id]>;
    },
    refusal: async (who, id, asked) => {
      const { status, text } = await call(who, id, asked);
      if (status < 400) throw new Error(`${id} was not refused: ${text}`);
      const { code, details } = JSON.parse(text) as Omit<Refusal, 'paths'> & {
        details: { issues?: Issue[] };
      };
      return { status, code, details, paths: (details.issues ?? []).map(({ path }) => path) };
    },
  };
};

const eventOf = (row: Route, who: Who, asked: Asked): APIGatewayProxyEvent => {
  const pathParameters = Object.fromEntries(
    Object.entries(asked.params ?? {}).map(([name, value]) => [name, String(value)]),
  );
  return {
    resource: row.path,
    path: row.path.replace(/\{(\w+)\}/g, (_, name: string) => pathParameters[name] ?? ''),
    httpMethod: row.method,
    pathParameters,
    queryStringParameters: asked.query ?? null,
    headers: { 'Content-Type': 'application/json', ...asked.headers },
    body: asked.body === undefined ? null : JSON.stringify(asked.body),
    requestContext: {
      requestId: randomUUID(),
      identity: { sourceIp: '203.0.113.7' },
      authorizer: who ? { caller: JSON.stringify(who) } : {},
    },
  } as unknown as APIGatewayProxyEvent;
};

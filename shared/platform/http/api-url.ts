import type { APIGatewayProxyEvent, Context as LambdaContext } from 'aws-lambda';
import { AsyncLocalStorage } from 'node:async_hooks';
import * as z from 'zod';
import { readEnv } from '../environment/env.ts';
import type { Answer } from './reply.ts';
import { headerOf } from './header.ts';

const ApiUrlEnv = z.object({
  /** The API's own name, which links have whatever address a request came to. */
  API_URL: z.url({ protocol: /^https$/ }).optional(),
});

/** The address of the API: its own name, or that of the gateway with its stage. */
const apiUrlOf = (event: APIGatewayProxyEvent): string => {
  const { API_URL } = readEnv(ApiUrlEnv);
  if (API_URL !== undefined) return API_URL;
  const { domainName, path } = event.requestContext;
  if (domainName === undefined) return `http://${headerOf(event, 'Host') ?? 'localhost'}`;
  const root = path.endsWith(event.path) ? path.slice(0, -event.path.length) : '';
  return `https://${domainName}${root}`;
};

const current = new AsyncLocalStorage<string>();

/** The address of the API that the current request came to. */
export const apiUrl = (): string => current.getStore() ?? '';

type Handler = (event: APIGatewayProxyEvent, context: LambdaContext) => Promise<Answer>;

/** Returns the handler with {@link apiUrl} known to its verbs. */
export const knowingApiUrl =
  (answer: Handler): Handler =>
  (event, context) =>
    current.run(apiUrlOf(event), () => answer(event, context));

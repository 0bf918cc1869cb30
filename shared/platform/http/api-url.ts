import type { APIGatewayProxyEvent, Context as LambdaContext } from 'aws-lambda';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Answer } from './reply.ts';
import { headerOf } from './request.ts';

/** The address of the API that a request came to: an own domain, or the gateway's with its stage. */
const apiUrlOf = (event: APIGatewayProxyEvent): string => {
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

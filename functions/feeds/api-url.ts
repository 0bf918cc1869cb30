import type { APIGatewayProxyEvent } from 'aws-lambda';
import { headerOf } from '../../shared/platform/http/request.ts';

/** The address of the API that a request came to: an own domain, or the gateway's with its stage. */
export const apiUrlOf = (event: APIGatewayProxyEvent): string => {
  const { domainName, path } = event.requestContext;
  if (domainName === undefined) return `http://${headerOf(event, 'Host') ?? 'localhost'}`;
  const root = path.endsWith(event.path) ? path.slice(0, -event.path.length) : '';
  return `https://${domainName}${root}`;
};

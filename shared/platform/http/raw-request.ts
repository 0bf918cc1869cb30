import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { RawRequest } from './route.ts';

/** Returns the request unparsed, for signature checks. */
export const rawRequestOf = (event: APIGatewayProxyEvent): RawRequest => ({
  body: event.isBase64Encoded ? Buffer.from(event.body ?? '', 'base64').toString('utf8') : (event.body ?? ''),
  headers: event.headers,
  query: event.queryStringParameters ?? {},
});

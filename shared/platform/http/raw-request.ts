import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { RawRequest } from './route.ts';

/** A request as it came, for a signature over it. */
export const rawRequestOf = (event: APIGatewayProxyEvent): RawRequest => ({
  body: event.isBase64Encoded ? Buffer.from(event.body ?? '', 'base64').toString('utf8') : (event.body ?? ''),
  headers: event.headers,
  query: event.queryStringParameters ?? {},
});

/** A header of a raw request, whatever its case. */
export const rawHeader = ({ headers }: RawRequest, name: string): string | undefined =>
  Object.entries(headers).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];

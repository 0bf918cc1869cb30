import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { invalid, ServiceError } from '../errors.ts';
import { headerOf } from './header.ts';
import type { Route } from './route.ts';

/** The largest request body; the longest documented one is far smaller. */
const maxBodyBytes = 256 * 1024;

const parse = httpJsonBodyParser<APIGatewayProxyEvent>();

/** Parses the JSON body of a route that takes one, in place. A raw body is measured and stays as it was sent. */
export const readBody = (route: Route | undefined, event: APIGatewayProxyEvent): void => {
  const { body } = event;
  if ((route?.raw || route?.body) && Buffer.byteLength(body ?? '') > maxBodyBytes)
    throw new ServiceError('PAYLOAD_TOO_LARGE');
  if (!route?.body || (!body && route.bodyOptional)) return;
  requireUtf8(event);
  parse.before?.({ event: Object.assign(event, { body: body ?? undefined }) } as never);
};

const requireUtf8 = (event: APIGatewayProxyEvent): void => {
  const [, charset] = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(headerOf(event, 'Content-Type') ?? '') ?? [];
  if (charset !== undefined && !/^utf-?8$/i.test(charset))
    throw new ServiceError(
      'UNSUPPORTED_MEDIA_TYPE',
      `The body is in ${charset.slice(0, 40)}: send it in utf-8.`,
    );
  const text = event.isBase64Encoded ? Buffer.from(event.body ?? '', 'base64').toString() : event.body;
  const lost = text?.indexOf(replacement) ?? -1;
  if (text && lost >= 0) throw invalid({ path: '', message: notUtf8(text.slice(0, lost).split('\n')) });
};

/** What API Gateway puts in place of bytes that are not UTF-8. */
const replacement = '\uFFFD';

const notUtf8 = (linesBefore: string[]): string =>
  `The body is not UTF-8: see line ${linesBefore.length}, column ${(linesBefore.at(-1) ?? '').length + 1}.`;

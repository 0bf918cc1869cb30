import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Answer } from './reply.ts';
import { headerOf } from './header.ts';

/** Returns whether `If-None-Match` contains the ETag, by weak comparison (RFC 9110, 13.1.2). */
const matchesEtag = (ifNoneMatch: string, etag: string): boolean =>
  ifNoneMatch.trim() === '*' ||
  ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag);

/** Returns a middleware that answers 304 if `If-None-Match` contains the ETag of the response. */
export const notModified = (): MiddlewareObj<APIGatewayProxyEvent, Answer> => ({
  after: (request) => {
    const { event, response } = request;
    const etag = response?.headers['ETag'];
    const known = headerOf(event, 'If-None-Match');
    if (!response || response.statusCode !== 200 || etag === undefined || known === undefined) return;
    if (!matchesEtag(known, etag)) return;
    const headers = Object.entries(response.headers).filter(([name]) => !name.startsWith('Content-'));
    request.response = { statusCode: 304, headers: Object.fromEntries(headers), body: '' };
  },
});

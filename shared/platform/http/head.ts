import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Answer } from './reply.ts';

type Head = MiddlewareObj<APIGatewayProxyEvent, Answer>;

const withoutBody: NonNullable<Head['after']> = ({ event, response }) => {
  if (event.httpMethod === 'HEAD' && response) Object.assign(response, { body: '', isBase64Encoded: false });
};

/** Returns a middleware that answers HEAD as GET, errors included, without the body. */
export const bodilessHead = (): Head => ({ after: withoutBody, onError: withoutBody });

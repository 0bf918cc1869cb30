import { createHash, timingSafeEqual } from 'node:crypto';
import type { APIGatewayProxyEvent, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import * as z from 'zod';
import type { Clock } from '../time/clock.ts';
import type { Log } from '../metrics/log.ts';
import { keptSecret, type Secret, secretReader } from '../secrets/index.ts';
import { edgeHeaders } from './edge-headers.ts';
import { headerOf } from './header.ts';

/** The secret of CloudFront's requests; the one before it counts while distributions still send it. */
const EdgeSecret = z.object({ current: z.string().min(1), previous: z.string().min(1) });
export type EdgeSecret = z.infer<typeof EdgeSecret>;

/** Returns the secret of CloudFront of this function; undefined where CloudFront is not before the gateway. */
export const edgeSecret = (
  arn: string | undefined,
  deps: { clock: Clock; log: Log },
): Secret<EdgeSecret> | undefined =>
  arn === undefined ? undefined : keptSecret(secretReader(arn, EdgeSecret), deps);

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * Returns the address from which a request comes: the viewer's, if CloudFront has sent it, else the one that the gateway has seen.
 * Throws if the secret of CloudFront cannot be read.
 */
export const callerAddress = async (
  event: APIGatewayRequestAuthorizerEvent | APIGatewayProxyEvent,
  edge: Secret<EdgeSecret> | undefined,
): Promise<string> => {
  const { sourceIp } = event.requestContext.identity;
  const viewer = headerOf(event, edgeHeaders.viewer);
  const given = headerOf(event, edgeHeaders.secret);
  if (!edge || !viewer || !given) return sourceIp;
  const { current, previous } = await edge.read();
  return [current, previous].some((text) => timingSafeEqual(digest(text), digest(given))) ? viewer : sourceIp;
};

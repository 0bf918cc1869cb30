import { createHash, timingSafeEqual } from 'node:crypto';
import type { APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import * as z from 'zod';
import { edgeHeaders } from '../../shared/platform/http/edge-headers.ts';
import { headerOf } from '../../shared/platform/http/header.ts';
import type { Secret } from '../../shared/platform/secrets/index.ts';

/** The secret of CloudFront's requests; the one before it counts while distributions still send it. */
export const EdgeSecret = z.object({ current: z.string().min(1), previous: z.string().min(1) });
export type EdgeSecret = z.infer<typeof EdgeSecret>;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * Returns the address from which a request comes: the viewer's, if CloudFront has sent it, else the one that the gateway has seen.
 * Throws if the secret of CloudFront cannot be read.
 */
export const callerAddress = async (
  event: APIGatewayRequestAuthorizerEvent,
  edge: Secret<EdgeSecret> | undefined,
): Promise<string> => {
  const { sourceIp } = event.requestContext.identity;
  const viewer = headerOf(event, edgeHeaders.viewer);
  const given = headerOf(event, edgeHeaders.secret);
  if (!edge || !viewer || !given) return sourceIp;
  const { current, previous } = await edge.read();
  return [current, previous].some((text) => timingSafeEqual(digest(text), digest(given))) ? viewer : sourceIp;
};

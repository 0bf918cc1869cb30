import { createHash } from 'node:crypto';
import { Reply } from '../../shared/platform/http/reply.ts';

/** Returns a public reply that may be cached for 24 hours, with an ETag of its content. */
export const cacheable = <Body>(body: Body): Reply<Body> => {
  const digest = createHash('sha256').update(JSON.stringify(body)).digest('base64url');
  return new Reply(body, {
    headers: { 'Cache-Control': 'public, max-age=86400', ETag: `"${digest}"` },
  });
};

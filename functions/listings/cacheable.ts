import { createHash } from 'node:crypto';
import { Reply } from '../../shared/platform/http/reply.ts';

/** An answer that anybody may keep for 24 hours, named by what is in it. */
export const cacheable = <Body>(body: Body): Reply<Body> => {
  const digest = createHash('sha256').update(JSON.stringify(body)).digest('base64url');
  return new Reply(body, {
    headers: { 'Cache-Control': 'public, max-age=86400', ETag: `"${digest}"` },
  });
};

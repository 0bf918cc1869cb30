import { createHash } from 'node:crypto';

/** Returns the hash by which an access token is known that is not stored. */
export const tokenHash = (token: string): string => createHash('sha256').update(token).digest('base64url');

import type { IncomingMessage } from 'node:http';
import { JwtVerifier } from 'aws-jwt-verify';
import type { JwtPayload } from 'aws-jwt-verify/jwt-model';
import type { SigningKey } from './database.ts';

/** Returns a verifier of the provider's own access tokens, for /userinfo and /api/v2. */
export const createBearerReader = (issuer: string, { kty, n, e, kid, use, alg }: SigningKey) => {
  const verifier = JwtVerifier.create({ issuer, audience: null });
  verifier.cacheJwks({ keys: [{ kty, n, e, kid, use, alg }] } as Parameters<typeof verifier.cacheJwks>[0]);
  return (req: IncomingMessage, audience: string): JwtPayload | undefined => {
    const token = /^Bearer (\S+)$/i.exec(req.headers.authorization ?? '')?.[1];
    try {
      return token === undefined ? undefined : verifier.verifySync(token, { audience });
    } catch {
      return undefined;
    }
  };
};

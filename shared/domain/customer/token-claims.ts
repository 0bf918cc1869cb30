import * as z from 'zod';

const Claims = z.object({ sub: z.string().min(1).optional(), exp: z.number().optional() });
export type TokenClaims = z.infer<typeof Claims>;

/** The claims of a token whose signature has been checked, or that came from the provider itself; none of an opaque one. */
export const tokenClaims = (token: string): TokenClaims => {
  try {
    const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
    return Claims.catch({}).parse(JSON.parse(payload));
  } catch {
    return {};
  }
};

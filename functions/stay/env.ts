import * as z from 'zod';
import type { StayTeam } from '../../shared/domain/people/stay-team.schema.ts';
import { readEnv, ServiceEnv } from '../../shared/platform/environment/env.ts';

/** What this function needs besides the table: the secret of CloudFront, and how guests sign in. */
const StayEnv = ServiceEnv.extend({
  EDGE_SECRET_ARN: z.string().min(1).optional(),
  ISSUER: z.string().min(1).optional(),
  AUDIENCE: z.string().min(1).optional(),
  /** The public client (PKCE) of guests on pages; absent where a stage has none. */
  GUEST_CLIENT_ID: z.string().min(1).optional(),
});

export const stayEnv = (): z.infer<typeof StayEnv> => readEnv(StayEnv);

/** Returns how guests sign in on pages; null where they cannot. */
export const signIn = (): StayTeam['sign_in'] => {
  const { ISSUER: issuer, AUDIENCE: audience, GUEST_CLIENT_ID: client_id } = stayEnv();
  return issuer === undefined || audience === undefined || client_id === undefined
    ? null
    : { issuer, audience, client_id };
};

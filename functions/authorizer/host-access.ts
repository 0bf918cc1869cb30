import type { UserCaller } from '../../shared/platform/auth.ts';
import { applicationOf, hasSecondFactor, type TokenClaims } from '../../shared/platform/identity/index.ts';

/** Which tokens open host routes (D106). */
export interface HostAccess {
  /** Client ids of the applications for hosts. */
  applications: ReadonlySet<string>;
  mfa: 'off' | 'required';
  /** The audience of the tokens. */
  audience: string;
}

/** Returns why a token has the rights of a guest alone; undefined: it has those of a host too. */
export const guestOnly = (
  claims: TokenClaims,
  { applications, mfa, audience }: HostAccess,
): UserCaller['guest_only'] | undefined => {
  const application = applicationOf(claims);
  if (application === undefined || !applications.has(application)) return 'APPLICATION';
  return mfa === 'required' && !hasSecondFactor(claims, audience) ? 'MFA' : undefined;
};

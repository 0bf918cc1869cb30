import { normalEmail } from '../../platform/text/normal-email.ts';
import { hourMs } from '../../platform/time/time.ts';
import type { User } from './user.store.ts';

/** What a token says of its account; `iat` in epoch seconds of the provider's clock. */
export interface AccountClaims {
  iat?: number | undefined;
  email?: string | undefined;
  email_verified?: boolean | undefined;
}

/**
 * Returns whether the provider is asked about the account of a token (D108): one that was issued after the last token for which
 * it was asked, at most once an hour, or at once where the token says something else than the record; then one of the same
 * second counts too.
 */
export const isLookDue = (
  user: User,
  { iat, email, email_verified }: AccountClaims,
  now: number,
): boolean => {
  const { account_seen_at: seenAt, account_seen_iat: seen = 0 } = user;
  if (iat === undefined || iat < seen) return false;
  if (email !== undefined && normalEmail(email) !== user.email) return true;
  if (email_verified !== undefined && email_verified !== user.email_verified) return true;
  // A clock that was set back, as tests do, is no reason to wait.
  return iat > seen && (seenAt === undefined || Math.abs(now - Date.parse(seenAt)) >= hourMs);
};

import { createHash } from 'node:crypto';

/** At most so many in each stretch of so long. */
export interface MailLimit {
  most: number;
  ms: number;
}

/** Returns a time from `now` on at which one more keeps the limits; `times` are in order, and may be to come. */
export const freeAt = (times: readonly number[], limits: readonly MailLimit[], now: number): number =>
  Math.max(
    now,
    ...limits.map(({ most, ms }) => {
      const before = times.at(-most);
      return before === undefined ? now : before + ms;
    }),
  );

/** Returns the address as counters store it: a hash, because it may be that of a stranger. */
export const addressDigest = (email: string): string =>
  createHash('sha256').update(email).digest('base64url');

import type { Purse } from './purse.ts';

const hour = 3_600_000;

/** The time for a transfer (D85): 72 hours, not after check-in, but 2 hours at least. */
export const transferUntil = ({ checkIn }: Pick<Purse, 'checkIn'>, now: number): number =>
  Math.max(now + 2 * hour, Math.min(now + 72 * hour, checkIn));

/** The time for a page (D73). */
export const pageUntil = (now: number, checkIn: number): number =>
  Math.max(now + hour / 2, Math.min(now + 24 * hour, checkIn));

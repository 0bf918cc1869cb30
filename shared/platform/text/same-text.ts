import { timingSafeEqual } from 'node:crypto';

/** Compares two texts in constant time. */
export const sameText = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

import { hourMs } from '../../platform/time/time.ts';
import type { FollowedFeed } from './ical.store.ts';

export const staleMs = 3 * hourMs;

/** Returns whether a feed had no good fetch for three hours (D94). */
export const isStale = ({ last_synced_at }: Pick<FollowedFeed, 'last_synced_at'>, now: number): boolean =>
  last_synced_at !== null && now - Date.parse(last_synced_at) >= staleMs;

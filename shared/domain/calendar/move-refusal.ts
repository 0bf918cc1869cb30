import { instantText } from '../../platform/clock.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { TakenTime } from './calendar-draft.ts';
import type { AvailabilityEntry } from './calendar.entity.ts';
import { notAvailable } from './not-available.ts';

/** Live soft locks that stand against a move, and what would stand against it without them. */
interface Against {
  locks: readonly AvailabilityEntry[];
  /** Stays and blocks of the parent that it leaves take its hours. */
  isTakenBehind: boolean;
  /** Its own stays and blocks overlap with what is taken where it goes. */
  isTakenAhead: boolean;
}

const behind =
  'Stays or blocks of the parent take the hours of this listing too, and it cannot leave the parent before they have ended: wait, or cancel or unblock them (details.unavailable).';
const ahead =
  'Stays or blocks of this listing overlap with what is taken in the family that it would join: cancel or unblock one of them (details.unavailable).';

/** LISTING_NOT_AVAILABLE, which names the live soft locks among what is taken: a host who waits for their end may try again. */
export const moveRefusal = (
  taken: readonly TakenTime[],
  { locks, isTakenBehind, isTakenAhead }: Against,
): ServiceError => {
  const refused = notAvailable(taken);
  const reasons = [...(isTakenBehind ? [behind] : []), ...(isTakenAhead ? [ahead] : [])];
  if (locks.length === 0) return new ServiceError(refused.code, reasons.join(' '), refused.details);
  const last = Math.max(...locks.map(({ locked_until }) => locked_until ?? 0));
  const soft_locks = locks.map(({ listing_id, start_at, end_at, locked_until }) => ({
    listing_id,
    start_at,
    end_at,
    locked_until: locked_until === null ? null : instantText(locked_until),
  }));
  const until = instantText(last);
  reasons.push(`A live soft lock stands in the way until ${until}; try again when it has ended.`);
  return new ServiceError(refused.code, reasons.join(' '), { ...refused.details, soft_locks });
};

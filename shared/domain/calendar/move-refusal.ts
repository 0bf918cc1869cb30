import { instantText } from '../../platform/clock.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { TakenTime } from './calendar-draft.ts';
import type { AvailabilityEntry } from './calendar.entity.ts';
import { notAvailable } from './not-available.ts';

/** Live soft locks that stand against a move, and whether it would be refused without them too. */
interface Against {
  locks: readonly AvailabilityEntry[];
  isTakenBeside: boolean;
}

/** LISTING_NOT_AVAILABLE, which names the live soft locks among what is taken: a host who waits for their end may try again. */
export const moveRefusal = (taken: readonly TakenTime[], { locks, isTakenBeside }: Against): ServiceError => {
  const refused = notAvailable(taken);
  if (locks.length === 0) return refused;
  const last = Math.max(...locks.map(({ locked_until }) => locked_until ?? 0));
  const soft_locks = locks.map(({ listing_id, start_at, end_at, locked_until }) => ({
    listing_id,
    start_at,
    end_at,
    locked_until: locked_until === null ? null : instantText(locked_until),
  }));
  const until = instantText(last);
  const message = isTakenBeside
    ? `The time is taken, some of it by a live soft lock until ${until}.`
    : `A live soft lock stands in the way until ${until}; try again when it has ended.`;
  return new ServiceError(refused.code, message, { ...refused.details, soft_locks });
};

import { ceilHour, floorHour, toLocal } from '../../platform/time.ts';
import type { Reservation } from '../booking/model.ts';

/** Whether the stay may have returned the rest of its time (D83). */
export const mayLeaveEarly = ({ state }: Reservation): boolean =>
  state === 'CHECKED_OUT' || state === 'COMPLETED' || state === 'NO_SHOW';

/** The transition and the release of the hours read the clock one after the other. */
const betweenReadingsMs = 60_000;

/** Returns the earliest and the latest end that the entry of a stay that was left or missed may have, in local time. */
export const timeKept = (stay: Reservation): { least: string; most: string } => {
  const { end_at, checked_out_at, no_show_at } = stay;
  const releasedAt = checked_out_at ?? no_show_at;
  // Recorded by check-outs since early departures return their hours.
  if (releasedAt === undefined) return { least: end_at, most: end_at };
  const left = Date.parse(releasedAt);
  const [least = end_at, most = end_at] = [left, left + betweenReadingsMs]
    .map((instant) => endAfter(stay, instant))
    .sort();
  return { least, most };
};

const endAfter = ({ start_at, end_at, timezone }: Reservation, instant: number): string => {
  const next = ceilHour(toLocal(instant, timezone));
  const from = next < start_at ? floorHour(start_at) : next;
  return from < ceilHour(end_at) ? from : end_at;
};

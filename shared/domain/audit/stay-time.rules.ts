import { addHours, ceilHour, floorHour, toLocal } from '../../platform/time/time.ts';
import type { Reservation } from '../booking/model.ts';
import { takenUntil } from '../calendar/model.ts';

/** Whether the stay may have returned the rest of its time (D83). */
export const mayLeaveEarly = ({ state }: Reservation): boolean =>
  state === 'CHECKED_OUT' || state === 'COMPLETED' || state === 'NO_SHOW';

/** Returns when the time of a stay begins (D148). */
export const takenFrom = ({ taken_from, start_at }: Reservation): string => taken_from ?? start_at;

/** The transition and the release of the hours read the clock one after the other. */
const betweenReadingsMs = 60_000;

/** What a stay takes: until its end, and with the preparation after it in whole hours. Local time. */
interface TimeKept {
  end: string;
  until: string;
}

/** Returns the least and the most that the entry of a stay may take, which may have been left or missed. */
export const timeKept = (stay: Reservation): { least: TimeKept; most: TimeKept } => {
  const releasedAt = mayLeaveEarly(stay) ? (stay.checked_out_at ?? stay.no_show_at) : undefined;
  // Recorded by check-outs since early departures return their hours.
  if (releasedAt === undefined) {
    const whole = { end: stay.end_at, until: ceilHour(takenUntil(stay)) };
    return { least: whole, most: whole };
  }
  const left = Date.parse(releasedAt);
  return { least: keptAfter(stay, left).least, most: keptAfter(stay, left + betweenReadingsMs).most };
};

const keptAfter = (stay: Reservation, instant: number): { least: TimeKept; most: TimeKept } => {
  const { end_at, timezone, checked_out_at, preparation_hours = 0 } = stay;
  const begins = takenFrom(stay);
  const next = ceilHour(toLocal(instant, timezone));
  const from = next < begins ? floorHour(begins) : next;
  const isMissed = checked_out_at === undefined;
  if (from < ceilHour(end_at)) {
    const kept = {
      end: from,
      until: isMissed || from <= begins ? from : addHours(from, preparation_hours),
    };
    return { least: kept, most: kept };
  }
  const whole = { end: end_at, until: ceilHour(takenUntil(stay)) };
  // A host frees the rest of the preparation for a guest who did not come; the schedule does not.
  return { least: isMissed && from < whole.until ? { ...whole, until: from } : whole, most: whole };
};

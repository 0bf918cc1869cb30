import { ceilHour, floorHour, toLocal } from '../../platform/time.ts';
import { type LocalRange, takenUntil } from '../calendar/model.ts';
import type { Reservation } from './booking.entity.ts';

type Times = Pick<Reservation, 'start_at' | 'end_at' | 'timezone'>;

/** Returns the unused hours of a stay: from the next whole hour on, in local time (D83). */
export const unusedTime = ({ start_at, end_at, timezone }: Times, now: number): LocalRange | null => {
  const next = ceilHour(toLocal(now, timezone));
  const from = next < start_at ? floorHour(start_at) : next;
  const to = ceilHour(takenUntil({ end_at }));
  return from < to ? { start_at: from, end_at: to } : null;
};

type Left = Times & Pick<Reservation, 'checked_out_at' | 'no_show_at'>;

/** Returns until when a stay lasts: to its end, or to the hour at which its guest left or did not come. */
export const stayedUntil = (stay: Left): string => {
  const left = stay.no_show_at ?? stay.checked_out_at;
  return (left === undefined ? null : unusedTime(stay, Date.parse(left)))?.start_at ?? stay.end_at;
};

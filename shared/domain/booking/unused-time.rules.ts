import { ceilHour, floorHour, hoursBetween, toLocal } from '../../platform/time/time.ts';
import { type LocalRange, preparationOf, takenUntil, wholeHours } from '../calendar/model.ts';
import type { Reservation } from './reservation.entity.ts';

type Times = Pick<Reservation, 'start_at' | 'end_at' | 'taken_from' | 'preparation_hours' | 'timezone'>;

/** Returns a stay with the beginning of the time that it takes, which may be before `start_at` (D148). */
export const takenTime = <Stay extends Pick<Times, 'start_at' | 'taken_from'>>(stay: Stay): Stay => ({
  ...stay,
  start_at: stay.taken_from ?? stay.start_at,
});

/** What a stay keeps of its time after its guest has left or did not come, and what is free again. Local time. */
interface UnusedTime {
  kept: Pick<Times, 'start_at' | 'end_at' | 'preparation_hours'>;
  freed: LocalRange;
}

/** Returns the next whole hour, at the earliest the one in which the stay begins. */
const nextHour = ({ start_at, timezone }: Pick<Times, 'start_at' | 'timezone'>, now: number): string => {
  const next = ceilHour(toLocal(now, timezone));
  return next < start_at ? floorHour(start_at) : next;
};

/**
 * Returns the unused time of a stay: from the next whole hour on (D83). The preparation follows the new end; after a guest
 * who did not come, or left before the stay began, there is none. Null if nothing is free again.
 */
export const unusedTime = (booked: Times, now: number, { isMissed = false } = {}): UnusedTime | null => {
  const stay = takenTime(booked);
  const from = nextHour(stay, now);
  const end = ceilHour(stay.end_at);
  const hasEnded = from >= end;
  if (hasEnded && !isMissed) return null;
  const isUnprepared = isMissed || from <= stay.start_at;
  const kept = {
    start_at: stay.start_at,
    end_at: hasEnded ? stay.end_at : from,
    ...preparationOf(isUnprepared ? { preparation_hours: hasEnded ? hoursBetween(end, from) : 0 } : stay),
  };
  const freed = { start_at: ceilHour(takenUntil(kept)), end_at: wholeHours(stay).end_at };
  return freed.start_at < freed.end_at ? { kept, freed } : null;
};

type Left = Times & Pick<Reservation, 'checked_out_at' | 'no_show_at'>;

/** Returns until when a stay lasts: to its end, or to the hour at which its guest left or did not come. */
export const stayedUntil = (stay: Left): string => {
  const left = stay.no_show_at ?? stay.checked_out_at;
  if (left === undefined) return stay.end_at;
  const from = nextHour(takenTime(stay), Date.parse(left));
  return from < ceilHour(stay.end_at) ? from : stay.end_at;
};

import { addDays, floorHour, hourMs, timeOf, today, toLocal } from '../../../shared/platform/time/time.ts';

const zone = 'Asia/Ho_Chi_Minh';

/** Returns a date by its distance from today, in the time zone of the demo's listings. */
export const dateAt = (now: number, days: number): string => addDays(today(now, zone), days);

/** An hour of a day, by the listing's time, at which guests have arrived and none has left. */
export const arrivalAt = (now: number, days: number): number => Date.parse(`${dateAt(now, days)}T09:00:00Z`);

/** An hour of a day at which guests leave. */
export const departureAt = (now: number, days: number): number => arrivalAt(now, days) - 5 * hourMs;

/** Returns when the stays of today end: no later than now, since a guest who comes early has the home from the present hour on. */
export const endToday = (now: number): string => {
  const hour = timeOf(floorHour(toLocal(now, zone)));
  return hour < '12:00:00' ? hour : '12:00:00';
};

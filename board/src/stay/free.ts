import type { DayAvailability, NearestStay } from '@nightlatch/client';
import { Temporal } from 'temporal-polyfill';

/** Years of more digits are no dates of a stay. */
export const lastDate = '9999-12-31';

export const dayAfter = (date: string, days: number): string =>
  Temporal.PlainDate.from(date).add({ days }).toString();

export const nightsBetween = (from: string, to: string): number =>
  Temporal.PlainDate.from(from).until(to, { largestUnit: 'day' }).days;

export const byDate = (days: readonly DayAvailability[]): ReadonlyMap<string, DayAvailability> =>
  new Map(days.map((day) => [day.date, day]));

/** Whether a stay from a date to another can be booked, as far as its days are known. */
export const fits = (days: ReadonlyMap<string, DayAvailability>, from: string, to: string): boolean => {
  const count = nightsBetween(from, to);
  const first = days.get(from);
  if (!first?.can_arrive || count < first.min_nights || count > (first.max_nights ?? count)) return false;
  for (let night = 0; night < count; night++) if (!days.get(dayAfter(from, night))?.available) return false;
  return days.get(to)?.can_depart ?? true;
};

/** How far from the wanted date another one is looked for. */
export const nearDays = 21;
const most = 3;

/** The stays of the same length that begin nearest to a date. */
export const nearestFree = (
  items: readonly DayAvailability[],
  { listing_id, from, nights }: { listing_id: number; from: string; nights: number },
): NearestStay[] => {
  const days = byDate(items);
  return items
    .map(({ date }) => ({ listing_id, check_in_date: date, check_out_date: dayAfter(date, nights) }))
    .filter((stay) => fits(days, stay.check_in_date, stay.check_out_date))
    .toSorted((one, other) => distance(one, from) - distance(other, from))
    .slice(0, most)
    .toSorted((one, other) => one.check_in_date.localeCompare(other.check_in_date));
};

const distance = ({ check_in_date }: NearestStay, from: string): number =>
  Math.abs(nightsBetween(from, check_in_date));

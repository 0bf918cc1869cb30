import type { ListingCalendar, TakenStretch } from '@nightlatch/client';
import { Temporal } from 'temporal-polyfill';

/** A stay that is asked for, in the local time of its home. */
export interface Wanted {
  listing_id: number;
  check_in_date: string;
  check_out_date: string;
  start_at: string;
  end_at: string;
  /** The stay that would move: its own time is free for it. */
  booking_id?: number;
}

export interface FreeStay {
  listing_id: number;
  check_in_date: string;
  check_out_date: string;
}

export const addDays = (date: string, days: number): string =>
  Temporal.PlainDate.from(date).add({ days }).toString();

export const nightsBetween = (from: string, to: string): number =>
  Temporal.PlainDate.from(from).until(to).days;

const isOwn =
  ({ booking_id }: Wanted) =>
  (entry: TakenStretch): boolean =>
    booking_id !== undefined && entry.booking_id === booking_id;

/** Returns what takes the time of a stay. */
export const takersOf = (wanted: Wanted, homes: readonly ListingCalendar[]): TakenStretch[] =>
  (homes.find(({ listing_id }) => listing_id === wanted.listing_id)?.entries ?? []).filter(
    (entry) => entry.start_at < wanted.end_at && entry.end_at > wanted.start_at && !isOwn(wanted)(entry),
  );

const nearestDays = 14;
const mostOffered = 3;
/** The nearest first, the later one before the earlier. */
const offsets = [0, ...Array.from({ length: nearestDays }, (_, at) => [at + 1, -at - 1]).flat()];

/** Returns the nights of a home at which a stay may be: those that nothing takes, and its own. */
const freeNights = (wanted: Wanted, { entries, nights }: ListingCalendar) => {
  const free = new Map<string, { canArrive: boolean; least: number }>();
  for (const { date, closed, closed_to_arrival, min_nights } of nights)
    if (!closed) free.set(date, { canArrive: !closed_to_arrival, least: min_nights });
  for (const { start_at, end_at } of entries.filter(isOwn(wanted)))
    for (let date = start_at.slice(0, 10); date < end_at.slice(0, 10); date = addDays(date, 1))
      free.set(date, { canArrive: true, least: 1 });
  return free;
};

/** Returns the dates nearest to those of a stay on which its home is free for as long, from today there. */
export const nearestFree = (
  wanted: Wanted,
  homes: readonly ListingCalendar[],
  now = Temporal.Now.instant(),
): FreeStay[] => {
  const { listing_id, check_in_date, check_out_date } = wanted;
  const home = homes.find((one) => one.listing_id === listing_id);
  const nights = nightsBetween(check_in_date, check_out_date);
  if (!home || nights < 1) return [];
  const today = now.toZonedDateTimeISO(home.timezone).toPlainDate().toString();
  const free = freeNights(wanted, home);
  return offsets
    .map((days) => addDays(check_in_date, days))
    .filter((from) => from >= today && isFree(free, from, nights))
    .slice(0, mostOffered)
    .map((from) => ({ listing_id, check_in_date: from, check_out_date: addDays(from, nights) }));
};

const isFree = (free: ReturnType<typeof freeNights>, from: string, nights: number): boolean => {
  const arrival = free.get(from);
  return (
    arrival?.canArrive === true &&
    arrival.least <= nights &&
    Array.from({ length: nights }, (_, at) => addDays(from, at)).every((date) => free.has(date))
  );
};

/** Returns other homes that are free on the dates of a stay. */
export const freeHomes = (wanted: Wanted, homes: readonly ListingCalendar[]): ListingCalendar[] => {
  const nights = nightsBetween(wanted.check_in_date, wanted.check_out_date);
  return homes
    .filter(({ listing_id }) => listing_id !== wanted.listing_id)
    .filter((home) => nights > 0 && isFree(freeNights(wanted, home), wanted.check_in_date, nights))
    .slice(0, mostOffered);
};

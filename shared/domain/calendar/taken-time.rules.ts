import { ServiceError } from '../../platform/errors.ts';
import { type Hours, hoursInMonth, hourText, isTaken, type MonthSpan, monthSpans } from './hours.rules.ts';

/** An interval of a listing, in its local time. */
export interface ListingTime {
  calendar_id: number;
  listing_id: number;
  start_at: string;
  end_at: string;
  /** Hours after the end that are taken too (D77). */
  preparation_hours?: number;
  /** The zone of the listing as it was read; absent for a block, whose write has the listing unchanged. */
  timezone?: string;
}

/** A taken interval. */
export interface TakenTime extends Omit<ListingTime, 'calendar_id' | 'preparation_hours' | 'timezone'> {
  /** When the listing is free again, which may be after the requested time; null: not within the months that were read. */
  free_again_at: string | null;
}

/**
 * Returns LISTING_NOT_AVAILABLE with the taken times (D44), and for each listing when it is free again, as far as the
 * months that were read show it.
 */
export const notAvailable = (taken: readonly TakenTime[]): ServiceError =>
  new ServiceError('LISTING_NOT_AVAILABLE', undefined, {
    unavailable: taken.map(({ listing_id, start_at, end_at }) => ({ listing_id, start_at, end_at })),
    free_again: [...Map.groupBy(taken, ({ listing_id }) => listing_id)].map(([listingId, stretches]) => ({
      listing_id: listingId,
      at: stretches.at(-1)?.free_again_at ?? null,
    })),
  });

/** Returns the first free hour of a month at or after the end of a span. */
export const freeAgainAt = (hours: Hours, { month, to }: MonthSpan): string | null => {
  const end = hoursInMonth(month);
  let hour = to;
  while (hour < end && isTaken(hours, hour)) hour++;
  return hour < end ? hourText(month, hour) : null;
};

/** Joins stretches that touch at the end of a month. */
export const joinAdjacentTimes = (stretches: TakenTime[]): TakenTime[] =>
  stretches.reduce<TakenTime[]>((result, stretch) => {
    const last = result.at(-1);
    if (last?.end_at === stretch.start_at)
      Object.assign(last, { end_at: stretch.end_at, free_again_at: stretch.free_again_at });
    else result.push({ ...stretch });
    return result;
  }, []);

const intervalOf = ({ month, from, to }: MonthSpan) => ({
  start_at: hourText(month, from),
  end_at: hourText(month, to),
});

/** Returns the part of a time that is in a month. */
export const within = (month: string, time: ListingTime): ListingTime[] =>
  monthSpans(time)
    .filter((span) => span.month === month)
    .map((span) => ({
      calendar_id: time.calendar_id,
      listing_id: time.listing_id,
      ...intervalOf(span),
    }));

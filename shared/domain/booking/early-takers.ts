import type { Context } from '../../platform/context.ts';
import { instantText } from '../../platform/time/clock.ts';
import { ceilHour } from '../../platform/time/time.ts';
import {
  affectsListing,
  type AvailabilityEntry,
  labelOf,
  type ListingTime,
  overlappingEntries,
  preparationLabel,
  type TakenLabel,
  wholeHours,
} from '../calendar/model.ts';
import { type Reservation, reservationRead } from './reservation.entity.ts';

/** What takes hours of a listing. */
interface Taker {
  entry: AvailabilityEntry;
  label: TakenLabel;
  /** Of a stay. */
  stay: Reservation | undefined;
}

/** Returns what takes a time of a listing, its parent's and children's entries included (D26). */
export const takersOf = async ({ table, clock }: Context, time: ListingTime): Promise<Taker[]> => {
  const entries = (await overlappingEntries(table, time.calendar_id, time)).filter(
    (entry) => affectsListing(entry, time.listing_id) && (entry.locked_until ?? Infinity) > clock.now(),
  );
  const booked = entries.flatMap(({ reservation_id: id }) => id ?? []);
  const stays = booked.length === 0 ? [] : await table.getAll(booked.map(reservationRead));
  return entries.map((entry) => {
    const { listing_id: ofListing } = entry;
    const isPreparation = ceilHour(entry.end_at) <= time.start_at;
    return {
      entry,
      label: (isPreparation ? preparationLabel : labelOf)(entry, ofListing),
      stay: stays[booked.indexOf(entry.reservation_id ?? 0)],
    };
  });
};

/**
 * Whether a guest cannot be checked in at a local time while this has the hours: a stay that is not over, a soft lock, a block of the
 * host. What a calendar has imported, preparation, and the last hour of a guest who has left, are closed to sale and no one's
 * stay (D148).
 */
export const refusesArrival = ({ label: { kind }, stay }: Taker, now: string): boolean =>
  kind === 'HOLD' || kind === 'BLOCK' || (kind === 'STAY' && stay !== undefined && isOpen(stay, now));

/** A guest whose check-in was not recorded is taken to have left at the end. */
const isOpen = ({ state, end_at }: Reservation, now: string): boolean =>
  state === 'CHECKED_IN' || ((state === 'PENDING' || state === 'CONFIRMED') && now < end_at);

/** Returns what takes hours as the details of an error have it. */
export const takerDetails = ({ entry, label: { kind, availability_id, booking_id, source } }: Taker) => ({
  listing_id: entry.listing_id,
  ...wholeHours(entry),
  ...{ kind, availability_id, booking_id, source },
  locked_until: entry.locked_until === null ? null : instantText(entry.locked_until),
});

/** Returns the same as a part of a sentence. */
export const takerText = ({ entry, label: { kind, booking_id } }: Taker): string => {
  const until = `has them until ${wholeHours(entry).end_at}`;
  if (kind === 'HOLD') return `a soft lock ${until}`;
  return booking_id === null
    ? `the block ${entry.availability_id} ${until}`
    : `the booking ${booking_id} ${until}`;
};

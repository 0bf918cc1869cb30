import type { Context } from '../../platform/context.ts';
import { readOf } from '../../platform/table/index.ts';
import { addDays, today, toLocal } from '../../platform/time/time.ts';
import { type BookingState, ReservationEntity } from '../booking/model.ts';
import {
  type AvailabilityEntry,
  calendarOf,
  type ListingTime,
  overlappingEntries,
} from '../calendar/model.ts';
import { bookableDaysAhead } from '../pricing/model.ts';
import type { Listing } from './listing.entity.ts';

/** Returns every hour at which a stay that is booked now may begin, with a margin of one day at both ends. */
export const bookableWindow = ({ clock }: Pick<Context, 'clock'>, listing: Listing): ListingTime => {
  const date = today(clock.now(), listing.timezone);
  return {
    calendar_id: calendarOf(listing),
    listing_id: listing.id,
    start_at: `${addDays(date, -1)}T00:00:00`,
    end_at: `${addDays(date, bookableDaysAhead + 1)}T00:00:00`,
  };
};

const endOfTime = '9999-12-31T00:00:00';

/** Returns the stays, blocks and soft locks of a listing that have not ended. */
export const futureEntries = async (
  { table, clock }: Pick<Context, 'table' | 'clock'>,
  listing: Listing,
): Promise<AvailabilityEntry[]> => {
  const range = { start_at: toLocal(clock.now(), listing.timezone), end_at: endOfTime };
  const entries = await overlappingEntries(table, calendarOf(listing), range);
  return entries.filter(({ listing_id, end_at }) => listing_id === listing.id && end_at > range.start_at);
};

/** PENDING counts: the host may still accept it. */
const openStates: readonly BookingState[] = ['PENDING', 'CONFIRMED', 'CHECKED_IN'];

/** Filters the entries of stays whose guest is still to come or in house; an early check-out ends a stay before its time. */
export const openStays = async (
  { table }: Pick<Context, 'table'>,
  entries: readonly AvailabilityEntry[],
): Promise<AvailabilityEntry[]> => {
  const booked = entries.filter(({ state }) => state === 'BOOKED');
  const reservations = await table.getAll(booked.map(reservationRead));
  return booked.filter((_, position) => {
    const reservation = reservations[position];
    return !reservation || openStates.includes(reservation.state);
  });
};

const reservationRead = ({ order_id, reservation_id }: AvailabilityEntry) => {
  if (order_id === null || reservation_id === null) throw new Error('a booked entry has no reservation id');
  return readOf(ReservationEntity, { order_id, reservation_id });
};

import type { Context } from '../../platform/context.ts';
import { toLocal } from '../../platform/time.ts';
import { type BookingState, type Reservation, ReservationEntity } from '../booking/index.ts';
import { type AvailabilityEntry, calendarOf, overlappingEntries } from '../calendar/index.ts';
import type { Listing } from '../listing/index.ts';

const endOfTime = '9999-12-31T00:00:00';

/** A listing's own stays, blocks and soft locks that have not ended yet. */
export const futureEntries = async (
  { table, clock }: Pick<Context, 'table' | 'clock'>,
  listing: Listing,
): Promise<AvailabilityEntry[]> => {
  const range = { start_at: toLocal(clock.now(), listing.timezone), end_at: endOfTime };
  const entries = await overlappingEntries(table, calendarOf(listing), range);
  return entries.filter(({ listing_id }) => listing_id === listing.id);
};

/** A stay that waits for its host counts: once accepted it is one like the others. */
const openStates: readonly BookingState[] = ['PENDING', 'CONFIRMED', 'CHECKED_IN'];

/** The booked stays among entries whose guest is still to come or still there: an early check-out ends a stay before its time. */
export const openStays = async (
  { table }: Pick<Context, 'table'>,
  entries: readonly AvailabilityEntry[],
): Promise<AvailabilityEntry[]> => {
  const booked = entries.filter(({ state }) => state === 'BOOKED');
  const reservations = (await table.getAll(booked.map(reservationRead))) as (Reservation | undefined)[];
  return booked.filter((_, position) => {
    const reservation = reservations[position];
    return !reservation || openStates.includes(reservation.state);
  });
};

const reservationRead = ({ order_id, reservation_id }: AvailabilityEntry) => {
  if (order_id === null || reservation_id === null) throw new Error('a booked entry names its reservation');
  return { key: ReservationEntity.key({ order_id, reservation_id }) };
};

import { instantText } from '../../platform/time/clock.ts';
import { dayMs, toInstant } from '../../platform/time/time.ts';
import type { Listing } from '../listing/model.ts';
import type { Reservation } from './reservation.entity.ts';
import { isSecured } from './booking.rules.ts';
import type { Access, AccessInfo } from './booking.schema.ts';

const accessOpensMs = dayMs;

/** Returns when the guest may read the access information: 24 hours before check-in, in epoch milliseconds (D15). */
export const accessOpens = ({ start_at, timezone }: Pick<Reservation, 'start_at' | 'timezone'>): number =>
  toInstant(start_at, timezone) - accessOpensMs;

/** Returns whether the host has let the guest in: by the check-in, or before it (D109). */
const isReleased = ({ state, access_released_at }: Reservation): boolean =>
  state === 'CHECKED_IN' || access_released_at !== undefined;

type Lock = Pick<Listing, 'access_release'>;

/**
 * Returns whether the guest of a stay can read the access information, and what it waits for (D15, D109); null for a stay that
 * has ended or does not take place.
 */
export const accessOf = (listing: Lock, stay: Reservation, now: number): Access | null => {
  const { state, payment_method } = stay;
  const isAhead = state === 'PENDING' || state === 'CONFIRMED' || state === 'CHECKED_IN';
  if (!isAhead || now >= toInstant(stay.end_at, stay.timezone)) return null;
  const waitsFor = (who: 'PAYMENT' | 'HOST'): Access => ({ state: `WAITS_FOR_${who}`, at: null });
  if (state === 'PENDING') return waitsFor('HOST');
  if (!isReleased(stay)) {
    if (listing.access_release === 'HOST') return waitsFor('HOST');
    if (!isSecured(stay)) return waitsFor(payment_method === 'CASH' ? 'HOST' : 'PAYMENT');
  }
  const opens = accessOpens(stay);
  return { state: now < opens ? 'AT' : 'SHOWN', at: instantText(opens) };
};

/** Returns Wi-Fi and door code for the guest of a stay while they are shown; else null. */
export const accessTo = (
  listing: Lock & Pick<Listing, 'wifi_name' | 'wifi_password' | 'door_code'>,
  stay: Reservation,
  now: number,
): AccessInfo | null => {
  if (accessOf(listing, stay, now)?.state !== 'SHOWN') return null;
  const { wifi_name, wifi_password, door_code } = listing;
  return { wifi_name, wifi_password, door_code };
};

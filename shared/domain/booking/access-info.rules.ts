import { dayMs, toInstant } from '../../platform/time.ts';
import type { Listing } from '../listing/model.ts';
import type { Reservation } from './booking.entity.ts';
import type { AccessInfo } from './booking.schema.ts';

const accessOpensMs = dayMs;

/** Returns when the guest may read the access information: 24 hours before check-in, in epoch milliseconds (D15). */
export const accessOpens = ({ start_at, timezone }: Pick<Reservation, 'start_at' | 'timezone'>): number =>
  toInstant(start_at, timezone) - accessOpensMs;

/** Returns Wi-Fi and door code for the guest of a stay until check-out; null outside of that time (D15). */
export const accessTo = (
  { wifi_name, wifi_password, door_code }: Pick<Listing, 'wifi_name' | 'wifi_password' | 'door_code'>,
  stay: Reservation,
  now: number,
): AccessInfo | null => {
  const isStaying = stay.state === 'CONFIRMED' || stay.state === 'CHECKED_IN';
  const closes = toInstant(stay.end_at, stay.timezone);
  if (!isStaying || now < accessOpens(stay) || now >= closes) return null;
  return { wifi_name, wifi_password, door_code };
};

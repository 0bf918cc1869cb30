import type { Context } from '../../platform/context.ts';
import { dayMs, toInstant } from '../../platform/time/time.ts';
import type { GuestLinkState, Reservation } from './reservation.entity.ts';

/** How long a link opens a stay after its end (D122). */
const linkDays = 30;

/** Returns the state of the link to a stay. */
export const linkOf = ({ guest_link }: Pick<Reservation, 'guest_link'>): GuestLinkState =>
  guest_link ?? { version: 0, tries: 0 };

/** Whether no link to a stay opens it any more. */
export const linkHasEnded = (
  { end_at, timezone }: Pick<Reservation, 'end_at' | 'timezone'>,
  now: number,
): boolean => now > toInstant(end_at, timezone) + linkDays * dayMs;

/** Whether the caller is the guest of a stay, by account or by its link (D122). */
export const isGuestOf = ({ caller }: Pick<Context, 'caller'>, stay: Reservation): boolean =>
  caller.kind === 'user'
    ? caller.user_id === stay.guest.user_id
    : caller.kind === 'guest' &&
      caller.reservation_id === stay.reservation_id &&
      caller.version === linkOf(stay).version;

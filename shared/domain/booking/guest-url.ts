import type { GuestLinkSource } from '../../platform/auth.ts';
import type { Dependencies } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { linkHasEnded, linkOf } from './guest-link.rules.ts';
import type { Reservation } from './reservation.entity.ts';

/** 22 characters of base64url are 132 bits. */
export const macLength = 22;

/** Returns what the token of a link signs: the stay, how often its link was replaced, and who gives it to the guest. */
export const signedText = (reservationId: number, version: number, from: GuestLinkSource): string =>
  `guest-link/${reservationId}/${version}/${from}`;

export const unknownLink = (): ServiceError =>
  new ServiceError('NOT_FOUND', 'This link does not exist, was replaced, or has ended.');

interface Given {
  /** Who gives it to the guest. */
  from: GuestLinkSource;
  /** The address of the pages of guests. */
  pages: string;
}

/**
 * Returns the address of the page of a stay's guest; null if the key that booked it wants none, or it has ended (D122). Its token is made from the
 * data key and kept nowhere; it is behind the `#`, so that no log of a server has it.
 */
export const guestUrl = async (
  { sealing, clock }: Pick<Dependencies, 'sealing' | 'clock'>,
  stay: Pick<Reservation, 'reservation_id' | 'guest_link' | 'end_at' | 'timezone'>,
  { from, pages }: Given,
): Promise<string | null> => {
  const { version, is_off } = linkOf(stay);
  if (is_off || linkHasEnded(stay, clock.now())) return null;
  const [mac] = await sealing().fingerprints(signedText(stay.reservation_id, version, from));
  const token = `${stay.reservation_id.toString(36)}.${version}${from}.${mac.slice(0, macLength)}`;
  return `${pages}/g#${token}`;
};

/** Returns the link to the one stay of a booking; null for an order of several, each of which has a link. */
export const linkOfStays = async (
  deps: Pick<Dependencies, 'sealing' | 'clock'>,
  [stay, ...others]: readonly Reservation[],
  given: Given,
): Promise<string | null> => (stay && others.length === 0 ? guestUrl(deps, stay, given) : null);

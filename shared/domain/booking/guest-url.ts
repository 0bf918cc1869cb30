import type { GuestLinkSource } from '../../platform/auth.ts';
import type { Dependencies } from '../../platform/context.ts';
import type { GuestLinkState, Reservation } from './reservation.entity.ts';

/** 22 characters of base64url are 132 bits. */
export const macLength = 22;

/** Returns the state of the link to a stay. */
export const linkOf = ({ guest_link }: Pick<Reservation, 'guest_link'>): GuestLinkState =>
  guest_link ?? { version: 0, tries: 0 };

/** Returns what the token of a link signs: the stay, how often its link was replaced, and who gives it to the guest. */
export const signedText = (reservationId: number, version: number, from: GuestLinkSource): string =>
  `guest-link/${reservationId}/${version}/${from}`;

interface Given {
  /** Who gives it to the guest. */
  from: GuestLinkSource;
  /** The address of the pages of guests. */
  pages: string;
}

/**
 * Returns the address of the page of a stay's guest; null if the key that booked it wants none (D122). Its token is made from the
 * data key and kept nowhere; it is behind the `#`, so that no log of a server has it.
 */
export const guestUrl = async (
  { sealing }: Pick<Dependencies, 'sealing'>,
  stay: Pick<Reservation, 'reservation_id' | 'guest_link'>,
  { from, pages }: Given,
): Promise<string | null> => {
  const { version, is_off } = linkOf(stay);
  if (is_off) return null;
  const [mac] = await sealing().fingerprints(signedText(stay.reservation_id, version, from));
  const token = `${stay.reservation_id.toString(36)}.${version}${from}.${mac.slice(0, macLength)}`;
  return `${pages}/g#${token}`;
};

/** Returns the link to the one stay of a booking; null for an order of several, each of which has a link. */
export const linkOfStays = async (
  deps: Pick<Dependencies, 'sealing'>,
  [stay, ...others]: readonly Reservation[],
  given: Given,
): Promise<string | null> => (stay && others.length === 0 ? guestUrl(deps, stay, given) : null);

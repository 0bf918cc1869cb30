import { isDeepStrictEqual } from 'node:util';
import type { Dependencies } from '../../platform/context.ts';
import type { Listing } from './listing.entity.ts';

type Access = Pick<Listing, 'wifi_password' | 'door_code'>;
type Sealer = Pick<Dependencies, 'sealing'>;

const placeOf = ({ id }: Pick<Listing, 'id'>): string => `Listing/${id}/access`;
const accessOf = ({ wifi_password, door_code }: Access): Access => ({ wifi_password, door_code });

/**
 * Returns a listing with its Wi-Fi password and door code as they were written, for who may see them. Those that cannot be
 * decrypted, because the key was lost, are null.
 */
export const openedListing = async (
  { sealing, log }: Sealer & Pick<Dependencies, 'log'>,
  listing: Listing,
): Promise<Listing> => {
  const { sealed_access, ...rest } = listing;
  if (!sealed_access) return listing;
  const opened = await sealing().open(sealed_access, placeOf(listing));
  if (!opened) log.error('The access of a listing cannot be decrypted', { listing_id: listing.id });
  const access = opened
    ? (JSON.parse(opened.toString()) as Access)
    : { wifi_password: null, door_code: null };
  // What a version before this one has written meanwhile is newer.
  return {
    ...rest,
    wifi_password: listing.wifi_password ?? access.wifi_password,
    door_code: listing.door_code ?? access.door_code,
  };
};

/**
 * Returns the stored form of an opened listing, its Wi-Fi password and door code encrypted (D140).
 * @param before - as it was read: what has not changed stays as it is
 */
export const sealedListing = async (
  { sealing }: Sealer,
  listing: Listing,
  before?: { read: Listing; opened: Listing },
): Promise<Listing> => {
  const access = accessOf(listing);
  const { sealed_access: _, ...rest } = listing;
  const hidden = { ...rest, wifi_password: null, door_code: null };
  const kept = before?.read.sealed_access;
  const isKept = kept && isDeepStrictEqual(accessOf(before.read), accessOf(hidden));
  if (isKept && isDeepStrictEqual(access, accessOf(before.opened))) return { ...hidden, sealed_access: kept };
  if (access.wifi_password === null && access.door_code === null) return hidden;
  return { ...hidden, sealed_access: await sealing().seal(JSON.stringify(access), placeOf(listing)) };
};

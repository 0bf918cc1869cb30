import type { Dependencies } from '../../platform/context.ts';
import { type Listing, openedListing } from '../listing/model.ts';
import { accessOf, accessTo } from './access-info.rules.ts';
import type { Reservation } from './reservation.entity.ts';
import type { AccessInfo } from './booking.schema.ts';

/** Returns Wi-Fi and door code for the guest of a stay while they are shown, else null; only then they are decrypted (D140). */
export const openAccess = async (
  deps: Pick<Dependencies, 'sealing' | 'log'>,
  listing: Listing,
  stay: Reservation,
  now: number,
): Promise<AccessInfo | null> =>
  accessOf(listing, stay, now)?.state === 'SHOWN'
    ? accessTo(await openedListing(deps, listing), stay, now)
    : null;

import type { EventOf } from '../../events.ts';
import type { Dependencies } from '../../platform/context.ts';
import { toInstant } from '../../platform/time.ts';
import {
  type AccessInfo,
  accessTo,
  type BookingEventType,
  findBooking,
  payUrlOf,
  type Reservation,
  thawQuote,
} from '../booking/index.ts';
import { type Listing, readListing } from '../listing/index.ts';
import type { ItemQuote } from '../pricing/index.ts';

/** What only the event says: how the booking stood then, and why it was changed. */
export type Told = Pick<EventOf<BookingEventType>['data'], 'state' | 'reason' | 'refund'>;

/** A booking as it stands when a mail about it is written. */
export interface About {
  stay: Reservation;
  lines: ItemQuote['lines'];
  listing: Pick<Listing, 'address'> | undefined;
  /** Where the guest pays, while that is possible. */
  payUrl: string | null;
  access: AccessInfo | null;
  /** Epoch milliseconds. */
  now: number;
  endsAt: number;
  told: Told;
}

/** Reads what a mail about a booking may say; a booking that is not there yet is an error, so that the queue brings it again. */
export const readAbout = async (
  { table, clock }: Pick<Dependencies, 'table' | 'clock'>,
  reservation_id: number,
  told: Told = {},
): Promise<About> => {
  const found = await findBooking(table, reservation_id);
  const stay = found?.reservations.find((one) => one.reservation_id === reservation_id);
  if (!found || !stay) throw new Error(`the booking ${reservation_id} is not there`);
  const listing = await readListing(table, stay.listing_id);
  const item = found.order.items.find((one) => one.reservation_id === reservation_id);
  const now = clock.now();
  return {
    stay,
    lines: item ? thawQuote(item.quote).lines : [],
    listing,
    payUrl: payUrlOf(clock, found, [stay]),
    access: listing ? accessTo(listing, stay, now) : null,
    now,
    endsAt: toInstant(stay.end_at, stay.timezone),
    told,
  };
};

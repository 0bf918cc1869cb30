import { consume, type HandleEvent } from '../../../shared/consume.ts';
import { bookingEvents } from '../../../shared/domain/booking/booking.events.ts';
import { listingEvents } from '../../../shared/domain/listing/listing.events.ts';
import { reviewEvents } from '../../../shared/domain/review/review.events.ts';
import { packStays, scheduleEnd } from '../../../shared/domain/booking/model.ts';
import { packListings } from '../../../shared/domain/listing/model.ts';
import type { Dependencies } from '../../../shared/platform/context.ts';
import { environment } from '../../../shared/platform/environment.ts';
import { listIndexSubscription } from '../../../shared/subscriptions.ts';

const packLists: HandleEvent<Pick<Dependencies, 'table' | 'clock'>, 'list-index'> = async (
  deps,
  { event_type, data },
) => {
  switch (event_type) {
    case 'listing.created':
    case 'listing.updated':
    case 'listing.archived':
      return packListings(deps, data.id);
    case 'review.created':
      return data.listing_id === undefined ? undefined : packListings(deps, data.listing_id);
    case 'booking.created':
    case 'booking.changed':
      await scheduleEnd(deps, data.id);
      return packStays(deps, data.id);
    default:
      return packStays(deps, data.id);
  }
};

/** Keeps the packed lists of bookings and listings up to date, and lists what is to be done when a stay has ended. */
export const listIndexWorker = consume(
  listIndexSubscription,
  { ...bookingEvents, ...listingEvents, ...reviewEvents },
  packLists,
  { processInParallel: false },
);

/** The Lambda handler of the queue `list-index`. */
export const handler = listIndexWorker(environment);

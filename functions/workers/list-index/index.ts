import { consumeTogether } from '../../../shared/consume.ts';
import { bookingEvents } from '../../../shared/domain/booking/booking.events.ts';
import { listingEvents } from '../../../shared/domain/listing/listing.events.ts';
import { reviewEvents } from '../../../shared/domain/listing/review.events.ts';
import { packStays, scheduleEnds } from '../../../shared/domain/booking/model.ts';
import { packListings } from '../../../shared/domain/listing/model.ts';
import type { Dependencies } from '../../../shared/platform/context.ts';
import { environment } from '../../../shared/platform/environment/environment.ts';
import { listIndexSubscription } from '../../../shared/subscriptions.ts';

/** Keeps the packed lists of bookings and listings up to date, and lists what is to be done when a stay has ended. */
export const listIndexWorker = consumeTogether(
  listIndexSubscription,
  { ...bookingEvents, ...listingEvents, ...reviewEvents },
  async (deps: Pick<Dependencies, 'table' | 'clock'>, events) => {
    const [booked, bookings, listings] = [new Set<number>(), new Set<number>(), new Set<number>()];
    for (const { event_type, data } of events) {
      if (event_type === 'booking.created' || event_type === 'booking.changed') booked.add(data.id);
      if (Object.hasOwn(bookingEvents, event_type)) bookings.add(data.id);
      else if (Object.hasOwn(listingEvents, event_type)) listings.add(data.id);
      else if ('listing_id' in data && data.listing_id !== undefined) listings.add(data.listing_id);
    }
    const stays = await scheduleEnds(deps, [...booked]);
    await packStays(deps, [...bookings], stays);
    await packListings(deps, [...listings]);
  },
);

/** The Lambda handler of the queue `list-index`. */
export const handler = listIndexWorker(environment);

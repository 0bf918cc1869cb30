import { consumeTogether } from '../../../shared/consume.ts';
import { bookingEvents } from '../../../shared/domain/booking/booking.events.ts';
import { availabilityEvents } from '../../../shared/domain/calendar/availability.events.ts';
import { listingEvents } from '../../../shared/domain/listing/listing.events.ts';
import { reviewEvents } from '../../../shared/domain/listing/review.events.ts';
import { indexListings, listingOf } from '../../../shared/domain/search/index.ts';
import type { Dependencies } from '../../../shared/platform/context.ts';
import { environment } from '../../../shared/platform/environment/environment.ts';
import { searchIndexSubscription } from '../../../shared/subscriptions.ts';

/** Keeps what search knows of the listings up to date. */
export const searchIndexWorker = consumeTogether(
  searchIndexSubscription,
  { ...bookingEvents, ...listingEvents, ...availabilityEvents, ...reviewEvents },
  (deps: Dependencies, events) => indexListings(deps, events.map(listingOf)),
);

/** The Lambda handler of the queue `search-index`. */
export const handler = searchIndexWorker(environment);

import { consume } from '../../../shared/consume.ts';
import { bookingEvents } from '../../../shared/domain/booking/booking.events.ts';
import { availabilityEvents } from '../../../shared/domain/calendar/availability.events.ts';
import { listingEvents } from '../../../shared/domain/listing/listing.events.ts';
import { reviewEvents } from '../../../shared/domain/review/review.events.ts';
import { indexListing } from '../../../shared/domain/search/index.ts';
import { environment } from '../../../shared/platform/environment.ts';
import { searchIndexSubscription } from '../../../shared/subscriptions.ts';

/** Keeps what search knows of the listings up to date. */
export const searchIndexWorker = consume(
  searchIndexSubscription,
  { ...bookingEvents, ...listingEvents, ...availabilityEvents, ...reviewEvents },
  indexListing,
  { processInParallel: false },
);

/** The Lambda handler of the queue `search-index`. */
export const handler = searchIndexWorker(environment);

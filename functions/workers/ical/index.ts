import { consumeTogether } from '../../../shared/consume.ts';
import { bookingEvents } from '../../../shared/domain/booking/booking.events.ts';
import { availabilityEvents } from '../../../shared/domain/calendar/availability.events.ts';
import { markFeedsChanged } from '../../../shared/domain/ical/index.ts';
import { environment } from '../../../shared/platform/environment/environment.ts';
import { icalSubscription } from '../../../shared/subscriptions.ts';

/** Notes which calendar exports have changed. */
export const icalWorker = consumeTogether(
  icalSubscription,
  { ...bookingEvents, ...availabilityEvents },
  markFeedsChanged,
);

/** The Lambda handler of the queue `ical`. */
export const handler = icalWorker(environment);

import { mailingEnvironment, notify } from '../../../shared/domain/notification/index.ts';
import { consume } from '../../../shared/platform/events/consume.ts';

/** Writes to guests and hosts about their bookings, and to owners about their partners' webhooks and calendars. */
export const notificationWorker = consume(notify);

/** The Lambda handler of the queue `notification`. */
export const handler = notificationWorker(mailingEnvironment);

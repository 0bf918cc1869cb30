import { consume } from '../../../shared/consume.ts';
import { mailingEnvironment, notify } from '../../../shared/domain/notification/index.ts';

/** Writes to guests and hosts about their bookings, and to owners about their partners' webhooks and calendars. */
export const notificationWorker = consume('notification', notify);

/** The Lambda handler of the queue `notification`. */
export const handler = notificationWorker(mailingEnvironment);

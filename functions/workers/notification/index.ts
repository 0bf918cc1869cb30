import { consume } from '../../../shared/consume.ts';
import { notify } from '../../../shared/domain/notification/index.ts';
import { mailEnvironment } from '../../../shared/platform/mail-environment.ts';

/** Writes to guests and hosts about their bookings, and to owners about their partners' webhooks and calendars. */
export const notificationWorker = consume('notification', notify);

/** The Lambda handler of the queue `notification`. */
export const handler = notificationWorker(mailEnvironment);

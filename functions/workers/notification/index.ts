import { consume } from '../../../shared/consume.ts';
import { bookingEvents } from '../../../shared/domain/booking/booking.events.ts';
import { chatEvents } from '../../../shared/domain/chat/chat.events.ts';
import { calendarEvents } from '../../../shared/domain/ical/calendar.events.ts';
import { teamEvents } from '../../../shared/domain/people/team.events.ts';
import { webhookEvents } from '../../../shared/domain/webhook/webhook.events.ts';
import { notify } from '../../../shared/domain/notification/index.ts';
import { mailEnvironment } from '../../../shared/platform/environment/mail-environment.ts';
import { notificationSubscription } from '../../../shared/subscriptions.ts';

/**
 * Writes to guests and hosts about their bookings, to owners about their partners' webhooks, calendars, members and keys, and to
 * those who are invited.
 */
export const notificationWorker = consume(
  notificationSubscription,
  { ...bookingEvents, ...chatEvents, ...webhookEvents, ...calendarEvents, ...teamEvents },
  notify,
);

/** The Lambda handler of the queue `notification`. */
export const handler = notificationWorker(mailEnvironment);

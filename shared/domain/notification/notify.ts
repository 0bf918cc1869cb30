import type { EventMessage, EventType } from '../../platform/events/index.ts';
import type { NotificationDependencies } from './notification-dependencies.ts';
import { notifyBooking } from './notify-booking.ts';
import { notifyFailingWebhook } from './notify-failing-webhook.ts';
import { notifyStaleFeed } from './notify-stale-feed.ts';
import { scheduleUnread } from './schedule-mails.ts';

/** What is not about a booking. */
const own: Partial<Record<EventType, typeof notifyBooking>> = {
  'webhook.failing': notifyFailingWebhook,
  'calendar_feed.stale': notifyStaleFeed,
  'chat.message_created': scheduleUnread,
};

/** Writes to those whom an event concerns (D62, D66). */
export const notify = (deps: NotificationDependencies, event: EventMessage): Promise<void> =>
  (own[event.event_type] ?? notifyBooking)(deps, event);

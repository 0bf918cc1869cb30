import type { EventMessage } from '../../platform/events/index.ts';
import { type NotificationDependencies, notifyBooking } from './notify-booking.ts';
import { notifyFailingWebhook } from './notify-failing-webhook.ts';

/** Writes to those whom an event concerns (D62, D66). */
export const notify = (deps: NotificationDependencies, event: EventMessage): Promise<void> =>
  event.event_type === 'webhook.failing' ? notifyFailingWebhook(deps, event) : notifyBooking(deps, event);

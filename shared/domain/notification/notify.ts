import type { EventOf } from '../../events.ts';
import type { Subscribed } from '../../subscriptions.ts';
import { gatherOutage } from './gather-outages.ts';
import { notifyBooking } from './notify-booking.ts';
import { notifyFailingWebhook } from './notify-failing-webhook.ts';
import { notifyInvited } from './notify-invited.ts';
import type { NotificationDependencies } from './send-once.ts';
import { notifyCalendar } from './notify-calendar.ts';
import { notifyTeam } from './notify-team.ts';
import { scheduleUnread } from './schedule-mails.ts';

/** Sends the mails of an event (D62, D66). */
export const notify = (
  deps: NotificationDependencies,
  event: EventOf<Subscribed<'notification'>>,
): Promise<void> => {
  switch (event.event_type) {
    case 'webhook.failing':
      return notifyFailingWebhook(deps, event);
    case 'calendar.conflict':
    case 'calendar.quarantined':
    case 'calendar.read_in_part':
      return notifyCalendar(deps, event);
    case 'calendar.stale':
      return gatherOutage(deps, event);
    case 'team.member_invited':
      return notifyInvited(deps, event);
    case 'team.member_joined':
    case 'team.member_role_changed':
    case 'team.member_removed':
    case 'team.key_created':
    case 'team.bank_account_changed':
    case 'team.transfer_reports_changed':
    case 'team.key_rotated':
      return notifyTeam(deps, event);
    case 'chat.message_created':
      return scheduleUnread(deps, event);
    default:
      return notifyBooking(deps, event);
  }
};

import { runOnce } from '../../platform/events/handle-once.ts';
import { type Message, noteMailed, readRecent, type RecentMessages, unreadBy } from '../chat/index.ts';
import { type About, readAbout } from './about.ts';
import type { Recipient } from './booking-mail.ts';
import { messageMail } from './message-mail.ts';
import type { NotificationDependencies } from './notification-dependencies.ts';
import { failTogether } from './notify-people.ts';
import { recipientsOf } from './recipients.ts';
import { unreadMs } from './schedule-mails.ts';

/**
 * Writes to those who have not read a message of a thread for 15 minutes, about all that they have not read: once for each
 * batch (D91). A younger message alone waits for its own time.
 */
export const mailUnread = async (deps: NotificationDependencies, thread_id: number): Promise<void> => {
  const [recent, about] = await Promise.all([readRecent(deps.table, thread_id), readAbout(deps, thread_id)]);
  const people = await recipientsOf(deps, about.stay);
  failTogether(await Promise.allSettled(people.map((person) => mailTo(deps, person, recent, about))));
};

const mailTo = async (
  deps: NotificationDependencies,
  person: Recipient,
  recent: RecentMessages,
  about: About,
): Promise<void> => {
  const unread = unreadBy(person, recent);
  const [oldest] = unread;
  if (!oldest || Date.parse(oldest.created_at) + unreadMs > deps.clock.now()) return;
  const { thread_id, message_id } = oldest;
  const handling = { consumer: 'notification', event_id: `message_${message_id}`, recipient: person.ref };
  const isSent = await runOnce(deps, handling, () => deps.mailer.send(messageMail(person, unread, about)));
  // After a crash behind an earlier mail nothing is known but that it told of the oldest one.
  const last: Message = isSent ? (unread.at(-1) ?? oldest) : oldest;
  await noteMailed(deps.table, { thread_id, reader: person.ref, until: last.message_id });
};

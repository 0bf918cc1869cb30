import { runOnce } from '../../platform/events/handle-once.ts';
import { localTimeText } from '../../platform/language.ts';
import { toLocal } from '../../platform/time.ts';
import { markMailed, readRecent, type RecentMessages, unreadBy } from '../chat/index.ts';
import type { Message } from '../chat/model.ts';
import { type About, factsOf, readAbout } from './booking-facts.ts';
import type { Recipient } from './booking-mail.ts';
import { layOut, type Mail } from './mail-layout.ts';
import { failTogether, type NotificationDependencies } from './notify-people.ts';
import { recipientsOf } from './recipients.ts';
import { unreadMs } from './schedule-mails.ts';
import { bookingWords } from './words/booking-words.ts';

/** The mail about messages that a person has not read, with what they say (D91). */
const messageMail = (
  { email, full_name, language }: Recipient,
  messages: readonly Message[],
  about: About,
): Mail => {
  const words = bookingWords[language];
  const { listing_name, timezone } = about.stay;
  const from = [...new Set(messages.map(({ sender_name }) => sender_name).filter(Boolean))].join(', ');
  const timeOf = ({ created_at }: Message) =>
    localTimeText(toLocal(Date.parse(created_at), timezone), language);
  return layOut(email, {
    language,
    subject: words.newMessages.subject(listing_name),
    greeting: words.greeting(full_name),
    paragraphs: [words.newMessages.sentence(from || listing_name, listing_name)],
    messages: messages.map((message) => ({
      heading: [message.sender_name, timeOf(message)].filter(Boolean).join(', '),
      text: message.text,
    })),
    facts: factsOf(['booking', 'listing', 'check_in', 'check_out'], about, language),
    footer: words.footer,
  });
};

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
  await markMailed(deps.table, { thread_id, reader: person.ref, until: last.message_id });
};

import { runOnce } from '../../platform/events/run-once.ts';
import { localTimeText } from '../../platform/language.ts';
import { toLocal } from '../../platform/time.ts';
import type { Mail } from '../../platform/mail/mailer.ts';
import { markMailed, readRecent, type RecentMessages, unreadBy } from '../chat/index.ts';
import type { Message } from '../chat/model.ts';
import { type BookingFacts, factsOf, readBookingFacts } from './booking-facts.ts';
import type { Recipient } from './booking-mail.ts';
import { renderMail } from './mail-layout.ts';
import { throwIfFailed, type NotificationDependencies } from './notify-people.ts';
import { recipientsOf } from './recipients.ts';
import { unreadMs } from './schedule-mails.ts';
import { bookingWords } from './words/booking-words.ts';

/** Returns the mail with a person's unread messages (D91). */
const messageMail = (
  { email, full_name, language }: Recipient,
  messages: readonly Message[],
  about: BookingFacts,
): Mail => {
  const words = bookingWords[language];
  const { listing_name, timezone } = about.stay;
  const from = [...new Set(messages.map(({ sender_name }) => sender_name).filter(Boolean))].join(', ');
  const timeOf = ({ created_at }: Message) =>
    localTimeText(toLocal(Date.parse(created_at), timezone), language);
  return renderMail(email, {
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
 * Mails each member who has not read a message for 15 minutes all unread messages, once for each batch (D91). A younger
 * message triggers a mail of its own time.
 */
export const mailUnread = async (deps: NotificationDependencies, threadId: number): Promise<void> => {
  const [recent, about] = await Promise.all([
    readRecent(deps.table, threadId),
    readBookingFacts(deps, threadId),
  ]);
  const people = await recipientsOf(deps, about.stay);
  throwIfFailed(await Promise.allSettled(people.map((person) => mailTo(deps, person, recent, about))));
};

const mailTo = async (
  deps: NotificationDependencies,
  person: Recipient,
  recent: RecentMessages,
  about: BookingFacts,
): Promise<void> => {
  const unread = unreadBy(person, recent);
  const [oldest] = unread;
  if (!oldest || Date.parse(oldest.created_at) + unreadMs > deps.clock.now()) return;
  const { thread_id, message_id } = oldest;
  const handling = { consumer: 'notification', event_id: `message_${message_id}`, recipient: person.ref };
  const isSent = await runOnce(deps, handling, () => deps.mailer.send(messageMail(person, unread, about)));
  // If the mail was sent before a crash, only its oldest message is known to be in it.
  const last: Message = isSent ? (unread.at(-1) ?? oldest) : oldest;
  await markMailed(deps.table, { thread_id, reader: person.ref, until: last.message_id });
};

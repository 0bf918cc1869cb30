import { localTimeText } from '../../platform/text/language.ts';
import { toLocal } from '../../platform/time/time.ts';
import type { Mail } from '../../platform/mail/mailer.ts';
import { nameInMail } from '../../platform/mail/name-in-mail.ts';
import { markMailed, readRecent, type RecentMessages, unreadBy } from '../chat/index.ts';
import type { Message } from '../chat/model.ts';
import { type BookingFacts, readBookingFacts } from './booking-facts.ts';
import { pageAction } from './booking-mail.ts';
import { factsOf } from './fact-texts.ts';
import { renderMail } from './mail-layout.ts';
import { partiesOf } from './mail-turn.rules.ts';
import { type Recipient, recipientsOf } from './recipients.ts';
import { unreadMs } from './schedule-mails.ts';
import { firstTurn, type NotificationDependencies, sendOnce, throwIfFailed } from './send-once.ts';
import { bookingWords } from './words/booking-words.ts';

/** Returns the mail with a person's unread messages (D91). */
const messageMail = (recipient: Recipient, messages: readonly Message[], about: BookingFacts): Mail => {
  const { email, full_name, language } = recipient;
  const words = bookingWords[language];
  const { timezone } = about.stay;
  const listing = nameInMail(about.stay.listing_name);
  const nameOf = ({ sender_name }: Message) => nameInMail(sender_name);
  const from = [...new Set(messages.map(nameOf).filter(Boolean))].join(', ');
  const timeOf = ({ created_at }: Message) =>
    localTimeText(toLocal(Date.parse(created_at), timezone), language);
  return renderMail(email, {
    language,
    subject: words.newMessages.subject(listing),
    greeting: words.greeting(nameInMail(full_name)),
    paragraphs: [words.newMessages.sentence(from || listing, listing)],
    messages: messages.map((message) => ({
      heading: [nameOf(message), timeOf(message)].filter(Boolean).join(', '),
      text: message.text,
    })),
    actions: pageAction(recipient, about),
    facts: factsOf(['booking', 'listing', 'check_in', 'check_out'], about, recipient),
    footer: words.footer,
  });
};

/**
 * Mails each member who has not read a message for 15 minutes all unread messages, once for each batch (D91). A younger
 * message triggers a mail of its own time. Returns when the first mail that waits has its turn.
 */
export const mailUnread = async (
  deps: NotificationDependencies,
  threadId: number,
): Promise<number | undefined> => {
  const [recent, about] = await Promise.all([
    readRecent(deps.table, threadId),
    readBookingFacts(deps, threadId),
  ]);
  const people = await recipientsOf(deps, about.stay);
  const outcomes = await Promise.allSettled(people.map((person) => mailTo(deps, person, recent, about)));
  throwIfFailed(outcomes);
  return firstTurn(outcomes);
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
  const isSent = await sendOnce(deps, {
    ...{ once: `message_${message_id}`, person },
    ...(person.isKnown ? {} : { by: partiesOf(about.stay) }),
    mail: () => messageMail(person, unread, about),
  });
  // If the mail was sent before a crash, only its oldest message is known to be in it.
  const last: Message = isSent ? (unread.at(-1) ?? oldest) : oldest;
  await markMailed(deps.table, { thread_id, reader: person.ref, until: last.message_id });
};

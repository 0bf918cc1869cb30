import { localTimeText } from '../../platform/language.ts';
import { toLocal } from '../../platform/time.ts';
import type { Message } from '../chat/index.ts';
import type { About } from './about.ts';
import type { Recipient } from './booking-mail.ts';
import { factsOf } from './facts.ts';
import type { Mail } from './mail.ts';
import { layOut } from './mail-layout.ts';
import { bookingWords } from './words/words.ts';

/** The mail about messages that a person has not read, with what they say (D91). */
export const messageMail = (
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

import { atPayEnd } from '../booking/model.ts';
import type { Mail } from '../../platform/mail/mailer.ts';
import { nameInMail } from '../../platform/mail/name-in-mail.ts';
import type { BookingFacts } from './booking-facts.ts';
import { factsOf, payUntilText } from './fact-texts.ts';
import { bookingMailOf } from './booking-mails.ts';
import { type MailAction, renderMail } from './mail-layout.ts';
import { filled } from './mail-placeholders.ts';
import type { Recipient } from './recipients.ts';
import { bookingWords } from './words/booking-words.ts';
import type { BookingMailName } from './words/words.ts';

/** Returns the link of the guest to the page of the stay (D122). */
export const pageAction = (
  { side, language }: Pick<Recipient, 'side' | 'language'>,
  { guestUrl }: BookingFacts,
): MailAction[] =>
  side === 'guest' && guestUrl !== null ? [{ label: bookingWords[language].seeBooking, url: guestUrl }] : [];

/** What is paid for by the time to pay: a page of the host has no such time, and an unpaid change loses itself alone (D147). */
const paysForBooking = ({ paysDue, stay }: BookingFacts): 'due' | 'added' | 'booking' => {
  if (paysDue) return 'due';
  return atPayEnd(stay) === 'change' ? 'added' : 'booking';
};

/** Returns a mail about a booking in the recipient's language (D66, D91). */
export const bookingMail = (recipient: Recipient, name: BookingMailName, about: BookingFacts): Mail => {
  const { language, side } = recipient;
  const words = bookingWords[language];
  const { facts, paysFor } = bookingMailOf(name);
  const opening = words.openings[side][name];
  if (!opening) throw new Error(`the mail ${name} has no text for the ${side}`);
  const listing = nameInMail(about.stay.listing_name);
  const own = side === 'guest' && about.own ? filled(about.own, about, recipient) : undefined;
  const payUntil = payUntilText(about, language);
  const paid = paysFor === 'booking' ? paysForBooking(about) : paysFor;
  const isPayable = about.payUrl !== null || about.transfer !== null;
  const payable = side === 'guest' && isPayable ? paid : undefined;
  return renderMail(recipient.email, {
    language,
    subject: own?.subject ?? opening.subject(listing),
    greeting: words.greeting(nameInMail(recipient.full_name)),
    paragraphs: [
      ...(own ? own.text.split(/\n+/) : [opening.sentence(listing)]),
      ...(payable && payUntil !== null ? [words.payBy[payable](payUntil)] : []),
      words.localTime(about.stay.timezone),
    ],
    actions: [
      ...(payable && about.payUrl !== null
        ? [{ label: paid === 'deposit' ? words.authorise : words.payNow, url: about.payUrl }]
        : []),
      ...pageAction(recipient, about),
    ],
    facts: factsOf(side === 'guest' ? [...facts.guest, 'host'] : facts.host, about, recipient),
    footer: words.footer,
  });
};

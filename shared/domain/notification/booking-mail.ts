import type { WrittenLanguage } from '../../platform/language.ts';
import type { Mail } from '../../platform/mail/mailer.ts';
import { type BookingFacts, factsOf, payUntilText } from './booking-facts.ts';
import { bookingMailOf } from './booking-mails.ts';
import { renderMail } from './mail-layout.ts';
import { bookingWords } from './words/booking-words.ts';
import type { BookingMailName, Side } from './words/words.ts';

/** The recipient of a mail. */
export interface Recipient {
  side: Side;
  /** `user:<id>`, or `mail:<address>` for a guest without an account. */
  ref: string;
  email: string;
  full_name: string;
  language: WrittenLanguage;
}

/** Returns a mail about a booking in the recipient's language (D66, D91). */
export const bookingMail = (recipient: Recipient, name: BookingMailName, about: BookingFacts): Mail => {
  const { language, side } = recipient;
  const words = bookingWords[language];
  const { facts, paysFor } = bookingMailOf(name);
  const opening = words.openings[side][name];
  if (!opening) throw new Error(`the mail ${name} has no text for the ${side}`);
  const { listing_name, timezone } = about.stay;
  const payUntil = payUntilText(about, language);
  const payable = side === 'guest' && about.payUrl !== null ? paysFor : undefined;
  return renderMail(recipient.email, {
    language,
    subject: opening.subject(listing_name),
    greeting: words.greeting(recipient.full_name),
    paragraphs: [
      opening.sentence(listing_name),
      ...(payable && payUntil !== null ? [words.payBy[payable](payUntil)] : []),
      words.localTime(timezone),
    ],
    ...(payable && about.payUrl !== null ? { action: { label: words.payNow, url: about.payUrl } } : {}),
    facts: factsOf(facts[side], about, language),
    footer: words.footer,
  });
};

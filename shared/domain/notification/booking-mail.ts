import type { WrittenLanguage } from '../../platform/language.ts';
import { type About, factsOf, payUntilText } from './booking-facts.ts';
import { bookingMailOf } from './booking-mails.ts';
import { layOut, type Mail } from './mail-layout.ts';
import { bookingWords } from './words/booking-words.ts';
import type { BookingMailName, Side } from './words/words.ts';

/** A person who is written to. */
export interface Recipient {
  side: Side;
  /** `user:<id>`, or `mail:<address>` for a guest without an account. */
  ref: string;
  email: string;
  full_name: string;
  language: WrittenLanguage;
}

/** A mail about a booking to one of its people, in that person's language (D66, D91). */
export const bookingMail = (recipient: Recipient, name: BookingMailName, about: About): Mail => {
  const { language, side } = recipient;
  const words = bookingWords[language];
  const { facts, asksToPay } = bookingMailOf(name);
  const opening = words.openings[side][name];
  if (!opening) throw new Error(`the mail ${name} has no words for the ${side}`);
  const { listing_name, timezone } = about.stay;
  const payUntil = payUntilText(about, language);
  const pays = asksToPay && side === 'guest' && about.payUrl !== null;
  return layOut(recipient.email, {
    language,
    subject: opening.subject(listing_name),
    greeting: words.greeting(recipient.full_name),
    paragraphs: [
      opening.sentence(listing_name),
      ...(pays && payUntil !== null ? [words.payBy(payUntil)] : []),
      words.localTime(timezone),
    ],
    ...(pays && about.payUrl !== null ? { action: { label: words.payNow, url: about.payUrl } } : {}),
    facts: factsOf(facts[side], about, language),
    footer: words.footer,
  });
};

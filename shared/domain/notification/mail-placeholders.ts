import { nameInMail, withoutLinks } from '../../platform/mail/name-in-mail.ts';
import type { Issue } from '../../platform/errors.ts';
import { bookingMailOf, bookingMails } from './booking-mails.ts';
import type { BookingFacts } from './booking-facts.ts';
import { factTextOf } from './fact-texts.ts';
import type { MailWords } from './mail-words.ts';
import type { Recipient } from './recipients.ts';
import type { FactName } from './words/booking-labels.ts';
import type { BookingMailName } from './words/words.ts';

/** The mails that guests get. */
export const guestMailNames = (Object.keys(bookingMails) as BookingMailName[]).filter((name) =>
  bookingMailOf(name).to.includes('guest'),
);

/** A subject stands on a locked screen: nothing of money, nor how to get in. */
const ofSubject: readonly FactName[] = ['booking', 'listing', 'guest', 'check_in', 'check_out'];
/** These stand in the table of facts alone. */
const neverInText: readonly FactName[] = ['lines', 'wifi_name', 'wifi_password', 'door_code', 'access_shown'];

/** Returns what the own words for a mail may have in double braces: facts that this mail shows its guest anyway. */
export const placeholdersOf = (name: BookingMailName): Record<keyof MailWords, FactName[]> => {
  const facts: FactName[] = [...bookingMailOf(name).facts.guest, 'guest', 'host'];
  return {
    subject: facts.filter((fact) => ofSubject.includes(fact)),
    text: facts.filter((fact) => !neverInText.includes(fact)),
  };
};

const placeholder = /\{\{ *([a-z_]+) *\}\}/g;

/** Returns what is wrong with own words: placeholders that the mail does not have, and links, which mails have of their own. */
export const wordIssues = (name: BookingMailName, words: MailWords): Issue[] => {
  const known = placeholdersOf(name);
  return (['subject', 'text'] as const).flatMap((path) => {
    const bare = words[path].replaceAll(placeholder, '');
    const unknown = [...words[path].matchAll(placeholder)]
      .map(([, fact = '']) => fact)
      .filter((fact) => !known[path].some((one) => one === fact));
    const linked = bare.split(/\s+/).find((word) => withoutLinks(word) !== word);
    return [
      ...unknown.map((fact) => ({
        path,
        message: `has no {{${fact}}}: it may have ${known[path].map((one) => `{{${one}}}`).join(', ')}`,
      })),
      ...(/\{\{|\}\}/.test(bare)
        ? [{ path, message: 'has braces that are no placeholder, such as {{guest}}' }]
        : []),
      ...(linked === undefined
        ? []
        : [{ path, message: `may have no address of a page or mailbox: see "${nameInMail(linked)}"` }]),
    ];
  });
};

/** Returns own words with the facts of a mail in the place of their names; one that does not apply is left out. */
export const filled = ({ subject, text }: MailWords, about: BookingFacts, reader: Recipient): MailWords => {
  const fill = (words: string): string =>
    words.replaceAll(placeholder, (_, fact: FactName) => factTextOf(fact, about, reader).join(', '));
  return { subject: fill(subject), text: fill(text) };
};

/** The full stop and what a browser or a mail program takes for it. */
const dots = '.\\u3002\\uFF0E\\uFF61\\u2024\\uFE52';
const slashes = '/\\\\\\uFF0F\\uFF3C\\u2044\\u2215\\u29F8';
const colons = ':\\uFF1A\\uFE55\\u2236\\uA789';
const ats = '@\\uFF20\\uFE6B';

/** Invisible characters, which hide an address from a search and turn the direction of what follows. */
const invisible = /[\p{Cf}\u115F\u1160\u3164\uFFA0]|\u034F/gu;
const control = /[\s\p{Cc}\p{Zl}\p{Zp}]+/gu;
const beforePath = new RegExp(`[${colons}]\\s*[${slashes}]+|[${slashes}]{2,}`, 'gu');
/** `mailto:`, `tel:`; not `14:00`. */
const afterScheme = new RegExp(`(?<=\\p{L})[${colons}](?=\\S)`, 'gu');
const ofMailbox = new RegExp(`[${ats}]`, 'gu');
/** The numbers of an address such as 192.0.2.1, but not those of 1.5 or 12.03.2027. */
const inNumbers = new RegExp(
  `(?<!\\d)(\\d{1,3})[${dots}](\\d{1,3})[${dots}](\\d{1,3})[${dots}](\\d{1,3})(?!\\d)`,
  'gu',
);
/** A full stop before a letter, or before a number unless a number is before it too. */
const inNames = new RegExp(
  `(?<=[^\\s${dots}])[${dots}]+(?=[\\p{L}\\p{M}_-])|(?<=[^\\s\\p{N}${dots}])[${dots}]+(?=\\p{N})`,
  'gu',
);

/**
 * Returns a text of one line in which no mail program finds an address to link: of a page, a mailbox or another scheme. The signs
 * that make the address become blanks; a full stop at the end of a word and one between numbers stay.
 */
export const withoutLinks = (text: string): string =>
  text
    .replaceAll(invisible, '')
    .replaceAll(beforePath, ' ')
    .replaceAll(afterScheme, ' ')
    .replaceAll(ofMailbox, ' ')
    .replaceAll(inNumbers, '$1 $2 $3 $4')
    .replaceAll(inNames, ' ')
    .replaceAll(control, ' ')
    .trim();

const mostCharacters = 60;

/** Returns a name as mails write it: without links, and cut to 60 characters (D110). */
export const nameInMail = (name: string): string => {
  const characters = Array.from(withoutLinks(name));
  return characters.length <= mostCharacters
    ? characters.join('')
    : `${characters
        .slice(0, mostCharacters - 1)
        .join('')
        .trimEnd()}…`;
};

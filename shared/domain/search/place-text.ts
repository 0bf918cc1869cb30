import { foldText } from '../../platform/text/fold-text.ts';
import { sameProvince } from '../listing/model.ts';

/**
 * Matching of free text. Texts are compared without diacritics, case, spaces and punctuation, and a match begins at the
 * beginning of a word: "hanoi" and "Hà Nội" match "ha noi" but not "nha noi". Numbers match as a whole: "Phường 1" is not
 * "Phường 10".
 */

const maxIndexedWords = 60;

/** Canonical words for numbered wards and districts. */
const numbered = new Map([
  ...['p', 'phuong', 'ward'].map((kind) => [kind, 'phuong'] as const),
  ...['q', 'quan', 'district'].map((kind) => [kind, 'quan'] as const),
]);

const gluedNumber = /^(p|phuong|q|quan)(\d{1,2})$/;

const isNumber = (word: string | undefined): boolean => word !== undefined && /^\d+$/.test(word);

/** Whether the words are a ward or district with its number: "P. 10", "q1". */
export const isNumbered = ([kind = '', number]: readonly string[]): boolean =>
  number === undefined ? gluedNumber.test(kind) : numbered.has(kind) && isNumber(number);

/** Returns the words of a text as they are written. One pattern for all: V8 takes a millisecond for its classes. */
export const wordsIn = (text: string): string[] => text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

/** Returns the words of a text, up to the indexed maximum; "P.10" becomes `phuong`, `10`. */
export const wordsOf = (text: string): string[] =>
  wordsIn(foldText(text))
    .flatMap((word) => gluedNumber.exec(word)?.slice(1) ?? [word])
    .map((word, at, words) => (isNumber(words[at + 1]) ? (numbered.get(word) ?? word) : word))
    .slice(0, maxIndexedWords);

/** A text for comparison: its words without spaces, and where each begins. */
export interface PlaceText {
  text: string;
  starts: number[];
}

export const placeText = (words: readonly string[]): PlaceText => {
  const starts: number[] = [];
  let text = '';
  for (const word of words) {
    starts.push(text.length);
    text += word;
  }
  return { text, starts };
};

/** Whether the text contains the words in sequence; the last one may be a prefix, numbers match as a whole. */
export const holdsPhrase = ({ text, starts }: PlaceText, words: readonly string[]): boolean => {
  const phrase = placeText(words);
  const isWhole = (from: number, word: string): boolean => {
    const at = starts.indexOf(from);
    return at >= 0 && (starts[at + 1] ?? text.length) === from + word.length;
  };
  return starts.some(
    (start) =>
      text.startsWith(phrase.text, start) &&
      words.every((word, at) => !isNumber(word) || isWhole(start + (phrase.starts[at] ?? 0), word)),
  );
};

/** Lengths of the indexed prefixes; the longer ones keep the number of cells for a rare text small. */
const prefixLengths = [3, 4, 5, 7, 9];

const textTerm = (beginning: string): string => `TEXT#${beginning}`;

/** Returns the canonical code of a province: `HCM` and `sg` become `SG`; an unknown code stays as it is. */
export const provinceOf = (code: string): string => sameProvince(code.trim())[0] ?? code;

export const provinceTerm = (province: string): string => `PROVINCE#${province}`;

export const teamTerm = (teamId: number): string => `HOMES_OF#${teamId}`;

/** Returns the search terms of a text: for each word the prefixes, across word borders, of every indexed length. */
export const termsOfText = ({ text, starts }: PlaceText): string[] =>
  starts.flatMap((start) =>
    prefixLengths
      .filter((length) => start + length <= text.length)
      .map((length) => textTerm(text.slice(start, start + length))),
  );

/** Returns the most selective term of a phrase; undefined if it is too short. */
export const termOfPhrase = (words: readonly string[]): string | undefined => {
  const phrase = words.join('');
  const length = prefixLengths.findLast((candidate) => candidate <= phrase.length);
  return length === undefined ? undefined : textTerm(phrase.slice(0, length));
};

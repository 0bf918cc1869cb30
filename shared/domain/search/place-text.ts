import { foldText } from '../../platform/fold-text.ts';
import { sameProvince } from '../listing/model.ts';

/**
 * How free text finds listings. Text is compared without diacritics, case, spaces and punctuation, and a match begins where
 * a word does: "hanoi" and "Hà Nội" find "ha noi", and neither finds "nha noi". Numbers match whole: "Phường 1" is not
 * "Phường 10".
 */

const longestIndexed = 60;

/** One word for all spellings of what is numbered. */
const numbered = new Map([
  ...['p', 'phuong', 'ward'].map((kind) => [kind, 'phuong'] as const),
  ...['q', 'quan', 'district'].map((kind) => [kind, 'quan'] as const),
]);

const gluedNumber = /^(p|phuong|q|quan)(\d{1,2})$/;

const isNumber = (word: string | undefined): boolean => word !== undefined && /^\d+$/.test(word);

/** Whether the words are a ward or district by its number: "P. 10", "q1". */
export const isNumbered = ([kind = '', number]: readonly string[]): boolean =>
  number === undefined ? gluedNumber.test(kind) : numbered.has(kind) && isNumber(number);

/** The words of a text, at most as many as are searched; "P.10" is `phuong`, `10`. */
export const wordsOf = (text: string): string[] =>
  foldText(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .flatMap((word) => gluedNumber.exec(word)?.slice(1) ?? [word])
    .map((word, at, words) => (isNumber(words[at + 1]) ? (numbered.get(word) ?? word) : word))
    .slice(0, longestIndexed);

/** A text as it is compared: its words without spaces, and where each begins. */
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

/** Whether the words stand there one after the other, the last one perhaps longer, numbers as they are. */
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

/** Lengths of the beginnings that lead to cells, so that a rare text reads few of them. */
const signLengths = [3, 4, 5, 7, 9];

const textSign = (beginning: string): string => `TEXT#${beginning}`;

/** One code for all spellings of a province: `HCM` and `sg` are `SG`; what is no code we know stands for itself. */
export const provinceOf = (code: string): string => sameProvince(code.trim())[0] ?? code;

export const provinceTerm = (province: string): string => `PROVINCE#${province}`;

/** What leads to a text: the beginning of each of its words, taken with what follows, in every length. */
export const termsOfText = ({ text, starts }: PlaceText): string[] =>
  starts.flatMap((start) =>
    signLengths
      .filter((length) => start + length <= text.length)
      .map((length) => textSign(text.slice(start, start + length))),
  );

/** The most telling sign of a phrase; none for one that is too short. */
export const termOfPhrase = (words: readonly string[]): string | undefined => {
  const phrase = words.join('');
  const length = signLengths.findLast((candidate) => candidate <= phrase.length);
  return length === undefined ? undefined : textSign(phrase.slice(0, length));
};

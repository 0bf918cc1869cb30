import { foldText, sameProvince } from '../listing/index.ts';

/**
 * How free text finds listings. Text is compared without diacritics, case, spaces and punctuation, and a match begins where
 * a word does: "hanoi" and "Hà Nội" find "ha noi", and neither finds "nha noi".
 */

const longestIndexed = 60;

/** The words of a text, at most as many as are searched. */
export const wordsOf = (text: string): string[] =>
  foldText(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
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

export const holdsPhrase = ({ text, starts }: PlaceText, phrase: string): boolean =>
  starts.some((start) => text.startsWith(phrase, start));

/** What a person typed, cut at its commas: every part has to be found. */
export const phrasesOf = (text: string): string[] =>
  text
    .split(',')
    .map((part) => wordsOf(part).join(''))
    .filter((phrase) => phrase !== '');

/** Lengths of the beginnings that lead to cells, so that a rare text reads few of them. */
const signLengths = [3, 5, 7, 9];

const textSign = (beginning: string): string => `TEXT#${beginning}`;

/** One code for all spellings of a province: `HCM` and `sg` are `SG`; what is no code we know stands for itself. */
export const provinceOf = (code: string): string => sameProvince(code.trim())[0] ?? code;

export const provinceSign = (province: string): string => `PROVINCE#${province}`;

/** What leads to a text: the beginning of each of its words, taken with what follows, in every length. */
export const signsOfText = ({ text, starts }: PlaceText): string[] =>
  starts.flatMap((start) =>
    signLengths
      .filter((length) => start + length <= text.length)
      .map((length) => textSign(text.slice(start, start + length))),
  );

/** The most telling sign of a phrase; none for one that is too short. */
export const signOfPhrase = (phrase: string): string | undefined => {
  const length = signLengths.findLast((candidate) => candidate <= phrase.length);
  return length === undefined ? undefined : textSign(phrase.slice(0, length));
};

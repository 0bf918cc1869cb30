import { foldText } from '../../platform/text/fold-text.ts';
import { holdsPhrase, isNumbered, type PlaceText, termOfPhrase, wordsIn, wordsOf } from './place-text.ts';

/** The text between two commas of a query. */
interface QueryPart {
  /** All its words. */
  typed: string[];
  /** What must match separately: words, or numbered wards and districts. */
  wanted: string[][];
}

/** Kinds of places, and the country, which address pickers add. */
const ignoredTerms = [
  ...['thành phố', 'tp', 'tỉnh', 'quận', 'q', 'huyện', 'phường', 'p', 'xã', 'tx', 'thị xã', 'thị trấn', 'tt'],
  ...['city', 'province', 'district', 'ward', 'commune', 'town'],
  ...['việt nam', 'vietnam', 'vn'],
];
/** With or without diacritics: "Quan" may mean quận, but "Quán" does not. */
const spellings = new Set(ignoredTerms.flatMap((term) => [term, foldText(term)]));

const maxTermWords = 2;

const splitPart = (part: string): { words: string[]; isIgnored: boolean }[] => {
  const typed = wordsIn(part.normalize('NFC').toLowerCase());
  const pieces = [];
  let at = 0;
  while (at < typed.length) {
    const next = typed.slice(at, at + maxTermWords);
    const isOne = spellings.has(next.join(' ')) || isNumbered(next.map(foldText));
    const words = isOne ? next : next.slice(0, 1);
    pieces.push({ words: wordsOf(words.join(' ')), isIgnored: spellings.has(words.join(' ')) });
    at += words.length;
  }
  return pieces;
};

/** Splits a query at its commas. Ignored words count only if there are no others. */
export const queryParts = (text: string): QueryPart[] => {
  const parts = text.split(',').map(splitPart);
  const isAllIgnored = parts.flat().every(({ isIgnored }) => isIgnored);
  return parts
    .map((pieces) => ({
      typed: pieces.flatMap(({ words }) => words),
      wanted: pieces
        .filter(({ isIgnored, words }) => words.length > 0 && (isAllIgnored || !isIgnored))
        .map(({ words }) => words),
    }))
    .filter(({ wanted }) => wanted.length > 0);
};

/**
 * Returns the rank of a part's match in the texts, lower is better: as typed in text 0, 1 …, then without ignored words,
 * then word by word. Undefined without a match.
 */
export const rankOfPart = (texts: readonly PlaceText[], { typed, wanted }: QueryPart): number | undefined => {
  const ways = [[typed], [wanted.flat()], wanted];
  for (const [way, phrases] of ways.entries()) {
    const places = phrases.map((phrase) => texts.findIndex((text) => holdsPhrase(text, phrase)));
    if (!places.includes(-1)) return way * texts.length + Math.max(...places);
  }
  return undefined;
};

/**
 * Returns groups of terms for the parts, the most selective first: a listing that matches has a term of every group. A
 * part matches as a phrase or word by word, so each word's group includes the phrase, except for the first word, which
 * begins both. A word's own term is the last of its group.
 */
export const termGroups = (parts: readonly QueryPart[]): string[][] => {
  const shortest = (group: readonly string[]) => Math.min(...group.map((sign) => sign.length));
  return parts
    .flatMap(groupsOfPart)
    .toSorted((one, other) => shortest(other) - shortest(one) || one.length - other.length);
};

const groupsOfPart = ({ wanted }: QueryPart): string[][] => {
  const phrase = termOfPhrase(wanted.flat());
  if (phrase === undefined) return [];
  const groups = wanted.flatMap((words, at) => {
    const sign = termOfPhrase(words);
    if (sign === undefined) return [];
    return [at === 0 ? [sign] : [...new Set([phrase, sign])]];
  });
  return groups.length > 0 ? groups : [[phrase]];
};

import { foldText } from '../../platform/fold-text.ts';
import { holdsPhrase, isNumbered, type PlaceText, termOfPhrase, wordsOf } from './place-text.ts';

/** What stands between two commas of what a person typed. */
interface QueryPart {
  /** All its words. */
  typed: string[];
  /** What has to be found, each for itself: a word, or a numbered ward or district. */
  wanted: string[][];
}

/** What says of which kind a place is, and the country, which pickers add to every place. */
const leftOut = [
  ...['thành phố', 'tp', 'tỉnh', 'quận', 'q', 'huyện', 'phường', 'p', 'xã', 'tx', 'thị xã', 'thị trấn', 'tt'],
  ...['city', 'province', 'district', 'ward', 'commune', 'town'],
  ...['việt nam', 'vietnam', 'vn'],
];
/** With diacritics or without: "Quan" may be a quận, "Quán" is none. */
const spellings = new Set(leftOut.flatMap((term) => [term, foldText(term)]));

const longestTerm = 2;

const splitPart = (part: string): { words: string[]; isLeftOut: boolean }[] => {
  const typed = part
    .normalize('NFC')
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '');
  const pieces = [];
  let at = 0;
  while (at < typed.length) {
    const next = typed.slice(at, at + longestTerm);
    const isOne = spellings.has(next.join(' ')) || isNumbered(next.map(foldText));
    const words = isOne ? next : next.slice(0, 1);
    pieces.push({ words: wordsOf(words.join(' ')), isLeftOut: spellings.has(words.join(' ')) });
    at += words.length;
  }
  return pieces;
};

/** What a person typed, cut at its commas; what is left out counts where nothing else was typed. */
export const queryParts = (text: string): QueryPart[] => {
  const parts = text.split(',').map(splitPart);
  const isAllLeftOut = parts.flat().every(({ isLeftOut }) => isLeftOut);
  return parts
    .map((pieces) => ({
      typed: pieces.flatMap(({ words }) => words),
      wanted: pieces
        .filter(({ isLeftOut, words }) => words.length > 0 && (isAllLeftOut || !isLeftOut))
        .map(({ words }) => words),
    }))
    .filter(({ wanted }) => wanted.length > 0);
};

/**
 * Where in the texts a part stands, the lower the better: as it was typed in text 0, 1 …, then without what is left out, then
 * word by word. Undefined where it does not.
 */
export const placeOfPart = (
  texts: readonly PlaceText[],
  { typed, wanted }: QueryPart,
): number | undefined => {
  const ways = [[typed], [wanted.flat()], wanted];
  for (const [way, phrases] of ways.entries()) {
    const places = phrases.map((phrase) => texts.findIndex((text) => holdsPhrase(text, phrase)));
    if (!places.includes(-1)) return way * texts.length + Math.max(...places);
  }
  return undefined;
};

/**
 * Signs that lead to a part, the most telling first: whatever holds the part has one sign of every group. A part stands
 * somewhere as a phrase or word by word, so that each word comes with the phrase, but for the first, which begins both. A
 * word's own sign is the last of its group.
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

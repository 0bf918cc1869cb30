import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { HourStretch } from '../calendar/index.ts';
import { type PlaceText, placeText } from './place-text.ts';
import type { SearchDocument } from './search-document.ts';

/** A document as search works with it. */
export interface Searchable extends SearchDocument {
  texts: PlaceText[];
}

/** Taken hours as lengths of what is free and taken in turn: small numbers, which deflate well. */
const lengthsOf = (taken: readonly HourStretch[]): number[] => {
  let at = 0;
  return taken.flatMap(([from, to]) => {
    const lengths = [from - at, to - from];
    at = to;
    return lengths;
  });
};

const stretchesOf = (lengths: readonly number[]): HourStretch[] => {
  const taken: HourStretch[] = [];
  for (let position = 0, at = 0; position < lengths.length; position += 2) {
    const from = at + (lengths[position] ?? 0);
    at = from + (lengths[position + 1] ?? 0);
    taken.push([from, at]);
  }
  return taken;
};

/** A document as text; the same for the same document, so that what has not changed is not written. */
export const documentText = (document: SearchDocument): string =>
  JSON.stringify({
    ...document,
    taken: lengthsOf(document.taken),
    words: document.words.map((words) => words.join(' ')),
  });

export const packTexts = (texts: Iterable<string>): Uint8Array => deflateRawSync(`[${[...texts].join(',')}]`);

type Packed = Omit<SearchDocument, 'taken' | 'words'> & { taken: number[]; words: string[] };

export const unpackDocuments = (packed: Uint8Array): Searchable[] =>
  (JSON.parse(inflateRawSync(packed).toString()) as Packed[]).map((document) => {
    const words = document.words.map((text) => text.split(' ').filter((word) => word !== ''));
    return { ...document, taken: stretchesOf(document.taken), words, texts: words.map(placeText) };
  });

/** Without what only search works with. */
export const asDocument = ({ texts: _, ...document }: Searchable): SearchDocument => document;

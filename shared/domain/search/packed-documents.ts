import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { HourStretch } from '../calendar/index.ts';
import { type PlaceText, placeText } from './place-text.ts';
import type { SearchDocument } from './search-document.ts';

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

/**
 * A document as a line: id and coordinates first, so that what lies too far away is never unpacked. The same for the same
 * document, so that what has not changed is not written.
 */
export const documentLine = (document: SearchDocument): string => {
  const { id, latitude, longitude, taken, words, ...others } = document;
  const packed = { ...others, taken: lengthsOf(taken), words: words.map((field) => field.join(' ')) };
  return `${id} ${latitude ?? ''} ${longitude ?? ''} ${JSON.stringify(packed)}`;
};

export const packLines = (lines: Iterable<string>): Uint8Array => deflateRawSync([...lines].join('\n'));

type Packed = Omit<SearchDocument, 'id' | 'latitude' | 'longitude' | 'taken' | 'words'> & {
  taken: number[];
  words: string[];
};

/** A document in its chunk, unpacked when somebody asks for more than where it is. */
export class PackedDocument {
  readonly id: number;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly #json: string;
  #document: SearchDocument | undefined;
  #texts: PlaceText[] | undefined;

  constructor(line: string) {
    const [id = '', latitude = '', longitude = ''] = line.split(' ', 3);
    this.id = Number(id);
    this.latitude = latitude === '' ? null : Number(latitude);
    this.longitude = longitude === '' ? null : Number(longitude);
    this.#json = line.slice(id.length + latitude.length + longitude.length + 3);
  }

  get document(): SearchDocument {
    return (this.#document ??= this.#unpack());
  }

  #unpack(): SearchDocument {
    const { taken, words, ...others } = JSON.parse(this.#json) as Packed;
    const { id, latitude, longitude } = this;
    return {
      ...{ id, latitude, longitude, ...others },
      taken: stretchesOf(taken),
      words: words.map((text) => text.split(' ').filter((word) => word !== '')),
    };
  }

  /** Its words as free text is compared with them. */
  get texts(): PlaceText[] {
    return (this.#texts ??= this.document.words.map(placeText));
  }
}

export const unpackDocuments = (packed: Uint8Array): PackedDocument[] => {
  const text = inflateRawSync(packed).toString();
  return text === '' ? [] : text.split('\n').map((line) => new PackedDocument(line));
};

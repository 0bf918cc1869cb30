import { deflateSync, inflateRawSync, inflateSync } from 'node:zlib';
import type { ItemQuote } from '../pricing/index.ts';
import { quoteDictionary as dictionary } from './quote-dictionary.ts';

/**
 * A quote as it is stored: JSON, deflated with a dictionary of what all quotes say. Three priced nights take some two hundred
 * bytes, which keeps an order of one stay within its kilobyte.
 */
export type FrozenQuote = Uint8Array;

export const freezeQuote = (quote: ItemQuote): FrozenQuote =>
  deflateSync(JSON.stringify(quote), { dictionary });

/** Quotes that were frozen without the dictionary have no header before them. */
export const thawQuote = (frozen: FrozenQuote): ItemQuote => {
  const json = frozen[0] === zlibHeader ? inflateSync(frozen, { dictionary }) : inflateRawSync(frozen);
  return JSON.parse(json.toString()) as ItemQuote;
};

/** Deflate with a window of 32 KB; a stream without a header begins with a stored block then, which text never makes. */
const zlibHeader = 0x78;

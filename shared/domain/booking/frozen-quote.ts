import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { ItemQuote } from '../pricing/index.ts';

/** A quote as it is stored: deflated JSON. Thirty priced nights stay within the kilobyte that three would take otherwise. */
export type FrozenQuote = Uint8Array;

export const freezeQuote = (quote: ItemQuote): FrozenQuote => deflateRawSync(JSON.stringify(quote));

export const thawQuote = (frozen: FrozenQuote): ItemQuote =>
  JSON.parse(inflateRawSync(frozen).toString()) as ItemQuote;

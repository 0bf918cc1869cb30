import type * as zlib from 'node:zlib';

/** Loaded at the first use: it takes a millisecond of the start of functions whose first request needs none of it. */
const loaded = (): typeof zlib => process.getBuiltinModule('node:zlib');

export const deflateRaw = (text: zlib.InputType): Buffer => loaded().deflateRawSync(text);

export const inflateRaw = (packed: zlib.InputType): Buffer => loaded().inflateRawSync(packed);

/** Deflate with a dictionary of frequent words, and a header. */
export const deflateWith = (dictionary: Buffer, text: string): Buffer =>
  loaded().deflateSync(text, { dictionary });

export const inflateWith = (dictionary: Buffer, packed: zlib.InputType): Buffer =>
  loaded().inflateSync(packed, { dictionary });

export const crc32 = (text: string): number => loaded().crc32(text);

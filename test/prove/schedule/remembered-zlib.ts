import zlib from 'node:zlib';

type Convert = (input: string | Uint8Array, options?: object) => Buffer;

/** More results than this are forgotten, all at once. */
const mostResults = 5000;

const textOf = (input: string | Uint8Array): string =>
  typeof input === 'string' ? input : Buffer.from(input).toString('latin1');

/** The same function, which keeps its results: the quotes of schedules are the same again and again. */
const remembered = (convert: Convert): Convert => {
  const known = new Map<string, Buffer>();
  return (input, options) => {
    const key = `${typeof input} ${textOf(input)}`;
    let result = known.get(key);
    if (!result) {
      if (known.size === mostResults) known.clear();
      known.set(key, (result = convert(input, options)));
    }
    return Buffer.from(result);
  };
};

const withDictionary = (convert: Convert): Convert => {
  const byDictionary = new Map<unknown, Convert>();
  return (input, options) => {
    const { dictionary } = (options ?? {}) as { dictionary?: unknown };
    let known = byDictionary.get(dictionary);
    if (!known) byDictionary.set(dictionary, (known = remembered(convert)));
    return known(input, options);
  };
};

/** Makes compression of short texts as cheap as a look-up; each call would create a stream of zlib otherwise. */
export const rememberCompressed = (): void => {
  const names = ['deflateSync', 'inflateSync', 'deflateRawSync', 'inflateRawSync'] as const;
  for (const name of names) Object.assign(zlib, { [name]: withDictionary(zlib[name] as Convert) });
};

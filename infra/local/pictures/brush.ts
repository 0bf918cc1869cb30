/** Makes the shapes of one picture: the same seed draws the same picture. */
export interface Brush {
  /** A number from `low` to `high`. */
  between: (low: number, high: number) => number;
  pick: <Item>(items: readonly [Item, ...Item[]]) => Item;
}

const fnvPrime = 16_777_619;
const fnvBasis = 2_166_136_261;

/** Returns a brush whose numbers follow from a text. */
export const brushOf = (seed: string): Brush => {
  let state = fnvBasis;
  for (const sign of seed) state = Math.imul(state ^ (sign.codePointAt(0) ?? 0), fnvPrime) >>> 0;
  const next = (): number => {
    // Mulberry32.
    state = (state + 0x6d_2b_79_f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    between: (low, high) => Math.round(low + next() * (high - low)),
    pick: (items) => items[Math.floor(next() * items.length)] ?? items[0],
  };
};

export const rect = (x: number, y: number, width: number, height: number, fill: string, rx = 0): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}"${rx === 0 ? '' : ` rx="${rx}"`}/>`;

export const circle = (cx: number, cy: number, r: number, fill: string): string =>
  `<circle cx="${cx}" cy="${cy}" r="${r}" fill="${fill}"/>`;

export const shape = (points: string, fill: string): string => `<path d="${points}" fill="${fill}"/>`;

/** Draws something `count` times. */
export const times = (count: number, draw: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => draw(at)).join('');

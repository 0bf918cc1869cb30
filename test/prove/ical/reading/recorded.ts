import type { Compared } from './compare-reading.ts';
import type { Home, Hours } from './taken-hours.ts';

/** What the independent reader takes of a calendar. */
export interface Recorded {
  home: Home;
  now: string;
  /** The number of stretches. */
  count: number;
  /** The first ones and the last one. */
  taken: string[];
}

const kept = 6;

export const shortened = (hours: readonly Hours[]): Pick<Recorded, 'count' | 'taken'> => {
  const texts = hours.map(([from, until]) => `${from} ${until}`);
  return { count: texts.length, taken: [...texts.slice(0, kept), ...texts.slice(kept).slice(-1)] };
};

export const recordOf = ({ home, now, theirs }: Compared): Recorded[] =>
  typeof theirs === 'string' ? [] : [{ home, now, ...shortened(theirs) }];

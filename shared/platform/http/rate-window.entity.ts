import { defineEntity } from '../table/index.ts';

/** What function instances have taken, together, of a caller's requests in one minute (D10). */
export interface RateWindow {
  /** Whose requests are counted: `key:<id>`, `user:<id>`, or what is attempted by whom. */
  counted: string;
  /** Minutes since 1970. */
  minute: number;
  /** Requests that instances have taken so far; above the limit when the last one asked for more than was left. */
  taken: number;
}

/** Long enough for every clock that is a little late. */
const keptMinutes = 3;

export const RateWindowEntity = defineEntity<RateWindow, Pick<RateWindow, 'counted' | 'minute'>>({
  name: 'RateWindow',
  meaning: "What is taken of a caller's requests in a minute.",
  patterns: ['take a share of the minute (one UpdateItem)'],
  key: ({ counted, minute }) => ({ pk: `RATE#${counted}#${minute}`, sk: 'WINDOW' }),
  expiresAt: ({ minute }) => (minute + keptMinutes) * 60,
  example: { counted: 'key:1', minute: 30_000_000 },
});

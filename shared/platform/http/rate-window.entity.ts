import { defineEntity } from '../table/index.ts';

/** The requests of a caller that function instances have taken in one minute (D10). */
interface RateWindow {
  /** The caller (`key:<id>`, `user:<id>`), or an attempt by a caller. */
  counted: string;
  /** Minutes since 1970. */
  minute: number;
  /** Requests taken so far; above the limit if the last share was larger than the rest. */
  taken: number;
}

/** Longer than clocks differ. */
const keptMinutes = 3;

export const RateWindowEntity = defineEntity<RateWindow, Pick<RateWindow, 'counted' | 'minute'>>({
  name: 'RateWindow',
  meaning: "What is taken of a caller's requests in a minute.",
  patterns: ['take a share of the minute (one UpdateItem)'],
  key: { pk: 'RATE#{counted}#{minute}', sk: 'WINDOW' },
  expiresAt: ({ minute }) => (minute + keptMinutes) * 60,
  example: { counted: 'key:1', minute: 30_000_000 },
});

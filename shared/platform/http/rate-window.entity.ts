import * as z from 'zod';
import { defineEntity, defineRecord, type RecordOf } from '../table/index.ts';

/** The requests of a caller that function instances have taken in one minute (D10). */
const RateWindowRecord = defineRecord(() => ({
  /** The caller: `key:<id>`, `user:<id>`, `guest:<id>`, or `from:` with the hash of a network (D144). */
  counted: z.string(),
  /** Minutes since 1970. */
  minute: z.int(),
  /** Requests taken so far; above the limit if the last share was larger than the rest. */
  taken: z.int(),
}));
type RateWindow = RecordOf<typeof RateWindowRecord>;

/** Longer than clocks differ. */
const keptMinutes = 3;

export const RateWindowEntity = defineEntity<RateWindow, Pick<RateWindow, 'counted' | 'minute'>>({
  name: 'RateWindow',
  meaning: "What is taken of a caller's requests in a minute.",
  patterns: ['take a share of the minute (one UpdateItem)'],
  record: RateWindowRecord,
  key: { pk: 'RATE#{counted}#{minute}', sk: 'WINDOW' },
  expiresAt: ({ minute }) => (minute + keptMinutes) * 60,
  example: { counted: 'key:1', minute: 30_000_000 },
});

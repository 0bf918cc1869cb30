import type { Linear } from './judge/calendars-seen.ts';

/** What one history has come to. */
export interface Outcome {
  problems: string[];
  lines: readonly string[];
  digest: string;
  steps: number;
  hours: number;
  reads: number;
  writes: number;
  effective: number;
  answers: ReadonlyMap<string, number>;
  moves: ReadonlyMap<string, number>;
  faults: ReadonlyMap<string, number>;
  /** The requests of each actor. */
  actors: ReadonlyMap<string, number>;
  /** The kinds of faults that happened outside of the table. */
  faultKinds: string[];
  mails: number;
  events: number;
  linear: Omit<Linear, 'problems'>;
}

import { defineEntity } from '../../platform/table/index.ts';

/** The soft locks a caller made lately: what the limit of live checkouts is counted on (D44). */
export interface CallerCheckouts {
  /** The caller's reference. */
  holder: string;
  version: number;
  /** By order id: epoch milliseconds until which it may be live. */
  live: Record<string, number>;
}

export const CallerCheckoutsEntity = defineEntity<CallerCheckouts, Pick<CallerCheckouts, 'holder'>>({
  name: 'CallerCheckouts',
  meaning: 'The soft locks a caller made lately.',
  patterns: ['how many checkouts of this caller are live?'],
  key: ({ holder }) => ({ pk: `CHECKOUTS#${holder}`, sk: 'CHECKOUTS' }),
  expiresAt: ({ live }) => Math.ceil(Math.max(0, ...Object.values(live)) / 1000) + 3600,
  example: { holder: 'user:1' },
});

import * as z from 'zod';
import { defineEntity, defineRecord, type RecordOf } from '../../platform/table/index.ts';

/** The calendars of a team at one platform that could not be read for hours, gathered for one mail (D118). */
const OutageRecord = defineRecord(() => ({
  team_id: z.int(),
  /** The host name of the calendars' addresses. */
  host: z.string(),
  /** When they are mailed, epoch milliseconds. */
  due_at: z.int(),
  feeds: z.array(z.object({ listing_id: z.int(), feed_id: z.int() })),
  /** Every write checks and increments it. */
  version: z.int(),
}));
export type Outage = RecordOf<typeof OutageRecord>;

type OutageIds = Pick<Outage, 'team_id' | 'host' | 'due_at'>;

export const OutageEntity = defineEntity<Outage, OutageIds>({
  name: 'Outage',
  meaning: 'Calendars of a team at one platform that cannot be read, until they are mailed.',
  patterns: ['the outage at a platform that is being gathered'],
  record: OutageRecord,
  key: { pk: 'OUTAGES#{team_id}', sk: '{host}#{due_at:sortable}' },
  example: { team_id: 71, host: 'calendars.example.com', due_at: 1_800_000_000_000 },
});

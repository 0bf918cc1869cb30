import * as z from 'zod';
import { defineEntity, defineRecord, type RecordOf } from '../../platform/table/index.ts';

/** How long a line of the change log is kept. */
export const keptChangeDays = 400;

/** What one request has changed of a listing, its prices and its rules. Written in the transaction of the change. */
const ListingChangeRecord = defineRecord(() => ({
  listing_id: z.int(),
  change_id: z.int(),
  /** UTC. */
  changed_at: z.string(),
  /** The caller's reference; names are read with the log, so that an erased account has none in it. */
  actor: z.string(),
  changes: z.array(
    z.object({
      field: z.string(),
      /** The id of a price, rule or block of which the listing has several. */
      part_id: z.int().exactOptional(),
      /** JSON. */
      was: z.string(),
      now: z.string(),
    }),
  ),
}));
export type ListingChange = RecordOf<typeof ListingChangeRecord>;

type ChangeIds = Pick<ListingChange, 'listing_id' | 'changed_at' | 'change_id'>;

export const ListingChangeEntity = defineEntity<ListingChange, ChangeIds>({
  name: 'ListingChange',
  meaning: 'A line of the change log of a listing.',
  patterns: ['the changes of a listing, newest first'],
  record: ListingChangeRecord,
  key: { pk: 'LISTING_CHANGES#{listing_id}', sk: '{changed_at}#{change_id:sortable}' },
  expiresAt: ({ changed_at }) => Math.ceil(Date.parse(changed_at) / 1000) + keptChangeDays * 86_400,
  example: { listing_id: 1, changed_at: '2027-01-15T03:00:00.000Z', change_id: 5 },
});

import * as z from 'zod';
import { defineEntity, defineRecord, type RecordOf } from '../../platform/table/index.ts';
import { dayMs } from '../../platform/time/time.ts';

/** How long a bulk change can be undone. */
export const undoHours = 24;
/** How long its records are kept, so that a late undo is refused with the reason. */
const keptDays = 30;

/** A change of prices or blocks of many listings. Each listing is changed in a transaction of its own. */
const BulkChangeRecord = defineRecord(() => ({
  bulk_id: z.int(),
  team_id: z.int(),
  kind: z.enum(['prices', 'blocks']),
  /** The caller's reference. */
  actor: z.string(),
  /** Epoch milliseconds. */
  started_at: z.int(),
  /** UTC; absent until it is undone. */
  undone_at: z.string().exactOptional(),
}));
export type BulkChange = RecordOf<typeof BulkChangeRecord>;

export const BulkChangeEntity = defineEntity<BulkChange, Pick<BulkChange, 'bulk_id'>>({
  name: 'BulkChange',
  meaning: 'A change of prices or blocks of many listings, which can be undone.',
  patterns: ['a bulk change by its id'],
  record: BulkChangeRecord,
  key: { pk: 'BULK#{bulk_id}', sk: 'CHANGE' },
  expiresAt: ({ started_at }) => Math.ceil((started_at + keptDays * dayMs) / 1000),
  example: { bulk_id: 1 },
});

const rangeFields = () => ({
  date_from: z.string(),
  date_to: z.string(),
  weekdays: z.array(z.int()).nullable(),
});
const priceRange = () => z.object({ ...rangeFields(), before: z.number(), after: z.number() });
const stateRange = () => z.object({ ...rangeFields(), before: z.string(), after: z.string() });
const time = () => ({ start_at: z.string(), end_at: z.string() });

/** What a bulk change has done to a listing: written in the transaction that did it, so that it is done once. */
const BulkResultRecord = defineRecord(() => ({
  bulk_id: z.int(),
  listing_id: z.int(),
  started_at: z.int(),
  prices: z
    .object({
      currency: z.string(),
      ranges: z.array(priceRange()),
      /** What earlier bulk changes had set on these nights. */
      was: z.array(
        z.object({
          ...rangeFields(),
          price: z.number(),
          priority: z.int(),
          bulk_id: z.int(),
          rule_id: z.int(),
        }),
      ),
    })
    .exactOptional(),
  blocks: z
    .object({
      ranges: z.array(stateRange()),
      made: z.array(z.object({ availability_id: z.int(), ...time() })),
      freed: z.array(z.object({ ...time(), note: z.string().nullable() })),
    })
    .exactOptional(),
  /** What the undo has restored, and has left as it was changed since. */
  undone: z
    .object({
      prices: z.array(priceRange()).exactOptional(),
      blocks: z.array(stateRange()).exactOptional(),
      kept: z.array(z.object(rangeFields())),
    })
    .exactOptional(),
}));
export type BulkResult = RecordOf<typeof BulkResultRecord>;

export const BulkResultEntity = defineEntity<BulkResult, Pick<BulkResult, 'bulk_id' | 'listing_id'>>({
  name: 'BulkResult',
  meaning: 'What a bulk change has done to one listing, and how to undo it.',
  patterns: ['the results of a bulk change', 'whether a bulk change has changed a listing'],
  record: BulkResultRecord,
  key: { pk: 'BULK#{bulk_id}', sk: 'LISTING#{listing_id}' },
  expiresAt: ({ started_at }) => Math.ceil((started_at + keptDays * dayMs) / 1000),
  example: { bulk_id: 1, listing_id: 1 },
});

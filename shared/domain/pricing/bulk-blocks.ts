import type { Context } from '../../platform/context.ts';
import { planBlocks, planUnblocks } from '../calendar/index.ts';
import { bulkDates } from './bulk-dates.ts';
import { changedRanges } from './bulk-prices.ts';
import type { BulkBlocks, BulkBlocksAnswer } from './bulk.schema.ts';
import { runBulk } from './run-bulk.ts';

type State = BulkBlocksAnswer['items'][number]['ranges'][number]['before'];

/**
 * Blocks days of many listings, or lifts their blocks (D96): all or nothing for each of them. Of a family the parent comes first,
 * and what its block takes is blocked for its children.
 */
export const bulkBlocks = async (
  ctx: Context,
  { listing_ids: listingIds, date_ranges: ranges, change, dry_run: dryRun }: BulkBlocks,
): Promise<BulkBlocksAnswer> => {
  const dates = bulkDates(ranges);
  const { outcomes, ...ran } = await runBulk(ctx, {
    ...{ kind: 'blocks', listingIds, dryRun },
    plan: async (listingId, { parent }) => {
      const family = parent === undefined ? undefined : (parent?.blocks ?? { made: [], freed: [] });
      const { writes, states, made, freed } =
        change.state === 'BLOCKED'
          ? await planBlocks(ctx, listingId, { dates, note: change.note ?? null, parent: family })
          : await planUnblocks(ctx, listingId, { dates, parent: family });
      // What remains of a block that was lifted in part stays after an undo.
      const kept = change.state === 'BLOCKED' ? made : [];
      return { writes, done: { blocks: { ranges: changedRanges(states), made: kept, freed } } };
    },
  });
  const items = outcomes.map(({ listingId, done, error }) => ({
    listing_id: listingId,
    ranges: (done?.blocks?.ranges ?? []).map(({ before, after, ...range }) => ({
      ...range,
      before: before as State,
      after: after as State,
    })),
    error,
  }));
  return ctx.commit([], { ...ran, items });
};

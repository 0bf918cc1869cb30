import { actingTeam, hasPermission, roleRefused } from '../../platform/auth.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Context } from '../../platform/context.ts';
import { datesOf, rangesOf } from '../../platform/time/date-ranges.ts';
import { ServiceError } from '../../platform/errors.ts';
import { change, lacks, retryOnConflict, type Write } from '../../platform/table/index.ts';
import { hourMs } from '../../platform/time/time.ts';
import { planUndoBlocks } from '../calendar/index.ts';
import { planUndoPrices } from './plan-bulk-prices.ts';
import { changedRanges } from './bulk-prices.ts';
import {
  type BulkChange,
  BulkChangeEntity,
  type BulkResult,
  BulkResultEntity,
  undoHours,
} from './bulk.entity.ts';
import type { BulkUndo, BulkUndoAnswer } from './bulk.schema.ts';
import { bulkPermissions, bulkResults, eachListing, isUnreached, requireRoomFor } from './run-bulk.ts';

type Item = BulkUndoAnswer['items'][number];
type State = Item['blocks'][number]['before'];
type Undone = NonNullable<BulkResult['undone']>;

const refused = (why: string): ServiceError => new ServiceError('INVALID_STATE_TRANSITION', why);
const usedBefore = (): ServiceError => refused('This bulk change was undone before.');

/** Returns a bulk change of the acting team that can be undone. */
const requireUndoable = async (ctx: Context, undoId: number): Promise<BulkChange> => {
  const team = actingTeam(ctx.caller, ctx.teamHeader, 'operate');
  const found = await ctx.table.get(BulkChangeEntity, { bulk_id: undoId });
  if (found?.team_id !== team) throw new ServiceError('NOT_FOUND', 'There is no such bulk change.');
  if (!hasPermission(ctx.caller, bulkPermissions[found.kind], team)) throw roleRefused();
  if (found.undone_at !== undefined) throw usedBefore();
  if (ctx.clock.now() >= found.started_at + undoHours * hourMs)
    throw refused(`A bulk change can be undone for ${undoHours} hours.`);
  return found;
};

interface UndoPlan {
  writes: Write[];
  undone: Undone;
}

const planUndo = async (ctx: Context, result: BulkResult): Promise<UndoPlan> => {
  const { bulk_id: bulkId, listing_id: listingId, prices, blocks } = result;
  if (prices) {
    const dates = datesOf(prices.ranges);
    const plan = await planUndoPrices(ctx, listingId, { dates, was: prices.was, bulkId });
    const kept = rangesOf(dates.filter((date) => !plan.prices.has(date)));
    return { writes: plan.writes, undone: { prices: changedRanges(plan.prices), kept } };
  }
  const { made = [], freed = [] } = blocks ?? {};
  const plan = await planUndoBlocks(ctx, listingId, { made, freed });
  return { writes: plan.writes, undone: { blocks: changedRanges(plan.states), kept: rangesOf(plan.kept) } };
};

/** Undoes what was done to one listing, once. */
const undoOne = (ctx: Context, { bulk_id, listing_id }: BulkResult): Promise<Undone> =>
  retryOnConflict(async () => {
    const ids = { bulk_id, listing_id };
    const result = await ctx.table.get(BulkResultEntity, ids);
    if (!result) throw new ServiceError('NOT_FOUND', 'There is no such bulk change.');
    if (result.undone) return result.undone;
    const { writes, undone } = await planUndo(ctx, result);
    const marked = change(BulkResultEntity, ids, { set: { undone } }, { when: lacks('undone') });
    await ctx.table.transact(requireRoomFor([...writes, marked]));
    return undone;
  });

/**
 * Undoes a bulk change, once (D96). What was changed since stays as it is and is named. An undo that did not reach every
 * listing goes on when it is asked for again.
 */
export const undoBulk = async (ctx: Context, { undo_id: undoId }: BulkUndo): Promise<BulkUndoAnswer> => {
  await requireUndoable(ctx, undoId);
  const results = new Map((await bulkResults(ctx, undoId)).map((result) => [result.listing_id, result]));
  const outcomes = await eachListing(ctx, [...results.keys()], (listingId) =>
    undoOne(ctx, results.get(listingId) as BulkResult),
  );
  const isDone = !outcomes.some(isUnreached);
  const items = outcomes.map(({ listingId, done, error }): Item => ({
    listing_id: listingId,
    prices: done?.prices ?? [],
    blocks: (done?.blocks ?? []).map(({ before, after, ...range }) => ({
      ...range,
      before: before as State,
      after: after as State,
    })),
    kept: done?.kept ?? [],
    error,
  }));
  const undoneAt = instantText(ctx.clock.now());
  const used = change(
    BulkChangeEntity,
    { bulk_id: undoId },
    { set: { undone_at: undoneAt } },
    { when: lacks('undone_at'), onConflict: usedBefore },
  );
  return ctx.commit(isDone ? [used] : [], { undo_id: undoId, is_done: isDone, items });
};

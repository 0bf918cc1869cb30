import { callerRef, actingTeam } from '../../platform/auth.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Context } from '../../platform/context.ts';
import { invalid, ServiceError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { inLanes } from '../../platform/in-lanes.ts';
import { create, maxWrites, retryOnConflict, type Write } from '../../platform/table/index.ts';
import { hourMs } from '../../platform/time/time.ts';
import { listingRead, requireHosted } from '../listing/model.ts';
import {
  type BulkChange,
  BulkChangeEntity,
  type BulkResult,
  BulkResultEntity,
  undoHours,
} from './bulk.entity.ts';
import type { BulkRefusal } from './bulk.schema.ts';

/** Listings are started for so long; one that waits for a throttled partition takes 18 seconds, and a function has 28. */
const startsForMs = 8000;

export const bulkPermissions = { prices: 'manage', blocks: 'operate' } as const;

type Done = Omit<BulkResult, 'bulk_id' | 'listing_id' | 'started_at'>;

interface Planned {
  writes: Write[];
  done: Done;
}

interface Step {
  bulkId: number;
  /** What the request does to the parent, if it names that too; null if the parent was refused. */
  parent: Done | null | undefined;
}

interface Bulk {
  kind: BulkChange['kind'];
  listingIds: readonly number[];
  dryRun: boolean;
  /** Plans the change of one listing; it reads what it decides on. */
  plan: (listingId: number, step: Step) => Promise<Planned>;
}

/** What has become of one listing. */
interface Outcome<Answer> {
  listingId: number;
  done?: Answer;
  error: BulkRefusal | null;
}

interface Ran {
  dry_run: boolean;
  undo_id: number | null;
  undo_until: string | null;
  outcomes: Outcome<Done | BulkResult>[];
}

interface Target {
  teamId: number;
  /** The parents of the children that are changed after them. */
  parents: ReadonlyMap<number, number>;
}

/** Throws LISTING_NOT_FOUND for a listing that is not of the acting team, before anything is done. */
const requireListings = async (ctx: Context, { kind, listingIds }: Bulk): Promise<Target> => {
  const permission = bulkPermissions[kind];
  const team = actingTeam(ctx.caller, ctx.teamHeader, permission);
  const listings = await ctx.table.getAll(listingIds.map(listingRead));
  for (const listing of listings) {
    if (listing?.team_id !== team) throw new ServiceError('LISTING_NOT_FOUND');
    requireHosted(ctx.caller, listing, permission);
  }
  const named = new Set<number | null>(listingIds);
  const parents = listings.flatMap((listing) => {
    const { id, parent_listing_id: parent } = listing ?? {};
    return id && parent && named.has(parent) ? [[id, parent] as const] : [];
  });
  return { teamId: team, parents: new Map(parents) };
};

interface Started {
  record: BulkChange;
  /** An earlier attempt of this request has started it. */
  isContinued: boolean;
}

/** Records the start of a bulk change, or finds the one that an earlier attempt of this request has started. */
const started = (ctx: Context, kind: Bulk['kind'], teamId: number): Promise<Started> =>
  retryOnConflict(async () => {
    const earlier = await ctx.startedId();
    if (earlier !== undefined) {
      const found = await ctx.table.get(BulkChangeEntity, { bulk_id: earlier });
      if (found) return { record: found, isContinued: true };
    }
    const record: BulkChange = {
      ...{ bulk_id: newId(ctx.clock), team_id: teamId, kind },
      ...{ actor: callerRef(ctx.caller), started_at: ctx.clock.now() },
    };
    await ctx.recordStart([create(BulkChangeEntity, record)], record.bulk_id);
    return { record, isContinued: false };
  });

export const bulkResults = (ctx: Context, bulkId: number): Promise<BulkResult[]> =>
  ctx.table.queryAll(BulkResultEntity, {
    pk: BulkResultEntity.partition({ bulk_id: bulkId }),
    prefix: 'LISTING#',
  });

/** Throws VALIDATION_ERROR for a listing whose change does not fit into one transaction. */
export const requireRoomFor = (writes: readonly Write[]): readonly Write[] => {
  if (writes.length > maxWrites)
    throw invalid({
      path: 'date_ranges',
      message: `need ${writes.length} writes for this listing, of which a transaction takes ${maxWrites}: name fewer ranges, or do it in two requests`,
    });
  return writes;
};

const isUnavailable = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === 'SERVICE_UNAVAILABLE';

/** Returns the error of one listing; undefined for what is none of the request. */
const refusalOf = (error: unknown): BulkRefusal | undefined => {
  if (!(error instanceof ServiceError) || (error.status >= 500 && !isUnavailable(error))) return undefined;
  const { code, message, details } = error;
  return { code, message, details };
};

/**
 * Runs the work of each listing, some at once, those of `later` after the others. What is refused is the error of its listing,
 * and stops no other one; so is what the table does not take in time. What is none of the request is thrown once no work runs
 * any more.
 */
export const eachListing = async <Answer>(
  ctx: Context,
  listingIds: readonly number[],
  work: (listingId: number) => Promise<Answer>,
  later: Pick<ReadonlySet<number>, 'has'> = new Set(),
): Promise<Outcome<Answer>[]> => {
  const until = ctx.clock.now() + startsForMs;
  const failures: unknown[] = [];
  const outcomes = new Map<number, Outcome<Answer>>();
  const run = (ids: readonly number[]) =>
    inLanes(ids, async (listingId) => {
      try {
        if (failures.length > 0 || ctx.clock.now() > until) throw new ServiceError('SERVICE_UNAVAILABLE');
        outcomes.set(listingId, { listingId, done: await work(listingId), error: null });
      } catch (caught) {
        const error = refusalOf(caught);
        if (error) outcomes.set(listingId, { listingId, error });
        else failures.push(caught);
      }
    });
  await run(listingIds.filter((id) => !later.has(id)));
  await run(listingIds.filter((id) => later.has(id)));
  if (failures.length > 0) throw failures[0];
  return listingIds.flatMap((id) => outcomes.get(id) ?? []);
};

export const isUnreached = ({ error }: Outcome<unknown>): boolean => error?.code === 'SERVICE_UNAVAILABLE';

/**
 * Changes listings one by one, each with the record of what was done in one transaction: an attempt that continues another one
 * finds it and does nothing twice.
 */
export const runBulk = async (ctx: Context, bulk: Bulk): Promise<Ran> => {
  const { kind, listingIds, dryRun, plan } = bulk;
  const { teamId, parents } = await requireListings(ctx, bulk);
  const known = new Map<number, Done>();
  const stepOf = (bulkId: number, listingId: number): Step => {
    const parent = parents.get(listingId);
    return { bulkId, parent: parent === undefined ? undefined : (known.get(parent) ?? null) };
  };
  const inOrder = <Answer extends Done>(work: (listingId: number) => Promise<Answer>) =>
    eachListing(
      ctx,
      listingIds,
      async (listingId) => {
        const done = await work(listingId);
        known.set(listingId, done);
        return done;
      },
      parents,
    );
  if (dryRun) {
    const outcomes = await inOrder(async (listingId) => {
      const { writes, done } = await plan(listingId, stepOf(newId(ctx.clock), listingId));
      requireRoomFor(writes);
      return done;
    });
    return { dry_run: true, undo_id: null, undo_until: null, outcomes };
  }
  const { record, isContinued } = await started(ctx, kind, teamId);
  const { bulk_id: bulkId, started_at: startedAt } = record;
  const recorded = new Map(isContinued ? await resultsById(ctx, bulkId) : []);
  const outcomes = await inOrder(
    async (listingId): Promise<Done | BulkResult> =>
      recorded.get(listingId) ??
      changeOne(ctx, { bulk, startedAt, listingId, step: stepOf(bulkId, listingId) }),
  );
  // The answer to a write may be lost: what has been done is on record.
  const missed = new Map(outcomes.some(isUnreached) ? await resultsById(ctx, bulkId) : []);
  const settled = outcomes.map((outcome): Outcome<Done | BulkResult> => {
    const done = missed.get(outcome.listingId);
    return done && isUnreached(outcome) ? { listingId: outcome.listingId, done, error: null } : outcome;
  });
  const isChanged = settled.some(({ done }) => done && 'bulk_id' in done);
  return {
    dry_run: false,
    undo_id: isChanged ? bulkId : null,
    undo_until: isChanged ? instantText(startedAt + undoHours * hourMs) : null,
    outcomes: settled,
  };
};

const resultsById = async (ctx: Context, bulkId: number): Promise<(readonly [number, BulkResult])[]> =>
  (await bulkResults(ctx, bulkId)).map((result) => [result.listing_id, result] as const);

/** Returns what this attempt, or another one of the same request, has done to a listing. */
const changeOne = async (
  ctx: Context,
  one: { bulk: Bulk; startedAt: number; listingId: number; step: Step },
): Promise<Done | BulkResult> => {
  const ids = { bulk_id: one.step.bulkId, listing_id: one.listingId };
  let isFirst = true;
  return retryOnConflict(async () => {
    const found = isFirst ? undefined : await ctx.table.get(BulkResultEntity, ids);
    isFirst = false;
    if (found) return found;
    const { writes, done } = await one.bulk.plan(one.listingId, one.step);
    if (writes.length === 0) return done;
    const result: BulkResult = { ...ids, started_at: one.startedAt, ...done };
    await ctx.table.transact(requireRoomFor([...writes, create(BulkResultEntity, result)]));
    return result;
  });
};

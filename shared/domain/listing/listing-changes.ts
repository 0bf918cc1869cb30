import type { Context } from '../../platform/context.ts';
import { paginate } from '../../platform/table/index.ts';
import { dayMs } from '../../platform/time/time.ts';
import { readNames } from '../people/model.ts';
import { keptChangeDays, type ListingChange, ListingChangeEntity } from './listing-change.entity.ts';
import type { ListingChanges, ListingChangesQuery } from './listing-changes.schema.ts';
import { hostedListing } from './listing.store.ts';

/** Returns the change log of a listing, newest first, for the hosts of its team. */
export const listListingChanges = async (
  ctx: Context,
  listingId: number,
  { limit, cursor }: ListingChangesQuery,
): Promise<ListingChanges> => {
  const listing = await hostedListing(ctx, listingId, 'read');
  const source = {
    pk: ListingChangeEntity.partition({ listing_id: listing.id }),
    descending: true,
  };
  const paging = { page: 1, limit, ...(cursor === undefined ? {} : { cursor }) };
  const found = await paginate(ctx.table, ListingChangeEntity, source, paging, { total: 0, sizeOf });
  const first = ctx.clock.now() - keptChangeDays * dayMs;
  const items = found.items.filter(({ changed_at }) => Date.parse(changed_at) > first);
  const names = await readNames(ctx.table, items.map(hostOf));
  return {
    items: items.map((line) => present(line, names)),
    // What follows an expired line, which the table may still have, has expired too.
    next_cursor: items.length < found.items.length ? null : found.next_cursor,
  };
};

const sizeOf = ({ changes }: ListingChange): number =>
  changes.reduce((sum, { was, now }) => sum + Buffer.byteLength(was) + Buffer.byteLength(now), 0);

const hostOf = ({ actor }: ListingChange): number | null =>
  actor.startsWith('user:') ? Number(actor.slice('user:'.length)) : null;

const present = (
  line: ListingChange,
  names: ReadonlyMap<number, string>,
): ListingChanges['items'][number] => {
  const id = hostOf(line);
  return {
    id: line.change_id,
    changed_at: line.changed_at,
    who: { kind: id === null ? 'system' : 'host', id, name: id === null ? null : (names.get(id) ?? null) },
    changes: line.changes.map(({ field, part_id, was, now }) => ({
      field,
      id: part_id ?? null,
      was: JSON.parse(was) as unknown,
      now: JSON.parse(now) as unknown,
    })),
  };
};

import type { Dependencies } from '../../platform/context.ts';
import { equals, put, retryOnConflict } from '../../platform/table/index.ts';
import { type AvailabilityEntry, wholeHours } from '../calendar/index.ts';
import type { Listing } from '../listing/index.ts';
import { exportedEntries } from './exported-entries.ts';
import { type FeedExport, FeedExportEntity } from './feed-export.entity.ts';
import { givenBy, givenNow, givenText, givenTime, hoursOf } from './given-times.ts';

/**
 * The entries for a follower, kept as what it is about to be given before it has them, so that their echo is never met as
 * something unknown (D94). Of fetches at once the last one to be kept has read its entries last: they are read again where
 * another one was kept meanwhile. Nothing is written where the follower was given the same before. Undefined: it is none any
 * more.
 */
export const givenEntries = async (
  deps: Pick<Dependencies, 'table' | 'clock'>,
  listing: Listing,
  read: FeedExport,
): Promise<AvailabilityEntry[] | undefined> => {
  const { table, clock } = deps;
  let known: FeedExport | undefined = read;
  return retryOnConflict(async () => {
    const before = known ?? (await table.get(FeedExportEntity, read));
    known = undefined;
    if (!before) return undefined;
    const entries = await exportedEntries(deps, listing, before.feed_id);
    const now = clock.now();
    const current = entries.flatMap((entry) => givenBy(entry, listing));
    const standing = entries.map((entry) => hoursOf(wholeHours(entry)));
    const times = givenNow(before.given.map(givenTime), current, { standing, now, goneAt: now });
    const given = times.map(givenText);
    if (given.join() === before.given.join()) return entries;
    const after = { ...before, given, version: before.version + 1 };
    await table.put(put(FeedExportEntity, after, { when: equals('version', before.version) }));
    return entries;
  });
};

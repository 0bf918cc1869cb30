import type { Dependencies } from '../../platform/context.ts';
import { equals, put, untilWon } from '../../platform/table/index.ts';
import { type AvailabilityEntry, wholeHours } from '../calendar/index.ts';
import type { Listing } from '../listing/index.ts';
import { type FeedExport, FeedExportEntity } from './feed-export.entity.ts';
import { givenBy, givenNow, givenText, givenTime, hoursOf } from './given-times.ts';

/**
 * Keeps what a follower is about to be given, before it has it, so that its echo is never met as something unknown (D94).
 * Nothing is written where it was given the same before. False: the follower is none any more.
 */
export const noteGiven = async (
  { table, clock }: Pick<Dependencies, 'table' | 'clock'>,
  { listing, entries }: { listing: Listing; entries: readonly AvailabilityEntry[] },
  read: FeedExport,
): Promise<boolean> => {
  const now = clock.now();
  const current = entries.flatMap((entry) => givenBy(entry, listing));
  const standing = entries.map((entry) => hoursOf(wholeHours(entry)));
  let known: FeedExport | undefined = read;
  return untilWon(async () => {
    known ??= await table.get(FeedExportEntity, read);
    if (!known) return false;
    const before = known;
    known = undefined;
    const times = givenNow(before.given.map(givenTime), current, { standing, now, goneAt: now });
    const given = times.map(givenText);
    if (given.join() === before.given.join()) return true;
    const after = { ...before, given, version: before.version + 1 };
    await table.putAlone(put(FeedExportEntity, after, { when: equals('version', before.version) }));
    return true;
  });
};

import type { Dependencies } from '../../platform/context.ts';
import { inLanes } from '../../platform/in-lanes.ts';
import { ConflictError, equals, put } from '../../platform/table/index.ts';
import { dayMs, toLocal } from '../../platform/time/time.ts';
import { AvailabilityEntryEntity, endedStays } from '../calendar/model.ts';
import type { FollowedFeed } from './ical.store.ts';

/** What a platform calls a stay is known two days longer than it lasts, wherever it is. */
export const keptMs = 2 * dayMs;

/** Forgets what platforms call stays of a team that have ended before an instant (D120); of one calendar if given. */
export const forgetEnded = async (
  { table }: Pick<Dependencies, 'table'>,
  { team_id }: Pick<FollowedFeed, 'team_id'>,
  before: number,
  feedId?: number,
): Promise<void> => {
  const ended = await endedStays(table, team_id, toLocal(before, 'Etc/GMT-14'));
  const theirs = ended.filter((entry) => feedId === undefined || entry.feed_id === feedId);
  await inLanes(theirs, async ({ imported: _, ...entry }) => {
    try {
      await table.put(put(AvailabilityEntryEntity, entry, { when: equals('state', 'BLOCKED') }));
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
    }
  });
};

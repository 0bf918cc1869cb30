import type { Table } from '../../platform/table/index.ts';
import type { AppendDependencies } from './dependencies.ts';
import { appendForTeam } from './enter-for-team.ts';
import { type PublicEvent, publicDataOf, teamsOfEvent } from './partner-event.ts';
import type { FeedEntry } from './event-page.entity.ts';
import { batchByKey } from './together.ts';

/** As many as a queue hands over at once. */
const mostTogether = 10;

/**
 * Enters an event into the feeds of its teams and makes its deliveries, once, however often it comes (D62, D62b); then each
 * delivery is a message of its own. What a process has to enter for a team at one time goes into one transaction.
 */
export const appendEvent = async (deps: AppendDependencies, event: PublicEvent): Promise<void> => {
  const { id, event_type, occurred_at } = event;
  const teams = teamsOfEvent(event);
  const team_ids = teams.length > 1 ? { team_ids: teams } : {};
  const entry: FeedEntry = { id, event_type, occurred_at, data: publicDataOf(event), ...team_ids };
  const enter = entering(deps);
  for (const team of teams) await enter(String(team), entry);
};

type Enter = (team: string, entry: FeedEntry) => Promise<void>;

const byTable = new WeakMap<Table, Enter>();

const entering = (deps: AppendDependencies): Enter => {
  const known = byTable.get(deps.table);
  if (known) return known;
  const made = batchByKey<FeedEntry>(mostTogether, (team, entries) =>
    appendForTeam(deps, Number(team), entries),
  );
  byTable.set(deps.table, made);
  return made;
};

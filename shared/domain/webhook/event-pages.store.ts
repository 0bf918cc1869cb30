import type { Table } from '../../platform/table/index.ts';
import { type EventPage, EventPageEntity, pagePrefix, teamEventsPartition } from './event-page.entity.ts';

/** Most teams have had few events lately. */
const firstPages = 4;
const furtherPages = 100;

/**
 * Returns the pages of a team's feed that were open at or after an instant (epoch milliseconds), and the one before them if it
 * is kept, in their order.
 */
export const readPagesSince = async (
  table: Table,
  teamId: number,
  since: number,
  { consistent }: { consistent: boolean },
): Promise<EventPage[]> => {
  const pages: EventPage[] = [];
  let after: Record<string, unknown> | undefined;
  do {
    const found = await table.query(EventPageEntity, {
      pk: teamEventsPartition(teamId),
      prefix: pagePrefix,
      descending: true,
      limit: after ? furtherPages : firstPages,
      after,
      consistent,
    });
    for (const page of found.items) {
      pages.push(page);
      if (page.closed_at !== null && page.closed_at < since) return pages.reverse();
    }
    after = found.next;
  } while (after);
  return pages.reverse();
};

import type { EventPage } from '../webhook/model.ts';
import type { AuditRule, Figures } from './audit-rule.rules.ts';

/** The pages of a team's feed from some time on, in order, with the events that must be in them. */
interface AuditedFeed {
  team_id: number;
  pages: readonly EventPage[];
  expected: readonly { id: string; event_type: string; order_id: number }[];
}

/** Rules of the feed of events of a team. */
export const feedRules: readonly AuditRule<AuditedFeed>[] = [
  {
    name: 'event-not-in-feed',
    holds: 'Every event of a booking that partners see is in the feed of its team.',
    violations: ({ team_id, pages, expected }) => {
      const ids = new Set(pages.flatMap(({ entries }) => entries.map(({ id }) => id)));
      return expected
        .filter(({ id }) => !ids.has(id))
        .map(({ id, event_type, order_id }) => ({ team_id, order_id, event_id: id, event_type }));
    },
  },
  {
    name: 'feed-pages',
    holds:
      'The pages of a feed have consecutive numbers, the right count, and each event once; only the last is open.',
    violations: ({ team_id, pages }) => {
      const seen = new Set<string>();
      return pages.flatMap(({ number, count, entries, closed_at }, at): Figures[] => {
        const next = pages[at + 1];
        const isRepeated = entries.some(({ id }) => seen.has(id));
        for (const { id } of entries) seen.add(id);
        const isRight =
          count === entries.length &&
          !isRepeated &&
          (closed_at === null) === (next === undefined) &&
          (next === undefined || next.number === number + 1);
        return isRight ? [] : [{ team_id, page: number }];
      });
    },
  },
];

import { pageKeptMs } from '../../../../shared/domain/webhook/model.ts';
import { type Item, itemsOf } from '../../memory/values.ts';

interface Page {
  team_id: number;
  number: number;
  closed_at: number | null;
}

/** By how much clocks may differ. */
const skewMs = 60_000;

/**
 * Only the last page of a team's feed is open, and no number is missing: what was read stays before what comes. Pages that
 * have expired are deleted in any order.
 */
export const pageProblems = (items: readonly Item[], now: number): string[] => {
  const pages = itemsOf<Page>(items, 'EventPage');
  return [...Map.groupBy(pages, ({ team_id }) => team_id)].flatMap(([team, all]) => {
    const last = Math.max(...all.map(({ number }) => number));
    const kept = all.filter(({ closed_at }) => closed_at === null || closed_at + pageKeptMs > now + skewMs);
    const first = Math.min(...kept.map(({ number }) => number));
    return [
      ...all
        .filter(({ number, closed_at }) => (closed_at === null) !== (number === last))
        .map(({ number }) => `page ${number} of team ${team} is ${number === last ? 'closed' : 'open'}`),
      ...(kept.length === last - first + 1 || kept.length === 0
        ? []
        : [`team ${team} has ${kept.length} pages up to ${last}`]),
    ];
  });
};

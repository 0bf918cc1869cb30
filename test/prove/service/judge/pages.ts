import type { Item } from '../../memory/values.ts';

interface Page {
  team_id: number;
  number: number;
  closed_at: number | null;
}

/** Only the last page of a team's feed is open, and no number is missing: what was read stays before what comes. */
export const pageProblems = (items: readonly Item[]): string[] => {
  const pages = items.filter(({ entity }) => entity === 'EventPage') as unknown as Page[];
  return [...Map.groupBy(pages, ({ team_id }) => team_id)].flatMap(([team, all]) => {
    const last = Math.max(...all.map(({ number }) => number));
    const first = Math.min(...all.map(({ number }) => number));
    return [
      ...all
        .filter(({ number, closed_at }) => (closed_at === null) !== (number === last))
        .map(({ number }) => `page ${number} of team ${team} is ${number === last ? 'closed' : 'open'}`),
      ...(all.length === last - first + 1 ? [] : [`team ${team} has ${all.length} pages up to ${last}`]),
    ];
  });
};

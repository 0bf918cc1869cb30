import type { ListingCalendar } from '@nightlatch/client';
import { api } from '../session/session.ts';

/** A home of the chart. */
export interface Home extends ListingCalendar {
  /** Is a part of the home above it. */
  isPart: boolean;
}

/** All homes of the team in some days, both inclusive. */
export const readHomes = async (from: string, to: string): Promise<ListingCalendar[]> => {
  const items: ListingCalendar[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await api().readTeamCalendar({ from, to, cursor: cursor === '' ? undefined : cursor });
    items.push(...page.items);
    cursor = page.next_cursor;
  }
  return items;
};

/** Returns the homes by name, each followed by its parts. */
export const inFamilies = (homes: readonly ListingCalendar[]): Home[] => {
  const sorted = homes.toSorted((one, other) => one.listing_name.localeCompare(other.listing_name, 'vi'));
  const ids = new Set(homes.map(({ listing_id }) => listing_id));
  const isPart = ({ parent_listing_id: parent }: ListingCalendar) => parent !== null && ids.has(parent);
  return sorted
    .filter((home) => !isPart(home))
    .flatMap((home) => [
      { ...home, isPart: false },
      ...sorted
        .filter((part) => part.parent_listing_id === home.listing_id)
        .map((part) => ({ ...part, isPart: true })),
    ]);
};

/** Joins what two readings say of the same homes. */
export const joined = (
  one: readonly ListingCalendar[] = [],
  other: readonly ListingCalendar[] = [],
): ListingCalendar[] => {
  const more = new Map(other.map((home) => [home.listing_id, home]));
  const both = one.map((home) => {
    const next = more.get(home.listing_id);
    more.delete(home.listing_id);
    if (!next || next === home) return home;
    const known = new Set(home.entries.map(nameOfEntry));
    return {
      ...home,
      entries: [...home.entries, ...next.entries.filter((entry) => !known.has(nameOfEntry(entry)))],
      nights: [...home.nights, ...next.nights],
    };
  });
  return [...both, ...more.values()];
};

/** A stay is whole in each reading that it touches; other entries are cut at its ends. */
export const nameOfEntry = ({
  kind,
  availability_id,
  start_at,
}: ListingCalendar['entries'][number]): string => `${kind} ${availability_id} ${start_at}`;

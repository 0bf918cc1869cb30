import type { ListingCalendar } from '@nightlatch/client';

/** A home of the chart. */
export interface Home extends ListingCalendar {
  /** Is a part of the home above it. */
  isPart: boolean;
}

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
    return { ...home, entries: joinedEntries(home, next), nights: [...home.nights, ...next.nights] };
  });
  return [...both, ...more.values()];
};

type Entry = ListingCalendar['entries'][number];

/** What a reading has cut at its end goes on in the next one. */
const joinedEntries = (one: ListingCalendar, next: ListingCalendar): Entry[] => {
  const entries = [...one.entries];
  const known = new Set(entries.map(nameOfEntry));
  for (const entry of next.entries) {
    if (known.has(nameOfEntry(entry)) || entries.some((whole) => isPart(entry, whole))) continue;
    const at = entries.findIndex((before) => isCut(before, entry));
    const before = entries[at];
    if (before) entries[at] = { ...before, end_at: entry.end_at };
    else entries.push(entry);
  }
  return entries;
};

const isSame = (one: Entry, other: Entry): boolean =>
  one.kind === other.kind && one.availability_id !== null && one.availability_id === other.availability_id;

const isCut = (before: Entry, after: Entry): boolean =>
  before.end_at === after.start_at && isSame(before, after);

const isPart = (entry: Entry, whole: Entry): boolean =>
  whole.start_at <= entry.start_at && entry.end_at <= whole.end_at && isSame(entry, whole);

/** A stay is whole in each reading that it touches; other entries are cut at its ends. */
export const nameOfEntry = ({ kind, availability_id, start_at }: Entry): string =>
  `${kind} ${availability_id} ${start_at}`;

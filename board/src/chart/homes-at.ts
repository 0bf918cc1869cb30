import type { ListingCalendar } from '@nightlatch/client';
import { Temporal } from 'temporal-polyfill';
import { type Reading, useReading } from '../data/reading.ts';
import { api } from '../session/session.ts';

/** All homes of the team in some days, both inclusive. */
const readHomes = async (from: string, to: string): Promise<ListingCalendar[]> => {
  const items: ListingCalendar[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await api().readTeamCalendar({ from, to, cursor: cursor === '' ? undefined : cursor });
    items.push(...page.items);
    cursor = page.next_cursor;
  }
  return items;
};

/** Days that are read together. */
const windowDays = 31;
const firstDate = Temporal.PlainDate.from('1970-01-01');

/** Reads the homes in the days around a date: the same for all who ask. */
export const useHomesAt = (date: string): Reading<ListingCalendar[]> => {
  const days = firstDate.until(Temporal.PlainDate.from(date)).days;
  const from = firstDate.add({ days: Math.floor(days / windowDays) * windowDays });
  const to = from.add({ days: windowDays - 1 }).toString();
  return useReading(`calendar ${from.toString()}`, () => readHomes(from.toString(), to));
};

const readNames = async () => {
  const day = Temporal.Now.plainDateISO().toString();
  const homes = await readHomes(day, day);
  return homes.map(({ listing_id: id, listing_name: name, timezone }) => ({ id, name, timezone }));
};

/** The homes of the team, the newest first: what they are called, and their time zones. */
export const useHomes = () => useReading('names of homes', readNames, { isLasting: true }).data ?? [];

export const useHome = (id: number) => useHomes().find((home) => home.id === id);

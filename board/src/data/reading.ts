import { NightlatchError } from '@nightlatch/client';
import { type Signal, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Temporal } from 'temporal-polyfill';
import { session, sessionEnded } from '../session/session.ts';
import { keeper, readKept } from './kept.ts';

/** An answer of the API as far as it is known. */
export interface Reading<Data> {
  data?: Data;
  /** When it was read, in epoch milliseconds. */
  at?: number;
  /** Why the last try has failed; `data` is then what was read before. */
  error?: unknown;
}

interface Shown {
  reading: Signal<Reading<unknown>>;
  load: () => Promise<unknown>;
  /** Events do not change it: it is read again with the page alone. */
  isLasting: boolean;
  /** It is on the page, but not in sight: reading it would say that it was seen. */
  isOut: boolean;
  /** It is to be read when it comes into sight. */
  isStale: boolean;
  /** How many parts of the screen show it. */
  count: number;
}

/** What is on the screen now, and is read again when something has happened. */
const shown = new Map<string, Shown>();
/** One request at a time for each, and one that follows it where something has happened meanwhile. */
const running = new Map<string, Promise<void>>();
const waiting = new Map<string, Promise<void>>();

/** Reads while it is on the screen, and keeps it for a time without a connection. `name` is the same for the same question. */
export const useReading = <Data>(
  name: string,
  load: () => Promise<Data>,
  { isLasting = false, isOut = false } = {},
): Reading<Data> => {
  const key = `${teamId()}/${name}`;
  const entry = shown.get(key) ?? {
    ...{ reading: signal<Reading<unknown>>({}), load, isLasting, isOut, isStale: true, count: 0 },
  };
  shown.set(key, entry);
  useEffect(() => {
    entry.isOut = isOut;
    if (!isOut && entry.isStale && entry.count > 0) void refresh(key, name);
  }, [key, isOut]);
  useEffect(() => {
    shown.set(key, entry);
    entry.count += 1;
    if (entry.count === 1) void refresh(key, name);
    return () => {
      entry.count -= 1;
      if (entry.count === 0) shown.delete(key);
    };
  }, [key]);
  return entry.reading.value as Reading<Data>;
};

const teamId = (): number => ('team' in session.value ? session.value.team.team_id : 0);

/** Reads one again that is on the screen, such as after what no event says. */
export const reread = (name: string): Promise<void> => refresh(`${teamId()}/${name}`, name);

const refresh = (key: string, name: string): Promise<void> => {
  const now = running.get(key);
  if (!now) return start(key, name);
  const following =
    waiting.get(key) ??
    now.then(() => {
      waiting.delete(key);
      return start(key, name);
    });
  waiting.set(key, following);
  return following;
};

const start = (key: string, name: string): Promise<void> => {
  const read = async (): Promise<void> => {
    const entry = shown.get(key);
    if (!entry) return;
    entry.isStale = entry.isOut;
    if (!entry.isOut) entry.reading.value = await next(entry, name);
  };
  const request = read().finally(() => running.delete(key));
  running.set(key, request);
  return request;
};

const next = async ({ reading, load }: Shown, name: string): Promise<Reading<unknown>> => {
  const { state } = session.peek();
  const before = reading.peek();
  // What is shown stays; the page says that the sign-in has ended.
  if (state === 'ENDED') return before.data === undefined ? { ...(await readKept(name)) } : before;
  const keep = keeper(name);
  try {
    if (state !== 'SIGNED_IN') throw new Error('no connection');
    const data = await load();
    keep(data);
    return { data, at: Temporal.Now.instant().epochMilliseconds };
  } catch (error) {
    noteEnd(error);
    if (before.data !== undefined) return { ...before, error };
    // What is not there, or not for this person, is not shown from what was kept either.
    const isRefused = error instanceof NightlatchError && (error.status === 403 || error.status === 404);
    return { ...(isRefused ? {} : await readKept(name)), error };
  }
};

/** A token that is no longer accepted ends the session. */
export const noteEnd = (error: unknown): void => {
  if (error instanceof NightlatchError && error.status === 401) sessionEnded();
};

/** Readings of one booking begin with one of these, and its number. */
const ofBooking = /^(?:booking|folio|history|messages|cancellation) (\d+)$/;

/**
 * Reads again what is on the screen, and resolves when it is shown. With `bookings` only these have changed: what is about others stays.
 */
export const refreshShown = async (bookings?: ReadonlySet<number>): Promise<void> => {
  const changed = [...shown].filter(([key, { isLasting, reading }]) => {
    if (isLasting && reading.peek().data !== undefined) return false;
    const [, id] = ofBooking.exec(nameIn(key)) ?? [];
    return bookings === undefined || id === undefined || bookings.has(Number(id));
  });
  await Promise.all(changed.map(([key]) => refresh(key, nameIn(key))));
};

const nameIn = (key: string): string => key.slice(key.indexOf('/') + 1);

import { clear, createStore, delMany, entries, get, set } from 'idb-keyval';
import { Temporal } from 'temporal-polyfill';

/** What was read before, for a time without a connection. It is removed after a day, and at sign-out. */
const keptMs = 24 * 3_600_000;

interface Kept {
  at: number;
  data: unknown;
}

const store = () => createStore('nightlatch', 'kept');
let whose = '';

/** From now on what is read is of this person and team. */
export const keepFor = (personId: number, teamId: number): void => {
  whose = `${personId}/${teamId}/`;
  void removeOld();
};

/** Keeps an answer. A browser that keeps nothing, such as a private window, is no reason to fail. */
export const keep = (name: string, data: unknown): void => {
  const kept: Kept = { at: Temporal.Now.instant().epochMilliseconds, data };
  set(whose + name, kept, store()).catch(() => undefined);
};

/** Returns what was kept under a name in the last day. */
export const readKept = async (name: string): Promise<{ at: number; data: unknown } | undefined> => {
  const kept = await get<Kept>(whose + name, store()).catch(() => undefined);
  return kept && isFresh(kept) ? kept : undefined;
};

const isFresh = ({ at }: Kept): boolean => Temporal.Now.instant().epochMilliseconds - at < keptMs;

const removeOld = async (): Promise<void> => {
  const all = await entries<string, Kept>(store()).catch(() => []);
  const old = all.filter(([, kept]) => !isFresh(kept)).map(([name]) => name);
  await delMany(old, store()).catch(() => undefined);
};

export const forgetKept = (): Promise<void> => clear(store()).catch(() => undefined);

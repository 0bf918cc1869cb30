import { clear, createStore, delMany, entries, get, set } from 'idb-keyval';
import { Temporal } from 'temporal-polyfill';

/** What was read before, for a time without a connection. It is removed after a day, and at sign-out. */
const keptMs = 24 * 3_600_000;

interface Kept {
  at: number;
  data: unknown;
}

const store = () => createStore('nightlatch', 'kept');
/** The person and the team whose answers are read now; empty: no one's. */
let owner = '';

/** From now on what is read is of this person and team. */
export const keepFor = (personId: number, teamId: number): void => {
  owner = `${personId}/${teamId}/`;
};

/**
 * Returns what keeps an answer that is asked for now: of this person and team, if these are still looking when it comes. A browser that
 * keeps nothing, such as a private window, is no reason to fail.
 */
export const keeper = (name: string): ((data: unknown) => void) => {
  const asked = owner;
  return (data) => {
    if (asked === '' || asked !== owner) return;
    const kept: Kept = { at: Temporal.Now.instant().epochMilliseconds, data };
    set(asked + name, kept, store()).catch(() => undefined);
  };
};

/** Returns what was kept under a name in the last day. */
export const readKept = async (name: string): Promise<{ at: number; data: unknown } | undefined> => {
  const kept = await get<Kept>(owner + name, store()).catch(() => undefined);
  return kept && isFresh(kept) ? kept : undefined;
};

const isFresh = ({ at }: Kept): boolean => Temporal.Now.instant().epochMilliseconds - at < keptMs;

/** Removes what is a day old, of every person. */
export const removeOld = async (): Promise<void> => {
  const all = await entries<string, Kept>(store()).catch(() => []);
  const old = all.filter(([, kept]) => !isFresh(kept)).map(([name]) => name);
  await delMany(old, store()).catch(() => undefined);
};

/** Removes all that is kept; an answer that is still awaited is not kept either. */
export const forgetKept = (): Promise<void> => {
  owner = '';
  return clear(store()).catch(() => undefined);
};

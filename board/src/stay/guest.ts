import { Nightlatch, NightlatchError, type User, type UserClient } from '@nightlatch/client';
import { signal } from '@preact/signals';
import { boardUrl, type Config } from '../config.ts';
import { forgetDrafts } from '../data/drafts.ts';
import { beginSignIn, finishSignIn, leave, type Tokens } from '../session/sign-in.ts';
import { forgetHold } from './hold.ts';
import { apiUrl, pageKey } from './service.ts';
import { rememberKey } from './tab-key.ts';

/**
 * - `OUT`: no one has signed in; `problem` says why a sign-in failed.
 * - `ENDED`: the token is no longer taken. What is shown and typed stays.
 */
type Guest =
  | { state: 'OPENING' }
  | { state: 'OUT'; problem?: 'REFUSED' | 'UNREACHABLE' }
  | { state: 'IN' | 'ENDED'; person: User };

export const guest = signal<Guest>({ state: 'OPENING' });

let config: Config | undefined;
let tokens: Tokens | undefined;

/** The guest of this tab: one who has signed in here is asked for again after a reload, which loses the token. */
const guestName = 'guest';
/** Set when a guest signs out: the other tabs forget the guest too, and the next sign-in is asked for anew. */
const leftName = 'stay-left';

/** Finishes a sign-in that has just returned. */
export const openGuest = async (given: Config): Promise<void> => {
  config = given;
  try {
    tokens = await finishSignIn(config);
    guest.value = tokens ? await enter() : { state: 'OUT' };
  } catch (error) {
    const isRefused = error instanceof NightlatchError ? error.status < 500 : navigator.onLine;
    guest.value = { state: 'OUT', problem: isRefused ? 'REFUSED' : 'UNREACHABLE' };
  }
};

const enter = async (): Promise<Guest> => {
  const person = await me().getMe();
  const before = sessionStorage.getItem(guestName);
  if (before !== null && before !== String(person.id)) {
    forgetDrafts();
    forgetHold();
  }
  sessionStorage.setItem(guestName, String(person.id));
  localStorage.removeItem(leftName);
  return { state: 'IN', person };
};

export const canSignIn = (): boolean => (config?.client_id ?? '') !== '';
/** The guest has signed in in this tab, and a reload has lost the token. */
export const wasIn = (): boolean => sessionStorage.getItem(guestName) !== null;

/** Leaves for the identity provider; what was chosen and typed is kept in the tab. */
export const signIn = async (isSignUp = false): Promise<void> => {
  if (!config) return;
  try {
    const isRefused = guest.value.state === 'OUT' && guest.value.problem === 'REFUSED';
    const isAnew = isRefused || localStorage.getItem(leftName) !== null;
    await beginSignIn(config, isAnew, isSignUp ? { screen_hint: 'signup' } : {});
  } catch {
    if (guest.value.state === 'OUT' || guest.value.state === 'OPENING')
      guest.value = { state: 'OUT', problem: 'UNREACHABLE' };
  }
};

const forgetGuest = (): void => {
  const key = pageKey();
  sessionStorage.clear();
  rememberKey(key);
};

window.addEventListener('storage', ({ key }) => {
  if (key !== leftName || !('person' in guest.value)) return;
  tokens = undefined;
  forgetGuest();
  forgetHold();
  guest.value = { state: 'OUT' };
});

/** Ends the token and the session at the provider. */
export const signOut = async (): Promise<void> => {
  const ended = tokens;
  const ending = me();
  forgetGuest();
  localStorage.setItem(leftName, crypto.randomUUID());
  guest.value = { state: 'OPENING' };
  await ending.logOut({}, { maxAttempts: 1, timeoutMs: 5_000 }).catch(() => undefined);
  tokens = undefined;
  if (config && ended) leave(config, ended);
  else location.assign(boardUrl());
};

/** A token that is no longer taken ends the session. */
export const noteEnd = (error: unknown): void => {
  if (error instanceof NightlatchError && error.status === 401 && guest.value.state === 'IN')
    guest.value = { ...guest.value, state: 'ENDED' };
};

/** Reads something of the guest. */
export const asGuest = async <Data>(read: (api: UserClient) => Promise<Data>): Promise<Data> => {
  try {
    return await read(me());
  } catch (error) {
    noteEnd(error);
    throw error;
  }
};

/** What is to be said of a failure: that the sign-in has ended is said once, above the page. */
export const problemOf = (error: unknown): unknown =>
  guest.value.state === 'ENDED' && error instanceof NightlatchError && error.status === 401
    ? undefined
    : error;

export const changed = (person: User): void => {
  if (guest.value.state === 'IN') guest.value = { state: 'IN', person };
};

/** The API, as the guest. */
export const me = (): UserClient =>
  new Nightlatch({ baseUrl: apiUrl(), accessToken: tokens?.accessToken ?? '', maxAttempts: 3 });

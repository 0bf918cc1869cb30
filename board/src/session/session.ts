import { Nightlatch, NightlatchError, type UserClient, type UserTeam } from '@nightlatch/client';
import { signal } from '@preact/signals';
import { Temporal } from 'temporal-polyfill';
import { boardUrl, type Config, readConfig } from '../config.ts';
import { forgetDrafts } from '../data/drafts.ts';
import { forgetKept, keepFor } from '../data/kept.ts';
import { createPace } from '../data/pace.ts';
import { notify } from '../parts/notice.ts';
import { say } from '../words/index.ts';
import { beginSignIn, finishSignIn, leave, type Tokens } from './sign-in.ts';

export type Team = Pick<UserTeam, 'team_id' | 'role'>;

interface Person {
  id: number;
  name: string;
  teams: Team[];
}

/**
 * - `OPENING`: it is not known yet who looks.
 * - `SIGNED_OUT`: `problem` says why a sign-in failed.
 * - `SIGNED_IN`: with a token.
 * - `ENDED`: the token is no longer taken. What is shown and typed stays.
 * - `OFFLINE`: the board was opened without a connection; it shows what this person has read before.
 */
type Session =
  | { state: 'OPENING' }
  | { state: 'SIGNED_OUT'; problem?: Problem }
  | { state: 'SIGNED_IN' | 'ENDED' | 'OFFLINE'; person: Person; team: Team };

type Problem = 'REFUSED' | 'NO_HOST' | 'UNREACHABLE';

export const session = signal<Session>({ state: 'OPENING' });

let config: Config | undefined;
let tokens: Tokens | undefined;

const personName = 'person';
const teamName = 'team';
/** Set by a sign-out or a refusal: the next sign-in asks who it is. */
const leftName = 'left';

/** Opens the board: finishes a sign-in that has just returned, or finds out how to go on. */
export const openSession = async (): Promise<void> => {
  try {
    config ??= await readConfig();
    tokens = await finishSignIn(config);
  } catch {
    session.value = signedOutOr(navigator.onLine ? 'REFUSED' : 'UNREACHABLE');
    return;
  }
  if (tokens) return enter();
  // A reload has lost the token; the provider still knows the person.
  if (sessionStorage.getItem(personName) !== null && navigator.onLine) return signIn();
  session.value = navigator.onLine ? { state: 'SIGNED_OUT' } : signedOutOr('UNREACHABLE');
};

/** Without a connection, what the last person of this browser has read can be looked at. */
const signedOutOr = (problem: Problem): Session => {
  // The next sign-in may be of another account.
  if (problem !== 'UNREACHABLE') localStorage.setItem(leftName, 'yes');
  const person = lastPerson();
  const team = person && teamOf(person);
  if (problem !== 'UNREACHABLE' || !person || !team) return { state: 'SIGNED_OUT', problem };
  keepFor(person.id, team.team_id);
  return { state: 'OFFLINE', person, team };
};

const lastPerson = (): Person | undefined => {
  try {
    return (JSON.parse(localStorage.getItem(personName) ?? 'null') as Person | null) ?? undefined;
  } catch {
    return undefined;
  }
};

const teamOf = ({ teams }: Person): Team | undefined => {
  const last = Number(localStorage.getItem(teamName));
  return teams.find(({ team_id }) => team_id === last) ?? teams[0];
};

const enter = async (): Promise<void> => {
  try {
    const me = await api().getMe();
    const teams = me.teams
      .filter(({ role, state }) => role !== 'CUSTOMER' && state === 'ACTIVE')
      .map(({ team_id, role }) => ({ team_id, role }));
    const person = { id: me.id, name: me.full_name, teams };
    if (lastPerson()?.id !== person.id) await forgetKept();
    const ofTab = sessionStorage.getItem(personName);
    if (ofTab !== null && ofTab !== String(person.id)) forgetDrafts();
    const team = teamOf(person);
    if (!team) {
      session.value = signedOutOr('NO_HOST');
      return;
    }
    localStorage.setItem(personName, JSON.stringify(person));
    sessionStorage.setItem(personName, String(person.id));
    localStorage.removeItem(leftName);
    actFor(person, team);
  } catch (error) {
    const refused = error instanceof NightlatchError && error.status < 500;
    session.value = signedOutOr(refused ? 'REFUSED' : 'UNREACHABLE');
  }
};

const actFor = (person: Person, team: Team): void => {
  localStorage.setItem(teamName, String(team.team_id));
  keepFor(person.id, team.team_id);
  session.value = { state: 'SIGNED_IN', person, team };
};

/** Shows another team of the person. */
export const changeTeam = (team: Team): void => {
  const now = session.value;
  if ('person' in now) actFor(now.person, team);
};

/** Leaves for the identity provider; what is typed is kept in the tab. */
export const signIn = async (): Promise<void> => {
  try {
    config ??= await readConfig();
    await beginSignIn(config, localStorage.getItem(leftName) !== null);
  } catch {
    session.value = signedOutOr('UNREACHABLE');
  }
};

/** Removes what this browser has kept, and ends the token and the session at the provider; other tabs follow. */
export const signOut = async (): Promise<void> => {
  const ended = tokens;
  const ending = api();
  session.value = { state: 'OPENING' };
  localStorage.setItem(leftName, 'yes');
  localStorage.removeItem(personName);
  sessionStorage.clear();
  await forgetKept();
  await ending.logOut({}, { maxAttempts: 1, timeoutMs: 5_000 }).catch(() => undefined);
  tokens = undefined;
  if (config && ended) leave(config, ended);
  else location.assign(boardUrl());
};

window.addEventListener('storage', ({ key, newValue }) => {
  if (key !== personName || newValue !== null || !('person' in session.value)) return;
  tokens = undefined;
  sessionStorage.clear();
  void forgetKept();
  session.value = { state: 'SIGNED_OUT' };
});

/** Says that the token is no longer taken. */
export const sessionEnded = (): void => {
  const now = session.value;
  if (now.state === 'SIGNED_IN') session.value = { ...now, state: 'ENDED' };
};

/** How many requests the person has left, as the last answers say. */
export const pace = createPace(() => Temporal.Now.instant().epochMilliseconds);

const noting: typeof fetch = async (target, init) => {
  const response = await fetch(target, init);
  pace.note(response.headers);
  return response;
};

const apiUrl = (): string => config?.api_url || location.origin;

/** The API, as the person and for the team that is shown. */
export const api = (): UserClient => {
  const now = session.value;
  return new Nightlatch({
    baseUrl: apiUrl(),
    accessToken: tokens?.accessToken ?? '',
    teamId: 'team' in now ? now.team.team_id : undefined,
    maxAttempts: 3,
    fetch: noting,
    onRetry: ({ error, delayMs }) => {
      if (!(error instanceof NightlatchError) || error.status !== 429) return;
      pace.refused(delayMs);
      notify({ text: say('waiting', { seconds: Math.ceil(delayMs / 1000) }) });
    },
  });
};

/** Reads a file of the API, such as a sheet: the client reads JSON alone. */
export const readFile = async (target: string): Promise<Blob> => {
  const now = session.value;
  const response = await noting(`${apiUrl()}/api/v1${target}`, {
    headers: {
      Authorization: `Bearer ${tokens?.accessToken ?? ''}`,
      'X-Team-ID': 'team' in now ? String(now.team.team_id) : '',
    },
  });
  if (response.ok) return response.blob();
  const { code = 'UNEXPECTED_ANSWER' } = (await response.json().catch(() => ({}))) as { code?: string };
  throw new NightlatchError({ status: response.status, code, message: code, details: {} });
};

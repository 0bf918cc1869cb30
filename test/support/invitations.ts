import { randomUUID } from 'node:crypto';
import { notificationWorker } from '../../functions/workers/notification/index.ts';
import { acceptInvitation } from '../../shared/domain/people/accept-invitation.ts';
import { addMember } from '../../shared/domain/people/members.ts';
import type { HostRole } from '../../shared/domain/people/team.schema.ts';
import { memberEventsOf } from '../../shared/domain/people/team.store.ts';
import type { User } from '../../shared/domain/people/user.store.ts';
import type { UserCaller } from '../../shared/platform/auth.ts';
import { machineClock } from '../../shared/platform/time/clock.ts';
import type { Context, Dependencies } from '../../shared/platform/context.ts';
import type { Mail } from '../../shared/platform/mail/mailer.ts';
import { eventsOf, queueEvent } from './events.ts';
import type { FakeIdentity } from './identity.ts';
import { testContext, testUser } from './table.ts';

type Deps = Dependencies & { provider: FakeIdentity };

/** The address of the API in the links of tests. */
export const apiAddress = 'https://api.example.com';

export const freshEmail = (): string => `${randomUUID()}@example.com`;

/** Has the worker mail what the events of a team, or of the platform's staff, ask for; returns the new mails. */
export const teamMails = async (deps: Dependencies, teamId: number | null): Promise<Mail[]> => {
  const sent: Mail[] = [];
  const mailer = { send: async (mail: Mail) => void sent.push(mail) };
  const events = await eventsOf(deps.table, memberEventsOf(teamId));
  const { batchItemFailures } = await notificationWorker(() => ({ ...deps, mailer }))(queueEvent(...events));
  if (batchItemFailures.length > 0) throw new Error(`${batchItemFailures.length} mails failed`);
  return sent;
};

/** Returns the secret of the link in a mail. */
export const secretIn = (mail: Mail | undefined): string => {
  const [, secret] = /\/invitation#([\w-]+)/.exec(mail?.text ?? '') ?? [];
  if (secret === undefined) throw new Error('no invitation was mailed');
  return secret;
};

/** Returns the secret that was mailed last to an address. */
export const mailedSecret = async (
  deps: Dependencies,
  { team_id, email }: { team_id: number | null; email: string },
): Promise<string> => secretIn((await teamMails(deps, team_id)).findLast(({ to }) => to === email));

/** Creates a person with an account at the provider, and how the person calls. */
export const testPerson = async (deps: Deps, given: Partial<User> = {}) =>
  personOf(deps, (await testUser(deps, given)).user);

/** Returns how a person calls, with an account at the provider. */
export const personOf = (deps: Deps, user: User) => {
  const { user_id, email, full_name, phone, language, email_verified, system_role } = user;
  const subject = user.auth0_id ?? '';
  deps.provider.add({ subject, email, email_verified });
  const person = { user_id, subject, email, full_name, phone, language, email_verified, system_role };
  const caller: UserCaller = { kind: 'user', ...person, memberships: [] };
  return { user, caller, email, as: (over: Deps = deps) => signedIn(over, caller) };
};
export type TestPerson = ReturnType<typeof personOf>;

/** The context of a person with a token that was issued now. */
export const signedIn = <D extends Dependencies>(
  deps: D,
  caller: UserCaller,
  token: { bearer?: string; issued_at?: number } = {},
): D & Context<UserCaller> => {
  const { bearer = `token-${randomUUID()}`, issued_at = Math.floor(machineClock.now() / 1000) } = token;
  return { ...testContext(deps, { ...caller, issued_at }), bearer };
};

/** Makes a person a member by an invitation of the operator. */
export const joinTeam = async (
  deps: Deps,
  person: Pick<TestPerson, 'email' | 'as'>,
  { team_id, role }: { team_id: number; role: HostRole },
): Promise<void> => {
  const { email } = person;
  await addMember(deps, { team_id, email, role, api_url: apiAddress });
  await acceptInvitation(person.as(), await mailedSecret(deps, { team_id, email }));
};

import { callerRef, type PartnerCaller } from '../../platform/auth.ts';
import { type Clock, instantText } from '../../platform/time/clock.ts';
import type { Dependencies } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { IdentityUser } from '../../platform/identity/index.ts';
import { newId } from '../../platform/ids.ts';
import { normalEmail } from '../../platform/text/normal-email.ts';
import { create, retryOnConflict, type Write } from '../../platform/table/index.ts';
import { defaultTimeZone } from '../../platform/time/time.ts';
import { recordEvent } from '../../record-event.ts';
import { claimEmail } from './claim-email.ts';
import { readFirstPassword } from './first-password.store.ts';
import { followHolder } from './follow-account.ts';
import {
  EmailOwnerEntity,
  readUserByEmail,
  readUserBySubject,
  SubjectEntity,
  type User,
  UserEntity,
  userPartition,
  type UserWithTeams,
} from './user.store.ts';

/** Returns a new user record with its default values. */
const newUser = (
  clock: Clock,
  person: Pick<User, 'email' | 'auth0_id' | 'email_verified' | 'full_name' | 'phone'> &
    Partial<Pick<User, 'first_password_by' | 'last_login_at'>>,
): User => {
  const now = instantText(clock.now());
  return {
    user_id: newId(clock),
    avatar_url: null,
    date_of_birth: null,
    gender: null,
    language: 'vi',
    timezone: defaultTimeZone,
    rejection_reason: null,
    status: 'ACTIVE',
    system_role: 'USER',
    host_status: 'APPROVED',
    host_application_at: null,
    host_approved_at: null,
    host_approved_by: null,
    last_login_at: now,
    account_seen_at: now,
    created_at: now,
    updated_at: now,
    deleted_at: null,
    ...person,
  };
};

/** The partner whose call creates the record, by registering the person or by logging the person in. */
interface Registrar {
  caller: PartnerCaller;
  isLogin: boolean;
}

/** Returns the write of `customer.registered`; with a registrar it is published to the partner's teams. */
const registered = (clock: Clock, userId: number, registrar: Registrar | undefined): Write => {
  const teamIds = registrar?.caller.team_ids ?? [];
  return recordEvent(
    { clock, caller: { kind: 'anonymous' } },
    {
      subject: userPartition(userId),
      event_type: 'customer.registered',
      team_id: teamIds[0] ?? null,
      data: { id: userId, team_ids: teamIds },
      actor: registrar ? callerRef(registrar.caller) : `user:${userId}`,
    },
  );
};

type Deps = Pick<Dependencies, 'table' | 'clock' | 'identity'>;

/** Returns the user of a token's subject; the first call creates the record from the identity provider's (D12). */
export const findOrCreateUser = async (deps: Deps, subject: string): Promise<UserWithTeams> => {
  const known = await readUserBySubject(deps.table, subject);
  if (known) return known;
  const account = await deps.identity().readUser(subject);
  if (!account) throw new ServiceError('UNAUTHORIZED');
  return adoptAccount(deps, account);
};

/**
 * Returns the user of an account at the identity provider and creates it if necessary. Repeating it after a failure
 * completes it (D56).
 */
export const adoptAccount = (deps: Deps, account: IdentityUser): Promise<UserWithTeams> =>
  retryOnConflict(async () => {
    const known = await readUserBySubject(deps.table, account.subject);
    if (known) return known;
    const { found, writes } = await planAdoption(deps, account);
    await deps.table.transact(writes);
    return found;
  });

/** A user record to be created, with its writes. */
interface Adoption {
  found: UserWithTeams;
  writes: Write[];
}

/**
 * Returns the writes that create the record of an account: the record, the lookups by subject and address, and the event (D61).
 * The record that has this address follows its own account before (D108).
 */
export const planAdoption = async (
  deps: Deps,
  account: IdentityUser,
  registrar?: Registrar,
): Promise<Adoption> => {
  const { table, clock } = deps;
  await followHolder(deps, normalEmail(account.email), account.subject);
  const { subject, email_verified, full_name = '', phone = '' } = account;
  const email = normalEmail(account.email);
  const [holder, chosenBy] = await Promise.all([
    readUserByEmail(table, email),
    readFirstPassword(table, email),
  ]);
  const person = { email, email_verified, auth0_id: subject, full_name, phone, first_password_by: chosenBy };
  const user = newUser(clock, registrar?.isLogin === false ? { ...person, last_login_at: null } : person);
  const { user_id } = user;
  const first = holder ? [] : [create(EmailOwnerEntity, { email, user_id })];
  return {
    found: { user, memberships: [] },
    writes: [
      create(UserEntity, user),
      create(SubjectEntity, { subject, user_id }),
      registered(clock, user_id, registrar),
      ...(email_verified ? await claimEmail(table, user, email) : first),
    ],
  };
};

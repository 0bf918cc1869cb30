import { callerRef, type PartnerCaller } from '../../platform/auth.ts';
import { type Clock, instantText } from '../../platform/clock.ts';
import type { Dependencies } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { IdentityUser } from '../../platform/identity/index.ts';
import { newId } from '../../platform/ids.ts';
import { normalEmail } from '../../platform/normal-email.ts';
import { change, create, retryOnConflict, type Write } from '../../platform/table/index.ts';
import { defaultTimeZone } from '../../platform/time.ts';
import { recordEvent } from '../../record-event.ts';
import { claimEmail, isInvited, stillInvited } from './claim-email.ts';
import { followHolder } from './follow-account.ts';
import {
  EmailOwnerEntity,
  nextUpdate,
  readUserByEmail,
  readUserBySubject,
  SubjectEntity,
  type User,
  UserEntity,
  userPartition,
  type UserWithTeams,
} from './user.store.ts';

/** Returns a new user record with its default values. */
export const newUser = (
  clock: Clock,
  person: Pick<User, 'email' | 'auth0_id' | 'email_verified'> &
    Partial<Pick<User, 'full_name' | 'phone' | 'last_login_at'>>,
): User => {
  const now = instantText(clock.now());
  return {
    user_id: newId(clock),
    full_name: '',
    phone: '',
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
    last_login_at: person.auth0_id === null ? null : now,
    ...(person.auth0_id === null ? {} : { account_seen_at: now }),
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

/** Returns the writes of a new user: the record, the lookup by token subject, and the event (D61). */
export const createUser = (clock: Clock, user: User, registrar?: Registrar): Write[] => {
  const { user_id, auth0_id } = user;
  return [
    create(UserEntity, user),
    ...(auth0_id === null
      ? []
      : [create(SubjectEntity, { subject: auth0_id, user_id }), registered(clock, user_id, registrar)]),
  ];
};

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
 * Returns the writes that create the record of an account, or link it to the record of the invited person with this
 * address. The record that has this address follows its own account before (D108).
 */
export const planAdoption = async (
  deps: Deps,
  account: IdentityUser,
  registrar?: Registrar,
): Promise<Adoption> => {
  await followHolder(deps, normalEmail(account.email), account.subject);
  const holder = await readUserByEmail(deps.table, account.email);
  if (holder && isInvited(holder.user) && account.email_verified)
    return linkInvitation(deps, account, holder, registrar);
  return createAccountRecord(deps, account, holder !== undefined, registrar);
};

/** Links an account to an invitation; only a verified address proves that it is the same person. */
const linkInvitation = (
  { clock }: Omit<Deps, 'identity'>,
  { subject, full_name = '', phone = '' }: IdentityUser,
  { user: invited, memberships }: UserWithTeams,
  registrar: Registrar | undefined,
): Adoption => {
  const now = instantText(clock.now());
  const set = {
    auth0_id: subject,
    email_verified: true,
    full_name: invited.full_name || full_name,
    phone: invited.phone || phone,
    last_login_at: registrar?.isLogin === false ? null : now,
    updated_at: nextUpdate(clock, invited),
  };
  const { user_id } = invited;
  const writes = [
    change(UserEntity, { user_id }, { set }, { when: stillInvited(invited) }),
    create(SubjectEntity, { subject, user_id }),
    registered(clock, user_id, registrar),
  ];
  return { found: { user: { ...invited, ...set }, memberships }, writes };
};

const createAccountRecord = async (
  { table, clock }: Omit<Deps, 'identity'>,
  account: IdentityUser,
  isEmailTaken: boolean,
  registrar: Registrar | undefined,
): Promise<Adoption> => {
  const { subject, email_verified, full_name = '', phone = '' } = account;
  const email = normalEmail(account.email);
  const person = { email, email_verified, auth0_id: subject, full_name, phone };
  const user = newUser(clock, registrar?.isLogin === false ? { ...person, last_login_at: null } : person);
  const found = { user, memberships: [] };
  const taken = email_verified ? await claimEmail(table, clock, found, email) : undefined;
  const first = isEmailTaken ? [] : [create(EmailOwnerEntity, { email, user_id: user.user_id })];
  return {
    found: { user, memberships: taken?.memberships ?? [] },
    writes: [...createUser(clock, user, registrar), ...(taken?.writes ?? first)],
  };
};

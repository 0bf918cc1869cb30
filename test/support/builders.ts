import { randomInt, randomUUID } from 'node:crypto';
import { type ApiKey, createKeyItems, keyHash, newKeyText } from '../../shared/domain/people/key.store.ts';
import { type Team, TeamEntity } from '../../shared/domain/people/team.store.ts';
import {
  EmailOwnerEntity,
  MembershipEntity,
  SubjectEntity,
  type User,
  UserEntity,
} from '../../shared/domain/people/user.store.ts';
import {
  type CallerMembership,
  keyScopes,
  type PartnerCaller,
  type UserCaller,
} from '../../shared/platform/auth.ts';
import { instantText } from '../../shared/platform/time/clock.ts';
import type { Dependencies } from '../../shared/platform/context.ts';
import { put } from '../../shared/platform/table/index.ts';

type Deps = Pick<Dependencies, 'table' | 'clock'>;

/** Returns a random unused id. */
export const freshId = (): number => randomInt(2 ** 45, 2 ** 47);

/** Creates a team. */
export const testTeam = async ({ table, clock }: Deps, given: Partial<Team> = {}): Promise<Team> => {
  const team = { team_id: freshId(), name: 'Team', created_at: instantText(clock.now()), ...given };
  await table.transact([put(TeamEntity, team)]);
  return team;
};

interface TestUser {
  user: User;
  /** The caller as the authorizer returns it. */
  caller: UserCaller;
}

/** Creates a user: e-mail verified, member of the given teams. */
export const testUser = async (
  { table, clock }: Deps,
  { memberships = [], ...given }: Partial<User> & { memberships?: CallerMembership[] } = {},
): Promise<TestUser> => {
  const user = { ...newUser(instantText(clock.now())), ...given };
  const { user_id, email, auth0_id, created_at } = user;
  await table.transact([
    put(UserEntity, user),
    put(EmailOwnerEntity, { email, user_id }),
    ...(auth0_id === null ? [] : [put(SubjectEntity, { subject: auth0_id, user_id })]),
    ...memberships.map((membership) =>
      put(MembershipEntity, { ...membership, user_id, state: 'ACTIVE', created_at }),
    ),
  ]);
  const { full_name, phone, language, email_verified, system_role } = user;
  const person = { user_id, email, full_name, phone, language, email_verified, system_role };
  return { user, caller: { kind: 'user', subject: auth0_id ?? '', ...person, memberships } };
};

interface TestKey {
  key: ApiKey;
  api_key: string;
  /** The caller as the authorizer returns it. */
  caller: PartnerCaller;
}

/** Creates an active key of the given teams. */
export const testKey = async (
  { table, clock }: Deps,
  given: Partial<ApiKey> & Pick<ApiKey, 'team_ids'>,
  api_key = newKeyText('test'),
): Promise<TestKey> => {
  const key_id = freshId();
  const key: ApiKey = {
    key_id,
    partner_key_id: key_id,
    hash: keyHash(api_key),
    hint: api_key.slice(0, 12),
    name: null,
    state: 'ACTIVE',
    valid_until: null,
    allow_ip: [],
    rate_limit: null,
    collects_payment: false,
    created_at: instantText(clock.now()),
    revoked_at: null,
    last_used: null,
    ...given,
  };
  await table.transact(createKeyItems(key));
  const { team_ids, scopes = [...keyScopes], collects_payment, rate_limit } = key;
  return {
    key,
    api_key,
    caller: { kind: 'partner', key_id: key.partner_key_id, team_ids, scopes, collects_payment, rate_limit },
  };
};

/** A publishable key of a team, for pages of some origins (D144). */
export const testPublishableKey = (
  deps: Deps,
  team_id: number,
  { allowed_origins = [], ...given }: Partial<ApiKey> & { allowed_origins?: string[] } = {},
): Promise<TestKey> => {
  const text = newKeyText('test', 'pk');
  const publishable = { text, allowed_origins };
  return testKey(deps, { ...given, team_ids: [team_id], scopes: [], publishable }, text);
};

const newUser = (now: string): User => {
  const name = randomUUID();
  return {
    user_id: freshId(),
    email: `${name}@example.com`,
    phone: '+84901234567',
    full_name: 'Nguyễn Văn An',
    avatar_url: null,
    date_of_birth: null,
    gender: null,
    language: 'vi',
    timezone: 'Asia/Ho_Chi_Minh',
    auth0_id: `auth0|${name}`,
    rejection_reason: null,
    status: 'ACTIVE',
    system_role: 'USER',
    host_status: 'APPROVED',
    host_application_at: null,
    host_approved_at: null,
    host_approved_by: null,
    last_login_at: null,
    created_at: now,
    updated_at: now,
    deleted_at: null,
    email_verified: true,
  };
};

import * as z from 'zod';
import {
  defineEntity,
  itemsOf,
  readOf,
  type Table,
  defineRecord,
  type RecordOf,
} from '../../platform/table/index.ts';
import { roles } from '../../platform/auth.ts';
import { type Clock, instantText } from '../../platform/time/clock.ts';
import { normalEmail } from '../../platform/text/normal-email.ts';
import type { Acceptance } from './acceptance.rules.ts';
import type { UserRecord } from './user.schema.ts';

/** A user as stored. */
const StoredUserRecord = defineRecord(() => ({
  user_id: z.int(),
  email: z.string(),
  phone: z.string(),
  full_name: z.string(),
  avatar_url: z.string().nullable(),
  date_of_birth: z.string().nullable(),
  gender: z.string().nullable(),
  language: z.enum(['vi', 'en']),
  timezone: z.string(),
  auth0_id: z.string().nullable(),
  rejection_reason: z.string().nullable(),
  status: z.enum(['ACTIVE', 'BLOCKED', 'DELETED']),
  system_role: z.enum(['USER', 'ADMIN']),
  host_status: z.string(),
  /** Instants are UTC. */
  host_application_at: z.string().nullable(),
  host_approved_at: z.string().nullable(),
  host_approved_by: z.int().nullable(),
  last_login_at: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
  deleted_at: z.string().nullable(),
  email_verified: z.boolean(),
  /** When the account was last compared for a token, or first read, and the `iat` of that token; absent: not yet (D108). */
  account_seen_at: z.string().exactOptional(),
  account_seen_iat: z.int().exactOptional(),
  /** Who chose the first password: a partner, `key:<id>`; null: the person. Absent: not known, from before invitations. */
  first_password_by: z.string().nullable().exactOptional(),
  /** When the role ADMIN was accepted, in epoch seconds, and the hash of the token that did it; absent: from before that. */
  admin_accepted_at: z.int().exactOptional(),
  admin_accepted_token: z.string().exactOptional(),
  /** How many teams the person has signed up (D124); absent: none. */
  teams_made: z.int().exactOptional(),
  /** The last block by the operator, and its end; absent: none. */
  blocked_at: z.string().exactOptional(),
  unblocked_at: z.string().exactOptional(),
}));
export type User = RecordOf<typeof StoredUserRecord>;

export const userPartition = (userId: number): string => UserEntity.partition({ user_id: userId });

export const UserEntity = defineEntity<User, Pick<User, 'user_id'>>({
  name: 'User',
  meaning: 'A person: customer, host or platform staff.',
  patterns: ['a user by id', 'a user with the teams (one Query)'],
  record: StoredUserRecord,
  key: { pk: 'USER#{user_id}', sk: 'USER' },
  example: { user_id: 1 },
});

/** Returns when and with which token the role ADMIN was accepted. */
export const adminAcceptance = ({ admin_accepted_at, admin_accepted_token }: User): Acceptance => ({
  ...(admin_accepted_at === undefined ? {} : { accepted_at: admin_accepted_at }),
  ...(admin_accepted_token === undefined ? {} : { accepted_token: admin_accepted_token }),
});

/** Returns the time of a change of a user, which is never that of the change before: who has read the user notices it. */
export const nextUpdate = (clock: Clock, { updated_at }: User): string =>
  instantText(Math.max(clock.now(), Date.parse(updated_at) + 1));

/** Looks up a user by the identity provider's user id, and keeps it unique (D12). */
const SubjectRecord = defineRecord(() => ({
  subject: z.string(),
  user_id: z.int(),
}));
type Subject = RecordOf<typeof SubjectRecord>;

export const SubjectEntity = defineEntity<Subject, Pick<Subject, 'subject'>>({
  name: 'Subject',
  meaning: "The identity provider's user id of a user.",
  patterns: ['the user of a token'],
  record: SubjectRecord,
  key: { pk: 'SUBJECT#{subject}', sk: 'SUBJECT' },
  example: { subject: 'auth0|1' },
});

/**
 * Looks up the one user of an e-mail address: the one who has verified it, else the invited person, else the first
 * account with it. Roles are granted by e-mail through it, so an unverified account never takes the place of an
 * invitation.
 */
const EmailOwnerRecord = defineRecord(() => ({
  /** In lower case. */
  email: z.string(),
  user_id: z.int(),
}));
type EmailOwner = RecordOf<typeof EmailOwnerRecord>;

export const EmailOwnerEntity = defineEntity<EmailOwner, Pick<EmailOwner, 'email'>>({
  name: 'EmailOwner',
  meaning: 'The user of an e-mail address.',
  patterns: ['the user of an e-mail address'],
  record: EmailOwnerRecord,
  key: { pk: 'EMAIL#{email}', sk: 'EMAIL' },
  example: { email: 'an@example.com' },
});

/** A user's membership of a team, with role and state (D13). */
const MembershipRecord = defineRecord(() => ({
  user_id: z.int(),
  team_id: z.int(),
  role: z.enum(roles),
  state: z.enum(['ACTIVE', 'INACTIVE']),
  /** UTC. */
  created_at: z.string(),
  /** Of a customer, as the team's partner has them, with the person's own that they replaced (D107); absent: the own. */
  full_name: z.string().exactOptional(),
  replaced_full_name: z.string().exactOptional(),
  phone: z.string().exactOptional(),
  replaced_phone: z.string().exactOptional(),
  /** When a host accepted it, in epoch seconds, and the hash of the token that did it; absent: from before that, or a customer. */
  accepted_at: z.int().exactOptional(),
  accepted_token: z.string().exactOptional(),
}));
export type Membership = RecordOf<typeof MembershipRecord>;

/** The two sides of a team, which are read separately: hosts are few, customers may be very many. */
export const hostSide = 'HOST#';
export const customerSide = 'CUSTOMER#';

export const teamMembersPartition = (teamId: number): string =>
  MembershipEntity.partition({ team_id: teamId }, 'by_team');

export const MembershipEntity = defineEntity<Membership, Pick<Membership, 'user_id' | 'team_id'>>({
  name: 'Membership',
  meaning: 'That a user belongs to a team, with role and state.',
  patterns: ["a user's teams, read with the user (one Query)", "a team's hosts", "a team's customers"],
  record: MembershipRecord,
  key: { pk: 'USER#{user_id}', sk: 'MEMBER#{team_id:sortable}' },
  indexes: [
    {
      index: 'by_team',
      pk: 'TEAM#{team_id}#MEMBERS',
      sk: `${hostSide}{user_id:sortable}`,
      when: { says: 'a host', holds: ({ role }) => role !== 'CUSTOMER' },
    },
    {
      index: 'by_team',
      pk: 'TEAM#{team_id}#MEMBERS',
      sk: `${customerSide}{user_id:sortable}`,
      when: { says: 'a customer', holds: ({ role }) => role === 'CUSTOMER' },
    },
  ],
  example: { user_id: 1, team_id: 1 },
});

/** A token that its bearer has logged out (D57). Only its hash is kept. */
const SignedOutTokenRecord = defineRecord(() => ({
  user_id: z.int(),
  /** SHA-256 of the token. */
  token_hash: z.string(),
  /** Epoch seconds until which the token would be valid. */
  lives_until: z.int(),
}));
type SignedOutToken = RecordOf<typeof SignedOutTokenRecord>;

/** The provider's clock does not move with the test clock (D74), so the item is removed long after the token has expired. */
const keptSeconds = 30 * 86_400;

/** In the user's partition, so that reading the user also reads it. */
export const SignedOutTokenEntity = defineEntity<
  SignedOutToken,
  Pick<SignedOutToken, 'user_id' | 'token_hash'>
>({
  name: 'SignedOutToken',
  meaning: 'A token that was logged out before its end.',
  patterns: ['was this token logged out? (read with the user, one Query)'],
  record: SignedOutTokenRecord,
  key: { pk: 'USER#{user_id}', sk: 'SIGNED_OUT#{token_hash}' },
  expiresAt: ({ lives_until }) => lives_until + keptSeconds,
  example: { user_id: 1, token_hash: '9f86d081884c7d65' },
});

export interface UserWithTeams {
  user: User;
  memberships: Membership[];
  /** Hashes of tokens that were logged out; absent if not read. */
  signed_out?: string[];
}

/**
 * Reads a user and the memberships in one Query, the user first: memberships that change meanwhile come with an `updated_at`
 * from before. The events of the user are outside its key range.
 */
export const readUser = async (table: Table, userId: number): Promise<UserWithTeams | undefined> => {
  const range = { pk: userPartition(userId), from: 'MEMBER#', to: 'USER', descending: true };
  const found = await table.queryAllMixed(range);
  const [user] = itemsOf(UserEntity, found);
  if (!user) return undefined;
  return {
    user,
    memberships: itemsOf(MembershipEntity, found).toReversed(),
    signed_out: itemsOf(SignedOutTokenEntity, found).map(({ token_hash }) => token_hash),
  };
};

/** Returns the names of users by their ids, of those that exist, in one round trip. */
export const readNames = async (
  table: Table,
  ids: readonly (number | null)[],
): Promise<ReadonlyMap<number, string>> => {
  const wanted = [...new Set(ids.filter((id) => id !== null))];
  const users = await table.getAll(wanted.map((id) => readOf(UserEntity, { user_id: id })));
  return new Map(users.flatMap((user) => (user ? [[user.user_id, user.full_name] as const] : [])));
};

export const readUserBySubject = async (
  table: Table,
  subject: string,
): Promise<UserWithTeams | undefined> => {
  const found = await table.get(SubjectEntity, { subject });
  return found && readUser(table, found.user_id);
};

/** Returns the user of an address (see `EmailOwner`). */
export const readUserByEmail = async (table: Table, email: string): Promise<UserWithTeams | undefined> => {
  const found = await table.get(EmailOwnerEntity, { email: normalEmail(email) });
  return found && readUser(table, found.user_id);
};

/** Returns the status as the API shows it: a block is the operator's, and clients know two values. */
export const shownStatus = ({ status }: Pick<User, 'status'>): UserRecord['status'] =>
  status === 'BLOCKED' ? 'ACTIVE' : status;

/** Returns the record as the API shows it. Verification is what the identity provider reports (D12). */
export const toUserRecord = ({ user, memberships }: UserWithTeams): UserRecord => {
  const { user_id, ...fields } = user;
  return {
    id: user_id,
    ...fields,
    status: shownStatus(user),
    is_verified: user.email_verified,
    verification_status: user.email_verified ? 'VERIFIED' : 'PENDING',
    teams: memberships.map(({ team_id, role, state }) => ({ team_id, role, state })),
  };
};

import type { Table } from '../../platform/table/index.ts';
import type { Membership } from './membership.entity.ts';
import type { SignedOutToken } from './signed-out-token.entity.ts';
import { EmailOwnerEntity, SubjectEntity, userPartition, type User } from './user.entity.ts';
import type { UserRecord } from './user.schema.ts';

export interface UserWithTeams {
  user: User;
  memberships: Membership[];
  /** Hashes of tokens that were logged out; absent where nobody asked the table. */
  signed_out?: string[];
}

/** A user and the teams in one Query; the events of the user lie outside of these keys. */
export const readUser = async (table: Table, userId: number): Promise<UserWithTeams | undefined> => {
  const { items, kinds } = await table.queryAll({ pk: userPartition(userId), from: 'MEMBER#', to: 'USER' });
  const ofKind = (kind: string) => items.filter((_, position) => kinds[position] === kind);
  const [user] = ofKind('User') as unknown as User[];
  if (!user) return undefined;
  const signedOut = ofKind('SignedOutToken') as unknown as SignedOutToken[];
  return {
    user,
    memberships: ofKind('Membership') as unknown as Membership[],
    signed_out: signedOut.map(({ token_hash }) => token_hash),
  };
};

export const readUserBySubject = async (
  table: Table,
  subject: string,
): Promise<UserWithTeams | undefined> => {
  const found = await table.get(SubjectEntity, { subject });
  return found && readUser(table, found.user_id);
};

/** The user that an address stands for; never simply whoever claims it (see `EmailOwner`). */
export const readUserByEmail = async (table: Table, email: string): Promise<UserWithTeams | undefined> => {
  const found = await table.get(EmailOwnerEntity, { email: normalEmail(email) });
  return found && readUser(table, found.user_id);
};

export const normalEmail = (email: string): string => email.trim().toLowerCase();

/** The record as it is answered. Verification is the identity provider's word about the e-mail (D12). */
export const toUserRecord = ({ user, memberships }: UserWithTeams): UserRecord => {
  const { user_id, ...fields } = user;
  return {
    id: user_id,
    ...fields,
    is_verified: user.email_verified,
    verification_status: user.email_verified ? 'VERIFIED' : 'PENDING',
    teams: memberships.map(({ team_id, role, state }) => ({ team_id, role, state })),
  };
};

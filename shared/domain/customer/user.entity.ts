import { defineEntity } from '../../platform/table/index.ts';
import type { UserRecord } from './user.schema.ts';

/** A user as stored: the record without what is derived from it (`teams`, `is_verified`, `verification_status`). */
export type User = Omit<UserRecord, 'id' | 'teams' | 'is_verified' | 'verification_status'> & {
  user_id: number;
};

export const userPartition = (userId: number): string => `USER#${userId}`;

export const UserEntity = defineEntity<User, Pick<User, 'user_id'>>({
  name: 'User',
  meaning: 'A person: customer, host or platform staff.',
  patterns: ['a user by id', 'a user with the teams (one Query)'],
  key: ({ user_id }) => ({ pk: userPartition(user_id), sk: 'USER' }),
  example: { user_id: 1 },
});

/** Leads from the identity provider's user id to the user, and keeps it unique (D12). */
export interface Subject {
  subject: string;
  user_id: number;
}

export const SubjectEntity = defineEntity<Subject, Pick<Subject, 'subject'>>({
  name: 'Subject',
  meaning: "The identity provider's user id of a user.",
  patterns: ['the user of a token'],
  key: ({ subject }) => ({ pk: `SUBJECT#${subject}`, sk: 'SUBJECT' }),
  example: { subject: 'auth0|1' },
});

/**
 * Leads from an e-mail address to the one user it stands for: whoever has verified it, else the invited person it was
 * written down for, else whoever came with it first. Roles are granted through it, so an unverified account never holds it
 * against an invitation.
 */
export interface EmailOwner {
  /** In lower case. */
  email: string;
  user_id: number;
}

export const EmailOwnerEntity = defineEntity<EmailOwner, Pick<EmailOwner, 'email'>>({
  name: 'EmailOwner',
  meaning: 'The user that an e-mail address stands for.',
  patterns: ['the user of an e-mail address'],
  key: ({ email }) => ({ pk: `EMAIL#${email}`, sk: 'EMAIL' }),
  example: { email: 'an@example.com' },
});

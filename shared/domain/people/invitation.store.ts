import { createHash, randomBytes } from 'node:crypto';
import * as z from 'zod';
import { instantText } from '../../platform/time/clock.ts';
import { defineEntity, defineRecord, type RecordOf, type Table } from '../../platform/table/index.ts';
import { dayMs } from '../../platform/time/time.ts';
import { invitedRoles } from './invitation.schema.ts';

/** An invitation as stored (D105). `valid_until` instead of `expires_at`, which is the table's TTL attribute. */
const InvitationRecord = defineRecord(() => ({
  /** Null: to the platform's staff. */
  team_id: z.int().nullable(),
  /** In lower case. */
  email: z.string(),
  /** A new invitation of the address has a new one. */
  invitation_id: z.int(),
  role: z.enum(invitedRoles),
  /** The owner who invites; null: the operator. */
  invited_by: z.int().nullable(),
  /** The address of the API, where the page of the link is. */
  api_url: z.string(),
  /** UTC. */
  created_at: z.string(),
  valid_until: z.string(),
  /** SHA-256 of the secret that was mailed last; null: none yet. */
  secret_hash: z.string().nullable(),
  state: z.enum(['OPEN', 'ACCEPTED']),
  /** The user who accepted, and when, in epoch seconds of the system clock. */
  accepted_by: z.int().exactOptional(),
  accepted_at: z.int().exactOptional(),
}));
export type Invitation = RecordOf<typeof InvitationRecord>;

/** How long an invitation may be accepted. */
const validDays = 7;
const keptSeconds = 86_400;

/** The end of an invitation that is made now. */
export const invitationEnd = (now: number): string => instantText(now + validDays * dayMs);

/** TTL may be late: the clock judges. */
const ttlOf = ({ valid_until }: Pick<Invitation, 'valid_until'>): number =>
  Math.ceil(Date.parse(valid_until) / 1000) + keptSeconds;

/** One for each team and address: another invitation of the address replaces it, one that is withdrawn is deleted. */
export const InvitationEntity = defineEntity<Invitation, Pick<Invitation, 'team_id' | 'email'>>({
  name: 'Invitation',
  meaning: 'That an address is invited to a team, or to the staff of the platform.',
  patterns: ['the invitation of an address', "a team's invitations"],
  record: InvitationRecord,
  key: { pk: 'TEAM#{team_id}#INVITATIONS', sk: 'INVITATION#{email}' },
  expiresAt: ttlOf,
  example: { team_id: 1, email: 'an@example.com' },
});

/** Finds an invitation by the secret of its link. Only the one whose hash the invitation has counts. */
const InvitationSecretRecord = defineRecord(() => ({
  /** SHA-256 of the secret, which is not stored. */
  secret_hash: z.string(),
  team_id: z.int().nullable(),
  email: z.string(),
  valid_until: z.string(),
}));
type InvitationSecret = RecordOf<typeof InvitationSecretRecord>;

export const InvitationSecretEntity = defineEntity<InvitationSecret, Pick<InvitationSecret, 'secret_hash'>>({
  name: 'InvitationSecret',
  meaning: 'The invitation of a mailed link.',
  patterns: ['the invitation of a link'],
  record: InvitationSecretRecord,
  key: { pk: 'INVITATION#{secret_hash}', sk: 'INVITATION' },
  expiresAt: ttlOf,
  example: { secret_hash: 'jtTGHD8sZRUZEbN7gXwbYgjUBnPqUSRUoTW8dBKlTUM' },
});

const secretBytes = 24;

export const newInvitationSecret = (): string => randomBytes(secretBytes).toString('base64url');

/** 192 random bits need no slow hash. */
export const secretHash = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

/** Whether it can still be accepted. */
export const isOpen = ({ state, valid_until }: Invitation, now: number): boolean =>
  state === 'OPEN' && Date.parse(valid_until) > now;

/** Returns the invitations of a team that are still open, as they stand. Withdrawn ones are deleted, so they are few. */
export const readOpenInvitations = async (
  table: Table,
  teamId: number | null,
  now: number,
): Promise<Invitation[]> => {
  const pk = InvitationEntity.partition({ team_id: teamId });
  const stored = await table.queryAll(InvitationEntity, { pk, prefix: 'INVITATION#' });
  return stored.filter((invitation) => isOpen(invitation, now));
};

import * as z from 'zod';
import { Id, Instant } from '../../platform/schema/schema.ts';

/** What a person is invited to: a role in a team, or the platform's staff. */
export const invitedRoles = ['OWNER', 'MANAGER', 'STAFF', 'ADMIN'] as const;

const Role = z.enum(invitedRoles).meta({
  description: "OWNER, MANAGER or STAFF of the team; ADMIN of the platform's staff.",
});
const TeamNameOrNull = z.string().nullable().meta({ description: "Null: the platform's staff." });
const MaskedEmail = z.string().meta({
  description: 'The invited address with its first letter and its domain alone.',
  examples: ['l***@example.com'],
});

/** The secret of an invitation's link. A text of another form is one that was never mailed. */
export const InvitationToken = z
  .string()
  .min(1)
  .max(128)
  .meta({ description: 'The secret at the end of the mailed link.' });

/** An invitation as the bearer of its link sees it (D105). */
export const Invitation = z
  .object({ team_name: TeamNameOrNull, role: Role, email: MaskedEmail, expires_at: Instant })
  .meta({ id: 'Invitation' });
export type Invitation = z.infer<typeof Invitation>;

export const AcceptedInvitation = z
  .object({
    user_id: Id,
    team_id: Id.nullable(),
    team_name: TeamNameOrNull,
    role: Role,
    state: z.literal('ACTIVE'),
    accepted_at: Instant.meta({ description: 'Tokens that were issued before it do not have the role.' }),
  })
  .meta({ id: 'AcceptedInvitation' });
export type AcceptedInvitation = z.infer<typeof AcceptedInvitation>;

export const RequestedReset = z
  .object({ message: z.string(), email: MaskedEmail })
  .meta({ id: 'RequestedReset' });
export type RequestedReset = z.infer<typeof RequestedReset>;

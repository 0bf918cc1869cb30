import * as z from 'zod';
import { roles } from '../../platform/auth.ts';
import { defineEvent } from '../../platform/events/event-row.ts';
import { Id, Instant } from '../../platform/schema/schema.ts';
import { invitedRoles } from './invitation.schema.ts';
import { KeyKind } from './key.schema.ts';

const Team = { team_id: Id.meta({ description: 'The team.' }) };
const TeamOrStaff = { team_id: Id.nullable().meta({ description: "The team; null: the platform's staff." }) };
const member = Id.meta({ description: 'The member: a user id.' });
const Role = z.enum(roles);

/** What changes of a team, its members and keys of a team; partners do not see it. */
export const teamEvents = {
  'team.member_invited': defineEvent({
    meaning: 'An address is invited to a team.',
    data: z.object({ id: Id.meta({ description: 'The invitation.' }), ...TeamOrStaff }),
    partners: null,
    example: { id: 369_435_906_933_501, team_id: 71 },
  }),
  'team.member_joined': defineEvent({
    meaning: 'A person has accepted an invitation.',
    data: z.object({ id: member, ...TeamOrStaff, role: z.enum(invitedRoles) }),
    partners: null,
    example: { id: 5318, team_id: 71, role: 'MANAGER' },
  }),
  'team.member_role_changed': defineEvent({
    meaning: 'A member of a team has another role.',
    data: z.object({ id: member, ...Team, role: Role, role_before: Role }),
    partners: null,
    example: { id: 5318, team_id: 71, role: 'OWNER', role_before: 'MANAGER' },
  }),
  'team.member_removed': defineEvent({
    meaning: 'A person is no longer a member of a team.',
    data: z.object({ id: member, ...Team, role: Role }),
    partners: null,
    example: { id: 5319, team_id: 71, role: 'STAFF' },
  }),
  'team.created': defineEvent({
    meaning: 'A person has made a team, and is its owner.',
    data: z.object({ id: Team.team_id, ...Team }),
    partners: null,
    example: { id: 71, team_id: 71 },
  }),
  'team.updated': defineEvent({
    meaning: 'Settings of a team have changed.',
    data: z.object({
      id: Team.team_id,
      ...Team,
      changed: z.array(z.string()).meta({ description: 'The fields that have changed.' }),
    }),
    partners: null,
    example: { id: 71, team_id: 71, changed: ['contact_phone'] },
  }),
  'team.key_created': defineEvent({
    meaning: 'A team has a new API key.',
    data: z.object({
      id: Id.meta({ description: 'The key.' }),
      ...Team,
      /** Absent in events from before publishable keys. */
      kind: KeyKind.exactOptional(),
    }),
    partners: null,
    example: { id: 369_435_906_933_201, team_id: 71, kind: 'SECRET' },
  }),
  'team.key_rotated': defineEvent({
    meaning: 'A key takes the place of another.',
    data: z.object({
      id: Id.meta({ description: 'The new key.' }),
      ...Team,
      old_key_id: Id.meta({ description: 'The key before, which is valid for a time yet.' }),
    }),
    partners: null,
    example: { id: 369_435_906_933_203, team_id: 71, old_key_id: 369_435_906_933_201 },
  }),
  'team.transfer_reports_changed': defineEvent({
    meaning: 'A team takes reports of its bank transfers by another key, or none any more.',
    data: z.object({
      id: Id.meta({ description: 'The team.' }),
      ...Team,
      reporter: z.string(),
      is_taken: z.boolean(),
    }),
    partners: null,
    example: { id: 71, team_id: 71, reporter: 'sepay', is_taken: true },
  }),
  'team.bank_account_changed': defineEvent({
    meaning: 'A team gives its guests another bank account from a time on, or has stopped that.',
    data: z.object({
      id: Id.meta({ description: 'The team.' }),
      ...Team,
      account: z.string().nullable().meta({
        description: 'The bank and the last four digits; null: the next account was stopped.',
      }),
      effective_at: Instant.nullable(),
    }),
    partners: null,
    example: { id: 71, team_id: 71, account: 'Vietcombank …3456', effective_at: '2027-01-16T03:00:00.000Z' },
  }),
} as const;

import * as z from 'zod';
import {
  CreateTeamKey,
  IssuedTeamKey,
  RotatedTeamKey,
  TeamKey,
} from '../../shared/domain/people/team-key.schema.ts';
import { Team, type TeamRecord, UpdateTeam } from '../../shared/domain/people/team-settings.schema.ts';
import { SetTeamMember, TeamMember, TeamMembers } from '../../shared/domain/people/team-member.schema.ts';
import { bankRows } from './bank-rows.ts';
import { mailRows } from './mail-rows.ts';
import { exampleIds } from '../../shared/platform/http/example-records.ts';
import { defineRoutes } from '../../shared/platform/http/route.ts';
import { pageOf, pagingFields, PathId, Removed } from '../../shared/platform/schema/schema.ts';

const owner = { access: 'host', permission: 'own', tag: 'Team' } as const;
const keyId = z.strictObject({ key_id: PathId });
const noStoredAnswer =
  'The key is shown this once. It is stored nowhere, so there is no `Idempotency-Key` here: after a lost answer revoke the key that the list shows, and make another.';

const key = {
  key_id: exampleIds.teamKey,
  partner_key_id: exampleIds.teamKey,
  name: 'Channel manager',
  ...{ kind: 'SECRET', api_key: null, allowed_origins: [] },
  scopes: ['book', 'webhooks'],
  hint: 'nl_dev_4x7K',
  state: 'ACTIVE',
  is_shared: false,
  expires_at: null,
  allow_ip: ['203.0.113.0/24'],
  rate_limit: null,
  collects_payment: false,
  guest_links: true,
  created_at: '2027-01-15T03:00:00.000Z',
  created_by: 4100,
  revoked_at: null,
  revoked_by: null,
  last_used: null,
} satisfies TeamKey;

const api_key = 'nl_dev_4x7Kq0Zb3mXw9LtR2vYc8NfH5sJd1GpA6uEiTo_0aB3xZ';
const publishable = {
  ...key,
  ...{ key_id: exampleIds.publishableKey, partner_key_id: exampleIds.publishableKey, name: 'Our web site' },
  ...{ kind: 'PUBLISHABLE', scopes: [], hint: 'pk_dev_9mTb', allow_ip: [] },
  allowed_origins: ['https://www.example.com'],
  api_key: 'pk_dev_9mTbW2hZ0dKq7XsV4nRc1JfP8uLg5EaY3iQo_1cD4yE',
} satisfies TeamKey;

const rotated = { ...key, key_id: 369_435_906_933_203, created_at: '2027-03-01T02:00:00.000Z' };

const member = {
  user_id: exampleIds.member,
  email: 'linh@example.com',
  full_name: 'Trần Thị Linh',
  role: 'MANAGER',
  state: 'ACTIVE',
  created_at: '2027-01-15T03:00:00.000Z',
  expires_at: null,
} satisfies TeamMember;

const invited = {
  user_id: exampleIds.invitation,
  email: 'minh@example.com',
  full_name: '',
  role: 'STAFF',
  state: 'INVITED',
  created_at: '2027-01-15T03:00:00.000Z',
  expires_at: '2027-01-22T03:00:00.000Z',
} satisfies TeamMember;

const settings = {
  ...{ team_id: exampleIds.team, name: 'Hoa Nắng', language: 'vi' },
  ...{ contact_name: 'Trần Thị Hoa', contact_phone: '+84 912 345 678' },
  ...{ contact_email: 'xin-chao@hoanang.example', logo_url: 'https://images.example.com/hoa-nang.png' },
  default_standard_check_in_time: '15:00:00',
  default_standard_check_out_time: '11:00:00',
  default_timezone: null,
  default_currency: null,
  default_payment_methods: ['CASH', 'BANK_TRANSFER'],
  default_refund_rule: 'MODERATE',
  default_cancellation_terms: null,
  created_at: '2027-01-10T08:30:00.000Z',
} satisfies TeamRecord;

/** A team's settings (D124), and its keys and members, for its owners (D93). */
export const teamRoutes = defineRoutes('team', {
  ...bankRows,
  ...mailRows,
  getTeam: {
    method: 'GET',
    path: '/api/v1/team',
    access: 'host',
    permission: 'read',
    tag: 'Team',
    summary: 'The acting team with its settings',
    status: 200,
    reply: Team,
    errors: ['NOT_FOUND'],
    examples: { reply: settings },
  },
  updateTeam: {
    ...owner,
    method: 'PATCH',
    path: '/api/v1/team',
    summary: 'Changes what is given of the team’s settings',
    description:
      'Changes of different fields at once both stand. `default_` and the name of a field is what `POST /listings` takes where the body leaves that field out; listings that exist stay as they are. Where the body gives one of `refund_rule` and `cancellation_terms`, the default of the other is not taken.',
    get body() {
      return UpdateTeam();
    },
    status: 200,
    reply: Team,
    errors: ['NOT_FOUND'],
    examples: {
      body: {
        ...{ contact_name: settings.contact_name, contact_phone: settings.contact_phone },
        ...{ contact_email: settings.contact_email, logo_url: settings.logo_url },
        default_standard_check_in_time: '15:00',
        default_standard_check_out_time: '11:00',
        ...{ default_payment_methods: settings.default_payment_methods, default_refund_rule: 'MODERATE' },
      },
      reply: settings,
    },
  },
  listTeamKeys: {
    ...owner,
    method: 'GET',
    path: '/api/v1/team/keys',
    summary: 'The API keys of the team, newest first; the texts of publishable ones alone',
    query: z.strictObject(pagingFields),
    status: 200,
    reply: pageOf(TeamKey),
    errors: [],
    examples: {
      reply: {
        items: [publishable, key],
        total: 2,
        total_is_exact: true,
        page: 1,
        limit: 20,
        total_pages: 1,
        next_cursor: null,
      },
    },
  },
  createTeamKey: {
    ...owner,
    method: 'POST',
    path: '/api/v1/team/keys',
    summary: 'Makes an API key of the team',
    description: `${noStoredAnswer} A PUBLISHABLE key is shown in the list too: it is for web pages of the origins that it names. Scopes and origins never change. A team can have 25 valid keys: another one is INVALID_STATE_TRANSITION.`,
    body: CreateTeamKey,
    status: 201,
    reply: IssuedTeamKey,
    errors: ['NOT_FOUND', 'INVALID_STATE_TRANSITION'],
    examples: {
      body: { name: key.name, scopes: key.scopes, allow_ip: key.allow_ip },
      reply: { ...key, api_key },
    },
  },
  rotateTeamKey: {
    ...owner,
    method: 'POST',
    path: '/api/v1/team/keys/{key_id}/rotate',
    summary: 'Makes a key with the settings of another, which stays valid for 24 hours',
    description: `Bookings, webhooks and limits go on with the new key. ${noStoredAnswer} A key that is also for other teams is FORBIDDEN: only the operator rotates it.`,
    params: keyId,
    status: 201,
    reply: RotatedTeamKey,
    errors: ['NOT_FOUND', 'INVALID_STATE_TRANSITION'],
    examples: {
      reply: {
        ...rotated,
        api_key,
        old_key_id: key.key_id,
        old_expires_at: '2027-03-02T02:00:00.000Z',
      },
    },
  },
  revokeTeamKey: {
    ...owner,
    method: 'DELETE',
    path: '/api/v1/team/keys/{key_id}',
    summary: 'Revokes a key of the team: it is refused everywhere within 60 seconds',
    description:
      'A key that is also for other teams stays valid for them, and is no longer for this team. Other keys of a rotation stay valid.',
    params: keyId,
    status: 200,
    reply: Removed,
    errors: ['NOT_FOUND'],
    examples: {
      params: { key_id: exampleIds.teamKeyToRevoke },
      reply: { message: 'The key is revoked.', id: exampleIds.teamKeyToRevoke },
    },
  },
  listTeamMembers: {
    ...owner,
    method: 'GET',
    path: '/api/v1/team/members',
    summary: 'The hosts of the team, owners, managers and staff, and its open invitations',
    description: 'One who joined within the last second may be missing.',
    status: 200,
    reply: TeamMembers,
    errors: [],
    examples: { reply: { items: [member, invited] } },
  },
  setTeamMember: {
    ...owner,
    method: 'POST',
    path: '/api/v1/team/members',
    summary: 'Invites a person to the team, or gives a member another role',
    description:
      'The invitation is mailed with a link that is good for 7 days, and gives no right before the person accepts it; another one of the address replaces it. Three an hour for an address, and 30 for a team; one more is RATE_LIMIT_EXCEEDED. A member has the other role at once. The last owner who has signed in keeps the role, and a team can have 100 members and open invitations: INVALID_STATE_TRANSITION.',
    body: SetTeamMember,
    status: 201,
    reply: TeamMember,
    errors: ['NOT_FOUND', 'INVALID_STATE_TRANSITION'],
    idempotent: true,
    examples: { body: { email: invited.email, role: invited.role }, reply: invited },
  },
  removeTeamMember: {
    ...owner,
    method: 'DELETE',
    path: '/api/v1/team/members/{user_id}',
    summary:
      'Takes a person out of the team, whose access ends within 60 seconds, or withdraws an invitation',
    description:
      'An invitation is named by the `user_id` that the list shows for it. Owners may take themselves out, except for the last one who has signed in: INVALID_STATE_TRANSITION.',
    params: z.strictObject({ user_id: PathId }),
    status: 200,
    reply: Removed,
    errors: ['NOT_FOUND', 'INVALID_STATE_TRANSITION'],
    examples: {
      params: { user_id: exampleIds.memberToRemove },
      reply: { message: 'The person is no longer a member of your team.', id: exampleIds.memberToRemove },
    },
  },
});

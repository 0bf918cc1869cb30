import * as z from 'zod';
import {
  AcceptedInvitation,
  Invitation,
  InvitationToken,
  RequestedReset,
} from '../../shared/domain/people/invitation.schema.ts';
import { CreateTeam, Team } from '../../shared/domain/people/team-settings.schema.ts';
import { exampleIds, exampleInvitations } from '../../shared/platform/http/example-records.ts';
import { defineRoutes } from '../../shared/platform/http/route.ts';

const params = z.strictObject({ token: InvitationToken });
const gone = 'One that is unknown, used, withdrawn, replaced or older than 7 days is NOT_FOUND.';

/** The identity provider leads back to the page with parameters of its own. */
const ofProvider = z.object({});

/** How a person comes into a team: by the link of an invitation (D105), or by making one (D124). */
export const invitationsRoutes = defineRoutes('invitations', {
  getInvitationPage: {
    method: 'GET',
    path: '/invitation',
    access: 'public',
    tag: 'Team',
    summary: 'The page of the mailed link: shows an invitation, has the person sign in, and accepts',
    description: 'The secret is behind the `#` of the link, which browsers send to no server.',
    query: ofProvider,
    status: 200,
    reply: { contentType: 'text/html; charset=utf-8', meaning: 'A page in Vietnamese and English.' },
    errors: [],
    examples: { reply: '<!doctype html><title>Nightlatch</title>' },
  },
  getInvitation: {
    method: 'GET',
    path: '/api/v1/invitations/{token}',
    access: 'public',
    tag: 'Team',
    summary: 'What an invitation is to, by the secret of its link',
    description: gone,
    params,
    status: 200,
    reply: Invitation,
    errors: ['NOT_FOUND'],
    examples: {
      params: { token: exampleInvitations.toRead },
      reply: {
        team_name: 'Hoa Nắng',
        role: 'STAFF',
        email: 'm***@example.com',
        expires_at: '2027-01-22T03:00:00.000Z',
      },
    },
  },
  acceptInvitation: {
    method: 'POST',
    path: '/api/v1/invitations/{token}/accept',
    access: 'customer',
    tag: 'Team',
    summary: 'Accepts an invitation: the caller is a member from then on',
    description: `The account of the token has the invited address, verified. The role has this token, within 60 seconds, and those that are issued later: older ones never have it. Where a partner chose the first password of the account, the token must have been issued after a password reset. The same person may repeat it. ${gone}`,
    params,
    status: 200,
    reply: AcceptedInvitation,
    errors: [
      'NOT_FOUND',
      'INVITATION_FOR_ANOTHER_ADDRESS',
      'USER_NOT_VERIFIED',
      'PASSWORD_RESET_REQUIRED',
      'INVALID_STATE_TRANSITION',
      'IDENTITY_PROVIDER_UNAVAILABLE',
    ],
    idempotent: true,
    examples: {
      params: { token: exampleInvitations.toAccept },
      reply: {
        user_id: exampleIds.guest,
        team_id: exampleIds.otherTeam,
        team_name: 'Phố Cổ Stay',
        role: 'STAFF',
        state: 'ACTIVE',
        accepted_at: '2027-01-15T03:00:00.000Z',
      },
    },
  },
  requestInvitedReset: {
    method: 'POST',
    path: '/api/v1/invitations/{token}/reset',
    access: 'public',
    tag: 'Team',
    summary: 'Has a link to set a new password mailed to the invited address',
    description: `The answer is the same whether or not there is an account with this address. Three an hour; one more is RATE_LIMIT_EXCEEDED. ${gone}`,
    params,
    status: 202,
    reply: RequestedReset,
    errors: ['NOT_FOUND', 'RATE_LIMIT_EXCEEDED', 'IDENTITY_PROVIDER_UNAVAILABLE'],
    examples: {
      params: { token: exampleInvitations.toReset },
      reply: {
        message:
          'If there is an account with the invited address, a link to set a new password was mailed to it.',
        email: 'm***@example.com',
      },
    },
  },
  createTeam: {
    method: 'POST',
    path: '/api/v1/teams',
    access: 'customer',
    tag: 'Team',
    summary: 'Makes a team of which the caller is the owner',
    description:
      'Where the service allows it (`TEAM_SIGN_UP`), with a token of an application for hosts; otherwise FORBIDDEN. The account has its address verified and a password of its own. The role has this token, within 60 seconds, and those that are issued later. A person can make 3 teams: another one is INVALID_STATE_TRANSITION. Names of teams are not unique.',
    get body() {
      return CreateTeam();
    },
    status: 201,
    reply: Team,
    errors: [
      'FORBIDDEN',
      'MFA_REQUIRED',
      'USER_NOT_VERIFIED',
      'PASSWORD_RESET_REQUIRED',
      'INVALID_STATE_TRANSITION',
      'IDENTITY_PROVIDER_UNAVAILABLE',
    ],
    idempotent: true,
    examples: {
      body: { name: 'Nhà trên đồi', contact_phone: '+84 912 345 678', default_refund_rule: 'FLEXIBLE' },
      reply: {
        ...{ team_id: 369_435_906_933_701, name: 'Nhà trên đồi', language: null },
        ...{ contact_name: null, contact_phone: '+84 912 345 678', contact_email: null, logo_url: null },
        default_standard_check_in_time: null,
        default_standard_check_out_time: null,
        default_timezone: null,
        default_currency: null,
        default_payment_methods: null,
        default_refund_rule: 'FLEXIBLE',
        default_cancellation_terms: null,
        created_at: '2027-01-15T03:00:00.000Z',
      },
    },
  },
});

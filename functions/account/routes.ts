import { UpdateMe, UserRecord } from '../../shared/domain/customer/user.schema.ts';
import { defineRoutes } from '../../shared/platform/http/route.ts';

const record = {
  id: 5312,
  email: 'an@example.com',
  phone: '+84 901 234 567',
  full_name: 'Nguyễn Văn An',
  avatar_url: null,
  date_of_birth: null,
  gender: null,
  language: 'vi',
  timezone: 'Asia/Ho_Chi_Minh',
  auth0_id: 'auth0|65a1f0c2',
  is_verified: true,
  verification_status: 'VERIFIED',
  rejection_reason: null,
  status: 'ACTIVE',
  system_role: 'USER',
  host_status: 'APPROVED',
  host_application_at: null,
  host_approved_at: null,
  host_approved_by: null,
  last_login_at: '2027-01-15T03:00:00.000Z',
  created_at: '2027-01-10T08:30:00.000Z',
  updated_at: '2027-01-15T03:00:00.000Z',
  deleted_at: null,
  teams: [{ team_id: 71, role: 'OWNER', state: 'ACTIVE' }],
  email_verified: true,
} satisfies UserRecord;

/** The caller's own account (spec 4.1). */
export const accountRoutes = defineRoutes('account', {
  getMe: {
    method: 'GET',
    path: '/api/v1/auth/me',
    access: 'customer',
    tag: 'Account',
    summary: 'The caller’s own record with the teams',
    description: 'The first call of a new account creates the record (D12).',
    status: 200,
    reply: UserRecord,
    errors: [],
    examples: { reply: record },
  },
  updateMe: {
    method: 'PATCH',
    path: '/api/v1/auth/me',
    access: 'customer',
    tag: 'Account',
    summary: 'Changes name, telephone number or language of the caller',
    body: UpdateMe,
    status: 200,
    reply: UserRecord,
    errors: [],
    examples: {
      body: { full_name: 'Nguyễn Văn An', phone: '+84 901 234 567' },
      reply: record,
    },
  },
});

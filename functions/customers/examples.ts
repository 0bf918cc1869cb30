import type { LoggedInCustomer, RegisteredCustomer } from '../../shared/domain/people/customer.schema.ts';
import type { UserRecord } from '../../shared/domain/people/user.schema.ts';

export const customerSince = '2027-01-15T03:00:00.000Z';

export const customer = {
  id: 5312,
  email: 'guest@nightlatch.example',
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
  last_login_at: customerSince,
  created_at: customerSince,
  updated_at: customerSince,
  deleted_at: null,
  teams: [{ team_id: 71, role: 'CUSTOMER', state: 'ACTIVE' }],
  email_verified: true,
} satisfies UserRecord;

/** A customer who registers. */
export const newCustomer = {
  ...customer,
  id: 5_314,
  email: 'binh@example.com',
  phone: '+84 912 345 678',
  full_name: 'Trần Thị Bình',
  auth0_id: 'auth0|65a1f0d7',
  is_verified: false,
  verification_status: 'PENDING',
  last_login_at: null,
  email_verified: false,
} satisfies UserRecord;

const flat = ({ id, email, full_name }: UserRecord) => ({
  customer_teams: [71],
  user_id: id,
  email,
  full_name,
  teams: [71],
});

export const registered = {
  user: newCustomer,
  ...flat(newCustomer),
  message: `A verification link was mailed to ${newCustomer.email}.`,
  requires_email_verification: true,
} satisfies RegisteredCustomer;

export const loggedIn = {
  access_token: 'eyJhbGciOiJSUzI1NiIsInR5cCI6ImF0K2p3dCJ9…',
  token_type: 'Bearer',
  expires_in: 86_400,
  id_token: 'eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9…',
  user: customer,
  ...flat(customer),
} satisfies LoggedInCustomer;

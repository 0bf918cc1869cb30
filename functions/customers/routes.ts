import * as z from 'zod';
import {
  Customer,
  EmailVerification,
  LoggedInCustomer,
  LoginCustomer,
  LoginStatus,
  PasswordResetRequest,
  RegisterCustomer,
  RegisteredCustomer,
  RemovedCustomer,
  RequestedPasswordReset,
  ResentVerification,
  UpdateCustomer,
} from '../../shared/domain/people/customer.schema.ts';
import { exampleIds } from '../../shared/platform/http/example-records.ts';
import { defineRoutes } from '../../shared/platform/http/route.ts';
import { TeamIdsText } from '../../shared/platform/http/team-ids.ts';
import { Id, pageOf, pagingFields, PathId, queryNumber } from '../../shared/platform/schema/schema.ts';
import { customer, customerSince, loggedIn, newCustomer, registered } from './examples.ts';

const partner = { access: 'partner', scope: 'customers', tag: 'Customers of partners' } as const;
const params = z.strictObject({ user_id: PathId });
const { id: user_id, email } = customer;
const unverified = { user_id: exampleIds.unverified };

/** What a partner's back end does for its customers with its key. */
export const customersRoutes = defineRoutes('customers', {
  registerCustomer: {
    ...partner,
    method: 'POST',
    path: '/api/v1/external/customers/register',
    summary: 'Registers a customer in every team of the key',
    description:
      'Makes the account at the identity provider, which mails the verification link. When the answer is lost, send the same again: with an Idempotency-Key it is the same answer.',
    body: RegisterCustomer,
    status: 201,
    reply: RegisteredCustomer,
    errors: ['CUSTOMER_ALREADY_EXISTS', 'IDENTITY_PROVIDER_UNAVAILABLE'],
    idempotent: true,
    countedFirst: true,
    secret: ['password'],
    examples: {
      body: {
        email: newCustomer.email,
        full_name: newCustomer.full_name,
        phone: newCustomer.phone,
        password: 'Dalat-2027',
      },
      reply: registered,
    },
  },
  logInCustomer: {
    ...partner,
    method: 'POST',
    path: '/api/v1/external/customers/login',
    summary: 'Logs a customer in and adds the person to every team of the key',
    description:
      'Any account of the identity provider may log in; no registration is needed before. After five logins with one e-mail address that failed, the next is possible after a minute, then after 2, 4 and more minutes, up to an hour: earlier ones are RATE_LIMIT_EXCEEDED with `Retry-After`, also with the right password. A login that succeeds, or a day without one that fails, ends the count. It is yours alone: logins that fail elsewhere do not count, and yours keep no person from logging in elsewhere.',
    body: LoginCustomer,
    status: 200,
    reply: LoggedInCustomer,
    errors: ['INVALID_CREDENTIALS', 'EMAIL_NOT_VERIFIED', 'IDENTITY_PROVIDER_UNAVAILABLE'],
    countedFirst: true,
    secret: ['password'],
    examples: { body: { email, password: 'Guest-2027' }, reply: loggedIn },
  },
  requestPasswordReset: {
    ...partner,
    method: 'POST',
    path: '/api/v1/external/customers/password-reset',
    summary: 'Has a link to set a new password mailed to a customer',
    description:
      'The answer is the same whether or not there is an account with this address. Three an hour for an address; one more is RATE_LIMIT_EXCEEDED, which does not depend on the account either.',
    body: PasswordResetRequest,
    status: 202,
    reply: RequestedPasswordReset,
    errors: ['IDENTITY_PROVIDER_UNAVAILABLE'],
    idempotent: true,
    examples: {
      body: { email },
      reply: {
        message:
          'If there is an account with this e-mail address, a link to set a new password was mailed to it.',
        email,
      },
    },
  },
  listCustomers: {
    ...partner,
    method: 'GET',
    path: '/api/v1/external/customers',
    summary: 'The customers of the key’s teams, newest first',
    query: z.strictObject({
      ...pagingFields,
      team_id: queryNumber(Id).optional(),
      team_ids: TeamIdsText,
    }),
    queryErrors: { team_ids: 'EXTERNAL_INVALID_REQUEST' },
    status: 200,
    reply: pageOf(Customer),
    errors: [],
    examples: {
      reply: {
        items: [customer],
        total: 1,
        total_is_exact: true,
        page: 1,
        limit: 20,
        total_pages: 1,
        next_cursor: null,
      },
    },
  },
  getCustomer: {
    ...partner,
    method: 'GET',
    path: '/api/v1/external/customers/{user_id}',
    summary: 'A customer of the key’s teams',
    params,
    status: 200,
    reply: Customer,
    errors: ['EXTERNAL_CUSTOMER_NOT_ACCESSIBLE'],
    examples: { reply: customer },
  },
  updateCustomer: {
    ...partner,
    method: 'PATCH',
    path: '/api/v1/external/customers/{user_id}',
    summary: 'Changes name or telephone number of a customer',
    description:
      'The own record of the person changes while the person is a customer of the key’s teams and nothing else. Of a person who also belongs to another team, as customer or as host, what the key’s teams see changes: in the answers of their keys, and in bookings of their listings that the person makes from then on, until the person writes another name or number.',
    params,
    body: UpdateCustomer,
    status: 200,
    reply: Customer,
    errors: ['EXTERNAL_CUSTOMER_NOT_ACCESSIBLE'],
    examples: { body: { phone: customer.phone }, reply: customer },
  },
  removeCustomer: {
    ...partner,
    method: 'DELETE',
    path: '/api/v1/external/customers/{user_id}/teams/{team_id}',
    summary: 'Takes a customer out of a team of the key',
    params: params.extend({ team_id: PathId }),
    status: 200,
    reply: RemovedCustomer,
    errors: ['EXTERNAL_CUSTOMER_NOT_ACCESSIBLE'],
    examples: {
      params: { team_id: exampleIds.otherTeam },
      reply: { message: 'The customer was removed from the team.', user_id, team_id: exampleIds.otherTeam },
    },
  },
  readLoginStatus: {
    ...partner,
    method: 'GET',
    path: '/api/v1/external/customers/{user_id}/login-status',
    summary: 'Whether a customer can log in',
    params,
    status: 200,
    reply: LoginStatus,
    errors: ['EXTERNAL_CUSTOMER_NOT_ACCESSIBLE'],
    examples: {
      reply: {
        user_id,
        email,
        status: 'ACTIVE',
        email_verified: true,
        can_login: true,
        last_login_at: customerSince,
      },
    },
  },
  resendVerification: {
    ...partner,
    method: 'POST',
    path: '/api/v1/external/customers/{user_id}/resend-verification',
    summary: 'Has the verification link mailed again, at most three times an hour',
    params,
    status: 200,
    reply: ResentVerification,
    errors: ['EXTERNAL_CUSTOMER_NOT_ACCESSIBLE', 'NOT_FOUND', 'IDENTITY_PROVIDER_UNAVAILABLE'],
    idempotent: true,
    examples: {
      params: unverified,
      reply: {
        message: 'A verification link was mailed to hoa@nightlatch.example.',
        ...unverified,
        email: 'hoa@nightlatch.example',
        email_verified: false,
      },
    },
  },
  readEmailVerification: {
    ...partner,
    method: 'GET',
    path: '/api/v1/external/customers/{user_id}/email-verification',
    summary: 'Whether the e-mail is verified, read live from the identity provider',
    params,
    status: 200,
    reply: EmailVerification,
    errors: ['EXTERNAL_CUSTOMER_NOT_ACCESSIBLE', 'IDENTITY_PROVIDER_UNAVAILABLE'],
    examples: { reply: { user_id, email, email_verified: true, has_auth0_account: true } },
  },
});

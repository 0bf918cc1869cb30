import * as z from 'zod';
import { Id, Instant } from '../../platform/schema/schema.ts';
import { Email, FullName, Phone, UserRecord } from './user.schema.ts';

/** The password policy of the identity provider, checked before it is called. */
const Password = z
  .string()
  .min(8, 'must have at least 8 characters')
  .max(128, 'must have at most 128 characters')
  .regex(/[A-Z]/, 'must contain an upper-case letter')
  .regex(/[a-z]/, 'must contain a lower-case letter')
  .regex(/[0-9]/, 'must contain a digit')
  .meta({ description: 'At least 8 characters, upper case, lower case and a digit.', format: 'password' });

const ClientIp = z.union([z.ipv4(), z.ipv6()], 'must be an IPv4 or IPv6 address').meta({
  description:
    'The address of the customer, as your own server saw it; the identity provider counts failed logins for it.',
  examples: ['203.0.113.7'],
});

export const RegisterCustomer = z
  .strictObject({
    email: Email,
    full_name: FullName,
    phone: Phone.optional(),
    password: Password,
    client_ip: ClientIp.optional(),
  })
  .meta({ id: 'RegisterCustomer' });
export type RegisterCustomer = z.infer<typeof RegisterCustomer>;

export const LoginCustomer = z
  .strictObject({
    email: Email,
    password: z.string().min(1).max(128).meta({ format: 'password' }),
    client_ip: ClientIp.optional(),
  })
  .meta({ id: 'LoginCustomer' });
export type LoginCustomer = z.infer<typeof LoginCustomer>;

/** The fields of a customer that a partner may change; absent fields stay. */
export const UpdateCustomer = z
  .strictObject({ full_name: FullName, phone: Phone })
  .partial()
  .meta({ id: 'UpdateCustomer' });
export type UpdateCustomer = z.infer<typeof UpdateCustomer>;

const personalText = z
  .string()
  .nullable()
  .meta({ description: 'Null for a key without the scope `personal`.' });

/** A customer as a key sees it (D93). */
export const Customer = UserRecord.extend({
  email: personalText,
  phone: personalText,
  full_name: personalText,
}).meta({
  id: 'Customer',
  description:
    'A user, with the name and telephone number that the teams of the key have. For a key without the scope `personal`, `email`, `phone`, `full_name`, `avatar_url`, `date_of_birth`, `gender` and `auth0_id` are null.',
});
export type Customer = z.infer<typeof Customer>;

const TeamIds = z.array(Id).meta({ description: 'Teams of the key that the customer belongs to.' });

/** Both published responses of the registration in one (D54). */
export const RegisteredCustomer = z
  .object({
    user: Customer,
    customer_teams: TeamIds,
    user_id: Id,
    email: personalText,
    full_name: personalText,
    teams: TeamIds,
    message: z.string(),
    requires_email_verification: z.boolean(),
  })
  .meta({ id: 'RegisteredCustomer' });
export type RegisteredCustomer = z.infer<typeof RegisteredCustomer>;

/** Both published responses of the login in one (D54). */
export const LoggedInCustomer = z
  .object({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.int().meta({ description: 'Seconds.', examples: [86_400] }),
    id_token: z
      .string()
      .optional()
      .meta({ description: 'Names the person: absent for a key without the scope `personal`.' }),
    user: Customer,
    customer_teams: TeamIds,
    user_id: Id,
    email: personalText,
    full_name: personalText,
    teams: TeamIds,
  })
  .meta({ id: 'LoggedInCustomer' });
export type LoggedInCustomer = z.infer<typeof LoggedInCustomer>;

/** Whether and why a customer can log in (D55). */
export const LoginStatus = z
  .object({
    user_id: Id,
    email: personalText,
    status: UserRecord.shape.status,
    email_verified: z.boolean(),
    can_login: z.boolean(),
    last_login_at: Instant.nullable(),
  })
  .meta({ id: 'LoginStatus' });
export type LoginStatus = z.infer<typeof LoginStatus>;

/** The state at the identity provider at this moment. */
export const EmailVerification = z
  .object({
    user_id: Id,
    email: personalText,
    email_verified: z.boolean().meta({ description: 'Read live from the identity provider.' }),
    has_auth0_account: z.boolean(),
  })
  .meta({ id: 'EmailVerification' });
export type EmailVerification = z.infer<typeof EmailVerification>;

export const ResentVerification = z
  .object({
    message: z.string(),
    user_id: Id,
    email: personalText,
    email_verified: z.boolean(),
  })
  .meta({ id: 'ResentVerification' });
export type ResentVerification = z.infer<typeof ResentVerification>;

export const PasswordResetRequest = z.strictObject({ email: Email }).meta({ id: 'PasswordResetRequest' });
export type PasswordResetRequest = z.infer<typeof PasswordResetRequest>;

/** The same whether or not there is an account (D103). */
export const RequestedPasswordReset = z
  .object({ message: z.string(), email: personalText })
  .meta({ id: 'RequestedPasswordReset' });
export type RequestedPasswordReset = z.infer<typeof RequestedPasswordReset>;

export const RemovedCustomer = z
  .object({ message: z.string(), user_id: Id, team_id: Id })
  .meta({ id: 'RemovedCustomer' });
export type RemovedCustomer = z.infer<typeof RemovedCustomer>;

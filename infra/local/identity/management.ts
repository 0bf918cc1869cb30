import { randomBytes } from 'node:crypto';
import { type Clock, instantText } from '../../../shared/platform/time/clock.ts';
import { normalEmail } from '../../../shared/platform/text/normal-email.ts';
import { type Exchange, readFields, recordField, Refusal, sendJson, textField } from './http.ts';
import { hashPassword, isStrongPassword } from './password.ts';
import { EmailTakenError, isEmail, type User, type UserStore } from './users.ts';
import type { Verification } from './verification.ts';

export interface ManagementSettings {
  users: UserStore;
  verification: Verification;
  clock: Clock;
  connection: string;
  /** Returns whether the bearer token is for the Management API. */
  isManager: (req: Exchange['req']) => boolean;
}

const titles = { 400: 'Bad Request', 401: 'Unauthorized', 404: 'Not Found', 409: 'Conflict' } as const;

const refuse = (statusCode: keyof typeof titles, message: string, errorCode: string) =>
  new Refusal(statusCode, { statusCode, error: titles[statusCode], message, errorCode });

const unknownUser = () => refuse(404, 'The user does not exist.', 'inexistent_user');

/** Returns a user in the format of /api/v2. */
const view = (user: User, connection: string) => ({
  user_id: user.subject,
  email: user.email,
  email_verified: user.email_verified,
  name: user.full_name ?? user.email,
  user_metadata: {
    ...(user.full_name !== undefined && { full_name: user.full_name }),
    ...(user.phone !== undefined && { phone: user.phone }),
  },
  identities: [
    { connection, provider: 'auth0', user_id: user.subject.replace(/^auth0\|/, ''), isSocial: false },
  ],
  blocked: user.blocked,
  created_at: user.created_at,
  updated_at: user.updated_at,
  ...(user.last_login !== undefined && { last_login: user.last_login }),
  ...(user.last_password_reset !== undefined && { last_password_reset: user.last_password_reset }),
  logins_count: user.logins_count,
});

const changeOf = async (fields: Record<string, unknown>): Promise<Partial<User>> => {
  const metadata = recordField(fields, 'user_metadata');
  const [email, password] = [textField(fields, 'email'), textField(fields, 'password')];
  const full_name = textField(metadata, 'full_name') || textField(fields, 'name');
  const phone = textField(metadata, 'phone');
  if (email !== '' && !isEmail(email)) throw refuse(400, 'The email address is not valid.', 'invalid_body');
  if (password !== '' && !isStrongPassword(password))
    throw refuse(400, 'PasswordStrengthError: Password is too weak', 'invalid_body');
  return {
    ...(email !== '' && { email: normalEmail(email) }),
    ...(full_name !== '' && { full_name }),
    ...(phone !== '' && { phone }),
    ...(password !== '' && { password_hash: await hashPassword(password) }),
    ...(typeof fields['email_verified'] === 'boolean' && { email_verified: fields['email_verified'] }),
    ...(typeof fields['blocked'] === 'boolean' && { blocked: fields['blocked'] }),
  };
};

const patchUser = async (users: UserStore, subject: string, { req }: Exchange): Promise<User> => {
  try {
    const changed = users.update(subject, await changeOf(await readFields(req)));
    if (!changed) throw unknownUser();
    return changed;
  } catch (error) {
    if (error instanceof EmailTakenError) throw refuse(400, error.message, 'auth0_idp_error');
    throw error;
  }
};

const handleUser = async ({ users, connection }: ManagementSettings, subject: string, exchange: Exchange) => {
  const { req, res } = exchange;
  if (req.method === 'PATCH')
    return sendJson(res, 200, view(await patchUser(users, subject, exchange), connection));
  if (req.method === 'DELETE') {
    users.remove(subject);
    return sendJson(res, 204, undefined);
  }
  const user = users.find(subject);
  if (req.method !== 'GET' || !user) throw unknownUser();
  return sendJson(res, 200, view(user, connection));
};

const sendVerification = async (
  { users, verification, clock }: ManagementSettings,
  { req, res }: Exchange,
) => {
  const user = users.find(textField(await readFields(req), 'user_id'));
  if (!user) throw unknownUser();
  await verification.sendLink(user);
  const id = `job_${randomBytes(12).toString('hex')}`;
  return sendJson(res, 201, {
    type: 'verification_email',
    status: 'pending',
    created_at: instantText(clock.now()),
    id,
  });
};

/** Handles the part of Auth0's Management API that the service uses. */
export const handleManagement = async (
  settings: ManagementSettings,
  exchange: Exchange,
): Promise<unknown> => {
  const { req, res, url } = exchange;
  if (req.headers.authorization === undefined)
    throw refuse(401, 'Missing authentication', 'missing_authentication');
  if (!settings.isManager(req)) throw refuse(401, 'Invalid token', 'invalid_token');
  const [, subject, part] = /^\/api\/v2\/users\/([^/]+)(\/authenticators)?$/.exec(url.pathname) ?? [];
  if (subject !== undefined && part !== undefined && req.method === 'DELETE') {
    if (!settings.users.update(decodeURIComponent(subject), { totp: undefined })) throw unknownUser();
    return sendJson(res, 204, undefined);
  }
  if (subject !== undefined && part === undefined)
    return handleUser(settings, decodeURIComponent(subject), exchange);
  if (url.pathname === '/api/v2/users-by-email' && req.method === 'GET') {
    const user = settings.users.findByEmail(url.searchParams.get('email') ?? '');
    return sendJson(res, 200, user ? [view(user, settings.connection)] : []);
  }
  if (url.pathname === '/api/v2/jobs/verification-email' && req.method === 'POST')
    return sendVerification(settings, exchange);
  throw refuse(404, 'Not Found', 'not_found');
};

import { invalid, ServiceError } from '../errors.ts';
import type { Auth0Reply } from './auth0-http.ts';

const text = (body: unknown, name: string): string => {
  const value: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined;
  return typeof value === 'string' ? value : '';
};

/** Returns the error for a response that only a wrong configuration explains. It names no field of the request. */
export const unexpectedAnswer = (what: string, { status, body }: Auth0Reply): Error =>
  new Error(
    `The identity provider answered ${status} ${text(body, 'error') || text(body, 'code')} to ${what}.`,
  );

/** Tenants that hide existing accounts answer `invalid_signup` for a known e-mail. */
const knownEmailCodes = new Set(['user_exists', 'username_exists', 'invalid_signup']);
const weakPasswordCodes = new Set([
  'invalid_password',
  'password_dictionary_error',
  'password_no_user_info_error',
  'password_leaked',
]);

export const signUpRefusal = (reply: Auth0Reply): Error => {
  const code = text(reply.body, 'code');
  if (knownEmailCodes.has(code)) return new ServiceError('CUSTOMER_ALREADY_EXISTS');
  if (weakPasswordCodes.has(code))
    return invalid({
      path: 'password',
      message:
        'The password is too weak: at least 8 characters with an upper-case letter, a lower-case letter and a digit.',
    });
  const isAboutEmail = /e-?mail/i.test(text(reply.body, 'error') + text(reply.body, 'description'));
  if (reply.status === 400 && isAboutEmail)
    return invalid({ path: 'email', message: 'The e-mail address is not valid.' });
  return unexpectedAnswer('sign-up', reply);
};

/** Errors about the service's client have the same code as errors about a customer; only the description differs. */
const isAboutClient = (error: string, description: string) =>
  ['invalid_client', 'unauthorized_client', 'unsupported_grant_type'].includes(error) ||
  (error === 'access_denied' &&
    (description === 'Unauthorized' || /service not found|client/i.test(description)));

/** Returns whether a reply refuses the service's own client. */
export const isClientRefused = ({ status, body }: Auth0Reply): boolean =>
  status >= 400 && isAboutClient(text(body, 'error'), text(body, 'error_description'));

export const loginRefusal = (reply: Auth0Reply): Error => {
  const error = text(reply.body, 'error');
  const description = text(reply.body, 'error_description');
  const isRefused = error === 'access_denied' || error === 'unauthorized';
  if (isRefused && /verif/i.test(description)) return new ServiceError('EMAIL_NOT_VERIFIED');
  if (error === 'invalid_grant' || error === 'invalid_user_password')
    return new ServiceError('INVALID_CREDENTIALS');
  if (error === 'mfa_required')
    return new ServiceError(
      'FORBIDDEN',
      'The account needs a second factor: log in on the authorization page.',
    );
  if (isRefused && !isAboutClient(error, description))
    return new ServiceError('FORBIDDEN', 'The identity provider does not let this account in.');
  return unexpectedAnswer('login', reply);
};

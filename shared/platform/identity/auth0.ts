import * as z from 'zod';
import type { Clock } from '../time/clock.ts';
import { ServiceError } from '../errors.ts';
import { normalEmail } from '../text/normal-email.ts';
import { type Auth0Reply, type Auth0Send, createAuth0Send, type SendSettings } from './auth0-http.ts';
import { isClientRefused, loginRefusal, signUpRefusal, unexpectedAnswer } from './auth0-refusals.ts';
import { once } from '../once.ts';
import type { Secret } from '../secrets/index.ts';
import type { IdentityProvider, IdentityUser, SignUp } from './identity-provider.ts';
import { createManagementToken } from './management-token.ts';

export interface Auth0Config {
  /** The tenant's address with its trailing slash, as in the tokens' `iss`. */
  issuer: string;
  /** The audience of access tokens. */
  audience: string;
  client_id: string;
  client_secret: Secret<string>;
  /** The database connection that holds the customers. */
  connection: string;
  /** The audience of the Management API, `https://<tenant>/api/v2/`. */
  management_audience: string;
}

interface Auth0Dependencies extends Partial<Pick<SendSettings, 'timeoutMs' | 'totalMs' | 'backOffMs'>> {
  clock: Clock;
  fetch?: typeof globalThis.fetch;
}

const Profile = once(() =>
  z.object({
    email: z.string(),
    email_verified: z.boolean().default(false),
    name: z.string().optional(),
    phone_number: z.string().optional(),
    last_password_reset: z.iso.datetime().optional().catch(undefined),
    user_metadata: z
      .object({ full_name: z.string(), phone: z.string() })
      .partial()
      .optional()
      .catch(undefined),
  }),
);
const ManagedUser = once(() =>
  Profile().extend({
    user_id: z.string(),
    identities: z.array(z.object({ connection: z.string() })).default([]),
  }),
);
const SignedUp = once(() => Profile().extend({ _id: z.string() }));
const TokenAnswer = once(() =>
  z.object({
    access_token: z.string().min(1),
    id_token: z.string().optional(),
    expires_in: z.number().positive(),
  }),
);

const read = <Shape extends z.ZodType>(shape: Shape, reply: Auth0Reply, what: string): z.output<Shape> => {
  const parsed = shape.safeParse(reply.body);
  if (reply.status >= 400 || !parsed.success) throw unexpectedAnswer(what, reply);
  return parsed.data;
};

const identityUser = (subject: string, profile: z.output<ReturnType<typeof Profile>>): IdentityUser => {
  const { email, email_verified, name, phone_number, user_metadata, last_password_reset } = profile;
  // Auth0 sets `name` to the e-mail if no name was given.
  const full_name = user_metadata?.full_name ?? (name === email ? undefined : name);
  const phone = user_metadata?.phone ?? phone_number;
  return {
    subject,
    email,
    email_verified,
    ...(full_name !== undefined && { full_name }),
    ...(phone !== undefined && { phone }),
    ...(last_password_reset !== undefined && { last_password_reset }),
  };
};

/**
 * Asks for a token as the service's client. If the client is refused, its secret is read again once, because it may have been
 * rotated.
 */
const askForToken = async (
  { client_id, client_secret: secret }: Auth0Config,
  send: Auth0Send,
  grant: Record<string, unknown>,
  headers: Record<string, string> = {},
): Promise<Auth0Reply> => {
  const ask = (client_secret: string) =>
    send({
      method: 'POST',
      path: 'oauth/token',
      body: { ...grant, client_id, client_secret },
      headers,
      repeatable: true,
    });
  const used = await secret.read();
  const reply = await ask(used);
  if (!isClientRefused(reply)) return reply;
  const renewed = await secret.renew(used);
  return renewed === used ? reply : ask(renewed);
};

/** Returns a function that calls /api/v2; a revoked token is replaced once. */
const createManagementCall = (config: Auth0Config, clock: Clock, send: Auth0Send): Auth0Send => {
  const { management_audience: audience } = config;
  const token = createManagementToken(clock, async () => {
    const reply = await askForToken(config, send, { grant_type: 'client_credentials', audience });
    return read(TokenAnswer(), reply, 'the management token request');
  });
  const call = async (request: Parameters<Auth0Send>[0], isLastTry: boolean): Promise<Auth0Reply> => {
    const bearer = await token.read();
    const reply = await send({ ...request, headers: { authorization: `Bearer ${bearer}` } });
    if (reply.status !== 401 || isLastTry) return reply;
    token.forget(bearer);
    return call(request, true);
  };
  return (request) => call(request, false);
};

/** Auth0 trusts the header of a confidential application that is set to trust it. */
const forwardedFor = (clientIp: string | undefined): Record<string, string> =>
  clientIp === undefined ? {} : { 'auth0-forwarded-for': clientIp };

const signUp = async (config: Auth0Config, send: Auth0Send, input: SignUp): Promise<IdentityUser> => {
  const { client_id, connection } = config;
  const { email, password, full_name, phone, clientIp } = input;
  const user_metadata = { full_name, ...(phone !== undefined && { phone }) };
  const reply = await send({
    method: 'POST',
    path: 'dbconnections/signup',
    body: { client_id, connection, email, password, name: full_name, user_metadata },
    headers: forwardedFor(clientIp),
    repeatable: false,
  });
  if (reply.status >= 400) throw signUpRefusal(reply);
  const { _id, ...profile } = read(SignedUp(), reply, 'sign-up');
  return { ...identityUser(`auth0|${_id}`, profile), full_name, ...(phone !== undefined && { phone }) };
};

/** The response is text, and the same with and without an account. */
const sendPasswordReset = async (
  { client_id, connection }: Auth0Config,
  send: Auth0Send,
  email: string,
): Promise<void> => {
  const reply = await send({
    method: 'POST',
    path: 'dbconnections/change_password',
    body: { client_id, connection, email },
    repeatable: false,
  });
  if (reply.status >= 400) throw unexpectedAnswer('the password reset', reply);
};

/** A user who does not exist is deleted. */
const deleteUser = async (manage: Auth0Send, subject: string): Promise<void> => {
  const path = `api/v2/users/${encodeURIComponent(subject)}`;
  const reply = await manage({ method: 'DELETE', path, repeatable: true });
  if (reply.status >= 400 && reply.status !== 404) throw unexpectedAnswer('the deletion of a user', reply);
};

/** Returns the client of Auth0 (D11). Passwords are sent to the provider only. */
export const createAuth0 = (config: Auth0Config, dependencies: Auth0Dependencies): IdentityProvider => {
  const { client_id, audience, connection } = config;
  const send = createAuth0Send({ fetch: globalThis.fetch, ...dependencies, issuer: config.issuer });
  const manage = createManagementCall(config, dependencies.clock, send);
  return {
    readUser: async (subject) => {
      const reply = await manage({
        method: 'GET',
        path: `api/v2/users/${encodeURIComponent(subject)}`,
        repeatable: true,
      });
      if (reply.status === 404) return undefined;
      const user = read(ManagedUser(), reply, 'a user request');
      return identityUser(user.user_id, user);
    },
    findUserByEmail: async (email) => {
      const wanted = encodeURIComponent(normalEmail(email));
      const reply = await manage({
        method: 'GET',
        path: `api/v2/users-by-email?email=${wanted}`,
        repeatable: true,
      });
      const users = read(z.array(ManagedUser()), reply, 'a user search');
      const user = users.find(({ identities }) =>
        identities.some((identity) => identity.connection === connection),
      );
      return user && identityUser(user.user_id, user);
    },
    signUp: (input) => signUp(config, send, input),
    passwordLogin: async ({ email, password, clientIp }) => {
      const grant = { grant_type: 'password', username: email, password, scope: 'openid profile email' };
      const reply = await askForToken(config, send, { ...grant, audience }, forwardedFor(clientIp));
      if (reply.status >= 400) throw loginRefusal(reply);
      const { access_token, id_token, expires_in } = read(TokenAnswer(), reply, 'login');
      return { access_token, ...(id_token !== undefined && { id_token }), token_type: 'Bearer', expires_in };
    },
    sendVerificationEmail: async (subject) => {
      const body = { user_id: subject, client_id };
      const reply = await manage({
        method: 'POST',
        path: 'api/v2/jobs/verification-email',
        body,
        repeatable: false,
      });
      if (reply.status === 404)
        throw new ServiceError('NOT_FOUND', 'The identity provider does not know this user.');
      read(z.unknown(), reply, 'the verification e-mail request');
    },
    deleteUser: (subject) => deleteUser(manage, subject),
    sendPasswordReset: (email) => sendPasswordReset(config, send, email),
  };
};

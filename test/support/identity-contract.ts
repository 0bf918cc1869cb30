import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  createAuth0,
  createTokenVerifier,
  type Auth0Config,
  type IdentityProvider,
} from '../../shared/platform/identity/index.ts';
import { systemClock } from '../../shared/platform/time/clock.ts';
import type { ServiceError } from '../../shared/platform/errors.ts';

interface ContractSubject {
  config: Auth0Config;
  /** Returns the last verification link mailed to the address; absent if the mailbox cannot be read. */
  linkMailedTo?: (email: string) => string | undefined;
  /** Marks the address as verified if no link can be followed. */
  verify?: (subject: string) => Promise<void>;
}

export const strongPassword = () => `Aa1${randomBytes(9).toString('base64url')}`;
export const freshEmail = () => `guest-${randomBytes(6).toString('hex')}@example.com`;

/** Returns the code of the ServiceError that a call throws. */
export const codeOf = async (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'no error',
    (error: unknown) => (error as ServiceError).code,
  );

const verifierOf = ({ issuer, audience }: Auth0Config) =>
  createTokenVerifier({
    issuer,
    audience,
    jwksUri: `${issuer}.well-known/jwks.json`,
    allowHttp: issuer.startsWith('http:'),
  });

/** The contract tests of identity providers. Runs on the embedded one, and on a tenant if AUTH0_* is set. */
export const identityContract = (name: string, subject: () => ContractSubject) => {
  const provider = (): IdentityProvider => createAuth0(subject().config, { clock: systemClock });
  const signUp = async () => {
    const person = {
      email: freshEmail(),
      password: strongPassword(),
      full_name: 'An Nguyễn',
      phone: '+84901234567',
    };
    return { person, user: await provider().signUp(person) };
  };
  const verify = async (user: { subject: string; email: string }) => {
    const link = subject().linkMailedTo?.(user.email);
    if (link === undefined) await subject().verify?.(user.subject);
    else expect((await fetch(link)).status).toBe(200);
  };

  describe(`identity provider contract: ${name}`, () => {
    it('signs up an account that is not verified and can be read back', async () => {
      const { person, user } = await signUp();
      const { email, full_name, phone } = person;
      expect(user).toEqual({ subject: user.subject, email, full_name, phone, email_verified: false });
      expect(user.subject).toMatch(/^auth0\|/);
      expect(await provider().readUser(user.subject)).toEqual(user);
    });

    it('finds the account by its e-mail in any case', async () => {
      const { user } = await signUp();
      await expect
        .poll(() => provider().findUserByEmail(user.email.toUpperCase()), { timeout: 10_000 })
        .toEqual(user);
      expect(await provider().findUserByEmail(freshEmail())).toBeUndefined();
    });

    it('does not know a strange subject', async () => {
      expect(await provider().readUser('auth0|000000000000000000000000')).toBeUndefined();
      expect(await codeOf(provider().sendVerificationEmail('auth0|000000000000000000000000'))).toBe(
        'NOT_FOUND',
      );
    });

    it('refuses a second account of the e-mail', async () => {
      const { person } = await signUp();
      expect(await codeOf(provider().signUp({ ...person, password: strongPassword() }))).toBe(
        'CUSTOMER_ALREADY_EXISTS',
      );
    });

    it.each(['Ab1defg', 'abcdefg1', 'ABCDEFG1', 'Abcdefgh'])(
      'refuses the weak password %s',
      async (password) => {
        const refused = provider().signUp({ email: freshEmail(), password, full_name: 'An' });
        await expect(refused).rejects.toMatchObject({
          code: 'VALIDATION_ERROR',
          details: { issues: [{ path: 'password' }] },
        });
      },
    );

    it('refuses a wrong password and an unknown e-mail alike', async () => {
      const { person } = await signUp();
      const attempt = (email: string) =>
        codeOf(provider().passwordLogin({ email, password: strongPassword() }));
      expect(await attempt(person.email)).toBe('INVALID_CREDENTIALS');
      expect(await attempt(freshEmail())).toBe('INVALID_CREDENTIALS');
    });

    it('refuses a login before the e-mail is verified, then issues a token for the API', async () => {
      const { person, user } = await signUp();
      expect(await codeOf(provider().passwordLogin(person))).toBe('EMAIL_NOT_VERIFIED');
      await verify(user);
      expect(await provider().readUser(user.subject)).toMatchObject({ email_verified: true });

      const tokens = await provider().passwordLogin({ ...person, clientIp: '203.0.113.7' });
      expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 86_400 });
      const verified = await verifierOf(subject().config)(tokens.access_token);
      expect(verified.subject).toBe(user.subject);
      expect(verified.claims.iss).toBe(subject().config.issuer);
      expect(verified.claims.scope).toContain('openid');
      expect(await codeOf(verifierOf(subject().config)(tokens.id_token ?? ''))).toBe('UNAUTHORIZED');

      const userinfo = await fetch(new URL('userinfo', subject().config.issuer), {
        headers: { authorization: `Bearer ${tokens.access_token}` },
      });
      expect(await userinfo.json()).toMatchObject({
        sub: user.subject,
        email: user.email,
        email_verified: true,
      });
    });

    it('deletes an account once and for all, also one that it does not know', async () => {
      const { user } = await signUp();
      await provider().deleteUser(user.subject);
      expect(await provider().readUser(user.subject)).toBeUndefined();
      expect(await provider().findUserByEmail(user.email)).toBeUndefined();
      expect(await codeOf(provider().deleteUser(user.subject))).toBe('no error');
    });

    it('mails a link to set a new password, and says the same of an address without an account', async () => {
      const { person, user } = await signUp();
      await verify(user);
      const before = subject().linkMailedTo?.(person.email);
      expect(await codeOf(provider().sendPasswordReset(freshEmail()))).toBe('no error');
      expect(await codeOf(provider().sendPasswordReset(person.email))).toBe('no error');
      const link = subject().linkMailedTo?.(person.email);
      if (link === undefined) return;
      expect(link).not.toBe(before);
      const password = strongPassword();
      const set = await fetch(link, { method: 'POST', body: new URLSearchParams({ password }) });
      expect(set.status).toBe(200);
      expect(await codeOf(provider().passwordLogin(person))).toBe('INVALID_CREDENTIALS');
      expect(await codeOf(provider().passwordLogin({ ...person, password }))).toBe('no error');
    });

    it('sends the verification link again', async () => {
      const { user } = await signUp();
      const first = subject().linkMailedTo?.(user.email);
      await provider().sendVerificationEmail(user.subject);
      if (first !== undefined) expect(subject().linkMailedTo?.(user.email)).not.toBe(first);
    });
  });
};

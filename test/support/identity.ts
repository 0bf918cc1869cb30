import { randomUUID } from 'node:crypto';
import { ServiceError } from '../../shared/platform/errors.ts';
import type { IdentityProvider, IdentityUser } from '../../shared/platform/identity/index.ts';

export interface FakeIdentity extends IdentityProvider {
  /** The provider's accounts by subject; may be changed at any time. */
  accounts: Map<string, IdentityUser>;
  /** Calls so far, as `method subject-or-email`. */
  calls: string[];
  /** If set, every call fails. */
  isDown: boolean;
  /** Adds an account with defaults. */
  add(account?: Partial<IdentityUser>): IdentityUser;
}

/** Returns an in-memory identity provider. */
export const fakeIdentity = (): FakeIdentity => {
  const accounts = new Map<string, IdentityUser>();
  const byEmail = (email: string) => [...accounts.values()].find((account) => account.email === email);
  const called = (call: string) => {
    fake.calls.push(call);
    if (fake.isDown) throw new ServiceError('IDENTITY_PROVIDER_UNAVAILABLE');
  };
  const fake: FakeIdentity = {
    accounts,
    calls: [],
    isDown: false,
    add: (account = {}) => {
      const id = randomUUID();
      const added = { subject: `auth0|${id}`, email: `${id}@example.com`, email_verified: true, ...account };
      accounts.set(added.subject, added);
      return added;
    },
    readUser: async (subject) => {
      called(`readUser ${subject}`);
      return accounts.get(subject);
    },
    findUserByEmail: async (email) => {
      called(`findUserByEmail ${email}`);
      return byEmail(email);
    },
    signUp: async ({ email, full_name, phone }) => {
      called(`signUp ${email}`);
      if (byEmail(email)) throw new ServiceError('CUSTOMER_ALREADY_EXISTS');
      return fake.add({ email, email_verified: false, full_name, ...(phone !== undefined && { phone }) });
    },
    passwordLogin: async ({ email }) => {
      called(`passwordLogin ${email}`);
      const account = byEmail(email);
      if (!account) throw new ServiceError('INVALID_CREDENTIALS');
      if (!account.email_verified) throw new ServiceError('EMAIL_NOT_VERIFIED');
      return { access_token: `token of ${account.subject}`, token_type: 'Bearer', expires_in: 86_400 };
    },
    sendVerificationEmail: async (subject) => {
      called(`sendVerificationEmail ${subject}`);
      if (!accounts.has(subject)) throw new ServiceError('NOT_FOUND');
    },
    deleteUser: async (subject) => {
      called(`deleteUser ${subject}`);
      accounts.delete(subject);
    },
    sendPasswordReset: async (email) => called(`sendPasswordReset ${email}`),
  };
  return fake;
};

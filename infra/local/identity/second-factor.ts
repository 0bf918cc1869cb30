import { hash, randomBytes } from 'node:crypto';
import type { Clock } from '../../../shared/platform/time/clock.ts';
import { minuteMs } from '../../../shared/platform/time/time.ts';
import { createFailureCounter } from './failure-counter.ts';
import { type LoginRefusal, tooMany } from './login.ts';
import { newTotpSecret, stepOfCode } from './totp.ts';
import type { User, UserStore } from './users.ts';

/** What an authenticator app needs to know. */
interface Enrolment {
  secret: string;
  uri: string;
}

/** A sign-in that waits for a code. */
interface Pending {
  subject: string;
  client_id: string;
  scope: string;
  /** That of the password which was given: a new one ends the sign-in. */
  password_hash: string;
  /** The secret of an app that no code has confirmed yet. */
  secret?: string;
  expires: number;
}

export interface SecondFactor {
  /** Returns whether an application asks for it. */
  isAsked(clientId: string): boolean;
  /** Returns the token of a sign-in whose password was right; it lives ten minutes, as at Auth0, and ends with the process. */
  begin(user: User, request: { client_id: string; scope: string }): string;
  /** Returns whose sign-in it is; undefined if the token is unknown or has expired. */
  userOf(mfaToken: string): User | undefined;
  /** Returns what the person's app needs, the same for the whole sign-in; undefined if the account has an app already. */
  enrol(mfaToken: string): Enrolment | undefined;
  /** Ends the sign-in with a code. The first code of a new app adds the app to the account. */
  check(attempt: {
    mfaToken: string;
    clientId: string;
    code: string;
  }): { user: User; scope: string } | { refusal: LoginRefusal };
}

const lifeMs = 10 * minuteMs;

const expired: LoginRefusal = {
  status: 401,
  error: 'expired_token',
  error_description: 'mfa_token is expired',
};
const wrong: LoginRefusal = {
  status: 403,
  error: 'invalid_grant',
  error_description: 'Invalid otp_code.',
};

const uriOf = ({ email }: User, secret: string): string =>
  `otpauth://totp/Nightlatch:${encodeURIComponent(email)}?secret=${secret}&issuer=Nightlatch&algorithm=SHA1&digits=6&period=30`;

/** Returns the second factor of sign-ins: codes of an authenticator app. */
export const createSecondFactor = (settings: {
  users: UserStore;
  clock: Clock;
  applications: readonly string[];
}): SecondFactor => {
  const { users, clock, applications } = settings;
  const failures = createFailureCounter(clock);
  const pending = new Map<string, Pending>();
  const keyOf = (mfaToken: string) => hash('sha256', mfaToken);
  const find = (mfaToken: string) => {
    const signIn = pending.get(keyOf(mfaToken));
    const user = users.find(signIn?.subject ?? '');
    if (!signIn || signIn.expires < clock.now() || !user || user.blocked) return undefined;
    return user.password_hash === signIn.password_hash ? { signIn, user } : undefined;
  };
  return {
    isAsked: (clientId) => applications.includes(clientId),
    begin: ({ subject, password_hash }, request) => {
      for (const [key, { expires }] of pending) if (expires < clock.now()) pending.delete(key);
      const token = randomBytes(24).toString('base64url');
      pending.set(keyOf(token), { ...request, subject, password_hash, expires: clock.now() + lifeMs });
      return token;
    },
    userOf: (mfaToken) => find(mfaToken)?.user,
    enrol: (mfaToken) => {
      const found = find(mfaToken);
      if (!found || found.user.totp) return undefined;
      const secret = (found.signIn.secret ??= newTotpSecret());
      return { secret, uri: uriOf(found.user, secret) };
    },
    check: ({ mfaToken, clientId, code }) => {
      const found = find(mfaToken);
      if (found?.signIn.client_id !== clientId) return { refusal: expired };
      const { signIn, user } = found;
      const seconds = failures.secondsBlocked(user.subject);
      if (seconds > 0) return { refusal: tooMany(seconds) };
      const secret = user.totp?.secret ?? signIn.secret;
      const last_step = user.totp?.last_step ?? 0;
      const step = secret === undefined ? undefined : stepOfCode({ secret, last_step }, code, clock.now());
      if (secret === undefined || step === undefined) {
        failures.add(user.subject);
        return { refusal: wrong };
      }
      failures.clear(user.subject);
      pending.delete(keyOf(mfaToken));
      users.update(user.subject, { totp: { secret, last_step: step } });
      return { user, scope: signIn.scope };
    },
  };
};

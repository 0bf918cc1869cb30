import { type Clock, instantText } from '../../../shared/platform/time/clock.ts';
import { normalEmail } from '../../../shared/platform/text/normal-email.ts';
import { createFailureCounter } from './failure-counter.ts';
import { hashPassword, isPassword } from './password.ts';
import type { User, UserStore } from './users.ts';

/** A refused login with Auth0's error. */
export interface LoginRefusal {
  status: 401 | 403 | 429;
  error: 'invalid_grant' | 'access_denied' | 'unauthorized' | 'expired_token' | 'too_many_attempts';
  error_description: string;
  retry_after_seconds?: number;
}

type LoginResult = { user: User } | { refusal: LoginRefusal };

interface LoginAttempt {
  email: string;
  password: string;
  /** The client's address: failures are limited for each address and account. */
  address: string;
}

const refuse = (status: 403, error: LoginRefusal['error'], error_description: string): LoginResult => ({
  refusal: { status, error, error_description },
});

/** Returns the refusal of an account with too many wrong passwords or codes. */
export const tooMany = (seconds: number): LoginRefusal => ({
  status: 429,
  error: 'too_many_attempts',
  error_description: 'Your account has been blocked after multiple consecutive login attempts.',
  retry_after_seconds: seconds,
});

/** Returns a function that checks e-mail and password, for the token endpoint and the login page. */
export const createLogin = (settings: { users: UserStore; clock: Clock; blockUnverified: boolean }) => {
  const { users, clock, blockUnverified } = settings;
  const failures = createFailureCounter(clock);
  const noHash = hashPassword('the password of no account');
  return async ({ email, password, address }: LoginAttempt): Promise<LoginResult> => {
    const key = `${normalEmail(email)} ${address}`;
    const seconds = failures.secondsBlocked(key);
    if (seconds > 0) return { refusal: tooMany(seconds) };
    const user = users.findByEmail(email);
    const isRight = await isPassword(password, user?.password_hash ?? (await noHash));
    if (!user || !isRight) {
      failures.add(key);
      return refuse(403, 'invalid_grant', 'Wrong email or password.');
    }
    failures.clear(key);
    if (user.blocked) return refuse(403, 'unauthorized', 'user is blocked');
    if (blockUnverified && !user.email_verified)
      return refuse(403, 'access_denied', 'Please verify your email before logging in.');
    users.update(user.subject, { last_login: instantText(clock.now()), logins_count: user.logins_count + 1 });
    return { user };
  };
};

export type Login = ReturnType<typeof createLogin>;

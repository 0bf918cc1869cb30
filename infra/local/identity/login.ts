import { type Clock, instantText } from '../../../shared/platform/clock.ts';
import { normalEmail } from '../../../shared/platform/normal-email.ts';
import { minuteMs } from '../../../shared/platform/time.ts';
import { hashPassword, isPassword } from './password.ts';
import type { User, UserStore } from './users.ts';

/** A refused login with Auth0's error. */
interface LoginRefusal {
  status: 403 | 429;
  error: 'invalid_grant' | 'access_denied' | 'unauthorized' | 'too_many_attempts';
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

const maxFailures = 10;
const windowMs = 15 * minuteMs;

/** Counts wrong passwords in memory; a restart resets it. */
const createFailureCounter = (clock: Clock) => {
  const counts = new Map<string, { failures: number; since: number }>();
  const current = (key: string) => {
    const count = counts.get(key);
    const age = count ? clock.now() - count.since : Infinity;
    return age >= 0 && age < windowMs ? count : undefined;
  };
  return {
    secondsBlocked: (key: string): number => {
      const count = current(key);
      if (!count || count.failures < maxFailures) return 0;
      return Math.ceil((count.since + windowMs - clock.now()) / 1000);
    },
    add: (key: string) => {
      if (counts.size > 10_000) counts.clear();
      const failures = (current(key)?.failures ?? 0) + 1;
      counts.set(key, { failures, since: current(key)?.since ?? clock.now() });
    },
    clear: (key: string) => void counts.delete(key),
  };
};

const refuse = (status: 403, error: LoginRefusal['error'], error_description: string): LoginResult => ({
  refusal: { status, error, error_description },
});

const tooMany = (seconds: number): LoginResult => ({
  refusal: {
    status: 429,
    error: 'too_many_attempts',
    error_description: 'Your account has been blocked after multiple consecutive login attempts.',
    retry_after_seconds: seconds,
  },
});

/** Returns a function that checks e-mail and password, for the token endpoint and the login page. */
export const createLogin = (settings: { users: UserStore; clock: Clock; blockUnverified: boolean }) => {
  const { users, clock, blockUnverified } = settings;
  const failures = createFailureCounter(clock);
  const noHash = hashPassword('the password of no account');
  return async ({ email, password, address }: LoginAttempt): Promise<LoginResult> => {
    const key = `${normalEmail(email)} ${address}`;
    const seconds = failures.secondsBlocked(key);
    if (seconds > 0) return tooMany(seconds);
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

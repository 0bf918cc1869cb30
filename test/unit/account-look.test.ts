import { expect, test } from 'vitest';
import { isLookDue } from '../../shared/domain/people/account-look.rules.ts';
import type { User } from '../../shared/domain/people/user.store.ts';

const at = Date.parse('2027-01-15T03:00:00Z');
const minute = 60_000;
const seen = { account_seen_at: '2027-01-15T03:00:00.000Z', account_seen_iat: 1000 };
const user = (given: Partial<User> = {}) =>
  ({ email: 'an@example.com', email_verified: true, ...seen, ...given }) as User;
const isDue = (claims: Parameters<typeof isLookDue>[1], after = 60, given?: Partial<User>) =>
  isLookDue(user(given), claims, at + after * minute);

test('the provider is asked for a newer token, once an hour', () => {
  expect(isDue({ iat: 1001 })).toBe(true);
  expect(isDue({ iat: 1001 }, 59)).toBe(false);
  expect(isDue({ iat: 1000 })).toBe(false);
  expect(isDue({})).toBe(false);
});

test('a record from before it is asked about at once, and a clock that was set back does not wait', () => {
  const { account_seen_at: _, account_seen_iat: __, ...old } = user();
  expect(isLookDue(old, { iat: 1 }, at)).toBe(true);
  expect(isDue({ iat: 1001 }, -60)).toBe(true);
});

test('a token of the same second or later that says something else than the record is no reason to wait', () => {
  expect(isDue({ iat: 1001, email: 'binh@example.com' }, 0)).toBe(true);
  expect(isDue({ iat: 1001, email_verified: false }, 0)).toBe(true);
  expect(isDue({ iat: 1001, email: 'An@Example.com', email_verified: true }, 0)).toBe(false);
  expect(isDue({ iat: 1000, email: 'binh@example.com' }, 0)).toBe(true);
  expect(isDue({ iat: 999, email: 'binh@example.com' })).toBe(false);
});

import { createHash } from 'node:crypto';
import { dayMs, minuteMs } from '../../platform/time/time.ts';
import { isInRanges } from './address-range.rules.ts';
import { type LoginFailures, providerForgetsMs } from './login-failures.store.ts';

const longestWaitMinutes = 60;

/** Returns when the next login may be tried: at once while fewer have failed than are free, then after 1, 2, 4 … 60 minutes. */
export const nextLoginAt = (found: LoginFailures | undefined, free: number, now: number): number => {
  if (!found || found.failures < free || isForgotten(found, now, dayMs)) return now;
  return found.last_at + Math.min(2 ** (found.failures - free), longestWaitMinutes) * minuteMs;
};

/** A clock that was set back, as tests do, is no reason to wait; those of two instances differ by less. */
const isForgotten = ({ last_at }: LoginFailures, now: number, afterMs: number): boolean =>
  now - last_at >= afterMs || last_at - now > minuteMs;

/** Half of what Auth0 lets fail for an address of a client. */
const mostForwarded = 5;

/**
 * Returns whether the provider may count a login for the address that a partner names. Failures add up there without a window
 * and for all partners, so no more than these ever do, whatever addresses the partners name.
 */
export const mayForward = (found: LoginFailures | undefined, now: number): boolean =>
  !found || found.failures < mostForwarded || isForgotten(found, now, providerForgetsMs);

/** Returns the counter with one more failure. */
export const oneMore = (
  ids: Pick<LoginFailures, 'address' | 'by'>,
  found: LoginFailures | undefined,
  now: number,
): LoginFailures => {
  const forgetsMs = ids.by === forwarded ? providerForgetsMs : dayMs;
  const before = found && !isForgotten(found, now, forgetsMs) ? found.failures : 0;
  return { ...ids, failures: before + 1, last_at: now };
};

/** The counter of logins for addresses that partners name. */
export const forwarded = 'client_ip';

const uniqueLocal = ['fc00::/7'];

/** Whether an address could be one of {@link partnerAddress}. */
export const isUniqueLocal = (address: string): boolean => isInRanges(address, uniqueLocal);

/** Fewer logins than the provider's threshold fail in it. */
const addressMs = 15 * minuteMs;

/**
 * Returns the address for which the provider counts a login without another one: a unique local one of the partner, the e-mail
 * address and the quarter of an hour. So partners share no counter there, and none fills up over a long time.
 */
export const partnerAddress = (keyId: number, email: string, now: number): string => {
  const text = `${keyId} ${email} ${Math.floor(now / addressMs)}`;
  const digits = createHash('sha256').update(text).digest('hex').slice(0, 30);
  return `fd${digits}`.replaceAll(/.{4}(?=.)/g, '$&:');
};

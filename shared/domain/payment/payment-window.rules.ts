import { readSettings } from '../../platform/settings.ts';
import { hourMs, minuteMs } from '../../platform/time/time.ts';

/** The shortest payment window, however near the check-in is (D73). */
const minWindowMs = 30 * minuteMs;

/** The longest payment window (D46: 24 hours unless `PAYMENT_WINDOW_MINUTES` is set). */
const maxWindowMs = (): number => readSettings().PAYMENT_WINDOW_MINUTES * minuteMs;

const minTransferMs = 2 * hourMs;

/** Returns the time limit of a bank transfer in epoch milliseconds: not later than check-in, but at least 2 hours (D85). */
export const transferWindowEnd = (now: number, checkIn: number, hours: number): number =>
  Math.max(now + minTransferMs, Math.min(now + hours * hourMs, checkIn));

/**
 * Returns the end of a payment window in epoch milliseconds: not later than the first check-in, but at least 30 minutes
 * (D73).
 */
export const paymentWindowEnd = (now: number, checkIns: readonly number[]): number =>
  Math.max(now + minWindowMs, Math.min(now + maxWindowMs(), ...checkIns));

import { readSettings } from '../../platform/settings.ts';

const minuteMs = 60_000;
/** However near the check-in is, so long a customer has (D73). */
const shortestMs = 30 * minuteMs;

/** How long an online payment may take (D46: 24 hours unless `PAYMENT_WINDOW_MINUTES` says otherwise). */
const windowMs = (): number => readSettings().PAYMENT_WINDOW_MINUTES * minuteMs;

const hourMs = 60 * minuteMs;
const shortestTransferMs = 2 * hourMs;

/** Until when a bank transfer has to come, in epoch milliseconds: never later than check-in, but at least 2 hours (D85). */
export const transferWindowEnd = (now: number, checkIn: number, hours: number): number =>
  Math.max(now + shortestTransferMs, Math.min(now + hours * hourMs, checkIn));

/** Until when an order may be paid, in epoch milliseconds: never later than its first check-in, but at least 30 minutes (D73). */
export const paymentWindowEnd = (now: number, checkIns: readonly number[]): number =>
  Math.max(now + shortestMs, Math.min(now + windowMs(), ...checkIns));

const minuteMs = 60_000;
/** However near the check-in is, so long a customer has (D73). */
const shortestMs = 30 * minuteMs;

/** How long an online payment may take (D46: 24 hours unless `PAYMENT_WINDOW_MINUTES` says otherwise). */
const windowMs = (): number => Number(process.env['PAYMENT_WINDOW_MINUTES'] ?? 1440) * minuteMs;

/** Until when an order may be paid, in epoch milliseconds: never later than its first check-in, but at least 30 minutes (D73). */
export const paymentWindowEnd = (now: number, checkIns: readonly number[]): number =>
  Math.max(now + shortestMs, Math.min(now + windowMs(), ...checkIns));

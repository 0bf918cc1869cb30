/** What the service says in each answer of how many requests a person has left in this minute. */
interface Allowance {
  limit: number;
  remaining: number;
  /** In epoch milliseconds. */
  resetAt: number;
}

const gapMs = 6_000;
const minuteMs = 60_000;

/**
 * How fast the board follows what happens elsewhere. All tabs and devices of a person share one limit, of which half is left to what the
 * person does: below it the board follows more slowly, in the last quarter not before the next minute.
 */
export const createPace = (now: () => number) => {
  let allowance: Allowance | undefined;
  let quietUntil = 0;
  return {
    /** Notes what an answer says; answers without a limit say nothing. */
    note: (headers: Pick<Headers, 'get'>): void => {
      const [limit, remaining, reset] = ['Limit', 'Remaining', 'Reset'].map((name) =>
        Number(headers.get(`X-RateLimit-${name}`) ?? Number.NaN),
      );
      if (limit && remaining !== undefined && reset && remaining >= 0)
        allowance = { limit, remaining, resetAt: reset * 1000 };
    },
    /** The service has refused a request, and says how long to wait. */
    refused: (delayMs: number): void => void (quietUntil = Math.max(quietUntil, now() + delayMs)),
    /** How long to wait before the board asks what no person waits for. */
    delayMs: (): number => {
      const quietMs = Math.max(0, quietUntil - now());
      if (!allowance || allowance.resetAt <= now()) return quietMs;
      const { limit, remaining, resetAt } = allowance;
      if (remaining >= limit / 2) return quietMs;
      const untilReset = Math.min(minuteMs, resetAt - now());
      return Math.max(quietMs, remaining < limit / 4 ? untilReset : Math.min(gapMs, untilReset));
    },
  };
};

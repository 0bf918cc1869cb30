/** Where the service takes the time from, in epoch milliseconds. */
export interface Clock {
  now(): number;
}

/** The machine's own time, wherever the service's was moved to: for what others compare with their own clocks. */
export const machineClock: Clock = {
  // eslint-disable-next-line no-restricted-syntax -- the one place where real time enters
  now: () => Date.now(),
};

/**
 * The service's clock. `CLOCK_OFFSET_MS` moves it in local mode only (D71); it is read at every call so that
 * a running service can be moved.
 */
export const systemClock: Clock = {
  now: () => machineClock.now() + Number(process.env['CLOCK_OFFSET_MS'] ?? 0),
};

/** A clock that stands still until it is told otherwise: for tests. */
export const fixedClock = (
  start: string,
): Clock & { set(instant: string): void; advance(ms: number): void } => {
  let now = Date.parse(start);
  return {
    now: () => now,
    set: (instant) => (now = Date.parse(instant)),
    advance: (ms) => void (now += ms),
  };
};

/** Epoch milliseconds as UTC text with `Z`, the form of every instant in an answer (D3). */
export const instantText = (epochMs: number): string => new Date(epochMs).toISOString();

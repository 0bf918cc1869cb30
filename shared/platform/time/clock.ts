/** The source of the current time, in epoch milliseconds. */
export interface Clock {
  now(): number;
  /** Where the test clock moves `now`, the time that does not go back: ids are made from it. */
  steady?: () => number;
  /** The next id where ids are laid down, as in the demo data; otherwise they are made from the time. */
  nextId?: () => number | undefined;
  /** Waits, where time does not pass by itself: a clock that is only set waits for nothing. Otherwise a timer waits. */
  pause?: (ms: number) => Promise<void>;
}

/** The system clock without the offset of the test clock: for times that other systems compare with their clocks. */
export const machineClock: Clock = {
  // oxlint-disable-next-line nightlatch/no-restricted-syntax -- the one place where real time enters
  now: () => Date.now(),
};

/** Milliseconds of a clock that is never set. Node loads `performance` at its first use, which takes a millisecond of a start. */
export const steadyMs = (): number => Number(process.hrtime.bigint()) / 1e6;

/** Returns the CPU time of this thread, in milliseconds. */
export const threadCpuMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/** The service's clock. In local mode `CLOCK_OFFSET_MS` moves it (D71); it is read at every call. */
export const systemClock: Clock = {
  now: () => machineClock.now() + Number(process.env['CLOCK_OFFSET_MS'] ?? 0),
  steady: () => machineClock.now(),
};

/** A clock for tests that moves only when set. */
export const fixedClock = (
  start: string,
): Clock & { set(instant: string): void; advance(ms: number): void } => {
  let now = Date.parse(start);
  return {
    now: () => now,
    set: (instant) => (now = Date.parse(instant)),
    advance: (ms) => void (now += ms),
    pause: () => Promise.resolve(),
  };
};

/** Returns the instant as ISO 8601 text in UTC, the form of every instant in a response (D3). */
export const instantText = (epochMs: number): string => new Date(epochMs).toISOString();

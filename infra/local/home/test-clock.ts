import { Temporal } from 'temporal-polyfill';
import * as z from 'zod';
import { instantText, systemClock } from '../../../shared/platform/time/clock.ts';
import { invalid } from '../../../shared/platform/errors.ts';

export const ClockChange = z.union([
  z.strictObject({ now: z.iso.datetime({ offset: true }) }),
  z.strictObject({ advance: z.string().refine(isDuration, 'must be an ISO 8601 duration such as PT16M') }),
]);
export type ClockChange = z.infer<typeof ClockChange>;

interface ClockReading {
  now: string;
  /** The offset of the service's time from the system clock. */
  offset_ms: number;
}

export interface TestClock {
  read(): ClockReading;
  /** `{now}` sets the time, `{advance}` adds to it; the clock keeps running (D71, D74). */
  change(change: ClockChange): ClockReading;
  reset(): ClockReading;
}

/** As far as the clock may go: dates have four digits there, and bookings, their windows and what is kept of them fit in. */
const bounds = { earliest: '2000-01-01T00:00:00Z', latest: '2200-01-01T00:00:00Z' };

/** The variable that `systemClock` reads at every call. */
export const clockVariable = 'CLOCK_OFFSET_MS';

/** Returns the test clock, which moves the service's time by `CLOCK_OFFSET_MS`. */
export const testClock = (onMove: (reading: ClockReading) => void): TestClock => {
  const offset = (): number => Number(process.env[clockVariable] ?? 0);
  const read = (): ClockReading => ({ now: instantText(systemClock.now()), offset_ms: offset() });
  const move = (offsetMs: number): ClockReading => {
    process.env[clockVariable] = String(Math.round(offsetMs));
    const reading = read();
    onMove(reading);
    return reading;
  };
  return {
    read,
    change: (change) => {
      const now = systemClock.now();
      const then = 'now' in change ? Date.parse(change.now) : later(now, change.advance);
      if (!(then >= Date.parse(bounds.earliest) && then <= Date.parse(bounds.latest)))
        throw invalid({ path: '', message: `the clock goes from ${bounds.earliest} to ${bounds.latest}` });
      return move(offset() + then - now);
    },
    reset: () => move(0),
  };
};

const later = (epochMs: number, duration: string): number =>
  Temporal.Instant.fromEpochMilliseconds(epochMs)
    .toZonedDateTimeISO('UTC')
    .add(Temporal.Duration.from(duration)).epochMilliseconds;

function isDuration(text: string): boolean {
  try {
    return Math.abs(Temporal.Duration.from(text).total({ unit: 'days', relativeTo: '2027-01-01' })) <= 36_500;
  } catch {
    return false;
  }
}

import type { Clock } from '../../shared/platform/clock.ts';
import { every, type Repeated } from './every.ts';
import { type Log, reason } from './log.ts';

interface TimedFunction {
  name: string;
  everyMinutes: number;
  run: (event: unknown) => Promise<unknown>;
}

const lookSeconds = 1;
const minuteMs = 60_000;

/** What EventBridge Scheduler hands to a function that asks for nothing more. */
const scheduledEvent = (name: string, now: number) => ({
  version: '0',
  'detail-type': 'Scheduled Event',
  source: 'nightlatch.schedule',
  time: new Date(now).toISOString(),
  resources: [name],
  detail: {},
});

/**
 * Runs each function at its rate by the service's time: when the test clock jumps over many runs they are made up for by
 * one, and when it goes back the count begins anew. The first run comes a period after the start.
 */
export const startSchedules = ({
  schedules,
  clock,
  log,
}: {
  schedules: readonly TimedFunction[];
  clock: Clock;
  log: Log;
}): Repeated => {
  const periodOf = (everyMinutes: number) => Math.floor(clock.now() / (everyMinutes * minuteMs));
  const done = new Map(schedules.map(({ name, everyMinutes }) => [name, periodOf(everyMinutes)]));
  const runDue = async ({ name, everyMinutes, run }: TimedFunction): Promise<void> => {
    const period = periodOf(everyMinutes);
    if (period === done.get(name)) return;
    done.set(name, period);
    try {
      await run(scheduledEvent(name, clock.now()));
    } catch (error) {
      log(`The schedule ${name} failed: ${reason(error)}`);
    }
  };
  return every(lookSeconds, 'looking at the schedules', () => Promise.all(schedules.map(runDue)), log);
};

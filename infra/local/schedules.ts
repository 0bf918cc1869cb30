import type { Clock } from '../../shared/platform/time/clock.ts';
import { minuteMs } from '../../shared/platform/time/time.ts';
import { startInterval, type IntervalTask } from './interval-task.ts';
import { type Log, reason } from './log.ts';

interface TimedFunction {
  name: string;
  everyMinutes: number;
  run: (event: unknown) => Promise<unknown>;
}

const checkIntervalSeconds = 1;

/** Returns the default event of EventBridge Scheduler. */
const scheduledEvent = (name: string, now: number) => ({
  version: '0',
  'detail-type': 'Scheduled Event',
  source: 'nightlatch.schedule',
  time: new Date(now).toISOString(),
  resources: [name],
  detail: {},
});

/**
 * Invokes each function at its rate in the service's time. When the test clock jumps, missed runs are replaced by one; when it
 * goes back, the period starts again. The first run is one period after the start.
 */
export const startSchedules = ({
  schedules,
  clock,
  log,
}: {
  schedules: readonly TimedFunction[];
  clock: Clock;
  log: Log;
}): IntervalTask => {
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
  return startInterval(
    checkIntervalSeconds,
    'looking at the schedules',
    () => Promise.all(schedules.map(runDue)),
    log,
  );
};

import { recordRun } from './platform/metrics/index.ts';
import { everyMinutesOf, type ScheduleName } from './schedules.ts';

/** Returns the Lambda handler of a schedule: a run that succeeds is recorded, so that missing and failing runs are noticed. */
export const scheduled =
  <Result>(name: ScheduleName, run: () => Promise<Result>) =>
  async (): Promise<Result> => {
    const result = await run();
    recordRun(name, everyMinutesOf(name));
    return result;
  };

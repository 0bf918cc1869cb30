import { instantText, machineClock } from '../time/clock.ts';
import { ServiceEnv } from '../environment/env.ts';
import { uncompiled } from '../schema/uncompiled.ts';
import {
  metricDimensions,
  metricNamespace,
  type AlarmedMetric,
  type AlarmedMetricName,
  alarmedMetrics,
  canaryMetric,
  droppedMailsMetric,
  coveredMinutesMetric,
} from './alarmed-metrics.ts';
import { failureMetric, type Objective } from './objectives.ts';

const StageEnv = ServiceEnv.pick({ STAGE: true });
let last: { text: string | undefined; stage: string | undefined } | undefined;

/** Returns the stage of this process, parsed when it has changed; undefined without a valid one. */
const currentStage = (): string | undefined => {
  const { STAGE: text } = process.env;
  if (!last || last.text !== text)
    last = { text, stage: StageEnv.safeParse({ STAGE: text }, uncompiled).data?.STAGE };
  return last.stage;
};

/** What a line says besides its metric, for queries of the log. */
type Notes = Readonly<Record<string, string | number>>;

/** Writes one line of Embedded Metric Format. Programs without a stage, such as the operator's tool, write none. */
const record = (name: string, unit: 'Count' | 'Seconds', value: number, notes: Notes): void => {
  if (process.env['METRICS_DISABLED'] === 'true') return;
  const stage = currentStage();
  if (stage === undefined) return;
  // An alarm matches all dimensions exactly, so the function's name must not be one.
  const dimensions = metricDimensions(stage);
  const now = machineClock.now();
  const line = {
    // Lambda drops lines below the level of the function, and takes one without both fields for INFO.
    level: 'WARN',
    timestamp: instantText(now),
    _aws: {
      Timestamp: now,
      CloudWatchMetrics: [
        {
          Namespace: metricNamespace,
          Dimensions: [Object.keys(dimensions)],
          Metrics: [{ Name: name, Unit: unit }],
        },
      ],
    },
    ...dimensions,
    ...notes,
    [name]: value,
  };
  process.stdout.write(`${JSON.stringify(line)}\n`);
};

/** Records a metric that has an alarm, unless the value is too small to matter. */
export const recordMetric = (name: AlarmedMetricName, value: number, notes: Notes = {}): void => {
  const { unit, least = 1 }: AlarmedMetric = alarmedMetrics[name];
  if (value >= least) record(name, unit, value, notes);
};

/** Records a run of a schedule that has succeeded, with the minutes until the next one. */
export const recordRun = (schedule: string, everyMinutes: number): void =>
  record(coveredMinutesMetric, 'Count', everyMinutes, { schedule });

/** Records a run of the canary that has succeeded, with its duration. */
export const recordCanary = (durationMs: number): void =>
  record(canaryMetric, 'Count', 1, { duration_ms: durationMs });

/** Records a run of the canary that has failed, with its step. */
export const recordFailedCanary = (step: string): void => record(canaryMetric, 'Count', 0, { step });

/** Records a mail that was dropped, with the team, key or guest on whose behalf it was. */
export const recordDroppedMail = (by: string): void => record(droppedMailsMetric, 'Count', 1, { by });

/**
 * Records one response: whether it is a failure, for the objective that its request belongs to. Operation and status are in the
 * line, for queries of the log: each metric of its own would cost as much a month as 600 MB of log.
 */
export const countRequest = (objective: Objective, operation: string, status: number): void =>
  record(failureMetric(objective), 'Count', status >= 500 ? 1 : 0, { operation, status });

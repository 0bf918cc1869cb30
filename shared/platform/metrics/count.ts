import { Metrics } from '@aws-lambda-powertools/metrics';
import { readEnv, ServiceEnv } from '../env.ts';
import {
  metricDimensions,
  metricNamespace,
  type AlarmedMetric,
  type AlarmedMetricName,
  alarmedMetrics,
} from './alarmed-metrics.ts';

const metrics = new Metrics({ namespace: metricNamespace });

const isOff = (): boolean => process.env['POWERTOOLS_METRICS_DISABLED'] === 'true';

/** Records a metric that has an alarm, as a line of Embedded Metric Format, with the schedule as a dimension if given. */
export const recordMetric = (
  name: AlarmedMetricName,
  value: number,
  of: { schedule?: string } = {},
): void => {
  if (isOff()) return;
  const { unit }: AlarmedMetric = alarmedMetrics[name];
  const { STAGE } = readEnv(ServiceEnv.pick({ STAGE: true }));
  const figure = metrics.singleMetric();
  // An alarm matches all dimensions exactly, so the function's name must not be one.
  figure.clearDefaultDimensions();
  for (const [dimension, text] of Object.entries(metricDimensions(STAGE, of.schedule)))
    figure.addDimension(dimension, text);
  figure.addMetric(name, unit, value);
};

/** Payments that need no manual action. */
type UnexpectedPayment = 'late' | 'orphan';

/** Counts a payment that arrived late or without a booking and is refunded automatically. */
export const countUnexpectedPayment = (what: UnexpectedPayment): void => {
  if (isOff()) return;
  metrics.singleMetric().addMetric(`payment_${what}`, 'Count', 1);
};

/**
 * Records one response in Embedded Metric Format: rate and errors for each group. The operation is in the line, for queries of
 * the log: each metric of its own would cost as much a month as 2.4 GB of log.
 */
export const countRequest = (group: string, operation: string, status: number): void => {
  if (isOff()) return;
  const request = metrics.singleMetric();
  request.addDimension('group', group);
  request.addMetadata('operation', operation);
  request.addMetric(`status_${Math.floor(status / 100)}xx`, 'Count', 1);
};

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

/** Writes one figure that rings, as a line of embedded metrics; those of a schedule name it. */
export const recordMetric = (
  name: AlarmedMetricName,
  value: number,
  of: { schedule?: string } = {},
): void => {
  if (isOff()) return;
  const { unit }: AlarmedMetric = alarmedMetrics[name];
  const { STAGE } = readEnv(ServiceEnv.pick({ STAGE: true }));
  const figure = metrics.singleMetric();
  // An alarm knows a figure by its dimensions, all of them: the name of the function is none here.
  figure.clearDefaultDimensions();
  for (const [dimension, text] of Object.entries(metricDimensions(STAGE, of.schedule)))
    figure.addDimension(dimension, text);
  figure.addMetric(name, unit, value);
};

/** What a payment gateway reports beside the usual, of which nothing is to be done by hand. */
export type UnexpectedPayment = 'late' | 'orphan';

/** Counts money that came in otherwise than it should and goes back by itself. */
export const countUnexpectedPayment = (what: UnexpectedPayment): void => {
  if (isOff()) return;
  metrics.singleMetric().addMetric(`payment_${what}`, 'Count', 1);
};

/** One line of embedded metrics for each answered request: operators see rate and errors of each operation. */
export const countRequest = (group: string, operation: string, status: number): void => {
  if (isOff()) return;
  const request = metrics.singleMetric();
  request.addDimension('group', group);
  request.addDimension('operation', operation);
  request.addMetric(`status_${Math.floor(status / 100)}xx`, 'Count', 1);
};

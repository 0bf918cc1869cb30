import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';

/** The structured log of a function; level and service name come from the environment. */
export const log = new Logger();

const metrics = new Metrics({ namespace: 'Nightlatch' });

/** What a payment gateway reports beside the usual: another amount than due, money for nothing, money twice. */
export type MoneyIncident = 'mismatch' | 'late' | 'orphan' | 'twice';

/** Counts money that came in otherwise than it should; the log says which. */
export const countMoney = (what: MoneyIncident): void => {
  if (process.env['POWERTOOLS_METRICS_DISABLED'] === 'true') return;
  metrics.singleMetric().addMetric(`payment_${what}`, MetricUnit.Count, 1);
};

/** One line of embedded metrics for each answered request: operators see rate and errors of each operation. */
export const countRequest = (group: string, operation: string, status: number): void => {
  if (process.env['POWERTOOLS_METRICS_DISABLED'] === 'true') return;
  const request = metrics.singleMetric();
  request.addDimension('group', group);
  request.addDimension('operation', operation);
  request.addMetric(`status_${Math.floor(status / 100)}xx`, MetricUnit.Count, 1);
};

/** A metric of the service and its alarm. What users notice is in `infra/cloud/impacts.ts`, so that bundles do not hold it. */
export interface AlarmedMetric {
  unit: 'Count' | 'Seconds';
  statistic: 'Sum' | 'Maximum';
  /** The alarm's threshold, inclusive. */
  threshold: number;
  /** How many of the last periods of 5 minutes must breach the threshold. */
  periods: { bad: number; of: number };
  /** The least value that is recorded, default 1: a metric is paid for every hour in which it has data. */
  least?: number;
}

/** The CloudWatch namespace of the service. */
export const metricNamespace = 'Nightlatch';
export const metricPeriodMinutes = 5;

const firstPeriod = { bad: 1, of: 1 };
// Failures are retried within an hour, so the alarm lasts until 75 minutes after the last one.
const untilDone = { bad: 1, of: 15 };

export const alarmedMetrics = {
  payment_attention: { unit: 'Count', statistic: 'Sum', threshold: 1, periods: firstPeriod },
  payment_unreconciled: { unit: 'Count', statistic: 'Sum', threshold: 1, periods: untilDone },
  record_mismatch: { unit: 'Count', statistic: 'Sum', threshold: 1, periods: firstPeriod },
  audit_findings: { unit: 'Count', statistic: 'Maximum', threshold: 1, periods: firstPeriod },
  audit_lag_seconds: {
    unit: 'Seconds',
    statistic: 'Maximum',
    threshold: 14_400,
    periods: { bad: 3, of: 3 },
    least: 7200,
  },
  due_lag_seconds: {
    unit: 'Seconds',
    statistic: 'Maximum',
    threshold: 900,
    periods: { bad: 2, of: 3 },
    least: 60,
  },
  due_stuck: { unit: 'Count', statistic: 'Sum', threshold: 1, periods: untilDone },
  feed_lag_seconds: {
    unit: 'Seconds',
    statistic: 'Maximum',
    threshold: 1800,
    periods: { bad: 2, of: 3 },
    least: 300,
  },
  table_refusals: { unit: 'Count', statistic: 'Sum', threshold: 5, periods: { bad: 2, of: 3 } },
} as const satisfies Record<string, AlarmedMetric>;

export type AlarmedMetricName = keyof typeof alarmedMetrics;

/** The metric of the schedules: each run that succeeds adds the minutes until the next one. */
export const coveredMinutesMetric = 'schedule_minutes';

/** The metric of the canary: 1 for a run that succeeds and 0 for one that fails. */
export const canaryMetric = 'canary_success';

/** The metric of mails that were dropped: no alarm, because the limits have done their work (D110). */
export const droppedMailsMetric = 'mails_dropped';

/** Returns the dimensions of every metric that an alarm watches. */
export const metricDimensions = (stage: string): Record<string, string> => ({ stage });

/** A metric of the service and its alarm. What users notice is in `infra/cloud/impacts.ts`, so that bundles do not hold it. */
export interface AlarmedMetric {
  unit: 'Count' | 'Seconds';
  statistic: 'Sum' | 'Maximum';
  /** The alarm's threshold, inclusive. */
  threshold: number;
  /** How many of the last periods of 5 minutes must breach the threshold. */
  periods: { bad: number; of: number };
  /** Recorded for each schedule; otherwise for the stage. */
  perSchedule?: true;
}

/** The CloudWatch namespace of the service. */
export const metricNamespace = 'Nightlatch';
export const metricPeriodMinutes = 5;

const firstPeriod = { bad: 1, of: 1 };

export const alarmedMetrics = {
  payment_mismatch: {
    unit: 'Count',
    statistic: 'Sum',
    threshold: 1,
    periods: firstPeriod,
  },
  payment_twice: {
    unit: 'Count',
    statistic: 'Sum',
    threshold: 1,
    periods: firstPeriod,
  },
  payment_unasked: {
    unit: 'Count',
    statistic: 'Sum',
    threshold: 1,
    periods: firstPeriod,
  },
  refund_unsure: {
    unit: 'Count',
    statistic: 'Sum',
    threshold: 1,
    periods: firstPeriod,
  },
  record_mismatch: {
    unit: 'Count',
    statistic: 'Sum',
    threshold: 1,
    periods: firstPeriod,
  },
  audit_findings: {
    unit: 'Count',
    statistic: 'Maximum',
    threshold: 1,
    periods: firstPeriod,
  },
  audit_lag_seconds: {
    unit: 'Seconds',
    statistic: 'Maximum',
    threshold: 14_400,
    periods: { bad: 3, of: 3 },
  },
  due_lag_seconds: {
    unit: 'Seconds',
    statistic: 'Maximum',
    threshold: 900,
    periods: { bad: 2, of: 3 },
    perSchedule: true,
  },
  due_failures: {
    unit: 'Count',
    statistic: 'Sum',
    threshold: 1,
    periods: { bad: 3, of: 3 },
    perSchedule: true,
  },
  due_stuck: {
    unit: 'Count',
    statistic: 'Sum',
    threshold: 1,
    // Failures are retried within an hour, so the alarm lasts until 75 minutes after the last one.
    periods: { bad: 1, of: 15 },
    perSchedule: true,
  },
} as const satisfies Record<string, AlarmedMetric>;

export type AlarmedMetricName = keyof typeof alarmedMetrics;

/** Returns the dimensions of a metric; recording and alarms use the same. */
export const metricDimensions = (stage: string, schedule?: string): Record<string, string> => ({
  stage,
  ...(schedule === undefined ? {} : { schedule }),
});

/** A metric of the service and its alarm. */
export interface AlarmedMetric {
  unit: 'Count' | 'Seconds';
  statistic: 'Sum' | 'Maximum';
  /** The alarm's threshold, inclusive. */
  threshold: number;
  /** How many of the last periods of 5 minutes must breach the threshold. */
  periods: { bad: number; of: number };
  /** Recorded for each schedule; otherwise for the stage. */
  perSchedule?: true;
  /** What users notice: the text of the alarm. */
  impact: string;
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
    impact:
      'A guest paid a different amount than due: the payment is neither booked nor refunded. The log names the payment.',
  },
  payment_twice: {
    unit: 'Count',
    statistic: 'Sum',
    threshold: 1,
    periods: firstPeriod,
    impact:
      'A guest was charged twice for one booking; the second charge is refunded. The log names the payment.',
  },
  payment_unasked: {
    unit: 'Count',
    statistic: 'Sum',
    threshold: 1,
    periods: firstPeriod,
    impact:
      'An unpaid booking was cancelled after its gateway did not answer for 6 hours; if it was paid, it is refunded. The log names the booking.',
  },
  refund_unsure: {
    unit: 'Count',
    statistic: 'Sum',
    threshold: 1,
    periods: firstPeriod,
    impact:
      'A refund may not have been made: the gateway does not say whether it was, and it is not retried. Check the payment in the console of the gateway, then close it with `operator refund done` or `operator refund again`. The log names it.',
  },
  audit_findings: {
    unit: 'Count',
    statistic: 'Maximum',
    threshold: 1,
    periods: firstPeriod,
    impact:
      'Records disagree: a night may be sold twice or kept without a booking, money may be missing, or an event was not sent. The log names rule and records under "Records disagree"; `operator audit booking` shows them. The alarm lasts until they agree.',
  },
  audit_lag_seconds: {
    unit: 'Seconds',
    statistic: 'Maximum',
    threshold: 14_400,
    periods: { bad: 3, of: 3 },
    impact: 'The audit of bookings is 4 hours behind: records that disagree are noticed late.',
  },
  due_lag_seconds: {
    unit: 'Seconds',
    statistic: 'Maximum',
    threshold: 900,
    periods: { bad: 2, of: 3 },
    perSchedule: true,
    impact: 'The schedule is behind: work runs 15 minutes or more late.',
  },
  due_failures: {
    unit: 'Count',
    statistic: 'Sum',
    threshold: 1,
    periods: { bad: 3, of: 3 },
    perSchedule: true,
    impact:
      'Work of the schedule has failed in every run for 15 minutes and is rescheduled. The log says why.',
  },
  due_stuck: {
    unit: 'Count',
    statistic: 'Sum',
    threshold: 1,
    // Failures are retried within an hour, so the alarm lasts until 75 minutes after the last one.
    periods: { bad: 1, of: 15 },
    perSchedule: true,
    impact:
      'An item is at least 35 minutes late: it has failed 4 times in a row or more. The log names it. The alarm lasts until 75 minutes after the last failure.',
  },
} as const satisfies Record<string, AlarmedMetric>;

export type AlarmedMetricName = keyof typeof alarmedMetrics;

/** Returns the dimensions of a metric; recording and alarms use the same. */
export const metricDimensions = (stage: string, schedule?: string): Record<string, string> => ({
  stage,
  ...(schedule === undefined ? {} : { schedule }),
});

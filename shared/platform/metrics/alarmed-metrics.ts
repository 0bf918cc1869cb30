/** A figure that the service counts, and the alarm that the stacks make of it: one row is both. */
export interface AlarmedMetric {
  unit: 'Count' | 'Seconds';
  statistic: 'Sum' | 'Maximum';
  /** It rings from this value on, */
  threshold: number;
  /** in so many of the last periods of 5 minutes. */
  periods: { bad: number; of: number };
  /** Counted for each schedule apart; otherwise for the whole stage. */
  perSchedule?: true;
  /** What users notice: the text of the alarm. */
  impact: string;
}

/** The namespace of all figures of the service. */
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
      'A guest paid another amount than was due: neither booked nor refunded. The log names the payment.',
  },
  payment_twice: {
    unit: 'Count',
    statistic: 'Sum',
    threshold: 1,
    periods: firstPeriod,
    impact:
      'A guest was charged twice for one booking; the second charge goes back. The log names the payment.',
  },
  payment_unasked: {
    unit: 'Count',
    statistic: 'Sum',
    threshold: 1,
    periods: firstPeriod,
    impact:
      'An unpaid booking was cancelled although its gateway did not answer for 6 hours; what was paid goes back. The log names the booking.',
  },
  refund_unsure: {
    unit: 'Count',
    statistic: 'Sum',
    threshold: 1,
    periods: firstPeriod,
    impact:
      'A guest may not have got money back: the gateway does not say whether a refund was made, and it is not asked again. Look at the payment in its console, then close it with `operator refund done` or `operator refund again`. The log names it.',
  },
  due_lag_seconds: {
    unit: 'Seconds',
    statistic: 'Maximum',
    threshold: 900,
    periods: { bad: 2, of: 3 },
    perSchedule: true,
    impact: 'The schedule is behind: work is done 15 minutes or more after its time.',
  },
  due_failures: {
    unit: 'Count',
    statistic: 'Sum',
    threshold: 1,
    periods: { bad: 3, of: 3 },
    perSchedule: true,
    impact: 'Work of the schedule fails in every run since 15 minutes and is put off. The log says why.',
  },
  due_stuck: {
    unit: 'Count',
    statistic: 'Sum',
    threshold: 1,
    // What fails is tried again within an hour: it goes on ringing until it is done, and for 75 minutes after that.
    periods: { bad: 1, of: 15 },
    perSchedule: true,
    impact:
      'Something is 35 minutes behind or more: it failed at least 4 times in a row. The log names it. It rings until 75 minutes after the last failure.',
  },
} as const satisfies Record<string, AlarmedMetric>;

export type AlarmedMetricName = keyof typeof alarmedMetrics;

/** The names and values that tell a figure apart: what is counted and what is watched have exactly these. */
export const metricDimensions = (stage: string, schedule?: string): Record<string, string> => ({
  stage,
  ...(schedule === undefined ? {} : { schedule }),
});

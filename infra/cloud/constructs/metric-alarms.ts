import { Duration } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import {
  metricDimensions,
  metricNamespace,
  metricPeriodMinutes,
  type AlarmedMetric,
  type AlarmedMetricName,
  alarmedMetrics,
  coveredMinutesMetric,
} from '../../../shared/platform/metrics/alarmed-metrics.ts';
import type { Schedule } from '../../../shared/schedules.ts';
import type { AlarmName } from '../impacts.ts';
import type { Stage } from '../stage.ts';
import { ImpactAlarm } from './impact-alarm.ts';

const alarmOf: Record<AlarmedMetricName, AlarmName> = {
  payment_attention: 'payment-attention',
  payment_unreconciled: 'payment-unreconciled',
  record_mismatch: 'record-mismatch',
  audit_findings: 'audit-findings',
  audit_lag_seconds: 'audit-late',
  due_lag_seconds: 'due-late',
  due_stuck: 'due-stuck',
  feed_lag_seconds: 'feeds-late',
  table_refusals: 'table-refusals',
};

/** Returns a metric that the functions record: same name and dimensions. */
const metric = (stage: Stage, metricName: string, statistic: string, minutes: number): Metric =>
  new Metric({
    namespace: metricNamespace,
    metricName,
    dimensionsMap: metricDimensions(stage.name),
    statistic,
    period: Duration.minutes(minutes),
  });

/**
 * In half an hour all schedules together cover half an hour each. Runs at the ends of the window, and the last ones whose lines
 * CloudWatch has not read yet, may be missing: those of all schedules together are less than one schedule that has stopped.
 */
const heartbeat = { minutes: 30, missedMinutes: 28 };

/** One alarm for each alarmed metric, and one for runs that are missing. */
export class MetricAlarms extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { stage, schedules }: { stage: Stage; schedules: readonly Schedule[] },
  ) {
    super(scope, id);
    for (const [name, row] of Object.entries(alarmedMetrics) as [AlarmedMetricName, AlarmedMetric][])
      new ImpactAlarm(this, name, {
        stage,
        name: alarmOf[name],
        metric: metric(stage, name, row.statistic, metricPeriodMinutes),
        threshold: row.threshold,
        periods: row.periods,
      });
    const { minutes, missedMinutes } = heartbeat;
    new ImpactAlarm(this, 'Still', {
      stage,
      name: 'schedules-still',
      metric: metric(stage, coveredMinutesMetric, 'Sum', minutes),
      threshold: schedules.length * minutes - missedMinutes,
      ringsBelow: true,
    });
  }
}

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
} from '../../../shared/platform/metrics/alarmed-metrics.ts';
import { metricImpacts } from '../impacts.ts';
import type { Stage } from '../stage.ts';
import { ImpactAlarm } from './impact-alarm.ts';

/** Returns a metric that the functions record: same name, unit and dimensions. */
const metric = (stage: Stage, name: string, { statistic }: AlarmedMetric, schedule?: string): Metric =>
  new Metric({
    namespace: metricNamespace,
    metricName: name,
    dimensionsMap: metricDimensions(stage.name, schedule),
    statistic,
    period: Duration.minutes(metricPeriodMinutes),
  });

/** One alarm for each alarmed metric: those of the stage, or those of a schedule. */
export class MetricAlarms extends Construct {
  constructor(scope: Construct, id: string, { stage, schedule }: { stage: Stage; schedule?: string }) {
    super(scope, id);
    const rows = Object.entries(alarmedMetrics) as [AlarmedMetricName, AlarmedMetric][];
    for (const [name, row] of rows.filter(([, { perSchedule = false }]) => perSchedule === !!schedule))
      new ImpactAlarm(this, name, {
        stage,
        name: [...(schedule === undefined ? [] : [schedule]), name.replaceAll('_', '-')].join('-'),
        impact: metricImpacts[name],
        metric: metric(stage, name, row, schedule),
        threshold: row.threshold,
        periods: row.periods,
      });
  }
}

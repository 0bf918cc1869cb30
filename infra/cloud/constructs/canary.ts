import { Duration } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import {
  canaryMetric,
  metricDimensions,
  metricNamespace,
} from '../../../shared/platform/metrics/alarmed-metrics.ts';
import { canaryVariables } from '../environment.ts';
import type { Stage } from '../stage.ts';
import { ImpactAlarm } from './impact-alarm.ts';
import { ServiceFunction } from './service-function.ts';
import { Timer } from './timer.ts';

interface CanaryProps {
  stage: Stage;
  canary: NonNullable<Stage['canary']>;
  /** The address of the API. */
  url: string;
}

const folder = 'schedules/canary';

const everyMinutes = 5;
/** One failed run does not ring, also when the figure of the next one comes a little late. */
const windowMinutes = 3 * everyMinutes;

/** Books and cancels a night like a partner, and rings when that has not succeeded, or was not tried, for a while. */
export class Canary extends Construct {
  constructor(scope: Construct, id: string, { stage, canary, url }: CanaryProps) {
    super(scope, id);
    const called = new ServiceFunction(this, 'Run', {
      stage,
      folder,
      description: `Books and cancels like a partner every ${everyMinutes} min.`,
      environment: canaryVariables(stage, folder, canary, url),
      timeout: Duration.seconds(28),
      memoryMb: 512,
      runsByTimer: true,
    });
    new Timer(this, 'Timer', { stage, schedule: { name: 'canary', everyMinutes }, called });
    new ImpactAlarm(this, 'Failed', {
      stage,
      name: 'canary-failed',
      metric: new Metric({
        namespace: metricNamespace,
        metricName: canaryMetric,
        dimensionsMap: metricDimensions(stage.name),
        statistic: 'Sum',
        period: Duration.minutes(windowMinutes),
      }),
      threshold: 1,
      ringsBelow: true,
    });
  }
}

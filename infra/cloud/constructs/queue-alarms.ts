import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { deadLetterQueueName } from '../../../shared/platform/events/queues.ts';
import type { AlarmName } from '../impacts.ts';
import { resourceName, type Stage } from '../stage.ts';
import { ImpactAlarm } from './impact-alarm.ts';

interface QueueAlarmsProps {
  stage: Stage;
  consumers: readonly string[];
}

/** CloudWatch takes no more metrics in the expression of an alarm. */
const mostMetrics = 10;

/** One alarm for the oldest message of all queues, and one for all dead letters: the highest value of any queue counts. */
export class QueueAlarms extends Construct {
  constructor(scope: Construct, id: string, { stage, consumers }: QueueAlarmsProps) {
    super(scope, id);
    if (consumers.length > mostMetrics)
      throw new Error(`An alarm watches ${mostMetrics} queues at most, not ${consumers.length}.`);
    const watch = (alarm: AlarmName, metricName: string, queues: string[], minutes: number) => {
      const usingMetrics = Object.fromEntries(
        queues.map((name, at) => [
          `q${at}`,
          queueMetric(resourceName(stage, name), metricName, Duration.minutes(minutes)),
        ]),
      );
      const filled = Object.keys(usingMetrics).map((name) => `FILL(${name}, 0)`);
      return new MathExpression({
        expression: `MAX([${filled.join(', ')}])`,
        usingMetrics,
        label: alarm,
        period: Duration.minutes(minutes),
      });
    };
    // A message that fails is delivered again for up to 18 minutes, and is then a dead letter, which has an alarm of its own.
    new ImpactAlarm(this, 'Late', {
      stage,
      name: 'queues-late',
      metric: watch('queues-late', 'ApproximateAgeOfOldestMessage', [...consumers], 5),
      threshold: 1200,
      periods: { bad: 2, of: 3 },
    });
    new ImpactAlarm(this, 'DeadLetters', {
      stage,
      name: 'dead-letters',
      metric: watch('dead-letters', waitingMetric, consumers.map(deadLetterQueueName), 1),
      threshold: 1,
    });
    new ImpactAlarm(this, 'Unpublished', {
      stage,
      name: 'publisher-dead-letters',
      metric: queueMetric(
        resourceName(stage, deadLetterQueueName('publisher')),
        waitingMetric,
        Duration.minutes(1),
      ),
      threshold: 1,
    });
  }
}

const waitingMetric = 'ApproximateNumberOfMessagesVisible';

const queueMetric = (QueueName: string, metricName: string, period: Duration): Metric =>
  new Metric({
    namespace: 'AWS/SQS',
    metricName,
    dimensionsMap: { QueueName },
    statistic: 'Maximum',
    period,
  });

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

/**
 * An alarm for the oldest message of the queues, and one for their dead letters: the highest value of any queue counts. Each ten
 * queues have an alarm of their own.
 */
export class QueueAlarms extends Construct {
  constructor(scope: Construct, id: string, { stage, consumers }: QueueAlarmsProps) {
    super(scope, id);
    for (let first = 0; first < consumers.length; first += mostMetrics) {
      const some = consumers.slice(first, first + mostMetrics);
      const part = first / mostMetrics + 1;
      const suffix = part === 1 ? '' : part;
      // A message that fails is delivered again for up to 18 minutes, and is then a dead letter, which has an alarm of its own.
      new ImpactAlarm(this, `Late${suffix}`, {
        stage,
        name: 'queues-late',
        part,
        metric: highestOf(stage, 'queues-late', some, 'ApproximateAgeOfOldestMessage', Duration.minutes(5)),
        threshold: 1200,
        periods: { bad: 2, of: 3 },
      });
      new ImpactAlarm(this, `DeadLetters${suffix}`, {
        stage,
        name: 'dead-letters',
        part,
        metric: highestOf(
          stage,
          'dead-letters',
          some.map(deadLetterQueueName),
          waitingMetric,
          Duration.minutes(1),
        ),
        threshold: 1,
      });
    }
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

const highestOf = (
  stage: Stage,
  label: AlarmName,
  queues: readonly string[],
  metricName: string,
  period: Duration,
): MathExpression => {
  const usingMetrics = Object.fromEntries(
    queues.map((name, at) => [`q${at}`, queueMetric(resourceName(stage, name), metricName, period)]),
  );
  const filled = Object.keys(usingMetrics).map((name) => `FILL(${name}, 0)`);
  return new MathExpression({ expression: `MAX([${filled.join(', ')}])`, usingMetrics, label, period });
};

const queueMetric = (QueueName: string, metricName: string, period: Duration): Metric =>
  new Metric({
    namespace: 'AWS/SQS',
    metricName,
    dimensionsMap: { QueueName },
    statistic: 'Maximum',
    period,
  });

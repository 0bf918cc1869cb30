import { Duration, Validations } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { deadLetterQueueName } from '../../../shared/platform/events/queues.ts';
import { resourceName, type Stage } from '../stage.ts';
import { ImpactAlarm } from './impact-alarm.ts';

interface DeadLettersProps {
  stage: Stage;
  /** The queue or function whose failed messages it receives. */
  of: string;
  impact: string;
  /** How to redrive the messages once the cause is fixed. */
  remedy: string;
}

/** Returns the name of a dead-letter queue. */
export const deadLettersName = (stage: Stage, of: string): string =>
  resourceName(stage, deadLetterQueueName(of));

/** A dead-letter queue, kept 14 days; its first message raises an alarm. */
export class DeadLetters extends Construct {
  readonly queue: Queue;

  constructor(scope: Construct, id: string, { stage, of, impact, remedy }: DeadLettersProps) {
    super(scope, id);
    const queueName = deadLettersName(stage, of);
    this.queue = new Queue(this, 'Queue', {
      queueName,
      enforceSSL: true,
      encryption: QueueEncryption.SQS_MANAGED,
      retentionPeriod: Duration.days(14),
      removalPolicy: stage.removalPolicy,
    });
    new ImpactAlarm(this, 'Waiting', {
      stage,
      name: deadLetterQueueName(of),
      impact: `${impact} Events wait in ${queueName}: mend the cause, then ${remedy}`,
      metric: new Metric({
        namespace: 'AWS/SQS',
        metricName: 'ApproximateNumberOfMessagesVisible',
        dimensionsMap: { QueueName: queueName },
        statistic: 'Maximum',
        period: Duration.minutes(1),
      }),
      threshold: 1,
    });
    Validations.of(this.queue).acknowledge({
      id: 'Serverless-SQSRedrivePolicy',
      reason: 'It is the dead-letter queue itself: what ends here waits for a person.',
    });
  }
}

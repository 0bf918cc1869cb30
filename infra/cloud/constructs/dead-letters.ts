import { Duration, Validations } from 'aws-cdk-lib';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { deadLetterQueueName } from '../../../shared/platform/events/queues.ts';
import { resourceName, type Stage } from '../stage.ts';

interface DeadLettersProps {
  stage: Stage;
  /** The queue or function whose failed messages it receives. */
  of: string;
}

/** Returns the name of a dead-letter queue. */
export const deadLettersName = (stage: Stage, of: string): string =>
  resourceName(stage, deadLetterQueueName(of));

/** A dead-letter queue, kept 14 days. */
export class DeadLetters extends Construct {
  readonly queue: Queue;

  constructor(scope: Construct, id: string, { stage, of }: DeadLettersProps) {
    super(scope, id);
    const queueName = deadLettersName(stage, of);
    this.queue = new Queue(this, 'Queue', {
      queueName,
      enforceSSL: true,
      encryption: QueueEncryption.SQS_MANAGED,
      retentionPeriod: Duration.days(14),
      removalPolicy: stage.removalPolicy,
    });
    Validations.of(this.queue).acknowledge({
      id: 'Serverless-SQSRedrivePolicy',
      reason: 'It is the dead-letter queue itself: what ends here waits for a person.',
    });
  }
}

import { Duration, Validations } from 'aws-cdk-lib';
import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { visibilityTimeoutSeconds } from '../../../shared/platform/events/queues.ts';
import { resourceName, type Stage } from '../stage.ts';
import { DeadLetters } from './dead-letters.ts';
import type { ServiceFunction } from './service-function.ts';

interface ConsumerQueueProps {
  stage: Stage;
  /** The name of the queue and of the worker that reads it. */
  consumer: string;
  batchSize: number;
  batchWindowSeconds?: number;
  concurrency?: number;
  timeoutSeconds: number;
  maxReceives: number;
  worker: ServiceFunction;
}

/** A queue, its dead-letter queue, and the worker that reads it (D67). */
export class ConsumerQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, props: ConsumerQueueProps) {
    super(scope, id);
    const { stage, consumer, timeoutSeconds, maxReceives, worker } = props;
    this.deadLetters = new DeadLetters(this, 'DeadLetters', { stage, of: consumer }).queue;
    this.queue = new Queue(this, 'Queue', {
      queueName: resourceName(stage, consumer),
      enforceSSL: true,
      encryption: QueueEncryption.SQS_MANAGED,
      visibilityTimeout: Duration.seconds(visibilityTimeoutSeconds(timeoutSeconds)),
      retentionPeriod: Duration.days(4),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: maxReceives },
    });
    this.queue.grantConsumeMessages(worker.function);
    const mapping = new EventSourceMapping(this, 'Mapping', {
      target: worker.function,
      eventSourceArn: this.queue.queueArn,
      batchSize: props.batchSize,
      maxConcurrency: Math.min(props.concurrency ?? Infinity, stage.concurrency.workers),
      ...(props.batchWindowSeconds === undefined
        ? {}
        : { maxBatchingWindow: Duration.seconds(props.batchWindowSeconds) }),
      reportBatchItemFailures: true,
    });
    Validations.of(mapping).acknowledge({
      id: 'Serverless-LambdaEventSourceMappingDestination',
      reason: "A queue's poller knows no destination; the queue's own dead-letter queue takes its place.",
    });
  }
}

import { Duration, Validations } from 'aws-cdk-lib';
import { type EventBus, Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { eventSource } from '../../../shared/platform/events/event-types.ts';
import type { Subscription } from '../../../shared/subscriptions.ts';
import { resourceName, type Stage } from '../stage.ts';
import { DeadLetters } from './dead-letters.ts';
import type { ServiceFunction } from './service-function.ts';

export interface FanOutProps {
  stage: Stage;
  bus: EventBus;
  subscription: Subscription;
  worker: ServiceFunction;
}

/** One row of the subscriptions: rule, queue, dead-letter queue with its alarm, and the worker that reads the queue (D67). */
export class FanOut extends Construct {
  constructor(scope: Construct, id: string, { stage, bus, subscription, worker }: FanOutProps) {
    super(scope, id);
    const { consumer, event_types, impact, timeoutSeconds, maxReceives } = subscription;
    const deadLetters = new DeadLetters(this, 'DeadLetters', {
      stage,
      of: consumer,
      impact,
      remedy: 'move them back with `aws sqs start-message-move-task`.',
    }).queue;
    const queue = new Queue(this, 'Queue', {
      queueName: resourceName(stage, consumer),
      enforceSSL: true,
      encryption: QueueEncryption.SQS_MANAGED,
      visibilityTimeout: Duration.seconds(6 * timeoutSeconds),
      retentionPeriod: Duration.days(4),
      deadLetterQueue: { queue: deadLetters, maxReceiveCount: maxReceives },
    });
    new Rule(this, 'Rule', {
      ruleName: resourceName(stage, consumer),
      description: `What ${consumer} listens to.`,
      eventBus: bus,
      eventPattern: { source: [eventSource], detailType: [...event_types] },
      targets: [
        new SqsQueue(queue, {
          deadLetterQueue: deadLetters,
          retryAttempts: 185,
          maxEventAge: Duration.hours(24),
        }),
      ],
    });
    queue.grantConsumeMessages(worker.function);
    const mapping = new EventSourceMapping(this, 'Mapping', {
      target: worker.function,
      eventSourceArn: queue.queueArn,
      batchSize: subscription.batchSize,
      maxConcurrency: stage.workerConcurrency,
      reportBatchItemFailures: true,
    });
    Validations.of(mapping).acknowledge({
      id: 'Serverless-LambdaEventSourceMappingDestination',
      reason: "A queue's poller knows no destination; the queue's own dead-letter queue takes its place.",
    });
  }
}

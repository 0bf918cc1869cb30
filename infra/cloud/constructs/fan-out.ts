import { Duration } from 'aws-cdk-lib';
import { type EventBus, Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import type { Construct } from 'constructs';
import { eventSource } from '../../../shared/platform/events/event-message.ts';
import type { Subscription } from '../../../shared/subscriptions.ts';
import { resourceName, type Stage } from '../stage.ts';
import { ConsumerQueue } from './consumer-queue.ts';
import type { ServiceFunction } from './service-function.ts';

interface FanOutProps {
  stage: Stage;
  bus: EventBus;
  subscription: Subscription;
  worker: ServiceFunction;
}

/** A subscription: a rule of the bus and the queue that it fills (D67). */
export class FanOut extends ConsumerQueue {
  constructor(scope: Construct, id: string, { stage, bus, subscription, worker }: FanOutProps) {
    super(scope, id, { ...subscription, stage, worker });
    const { consumer, event_types } = subscription;
    new Rule(this, 'Rule', {
      ruleName: resourceName(stage, consumer),
      description: `What ${consumer} listens to.`,
      eventBus: bus,
      eventPattern: { source: [eventSource], detailType: [...event_types] },
      targets: [
        new SqsQueue(this.queue, {
          deadLetterQueue: this.deadLetters,
          retryAttempts: 185,
          maxEventAge: Duration.hours(24),
        }),
      ],
    });
  }
}

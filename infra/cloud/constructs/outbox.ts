import { Duration, Validations } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { EventBus } from 'aws-cdk-lib/aws-events';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping, FilterCriteria, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Construct } from 'constructs';
import type { PublisherEnv } from '../../../functions/workers/publisher/env.ts';
import { EventEntity } from '../../../shared/platform/events/event.entity.ts';
import { serviceVariables, type Variables } from '../environment.ts';
import type { Stage } from '../stage.ts';
import { DeadLetters } from './dead-letters.ts';
import { ImpactAlarm } from './impact-alarm.ts';
import { functionName, ServiceFunction } from './service-function.ts';

interface OutboxProps {
  stage: Stage;
  streamArn: string;
  bus: EventBus;
}

const folder = 'workers/publisher';

/**
 * Publishes new events from the table's stream to the bus, in order for each record. A failed batch is bisected until the
 * failing record is alone. It is retried for a day, as long as the stream keeps records; after that the dead-letter queue
 * names it, and the event stays in the table.
 */
export class Outbox extends Construct {
  constructor(scope: Construct, id: string, props: OutboxProps) {
    super(scope, id);
    const { stage, streamArn, bus } = props;
    const variables: Variables<typeof PublisherEnv> = { EVENT_BUS_NAME: bus.eventBusName };
    const publisher = new ServiceFunction(this, 'Publisher', {
      stage,
      folder,
      description: 'Publishes new events of the table on the bus.',
      environment: { ...serviceVariables(stage, folder), ...variables },
      timeout: Duration.seconds(30),
      memoryMb: 512,
    });
    bus.grantPutEventsTo(publisher.function);
    publisher.allow(this.#readStream(streamArn));
    const deadLetters = new DeadLetters(this, 'DeadLetters', { stage, of: 'publisher' });
    new EventSourceMapping(this, 'Mapping', {
      target: publisher.function,
      eventSourceArn: streamArn,
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: 100,
      parallelizationFactor: 4,
      bisectBatchOnError: true,
      reportBatchItemFailures: true,
      maxRecordAge: Duration.hours(24),
      onFailure: new SqsDlq(deadLetters.queue),
      filters: [
        FilterCriteria.filter({
          eventName: ['INSERT'],
          dynamodb: { NewImage: { entity: { S: [EventEntity.name] } } },
        }),
      ],
    });
    this.#watch(stage);
    Validations.of(deadLetters.queue).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: "It is the dead-letter queue of the stream's mapping, which this rule does not look at.",
    });
  }

  #readStream(streamArn: string): PolicyStatement {
    return new PolicyStatement({
      sid: 'Stream',
      actions: [
        'dynamodb:DescribeStream',
        'dynamodb:GetRecords',
        'dynamodb:GetShardIterator',
        'dynamodb:ListStreams',
      ],
      resources: [streamArn],
    });
  }

  #watch(stage: Stage): void {
    new ImpactAlarm(this, 'Late', {
      stage,
      name: 'publisher-late',
      metric: new Metric({
        namespace: 'AWS/Lambda',
        metricName: 'IteratorAge',
        dimensionsMap: { FunctionName: functionName(stage, folder) },
        statistic: 'Maximum',
        period: Duration.minutes(1),
      }),
      threshold: 60_000,
      periods: { bad: 3, of: 5 },
    });
  }
}

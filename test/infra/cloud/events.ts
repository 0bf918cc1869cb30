import { describe, expect, it } from 'vitest';
import { schedules, workQueues } from '../../../shared/schedules.ts';
import { subscriptions } from '../../../shared/subscriptions.ts';
import { type Cloud, listOf, target } from './synthesized.ts';

interface QueueProperties {
  QueueName: string;
  VisibilityTimeout?: number;
  SqsManagedSseEnabled?: boolean;
  RedrivePolicy?: { deadLetterTargetArn: unknown; maxReceiveCount: number };
}
interface Mapping {
  EventSourceArn: unknown;
  FunctionName: unknown;
  FunctionResponseTypes: string[];
  BisectBatchOnFunctionError?: boolean;
  MaximumRetryAttempts?: number;
  MaximumRecordAgeInSeconds?: number;
  DestinationConfig?: { OnFailure: { Destination: unknown } };
  FilterCriteria?: { Filters: { Pattern: string }[] };
}
/** The way of an event. */
export const eventSentences = (cloud: Cloud): void => {
  const queues = cloud.all<QueueProperties>('AWS::SQS::Queue');
  const mappings = cloud.all<Mapping>('AWS::Lambda::EventSourceMapping');
  const deadLetters = queues.filter(({ properties }) => properties.QueueName.endsWith('-dead-letters'));
  const working = queues.filter((queue) => !deadLetters.includes(queue));

  describe('events', () => {
    it.each(subscriptions)('$consumer receives its event types by a queue of its own', (row) => {
      const rules = cloud
        .all<{ Name: string; EventPattern: unknown; Targets: { Arn: unknown }[] }>('AWS::Events::Rule')
        .filter(({ properties }) => properties.Name === `nightlatch-dev-${row.consumer}`);
      expect(rules).toHaveLength(1);
      const rule = rules[0]?.properties;
      expect(rule?.EventPattern).toEqual({ source: ['nightlatch'], 'detail-type': row.event_types });
      const queue = queues.find(({ id }) => id === target(rule?.Targets[0]?.Arn));
      expect(queue?.properties.QueueName).toBe(`nightlatch-dev-${row.consumer}`);
      expect(queue?.properties.RedrivePolicy?.maxReceiveCount).toBe(row.maxReceives);
      expect(queue?.properties.VisibilityTimeout).toBeGreaterThanOrEqual(6 * row.timeoutSeconds);
    });

    it('every rule keeps what it cannot deliver', () => {
      for (const { properties } of cloud.all<{ Targets: { DeadLetterConfig?: unknown }[] }>(
        'AWS::Events::Rule',
      ))
        for (const one of properties.Targets) expect(one.DeadLetterConfig).toBeDefined();
    });

    it('every poller reports the failed messages of a batch by name', () => {
      expect(mappings).toHaveLength(subscriptions.length + workQueues.length + 1);
      for (const { properties } of mappings)
        expect(properties.FunctionResponseTypes).toEqual(['ReportBatchItemFailures']);
    });

    it('the publisher is given new events alone, in halves when a batch fails, for as long as the stream keeps them', () => {
      const stream = mappings.find(({ properties }) => properties.FilterCriteria)?.properties;
      expect(JSON.parse(stream?.FilterCriteria?.Filters[0]?.Pattern ?? '{}')).toEqual({
        eventName: ['INSERT'],
        dynamodb: { NewImage: { entity: { S: ['Event'] } } },
      });
      expect(stream?.BisectBatchOnFunctionError).toBe(true);
      expect(stream?.MaximumRetryAttempts).toBeUndefined();
      expect(stream?.MaximumRecordAgeInSeconds).toBe(86_400);
      expect(target(stream?.DestinationConfig?.OnFailure.Destination)).toMatch(/^OutboxDeadLetters/);
    });
  });

  it('the publisher may name what it gives up; that rings, and so does what waits for it', () => {
    const letters = queues.find(
      ({ properties }) => properties.QueueName === 'nightlatch-dev-publisher-dead-letters',
    );
    const stream = mappings.find(({ properties }) => properties.FilterCriteria)?.properties;
    expect(target(stream?.DestinationConfig?.OnFailure.Destination)).toBe(letters?.id);
    const sends = cloud
      .all<{ Roles: unknown[]; PolicyDocument: { Statement: { Action: unknown; Resource: unknown }[] } }>(
        'AWS::IAM::Policy',
      )
      .filter(({ properties }) => target(properties.Roles[0])?.startsWith('OutboxPublisher'))
      .flatMap(({ properties }) => properties.PolicyDocument.Statement)
      .filter(({ Action }) => listOf(Action).includes('sqs:SendMessage'));
    expect(sends.map(({ Resource }) => target(Resource))).toEqual([letters?.id]);
    const watched = (name: string) => {
      const [found] = cloud
        .all<{ AlarmName: string; MetricName: string; Dimensions: { Value: string }[] }>(
          'AWS::CloudWatch::Alarm',
        )
        .filter(({ properties }) => properties.AlarmName === `nightlatch-dev-${name}`);
      return [found?.properties.MetricName, found?.properties.Dimensions[0]?.Value];
    };
    expect(watched('publisher-late')).toEqual(['IteratorAge', 'nightlatch-dev-publisher']);
    expect(watched('publisher-dead-letters')).toEqual([
      'ApproximateNumberOfMessagesVisible',
      letters?.properties.QueueName,
    ]);
  });

  describe('work by the clock', () => {
    interface Timer {
      Name: string;
      ScheduleExpression: string;
      State?: string;
      Target: { Arn: unknown; RoleArn: unknown };
    }
    const functions = cloud.all<{
      FunctionName: string;
      Environment: { Variables: Record<string, unknown> };
    }>('AWS::Lambda::Function');
    const functionOf = (name: string) =>
      functions.find(({ properties }) => properties.FunctionName === `nightlatch-dev-${name}`);

    it.each(schedules)(
      '$name runs at its rate, by a role that may do nothing else',
      ({ name, everyMinutes }) => {
        const timers = cloud
          .all<Timer>('AWS::Scheduler::Schedule')
          .filter(({ properties }) => properties.Name === `nightlatch-dev-${name}`);
        expect(timers).toHaveLength(1);
        const timer = timers[0]?.properties;
        expect(timer?.ScheduleExpression).toBe(
          `rate(${everyMinutes} minute${everyMinutes === 1 ? '' : 's'})`,
        );
        expect(target(timer?.Target.Arn)).toBe(functionOf(name)?.id);
        const statements = cloud
          .all<{ Roles: unknown[]; PolicyDocument: { Statement: { Action: string; Resource: unknown }[] } }>(
            'AWS::IAM::Policy',
          )
          .filter(({ properties }) => target(properties.Roles[0]) === target(timer?.Target.RoleArn))
          .flatMap(({ properties }) => properties.PolicyDocument.Statement);
        expect(statements.map(({ Action, Resource }) => [Action, target(Resource)])).toEqual([
          ['lambda:InvokeFunction', functionOf(name)?.id],
        ]);
      },
    );

    it.each(workQueues)('$consumer has a queue that its producers alone know', ({ consumer, producers }) => {
      const queue = queues.find(({ properties }) => properties.QueueName === `nightlatch-dev-${consumer}`);
      const knowing = functions.filter(({ properties }) =>
        Object.values(properties.Environment.Variables).some((value) => target(value) === queue?.id),
      );
      expect(knowing.map(({ properties }) => properties.FunctionName).sort()).toEqual(
        producers.map((folder) => `nightlatch-dev-${folder.split('/').at(-1) ?? ''}`).sort(),
      );
    });
  });

  describe('every queue', () => {
    it('is encrypted and refuses plain connections', () => {
      const refusals = cloud
        .all<{ Queues: unknown[]; PolicyDocument: { Statement: { Effect: string }[] } }>(
          'AWS::SQS::QueuePolicy',
        )
        .filter(({ properties }) =>
          properties.PolicyDocument.Statement.some(({ Effect }) => Effect === 'Deny'),
        )
        .flatMap(({ properties }) => properties.Queues.map(target));
      for (const { id, properties } of queues) {
        expect(properties.SqsManagedSseEnabled).toBe(true);
        expect(refusals).toContain(id);
      }
    });

    it('has a dead-letter queue', () => {
      expect(working).toHaveLength(subscriptions.length + workQueues.length);
      for (const { properties } of working)
        expect(deadLetters.map(({ id }) => id)).toContain(
          target(properties.RedrivePolicy?.deadLetterTargetArn),
        );
    });
  });
};

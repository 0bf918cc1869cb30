import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { expect, it } from 'vitest';
import { QueueAlarms } from '../../infra/cloud/constructs/queue-alarms.ts';
import { devStage } from './cloud/stages.ts';

interface Alarm {
  AlarmName: string;
  Metrics?: { MetricStat?: { Metric: { Dimensions: { Value: string }[] } } }[];
}

it('the eleventh queue is watched by alarms of its own', () => {
  const consumers = Array.from({ length: 11 }, (_, at) => `consumer-${at}`);
  const stack = new Stack(new App({ analyticsReporting: false }), 'events');
  new QueueAlarms(stack, 'Queues', { stage: devStage, consumers });
  const alarms = Object.values(Template.fromStack(stack).findResources('AWS::CloudWatch::Alarm')).map(
    ({ Properties }) => Properties as Alarm,
  );
  const watched = alarms.map(({ AlarmName, Metrics = [] }) => [
    AlarmName,
    Metrics.flatMap(({ MetricStat }) => MetricStat?.Metric.Dimensions.map(({ Value }) => Value) ?? []),
  ]);
  const queues = consumers.map((consumer) => `nightlatch-dev-${consumer}`);
  const deadLetters = queues.map((queue) => `${queue}-dead-letters`);
  expect(Object.fromEntries(watched)).toEqual({
    'nightlatch-dev-queues-late': queues.slice(0, 10),
    'nightlatch-dev-queues-late-2': queues.slice(10),
    'nightlatch-dev-dead-letters': deadLetters.slice(0, 10),
    'nightlatch-dev-dead-letters-2': deadLetters.slice(10),
    'nightlatch-dev-publisher-dead-letters': [],
  });
});

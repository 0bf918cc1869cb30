import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { alarmImpacts, runbookOf } from '../../../infra/cloud/impacts.ts';
import { schedules, workQueues } from '../../../shared/schedules.ts';
import { subscriptions } from '../../../shared/subscriptions.ts';
import { projectFile, textOf } from '../../support/docs.ts';
import { type Cloud, listOf, target } from './synthesized.ts';

interface Alarm {
  AlarmName: string;
  AlarmDescription: string;
  AlarmActions?: unknown[];
  OKActions?: unknown[];
  Threshold: number;
  EvaluationPeriods: number;
  DatapointsToAlarm?: number;
  Period?: number;
  TreatMissingData: string;
  Metrics?: { MetricStat?: { Metric: { Dimensions: { Value: string }[] } } }[];
}

interface Queue {
  QueueName: string;
  VisibilityTimeout: number;
  RedrivePolicy?: { maxReceiveCount: number };
}

interface Filter {
  FilterPattern: string;
  LogGroupName: unknown;
  MetricTransformations: { MetricName: string; Unit?: string }[];
}

/** Returns the name of an alarm, also of one of several for different queues. */
const shortName = (name: string): string => name.replace('nightlatch-dev-', '').replace(/-\d+$/, '');

/** What rings, and what the person on call reads. */
export const alarmSentences = (cloud: Cloud): void => {
  const alarms = cloud.all<Alarm>('AWS::CloudWatch::Alarm').map(({ properties }) => properties);
  const composites = cloud
    .all<Pick<Alarm, 'AlarmName' | 'AlarmDescription' | 'AlarmActions' | 'OKActions'>>(
      'AWS::CloudWatch::CompositeAlarm',
    )
    .map(({ properties }) => properties);
  const notifying = [...alarms, ...composites].filter(({ AlarmActions = [] }) => AlarmActions.length > 0);

  describe('every alarm', () => {
    it('has a row with what users notice, and a runbook, and there are about 25', () => {
      // The canary's is that of a stage with one.
      const ofDev = notifying.map(({ AlarmName }) => shortName(AlarmName));
      const names = [...new Set(ofDev), 'canary-failed'].sort();
      expect(names).toEqual(Object.keys(alarmImpacts).sort());
      const runbooks = readdirSync(projectFile('docs/runbooks')).map((file) => `docs/runbooks/${file}`);
      expect(runbooks.sort()).toEqual((names as (keyof typeof alarmImpacts)[]).map(runbookOf));
      expect(names.length).toBeLessThanOrEqual(25);
    });

    it.each(Object.keys(alarmImpacts))('%s: its runbook says what to do, and when it is over', (name) => {
      const headings = [...textOf(`docs/runbooks/${name}.md`).matchAll(/^#+ .+$/gm)].map(([line]) => line);
      expect(headings).toEqual([
        `# ${name}`,
        '## What users notice',
        '## How to see it',
        '## What to do',
        '## When it is over',
      ]);
    });

    it('says what users notice and where its runbook is, and notifies the topic when it begins and ends', () => {
      for (const { AlarmName, AlarmDescription, AlarmActions, OKActions } of notifying) {
        const name = shortName(AlarmName);
        expect(AlarmDescription).toMatch(/^[A-Z].{20,}\.$/s);
        expect(AlarmDescription).toContain(`docs/runbooks/${name}.md`);
        expect(AlarmDescription.length).toBeLessThanOrEqual(1024);
        for (const actions of [AlarmActions, OKActions])
          expect(JSON.stringify(listOf(actions))).toContain(':nightlatch-dev-alarms');
      }
    });

    it('that notifies no one is an input of one that does', () => {
      const rules = JSON.stringify(cloud.all('AWS::CloudWatch::CompositeAlarm'));
      const inputs = cloud
        .all<Alarm>('AWS::CloudWatch::Alarm')
        .filter(({ properties }) => properties.AlarmActions === undefined);
      expect(inputs).toHaveLength(17);
      for (const { id } of inputs) expect(rules).toContain(`"${id}"`);
    });

    it('asks for no more periods than it looks at, a value that its metric can have, and a time that CloudWatch allows', () => {
      for (const properties of alarms) {
        const { EvaluationPeriods, DatapointsToAlarm = EvaluationPeriods, Threshold, AlarmName } = properties;
        const { Period = 300 } = properties;
        expect(DatapointsToAlarm, AlarmName).toBeLessThanOrEqual(EvaluationPeriods);
        expect(Threshold, AlarmName).toBeGreaterThan(0);
        expect(Period * EvaluationPeriods, AlarmName).toBeLessThanOrEqual(86_400);
      }
    });

    it('of queues watches every queue', () => {
      const consumers = [...subscriptions, ...workQueues].map(({ consumer }) => consumer);
      const watchedBy = (name: string) =>
        alarms
          .filter(({ AlarmName }) => shortName(AlarmName) === name)
          .flatMap(({ Metrics = [] }) => Metrics)
          .flatMap(
            ({ MetricStat }) => MetricStat?.Metric.Dimensions.map(({ Value }) => shortName(Value)) ?? [],
          );
      expect(watchedBy('queues-late')).toEqual(consumers);
      expect(watchedBy('dead-letters')).toEqual(consumers.map((consumer) => `${consumer}-dead-letters`));
    });

    it('of late queues does not ring for a message that fails, which is a dead letter before', () => {
      const late = alarms.find(({ AlarmName }) => shortName(AlarmName) === 'queues-late');
      const queues = cloud
        .all<Queue>('AWS::SQS::Queue')
        .filter(({ properties }) => properties.RedrivePolicy !== undefined);
      expect(queues).toHaveLength(subscriptions.length + workQueues.length);
      for (const { QueueName, VisibilityTimeout, RedrivePolicy } of queues.map((one) => one.properties))
        expect(VisibilityTimeout * (RedrivePolicy?.maxReceiveCount ?? 0), QueueName).toBeLessThan(
          late?.Threshold ?? 0,
        );
    });

    it('of the schedules rings where there is no data, and no failed run is repeated at once', () => {
      const still = alarms.find(({ AlarmName }) => shortName(AlarmName) === 'schedules-still');
      expect(still).toMatchObject({ ComparisonOperator: 'LessThanThreshold', TreatMissingData: 'breaching' });
      expect(still?.Threshold).toBeGreaterThan((schedules.length - 1) * 30);
      const repeats = cloud.all<{ MaximumRetryAttempts: number }>('AWS::Lambda::EventInvokeConfig');
      expect(repeats.map(({ properties }) => properties.MaximumRetryAttempts)).toEqual(
        schedules.map(() => 0),
      );
    });

    it('hangs on figures, on no wording of a log line but the access log of the gateway', () => {
      const filters = cloud.all<Filter>('AWS::Logs::MetricFilter').map(({ properties }) => properties);
      expect([...new Set(filters.map(({ LogGroupName }) => target(LogGroupName)))]).toEqual([
        expect.stringContaining('AccessLog'),
      ]);
      for (const { FilterPattern, MetricTransformations } of filters) {
        expect(FilterPattern.length).toBeLessThanOrEqual(1024);
        // A metric with two units would have two series.
        for (const { MetricName, Unit } of MetricTransformations)
          if (MetricName.endsWith('_failed')) expect(Unit).toBe('Count');
      }
    });

    it('of CloudWatch may publish to the topic', () => {
      const policies = cloud.all<{ PolicyDocument: { Statement: Record<string, unknown>[] } }>(
        'AWS::SNS::TopicPolicy',
      );
      expect(policies[0]?.properties.PolicyDocument.Statement).toContainEqual(
        expect.objectContaining({
          Effect: 'Allow',
          Action: 'sns:Publish',
          Principal: { Service: 'cloudwatch.amazonaws.com' },
        }),
      );
    });
  });

  it('mail is sent over TLS, and not again to who bounced or complained', () => {
    const [set] = cloud.all('AWS::SES::ConfigurationSet');
    expect(set?.properties).toMatchObject({
      Name: 'nightlatch-dev-mail',
      DeliveryOptions: { TlsPolicy: 'REQUIRE' },
      ReputationOptions: { ReputationMetricsEnabled: true },
      SuppressionOptions: { SuppressedReasons: ['BOUNCE', 'COMPLAINT'] },
    });
    const senders = cloud
      .all<{ Environment: { Variables: Record<string, unknown> } }>('AWS::Lambda::Function')
      .map(({ properties }) => properties.Environment.Variables)
      .filter(({ MAIL_SENDER }) => MAIL_SENDER !== undefined);
    expect(senders.map(({ MAIL_CONFIGURATION_SET }) => MAIL_CONFIGURATION_SET)).toEqual([
      'nightlatch-dev-mail',
      'nightlatch-dev-mail',
    ]);
  });
};

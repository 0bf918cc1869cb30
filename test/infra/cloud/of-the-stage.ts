import { describe, expect, it } from 'vitest';
import { domain, stageWith } from './stages.ts';
import { type Cloud, synthesize, target } from './synthesized.ts';

interface Budget {
  Budget: { BudgetLimit: { Amount: number; Unit: string }; BudgetType: string; TimeUnit: string };
  NotificationsWithSubscribers: {
    Notification: { NotificationType: string; Threshold: number };
    Subscribers: { Address: string }[];
  }[];
}

const outputsOf = ({ templates }: Cloud): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries((templates['api']?.['Outputs'] ?? {}) as Record<string, { Value: unknown }>).map(
      ([name, { Value }]) => [name, Value],
    ),
  );

/** Returns the most batches at once of each queue. */
const mostAtOnce = (cloud: Cloud): Record<string, number | undefined> => {
  const queues = cloud.all<{ QueueName: string }>('AWS::SQS::Queue');
  const mappings = cloud.all<{ EventSourceArn: unknown; ScalingConfig?: { MaximumConcurrency: number } }>(
    'AWS::Lambda::EventSourceMapping',
  );
  return Object.fromEntries(
    queues.map(({ id, properties: { QueueName } }) => [
      QueueName.replace(`nightlatch-${cloud.stage.name}-`, ''),
      mappings.find(({ properties }) => target(properties.EventSourceArn) === id)?.properties.ScalingConfig
        ?.MaximumConcurrency,
    ]),
  );
};

/** What a stage file decides: a stage with the least fields, and one with all. */
export const stageSentences = (least: Cloud, all: Cloud): void => {
  describe('the file of a stage', () => {
    it('decides region, account and names', () => {
      for (const { app, stage } of [least, all])
        for (const { stackName, environment, terminationProtection } of app.synth().stacks) {
          expect(stackName).toMatch(new RegExp(`^nightlatch-${stage.name}-`));
          expect(environment).toMatchObject({
            region: 'ap-southeast-1',
            account: stage.account ?? 'unknown-account',
          });
          expect(terminationProtection).toBe(stage.keepsData);
        }
    });

    it('decides who gets the alarms', () => {
      expect(least.all('AWS::SNS::Subscription')).toEqual([]);
      const [subscription] = all.all<{ Endpoint: string; TopicArn: unknown }>('AWS::SNS::Subscription');
      expect(subscription?.properties).toMatchObject({ Protocol: 'email', Endpoint: 'ops@example.com' });
      expect(target(subscription?.properties.TopicArn)).toMatch(/^Alarms/);
    });

    it('is warned about where its data is kept and no one gets the alarms', () => {
      const kept = synthesize(stageWith('kept'));
      const notified = synthesize(stageWith('notified', { alarm_email: 'ops@example.com' }));
      const warnings = (cloud: Cloud) =>
        cloud.app
          .synth()
          .stacks.flatMap(({ messages }) => messages.map(({ entry }) => JSON.stringify(entry.data)))
          .filter((text) => text.includes('alarm_email'));
      expect(warnings(kept)).toEqual([expect.stringContaining('stages/kept.json')]);
      for (const cloud of [notified, least, all]) expect(warnings(cloud)).toEqual([]);
    });

    it('decides whether there is a dashboard', () => {
      expect(least.all('AWS::CloudWatch::Dashboard')).toEqual([]);
      expect(all.all('AWS::CloudWatch::Dashboard')).toHaveLength(1);
    });

    it('decides what a month may cost: a mail before it is spent', () => {
      expect(least.all('AWS::Budgets::Budget')).toEqual([]);
      const [budget] = all.all<Budget>('AWS::Budgets::Budget');
      expect(budget?.properties.Budget).toMatchObject({
        BudgetType: 'COST',
        TimeUnit: 'MONTHLY',
        BudgetLimit: { Amount: 500, Unit: 'USD' },
      });
      const warnings = budget?.properties.NotificationsWithSubscribers ?? [];
      expect(
        warnings.map(({ Notification, Subscribers }) => [
          Notification.NotificationType,
          Notification.Threshold,
          Subscribers[0]?.Address,
        ]),
      ).toEqual([
        ['ACTUAL', 80, 'ops@example.com'],
        ['FORECASTED', 100, 'ops@example.com'],
      ]);
    });

    it('decides the name of the API, with TLS 1.2 or newer', () => {
      expect(least.all('AWS::ApiGateway::DomainName')).toEqual([]);
      const [name] = all.all('AWS::ApiGateway::DomainName');
      expect(name?.properties).toMatchObject({
        DomainName: 'api.example.com',
        RegionalCertificateArn: all.stage.domain?.certificate_arn,
        SecurityPolicy: 'TLS_1_2',
        EndpointConfiguration: { Types: ['REGIONAL'] },
      });
      const [mapping] = all.all('AWS::ApiGateway::BasePathMapping');
      expect(mapping?.properties['BasePath']).toBeUndefined();
      expect(target(mapping?.properties['DomainName'])).toBe(name?.id);
      expect(target(mapping?.properties['RestApiId'])).toMatch(/^GatewayApi/);
      expect(target(mapping?.properties['Stage'])).toMatch(/^GatewayApiDeploymentStage/);
      const records = all.all<{ AliasTarget: { DNSName: unknown } }>('AWS::Route53::RecordSet');
      expect(records.map(({ properties }) => properties)).toMatchObject(
        ['A', 'AAAA'].map((Type) => ({
          Name: 'api.example.com.',
          Type,
          HostedZoneId: 'Z0123456789ABCDEFGHIJ',
        })),
      );
      for (const { properties } of records) expect(target(properties.AliasTarget.DNSName)).toBe(name?.id);
      expect(outputsOf(all)['ApiUrl']).toBe('https://api.example.com/');
      const urls = all
        .all<{ Environment: { Variables: Record<string, unknown> } }>('AWS::Lambda::Function')
        .flatMap(({ properties }) => properties.Environment.Variables['API_URL'] ?? []);
      expect(new Set(urls)).toEqual(new Set(['https://api.example.com']));
    });

    it('without a hosted zone outputs where the name must point to', () => {
      const elsewhere = synthesize(stageWith('elsewhere', { domain }));
      expect(elsewhere.all('AWS::Route53::RecordSet')).toEqual([]);
      expect(target(outputsOf(elsewhere)['DomainTarget'])).toMatch(/^DomainName/);
    });

    it('decides how much a worker does at once, up to the limit of its own', () => {
      const own = { webhook: 5, 'search-index': 2, 'list-index': 6 };
      const most = { ...own, webhook: 3, 'list-index': 3 };
      expect(mostAtOnce(least)).toMatchObject({ notification: 20, 'calendar-sync': 20, ...own });
      expect(mostAtOnce(all)).toMatchObject({ notification: 3, 'calendar-sync': 3, ...most });
    });

    it('decides how long logs are kept', () => {
      const logs = least.all<{ RetentionInDays: number }>('AWS::Logs::LogGroup');
      expect(new Set(logs.map(({ properties }) => properties.RetentionInDays))).toEqual(new Set([90]));
    });
  });
};

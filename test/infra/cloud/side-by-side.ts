import { describe, expect, it } from 'vitest';
import type { Cloud } from './synthesized.ts';

type Json = Record<string, unknown>;

/** Where each type of resource has its physical name; null: AWS makes it, or it is a name within another resource. */
const names: Record<string, string | null> = {
  'AWS::ApiGateway::BasePathMapping': null,
  'AWS::ApiGateway::Deployment': null,
  'AWS::ApiGateway::RestApi': 'Name',
  'AWS::ApiGateway::Stage': null,
  'AWS::Budgets::Budget': 'Budget.BudgetName',
  'AWS::CloudFront::CachePolicy': 'CachePolicyConfig.Name',
  'AWS::CloudFront::Distribution': null,
  'AWS::CloudFront::Function': 'Name',
  'AWS::CloudWatch::Alarm': 'AlarmName',
  'AWS::CloudWatch::CompositeAlarm': 'AlarmName',
  'AWS::CloudWatch::Dashboard': 'DashboardName',
  'AWS::CodeDeploy::Application': 'ApplicationName',
  'AWS::CodeDeploy::DeploymentGroup': 'DeploymentGroupName',
  'AWS::DynamoDB::GlobalTable': 'TableName',
  'AWS::Events::Archive': 'ArchiveName',
  'AWS::Events::EventBus': 'Name',
  'AWS::Events::Rule': 'Name',
  'AWS::IAM::Policy': null,
  'AWS::IAM::Role': 'RoleName',
  'AWS::KMS::Alias': 'AliasName',
  'AWS::KMS::Key': null,
  'AWS::Lambda::Alias': null,
  'AWS::Lambda::EventInvokeConfig': null,
  'AWS::Lambda::EventSourceMapping': null,
  'AWS::Lambda::Function': 'FunctionName',
  'AWS::Lambda::Permission': null,
  'AWS::Lambda::Version': null,
  'AWS::Logs::Delivery': null,
  'AWS::Logs::DeliveryDestination': 'Name',
  'AWS::Logs::DeliverySource': 'Name',
  'AWS::Logs::LogGroup': 'LogGroupName',
  'AWS::Logs::MetricFilter': null,
  'AWS::S3::Bucket': 'BucketName',
  'AWS::S3::BucketPolicy': null,
  'AWS::SES::ConfigurationSet': 'Name',
  'AWS::SNS::Subscription': null,
  'AWS::SNS::Topic': 'TopicName',
  'AWS::SNS::TopicPolicy': null,
  'AWS::SQS::Queue': 'QueueName',
  'AWS::SQS::QueuePolicy': null,
  'AWS::Scheduler::Schedule': 'Name',
  'AWS::WAFv2::WebACL': 'Name',
  'AWS::WAFv2::WebACLAssociation': null,
};

/** Those of a domain are what the stage file says. */
const givenByFile = ['AWS::ApiGateway::DomainName', 'AWS::Route53::RecordSet'];
/** An account has one: of a region, and of all regions. */
const single = ['AWS::ApiGateway::Account', 'AWS::IAM::OIDCProvider'];

const at = (properties: Json, path: string): unknown =>
  path.split('.').reduce<unknown>((value, step) => (value as Json | undefined)?.[step], properties);

const typesOf = ({ templates }: Cloud): string[] =>
  Object.values(templates).flatMap(({ Resources }) =>
    Object.values(Resources as Record<string, { Type: string }>).map(({ Type }) => Type),
  );

/** The physical names of a stage as `type name`; references of a template to its own resources are left as they are. */
const physicalNames = (cloud: Cloud): string[] =>
  Object.entries(names).flatMap(([type, path]) =>
    path === null
      ? []
      : cloud.all(type).flatMap(({ properties }) => {
          const name = at(properties, path);
          // A firewall of CloudFront and one of a region may share a name.
          const { Scope = '' } = properties as { Scope?: string };
          return name === undefined ? [] : [`${type}${Scope} ${JSON.stringify(name)}`];
        }),
  );

const exportsOf = ({ templates }: Cloud): string[] =>
  Object.values(templates).flatMap(({ Outputs = {} }) =>
    Object.values(Outputs as Record<string, { Export?: { Name: string } }>).flatMap(
      ({ Export }) => Export?.Name ?? [],
    ),
  );

/** Stages in one account and region. */
export const sideBySideSentences = (clouds: Record<string, Cloud>): void => {
  describe('stages in one account and region', () => {
    const all = Object.values(clouds);

    it('have types of resources of which each is known to have a name, or none', () => {
      const known = [...Object.keys(names), ...givenByFile, ...single];
      expect([...new Set(all.flatMap(typesOf))].sort()).toEqual(known.sort());
    });

    it('give no name to two resources', () => {
      const given = all.flatMap(physicalNames);
      expect(given.length).toBeGreaterThan(300);
      expect(given.filter((name, place) => given.indexOf(name) !== place)).toEqual([]);
      const exported = all.flatMap(exportsOf);
      expect(exported.length).toBeGreaterThan(5);
      expect(new Set(exported).size).toBe(exported.length);
    });

    it.each(Object.entries(clouds))('%s: every name has the name of its stage', (_, cloud) => {
      const own = new RegExp(`nightlatch[-/]${cloud.stage.name}\\b`);
      const others = physicalNames(cloud).filter((name) => !own.test(name));
      // Named after the id of the API, which AWS makes.
      expect(others.filter((name) => !name.includes('"API-Gateway-Execution-Logs_"'))).toEqual([]);
      for (const name of exportsOf(cloud)) expect(name).toMatch(own);
    });

    it('leave the one role by which API Gateway writes logs, and GitHub’s provider, when one of them goes', () => {
      for (const type of single) {
        const made = all.flatMap((cloud) => cloud.all(type));
        expect(made.length).toBeGreaterThan(0);
        for (const { deletionPolicy } of made) expect(deletionPolicy).toBe('Retain');
      }
      for (const cloud of all)
        for (const { properties } of cloud.all('AWS::ApiGateway::Account')) {
          const { 'Fn::GetAtt': role = [''] } = properties['CloudWatchRoleArn'] as {
            'Fn::GetAtt'?: [string];
          };
          const { DeletionPolicy } = (cloud.templates['api']!['Resources'] as Record<string, Json>)[
            role[0]
          ] ?? { DeletionPolicy: undefined };
          expect(DeletionPolicy).toBe('Retain');
        }
    });
  });
};

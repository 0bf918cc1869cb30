import { describe, expect, it } from 'vitest';
import type { Cloud } from './synthesized.ts';

type Json = Record<string, unknown>;

/** The length of a value as AWS counts it: JSON without blanks, with about 60 characters for each reference. */
const lengthOf = (value: unknown): number => JSON.stringify(value).length;

const sizesOf = (cloud: Cloud, type: string, size: (properties: Json, id: string) => number): number[] =>
  cloud.all(type).map(({ properties, id }) => size(properties, id));

const named = (cloud: Cloud, type: string, field: string): number[] =>
  sizesOf(cloud, type, ({ [field]: name }) => (typeof name === 'string' ? name.length : 0));

const countOf = (value: unknown): number => Object.keys(value ?? {}).length;

/** The inline policies of each role together. */
const policies = (cloud: Cloud): number[] => {
  const ofRoles = new Map<string, number>();
  for (const { properties, stack } of cloud.all<{ Roles?: unknown[]; PolicyDocument: unknown }>(
    'AWS::IAM::Policy',
  ))
    for (const role of properties.Roles ?? []) {
      const key = `${stack} ${JSON.stringify(role)}`;
      ofRoles.set(key, (ofRoles.get(key) ?? 0) + lengthOf(properties.PolicyDocument));
    }
  return [...ofRoles.values()];
};

/** The nodes of the tree of paths. */
const nodes = (cloud: Cloud): number[] =>
  sizesOf(cloud, 'AWS::ApiGateway::RestApi', ({ Body }) => {
    const paths = Object.keys((Body as { paths: Json }).paths);
    const all = paths.flatMap((path) => {
      const parts = path.split('/').filter((part) => part !== '');
      return ['/', ...parts.map((_, at) => `/${parts.slice(0, at + 1).join('/')}`)];
    });
    return new Set(all).size;
  });

const rulesOfBus = (cloud: Cloud): number[] => [cloud.all('AWS::Events::Rule').length];

const templates = ({ templates: all }: Cloud) => Object.values(all);

/** Quotas that an account has from the start, of everything that the stacks make: what, how much, where AWS says it. */
const quotas: readonly [string, number, string, (cloud: Cloud) => number[]][] = [
  ['bytes of a template', 1_000_000, 'CloudFormation quotas', (cloud) => templates(cloud).map(lengthOf)],
  [
    'resources of a template',
    500,
    'CloudFormation quotas',
    (cloud) => templates(cloud).map(({ Resources }) => countOf(Resources)),
  ],
  [
    'outputs of a template',
    200,
    'CloudFormation quotas',
    (cloud) => templates(cloud).map(({ Outputs }) => countOf(Outputs)),
  ],
  ['characters of the inline policies of a role', 10_240, 'IAM and STS quotas', policies],
  [
    'managed policies of a role',
    10,
    'IAM and STS quotas',
    (cloud) => sizesOf(cloud, 'AWS::IAM::Role', ({ ManagedPolicyArns }) => countOf(ManagedPolicyArns)),
  ],
  [
    'characters of a trust policy',
    2048,
    'IAM and STS quotas',
    (cloud) =>
      sizesOf(cloud, 'AWS::IAM::Role', ({ AssumeRolePolicyDocument }) => lengthOf(AssumeRolePolicyDocument)),
  ],
  [
    'characters of the name of a function',
    64,
    'Lambda API reference',
    (cloud) => named(cloud, 'AWS::Lambda::Function', 'FunctionName'),
  ],
  [
    'characters of the description of a function',
    256,
    'Lambda API reference',
    (cloud) => named(cloud, 'AWS::Lambda::Function', 'Description'),
  ],
  [
    'bytes of the environment of a function',
    4096,
    'Lambda quotas',
    (cloud) =>
      sizesOf(cloud, 'AWS::Lambda::Function', ({ Environment }) =>
        lengthOf((Environment as Json | undefined)?.['Variables'] ?? {}),
      ),
  ],
  [
    'seconds of a function behind the gateway',
    29,
    'API Gateway quotas',
    (cloud) =>
      cloud
        .all<{ Timeout: number }>('AWS::Lambda::Function')
        .filter(({ stack }) => stack === 'api')
        .map(({ properties }) => properties.Timeout),
  ],
  ['resources of an API', 300, 'API Gateway quotas', nodes],
  [
    'authorizers of an API',
    10,
    'API Gateway quotas',
    (cloud) =>
      sizesOf(cloud, 'AWS::ApiGateway::RestApi', ({ Body }) =>
        countOf((Body as { components: Json }).components['securitySchemes']),
      ),
  ],
  [
    'bytes of an imported API',
    6_000_000,
    'API Gateway quotas',
    (cloud) => sizesOf(cloud, 'AWS::ApiGateway::RestApi', ({ Body }) => lengthOf(Body)),
  ],
  [
    'characters of the format of an access log',
    3072,
    'API Gateway quotas',
    (cloud) =>
      sizesOf(
        cloud,
        'AWS::ApiGateway::Stage',
        ({ AccessLogSetting }) => String((AccessLogSetting as Json)['Format']).length,
      ),
  ],
  ['rules of a bus', 100, 'EventBridge quotas, the smallest of a region', rulesOfBus],
  [
    'characters of the pattern of a rule',
    2048,
    'EventBridge quotas',
    (cloud) => sizesOf(cloud, 'AWS::Events::Rule', ({ EventPattern }) => lengthOf(EventPattern)),
  ],
  [
    'targets of a rule',
    5,
    'EventBridge quotas',
    (cloud) => sizesOf(cloud, 'AWS::Events::Rule', ({ Targets }) => countOf(Targets)),
  ],
  [
    'characters of the name of a queue',
    80,
    'SQS quotas',
    (cloud) => named(cloud, 'AWS::SQS::Queue', 'QueueName'),
  ],
  [
    'metrics of an alarm over an expression',
    10,
    'CloudWatch quotas',
    (cloud) =>
      sizesOf(
        cloud,
        'AWS::CloudWatch::Alarm',
        ({ Metrics = [] }) => (Metrics as Json[]).filter((one) => 'MetricStat' in one).length,
      ),
  ],
  [
    'characters of the name of an alarm',
    255,
    'CloudWatch API reference',
    (cloud) => named(cloud, 'AWS::CloudWatch::Alarm', 'AlarmName'),
  ],
  [
    'characters of the description of an alarm',
    1024,
    'CloudWatch API reference',
    (cloud) => named(cloud, 'AWS::CloudWatch::Alarm', 'AlarmDescription'),
  ],
  [
    'characters of the rule of a composite alarm',
    10_240,
    'CloudWatch API reference',
    (cloud) => sizesOf(cloud, 'AWS::CloudWatch::CompositeAlarm', ({ AlarmRule }) => lengthOf(AlarmRule)),
  ],
  [
    'global secondary indexes of a table',
    20,
    'DynamoDB quotas',
    (cloud) =>
      sizesOf(cloud, 'AWS::DynamoDB::GlobalTable', ({ GlobalSecondaryIndexes }) =>
        countOf(GlobalSecondaryIndexes),
      ),
  ],
];

/** Says of each quota that every kind of stage stays within it. */
export const quotaSentences = (clouds: Record<string, Cloud>): void => {
  describe('quotas of a new account', () => {
    it.each(quotas)('%s: at most %i (%s)', (_what, most, _source, sizes) => {
      const all = Object.values(clouds).flatMap(sizes);
      expect(all.length).toBeGreaterThan(0);
      expect(Math.max(...all)).toBeLessThanOrEqual(most);
    });
  });
};

import { describe, expect, it } from 'vitest';
import { functionSources } from '../../../infra/bundling.ts';
import { sealedFunctions } from '../../../infra/cloud/grants.ts';
import { tableStatements } from '../../../infra/cloud/table-policy.ts';
import { workQueues } from '../../../shared/schedules.ts';
import { matches } from '../../../infra/rights/partitions.ts';
import { tableStatementsOf } from '../samples/recorder.ts';
import { type Cloud, listOf, target } from './synthesized.ts';

interface Statement {
  Sid?: string;
  Effect: string;
  Action: string | string[];
  Resource: unknown;
  Condition?: Record<string, unknown>;
}
interface Policy {
  PolicyDocument: { Statement: Statement[] };
  Roles: unknown[];
}

const xray = ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'];

/** IAM's limit of all policies of a role together, each of which has one. */
const mostPolicyBytes = 10_240;

const writesOf = (folder: string): readonly string[] =>
  tableStatements(folder, 'table').find(({ sid }) => sid === 'Write')?.conditions?.[
    'ForAllValues:StringLike'
  ]['dynamodb:LeadingKeys'] ?? [];

const ofPeople = [
  'USER#1',
  'SUBJECT#a',
  'EMAIL#a',
  'KEY#a',
  'KEY_ID#1',
  'PARTNER#1#KEYS',
  'TEAM#1#KEYS',
  'TEAM#1',
];

/** The name of a function without what its role's id adds to it. */
const shortOf = (text: string): string => text.replaceAll('-', '').replace(/(run|worker)?Role.*$/, '');

/** What no function may do. */
export const rightsSentences = (cloud: Cloud, paying: Cloud): void => {
  const policies = cloud.all<Policy>('AWS::IAM::Policy');
  const statements = policies.flatMap(({ properties }) =>
    properties.PolicyDocument.Statement.map((statement) => ({
      ...statement,
      actions: listOf(statement.Action) as string[],
      resources: listOf(statement.Resource),
      role: target(properties.Roles[0]) ?? '',
    })),
  );
  const queueOf = (id: string | undefined) =>
    cloud
      .all<{ QueueName: string }>('AWS::SQS::Queue')
      .find((queue) => queue.id === id)
      ?.properties.QueueName.slice('nightlatch-dev-'.length);
  const rightsOf = (name: string) => statements.filter(({ role }) => role.toLowerCase().startsWith(name));

  describe('least privilege', () => {
    it('names every action without a star', () => {
      expect(statements.flatMap(({ actions }) => actions).filter((action) => action.includes('*'))).toEqual(
        [],
      );
    });

    it('names every resource, but for X-Ray, which knows none', () => {
      const open = statements.filter(({ resources }) =>
        resources.some((one) => JSON.stringify(one).includes('*')),
      );
      for (const { actions } of open) expect(xray).toEqual(expect.arrayContaining(actions));
    });

    it('lets no function scan the table', () => {
      expect(statements.flatMap(({ actions }) => actions)).not.toContain('dynamodb:Scan');
    });

    it('gives each function the partitions of its rights, which the tests enforce', () => {
      const names = cloud
        .all<{ FunctionName: string; Role: unknown }>('AWS::Lambda::Function')
        .map(({ properties }) => properties);
      for (const { name } of functionSources()) {
        const short = name.slice(name.lastIndexOf('/') + 1);
        const role = names.find(({ FunctionName }) => FunctionName === `nightlatch-dev-${short}`)?.Role;
        const given = policies
          .filter(({ properties }) => target(properties.Roles[0]) === target(role))
          .flatMap(({ properties }) => tableStatementsOf(properties as never))
          .filter(({ sid }) => sid !== 'Stream');
        const wanted = tableStatements(name, 'table');
        expect(given, name).toEqual(wanted);
      }
    });

    it('gives no table right without partitions, but for the identity of the table', () => {
      const open = statements.filter(
        ({ Sid, Condition, actions }) =>
          Sid !== 'Stream' && actions.some((action) => action.startsWith('dynamodb:')) && !Condition,
      );
      expect(open.map(({ role, actions }) => [/^[a-z]+/.exec(role)?.[0], ...actions])).toEqual([
        ['webhooks', 'dynamodb:DescribeTable'],
      ]);
    });

    it('lets the audit write its own record alone', () => {
      expect(writesOf('schedules/audit-bookings')).toEqual(['AUDIT#*']);
    });

    it.each([
      'feeds',
      'schedules/poll-calendars',
      'workers/webhook-delivery',
      'workers/webhook-retry',
      'schedules/retry-webhooks',
    ])('lets %s, which reads the bytes of strangers, write nothing of people, keys or bookings', (name) => {
      const written = writesOf(name);
      for (const key of [...ofPeople, 'ORDER#17', 'DUE_PAYMENTS#1', 'DUE_BOOKINGS#1'])
        expect(written.filter((pattern) => matches(pattern, key))).toEqual([]);
    });

    it('lets the worker that reads calendars write of bookings what an adopted stay follows, nothing of people or keys', () => {
      const written = writesOf('workers/calendar-sync');
      for (const key of ofPeople) expect(written.filter((pattern) => matches(pattern, key))).toEqual([]);
      expect(written).toEqual([
        ...['CALENDAR#*', 'DUE_BOOKINGS*', 'DUE_PAYMENTS*', 'FEED#*', 'LISTING#*', 'ORDER#*'],
        'TEAM#*#CONFLICTS',
      ]);
    });

    it('lets the reports of payments write nothing of people or keys: only what is paid, the stay, and what a change frees', () => {
      const written = writesOf('payments');
      for (const key of ofPeople) expect(written.filter((pattern) => matches(pattern, key))).toEqual([]);
      expect(written).toEqual([
        'BANK_TRANSFERS#*',
        'CALENDAR#*',
        'DUE_BOOKINGS*',
        'DUE_PAYMENTS*',
        'LISTING#*',
        'ORDER#*',
      ]);
    });

    it('fits each policy into a role', () => {
      for (const { properties } of policies) {
        const bytes = JSON.stringify(properties.PolicyDocument).length;
        expect(bytes, target(properties.Roles[0])).toBeLessThan(mostPolicyBytes);
      }
    });

    it('puts no right into a role outside its policies', () => {
      for (const { properties } of cloud.all<{ Policies?: unknown; ManagedPolicyArns?: unknown[] }>(
        'AWS::IAM::Role',
      )) {
        expect(properties.Policies).toBeUndefined();
        for (const managed of properties.ManagedPolicyArns ?? [])
          expect(JSON.stringify(managed)).toContain('AmazonAPIGatewayPushToCloudWatchLogs');
      }
    });

    it('lets those who need a secret read that one, by its whole ARN, and no other function', () => {
      const readers = (of: Cloud) =>
        of
          .all<Policy>('AWS::IAM::Policy')
          .flatMap(({ properties }) =>
            properties.PolicyDocument.Statement.filter(({ Action }) =>
              JSON.stringify(Action).includes('secretsmanager:'),
            ).map(({ Action, Resource }) => ({
              role: /^[a-z]+?(?=Role|run|worker)/i.exec(target(properties.Roles[0]) ?? '')?.[0] ?? '',
              Action,
              secrets: listOf(Resource).map((arn) => /nightlatch\/(\w+)-AbCdEf$/.exec(String(arn))?.[1]),
            })),
          )
          .sort((one, other) => one.role.localeCompare(other.role));
      const reads = 'secretsmanager:GetSecretValue';
      expect(readers(cloud).map(({ role, Action, secrets }) => [role, Action, ...secrets])).toEqual(
        ['account', 'authorizer', 'checkout', 'customers', 'invitations'].map((role) => [
          role,
          reads,
          'identity',
        ]),
      );
      const ofPayments = readers(paying).filter(({ secrets }) => secrets.includes('payment'));
      expect(ofPayments.map(({ role, secrets }) => [role, ...secrets])).toEqual([
        ['bookings', 'payment'],
        ['changes', 'payment'],
        ['checkout', 'identity', 'payment'],
        ['external', 'payment'],
        ['guest', 'payment'],
        ['moveduebookings', 'payment'],
        ['payments', 'payment'],
        ['reconcilepayments', 'payment'],
        ['refunds', 'payment'],
      ]);
    });

    it('keeps the health check and the documents away from the table', () => {
      const actions = rightsOf('system').flatMap((statement) => statement.actions);
      expect(actions.filter((action) => action.startsWith('dynamodb:'))).toEqual([]);
    });

    it('lets a function fill the queues of which it is a producer, and no other', () => {
      const filled = statements
        // The publisher's mapping puts what fails into its dead-letter queue.
        .filter(({ actions, role }) => actions.includes('sqs:SendMessage') && !role.startsWith('Outbox'))
        .flatMap(({ role, resources }) => resources.map((queue) => [shortOf(role), queueOf(target(queue))]));
      const wanted = workQueues.flatMap(({ consumer, producers }) =>
        producers.map((folder) => [shortOf(folder.slice(folder.lastIndexOf('/') + 1)), consumer]),
      );
      expect(filled.toSorted()).toEqual(wanted.toSorted());
    });

    it('lets exactly those that show or send what is encrypted make the data key, by the key of the stage', () => {
      const makers = statements.filter(({ actions }) => actions.some((action) => action.startsWith('kms:')));
      for (const { actions, resources } of makers) {
        expect(actions).toEqual(['kms:GenerateMac']);
        expect(JSON.stringify(resources)).toMatch(/^\[\{"Fn::ImportValue":"nightlatch-dev-data:\w*DataKey/);
      }
      const short = (folder: string) => shortOf(folder.slice(folder.lastIndexOf('/') + 1));
      expect(makers.map(({ role }) => shortOf(role)).sort()).toEqual(sealedFunctions.map(short).sort());
      const withKey = cloud
        .all<{ FunctionName: string; Environment: { Variables: object } }>('AWS::Lambda::Function')
        .filter(({ properties }) => 'DATA_KEY_IDS' in properties.Environment.Variables)
        .map(({ properties }) => shortOf(properties.FunctionName.slice('nightlatch-dev-'.length)));
      expect(withKey.sort()).toEqual(sealedFunctions.map(short).sort());
    });

    it('lets the publisher alone put events, on its own bus', () => {
      const tellers = statements.filter(({ actions }) => actions.includes('events:PutEvents'));
      expect(tellers.map(({ role }) => role)).toEqual([expect.stringMatching(/^OutboxPublisher/)]);
      expect(target(tellers[0]?.resources[0])).toMatch(/^Bus/);
    });

    it('lets the two that write mails send them, in the name of the sender alone', () => {
      const senders = statements.filter(({ actions }) => actions.some((action) => action.startsWith('ses:')));
      expect(senders.map(({ role }) => role).sort()).toEqual([
        expect.stringMatching(/^notification/),
        expect.stringMatching(/^sendduemails/),
      ]);
      for (const { Condition } of senders)
        expect(Condition).toEqual({ StringEquals: { 'ses:FromAddress': 'stay@example.com' } });
    });
  });
};

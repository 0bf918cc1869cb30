import { describe, expect, it } from 'vitest';
import { AuditRoundEntity } from '../../../shared/domain/audit/audit-round.entity.ts';
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

    it('lets the audit write its own item alone', () => {
      const writing = rightsOf('auditbookings').filter(({ actions }) =>
        actions.some((action) => /^dynamodb:(Put|Update|Delete|ConditionCheck)/.test(action)),
      );
      expect(writing.map(({ actions, Condition }) => [actions, Condition])).toEqual([
        [
          ['dynamodb:PutItem'],
          {
            'ForAllValues:StringEquals': {
              'dynamodb:LeadingKeys': [AuditRoundEntity.partition({ name: 'bookings' })],
            },
          },
        ],
      ]);
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
        ['account', 'authorizer', 'checkout', 'customers', 'team'].map((role) => [role, reads, 'identity']),
      );
      const ofPayments = readers(paying).filter(({ secrets }) => secrets.includes('payment'));
      expect(ofPayments.map(({ role, secrets }) => [role, ...secrets])).toEqual([
        ['bookings', 'payment'],
        ['checkout', 'identity', 'payment'],
        ['external', 'payment'],
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

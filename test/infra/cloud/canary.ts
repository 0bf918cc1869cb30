import { describe, expect, it } from 'vitest';
import { canary } from './stages.ts';
import { type Cloud, listOf, target } from './synthesized.ts';

interface Statement {
  Action: string | string[];
  Resource: unknown;
}
interface Policy {
  Roles: unknown[];
  PolicyDocument: { Statement: Statement[] };
}
interface Canary {
  FunctionName: string;
  Timeout: number;
  Role: unknown;
  Environment: { Variables: Record<string, unknown> };
}

/** What holds for the canary of a stage that has one. */
export const canarySentences = (cloud: Cloud): void => {
  const [called] = cloud
    .all<Canary>('AWS::Lambda::Function')
    .filter(({ properties }) => properties.FunctionName === 'nightlatch-production-canary');

  describe('the canary', () => {
    it('runs every 5 minutes, and a failed run is not repeated', () => {
      const [schedule] = cloud
        .all<{ Name: string; Target: { Arn: unknown } }>('AWS::Scheduler::Schedule')
        .filter(({ properties }) => properties.Name === 'nightlatch-production-canary');
      expect(schedule?.properties).toMatchObject({
        ScheduleExpression: 'rate(5 minutes)',
        FlexibleTimeWindow: { Mode: 'OFF' },
        Target: { RetryPolicy: { MaximumRetryAttempts: 0 } },
      });
      expect(target(schedule?.properties.Target.Arn)).toBe(called?.id);
      expect(called?.properties.Timeout).toBeLessThan(5 * 60);
    });

    it('reads its key and writes its log, and has no right to any table, queue or bus', () => {
      const rights = cloud
        .all<Policy>('AWS::IAM::Policy')
        .filter(({ properties }) => target(properties.Roles[0]) === target(called?.properties.Role))
        .flatMap(({ properties }) => properties.PolicyDocument.Statement)
        .map(({ Action, Resource }) => [listOf(Action), Resource] as const);
      expect(rights.map(([actions]) => actions)).toEqual([
        ['logs:CreateLogStream', 'logs:PutLogEvents'],
        ['xray:PutTelemetryRecords', 'xray:PutTraceSegments'],
        ['secretsmanager:GetSecretValue'],
      ]);
      expect(rights.at(-1)?.[1]).toBe(canary.secret_arn);
    });

    it('calls the API by its own name, without the key in its environment', () => {
      const { Variables } = called!.properties.Environment;
      expect(Variables).toEqual({
        API_URL: 'https://api.example.com',
        CANARY_LISTING_ID: String(canary.listing_id),
        CANARY_SECRET_ARN: canary.secret_arn,
        SERVICE_NAME: 'canary',
        STAGE: 'production',
      });
    });

    it('rings where it fails, and where there is no run', () => {
      const [alarm] = cloud
        .all<{ AlarmName: string; AlarmActions: unknown[] }>('AWS::CloudWatch::Alarm')
        .filter(({ properties }) => properties.AlarmName === 'nightlatch-production-canary-failed');
      expect(alarm?.properties).toMatchObject({
        ComparisonOperator: 'LessThanThreshold',
        Period: 900,
        EvaluationPeriods: 1,
        TreatMissingData: 'breaching',
      });
      expect(alarm?.properties.AlarmActions).toHaveLength(1);
    });
  });
};

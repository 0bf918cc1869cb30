import { describe, expect, it } from 'vitest';
import { type Cloud, target } from './synthesized.ts';

interface Budget {
  Budget: { BudgetLimit: { Amount: number; Unit: string }; BudgetType: string; TimeUnit: string };
  NotificationsWithSubscribers: {
    Notification: { NotificationType: string; Threshold: number };
    Subscribers: { Address: string }[];
  }[];
}

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

    it('decides how much the workers do at once, and how long logs are kept', () => {
      const workers = least.all<{ ScalingConfig?: { MaximumConcurrency: number } }>(
        'AWS::Lambda::EventSourceMapping',
      );
      expect(workers.map(({ properties }) => properties.ScalingConfig?.MaximumConcurrency)).toContain(20);
      const logs = least.all<{ RetentionInDays: number }>('AWS::Logs::LogGroup');
      expect(new Set(logs.map(({ properties }) => properties.RetentionInDays))).toEqual(new Set([90]));
    });
  });
};

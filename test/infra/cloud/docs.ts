import { App, CfnParameter, Stack } from 'aws-cdk-lib';
import { describe, expect, it } from 'vitest';
import { PaymentSettings } from '../../../infra/cloud/constructs/payment-settings.ts';
import { stageOf } from '../../../infra/cloud/stage.ts';
import { blocksOf, textOf } from '../../support/docs.ts';
import type { Cloud } from './synthesized.ts';

const page = 'docs/operate.md';

/** What a gateway's stacks may be given, by name. */
const paymentParameters = (payment: string): string[] => {
  const app = new App({ context: { payment } });
  const stack = new Stack(app, 'settings');
  new PaymentSettings(stack, 'Payment', stageOf(stack.node));
  return stack.node
    .findAll()
    .filter((node) => node instanceof CfnParameter)
    .map(({ logicalId }) => stack.resolve(logicalId) as string);
};

/** What the page about operating says of the cloud, held against the stacks: its commands are not run. */
export const docsSentences = (cloud: Cloud): void => {
  describe('the page about operating', () => {
    const commands = blocksOf(page).filter(({ needs }) => needs !== undefined);
    const parametersOf = (stack: string): string[] => [
      ...Object.keys(cloud.templates[stack]?.['Parameters'] ?? {}),
      ...paymentParameters('stripe'),
      ...paymentParameters('vnpay'),
    ];

    it('gives the stacks parameters that they have', () => {
      const given = commands.flatMap(({ sh }) => [
        ...sh.matchAll(/--parameters nightlatch-staging-(\w+):(\w+)=/g),
      ]);
      expect(given.length).toBeGreaterThan(5);
      const unknown = given.filter(([, stack = '', name = '']) => !parametersOf(stack).includes(name));
      expect(unknown.map(([text]) => text)).toEqual([]);
    });

    it('names parameters of a gateway that exist', () => {
      const named = [...textOf(page).matchAll(/`(Payment[A-Z]\w+)`/g)].map(([, name = '']) => name);
      expect(named.filter((name) => !parametersOf('api').includes(name))).toEqual([]);
    });

    it('names alarms that exist', () => {
      const [table = ''] = /\| alarm \| first steps \|[\s\S]*?\n\n/.exec(textOf(page)) ?? [];
      const names = [...table.matchAll(/^\| (.+?) \|/gm)].flatMap(([, cell = '']) => [
        ...cell.matchAll(/`([^`]+)`/g),
      ]);
      const alarms = cloud
        .all<{ AlarmName: string }>('AWS::CloudWatch::Alarm')
        .map(({ properties }) => properties.AlarmName);
      const patterns = names.map(([, name = '']) => new RegExp(`-${name.replaceAll(/…|<\w+>/g, '.+')}(-|$)`));
      expect(patterns.length).toBeGreaterThan(8);
      const missing = patterns.filter((pattern) => !alarms.some((alarm) => pattern.test(alarm)));
      expect(missing.map(String)).toEqual([]);
    });
  });
};

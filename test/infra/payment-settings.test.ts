import { App, Stack } from 'aws-cdk-lib';
import { describe, expect, it } from 'vitest';
import { PaymentSettings } from '../../infra/cloud/constructs/payment-settings.ts';
import { stageOf } from '../../infra/cloud/stage.ts';
import { PaymentEnv } from '../../shared/platform/env.ts';

const settingsOf = (payment?: string) => {
  const app = new App({ context: payment === undefined ? {} : { payment } });
  const stack = new Stack(app, 'settings');
  const { variables } = new PaymentSettings(stack, 'Payment', stageOf(stack.node));
  return stack.resolve(variables) as Record<string, unknown>;
};

describe('the payment gateway of a stage', () => {
  it.each(['none', 'stripe', 'vnpay'])(
    '%s is given everything that it needs, and nothing else',
    (gateway) => {
      const wanted = PaymentEnv.options.find(({ shape }) => shape.PAYMENT_GATEWAY.value === gateway);
      const given = settingsOf(gateway);
      expect([...Object.keys(given), 'STAGE'].sort()).toEqual(Object.keys(wanted?.shape ?? {}).sort());
      expect(given).toMatchObject({ PAYMENT_GATEWAY: gateway });
    },
  );

  it('is none when nothing was said, and never the sandbox', () => {
    expect(settingsOf()).toEqual({ PAYMENT_GATEWAY: 'none' });
    expect(() => settingsOf('sandbox')).toThrow('payment is one of');
  });

  it('has its secrets from Secrets Manager', () => {
    expect(settingsOf('stripe')['STRIPE_SECRET_KEY']).toContain('resolve:secretsmanager');
    expect(settingsOf('vnpay')['VNPAY_HASH_SECRET']).toContain('resolve:secretsmanager');
  });
});

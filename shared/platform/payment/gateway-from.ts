import type * as z from 'zod';
import { systemClock } from '../time/clock.ts';
import { readEnv } from '../environment/env.ts';
import { PaymentEnv } from './env.ts';
import { log } from '../metrics/log.ts';
import { keptSecret, type Secret, secretReader } from '../secrets/index.ts';
import { noGateway } from './no-gateway.ts';
import { GatewayUnavailable, type PaymentGateway } from './payment-gateway.ts';
import { createSandbox, sandboxAt } from './sandbox.ts';
import { createStripe } from './stripe.ts';
import { StripeSecrets } from './stripe-secrets.ts';
import { createVnpay, VnpaySecrets } from './vnpay.ts';

/** Returns the gateway that the environment names. */
export const gatewayFrom = (variables: Record<string, string | undefined>): PaymentGateway => {
  const env = readEnv(PaymentEnv(), variables);
  switch (env.PAYMENT_GATEWAY) {
    case 'none':
      return noGateway;
    case 'sandbox':
      return createSandbox({ secret: env.PAYMENT_SANDBOX_SECRET, ask: sandboxAt(env.PAYMENT_SANDBOX_URL) });
    case 'stripe':
      return createStripe({
        stage: env.STAGE,
        secrets: secretAt(env.PAYMENT_SECRET_ARN, StripeSecrets()),
        returnUrl: env.PAYMENT_RETURN_URL,
      });
    case 'vnpay':
      return createVnpay({
        tmnCode: env.VNPAY_TMN_CODE,
        secrets: secretAt(env.PAYMENT_SECRET_ARN, VnpaySecrets()),
        payUrl: env.VNPAY_PAY_URL,
        apiUrl: env.VNPAY_API_URL,
        returnUrl: env.PAYMENT_RETURN_URL,
      });
  }
};

/** Returns a secret of the gateway. A call that cannot have it is not made, and may be repeated. */
const secretAt = <Shape extends z.ZodType>(arn: string, shape: Shape): Secret<z.output<Shape>> => {
  const read = secretReader(arn, shape);
  const load = async (): Promise<z.output<Shape>> => {
    try {
      return await read();
    } catch (error) {
      throw new GatewayUnavailable('its secret could not be read', error);
    }
  };
  return keptSecret(load, { clock: systemClock, log });
};

import { PaymentEnv, readEnv } from '../env.ts';
import { noGateway } from './no-gateway.ts';
import type { PaymentGateway } from './payment-gateway.ts';
import { createSandbox, sandboxAt } from './sandbox.ts';
import { createStripe } from './stripe.ts';
import { createVnpay } from './vnpay.ts';

/** Returns the gateway that the environment names. */
export const gatewayFrom = (variables: Record<string, string | undefined>): PaymentGateway => {
  const env = readEnv(PaymentEnv, variables);
  switch (env.PAYMENT_GATEWAY) {
    case 'none':
      return noGateway;
    case 'sandbox':
      return createSandbox({ secret: env.PAYMENT_SANDBOX_SECRET, ask: sandboxAt(env.PAYMENT_SANDBOX_URL) });
    case 'stripe':
      return createStripe({
        secretKey: env.STRIPE_SECRET_KEY,
        webhookSecret: env.STRIPE_WEBHOOK_SECRET,
        returnUrl: env.PAYMENT_RETURN_URL,
      });
    case 'vnpay':
      return createVnpay({
        tmnCode: env.VNPAY_TMN_CODE,
        hashSecret: env.VNPAY_HASH_SECRET,
        payUrl: env.VNPAY_PAY_URL,
        apiUrl: env.VNPAY_API_URL,
        returnUrl: env.PAYMENT_RETURN_URL,
      });
  }
};

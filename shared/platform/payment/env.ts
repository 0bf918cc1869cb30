import * as z from 'zod';
import { ServiceEnv } from '../environment/env.ts';
import { once } from '../once.ts';

/** The payment gateway and its settings (D47); its secrets are in Secrets Manager. The schema is created at its first use. */
export const PaymentEnv = once(() => {
  const paymentBase = { STAGE: ServiceEnv.shape.STAGE };
  return z.discriminatedUnion('PAYMENT_GATEWAY', [
    z.object({ ...paymentBase, PAYMENT_GATEWAY: z.literal('none') }),
    z.object({
      ...paymentBase,
      PAYMENT_GATEWAY: z.literal('sandbox'),
      // No deployed stage may use the sandbox.
      STAGE: z.enum(['local', 'test']),
      PAYMENT_SANDBOX_URL: z.url(),
      PAYMENT_SANDBOX_SECRET: z.string().min(1),
    }),
    z.object({
      ...paymentBase,
      PAYMENT_GATEWAY: z.literal('stripe'),
      PAYMENT_RETURN_URL: z.url({ protocol: /^https$/ }),
      PAYMENT_SECRET_ARN: z.string().min(1),
    }),
    z.object({
      ...paymentBase,
      PAYMENT_GATEWAY: z.literal('vnpay'),
      PAYMENT_RETURN_URL: z.url({ protocol: /^https$/ }),
      VNPAY_TMN_CODE: z.string().min(1),
      PAYMENT_SECRET_ARN: z.string().min(1),
      VNPAY_PAY_URL: z.url({ protocol: /^https$/ }),
      VNPAY_API_URL: z.url({ protocol: /^https$/ }),
    }),
  ]);
});
export type PaymentEnv = z.infer<ReturnType<typeof PaymentEnv>>;

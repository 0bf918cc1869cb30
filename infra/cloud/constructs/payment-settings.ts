import { CfnParameter, SecretValue } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import type * as z from 'zod';
import type { PaymentEnv } from '../../../shared/platform/env.ts';
import type { Stage } from '../stage.ts';

/** Returns the name of the secret that the operator creates before the first deployment with a payment gateway. */
const paymentSecretName = (stage: Stage): string => `nightlatch/${stage.name}/payment`;

type Given<Gateway> = Omit<Extract<z.input<typeof PaymentEnv>, { PAYMENT_GATEWAY: Gateway }>, 'STAGE'>;

/** The parameters of the payment gateway (D47); its secrets are read at deployment. */
export class PaymentSettings extends Construct {
  readonly variables: Record<string, string>;
  readonly #stage: Stage;

  constructor(scope: Construct, id: string, stage: Stage) {
    super(scope, id);
    this.#stage = stage;
    this.variables = { none: () => this.#none(), stripe: () => this.#stripe(), vnpay: () => this.#vnpay() }[
      stage.payment
    ]();
  }

  #none(): { PAYMENT_GATEWAY: 'none' } {
    return { PAYMENT_GATEWAY: 'none' };
  }

  #stripe(): Given<'stripe'> {
    return {
      PAYMENT_GATEWAY: 'stripe',
      ...this.#common(),
      STRIPE_SECRET_KEY: this.#secret('stripe_secret_key'),
      STRIPE_WEBHOOK_SECRET: this.#secret('stripe_webhook_secret'),
    };
  }

  #vnpay(): Given<'vnpay'> {
    return {
      PAYMENT_GATEWAY: 'vnpay',
      ...this.#common(),
      VNPAY_TMN_CODE: this.#asked('TmnCode', '^\\S+$', 'The terminal of the merchant at VNPay.'),
      VNPAY_HASH_SECRET: this.#secret('vnpay_hash_secret'),
      VNPAY_PAY_URL: this.#asked(
        'VnpayPayUrl',
        '^https://.+$',
        "VNPay's page; the default is its sandbox.",
        'https://sandbox.vnpayment.vn/paymentv2/vpcpay.html',
      ),
      VNPAY_API_URL: this.#asked(
        'VnpayApiUrl',
        '^https://.+$',
        "VNPay's querydr and refund; the default is its sandbox.",
        'https://sandbox.vnpayment.vn/merchant_webapi/api/transaction',
      ),
    };
  }

  #common() {
    return {
      PAYMENT_RETURN_URL: this.#asked('ReturnUrl', '^https://.+$', 'Where the browser goes after paying.'),
    };
  }

  #secret(jsonField: string): string {
    return SecretValue.secretsManager(paymentSecretName(this.#stage), { jsonField }).unsafeUnwrap();
  }

  #asked(name: string, allowedPattern: string, description: string, byDefault?: string): string {
    const parameter = new CfnParameter(this, name, {
      allowedPattern,
      description,
      ...(byDefault === undefined ? {} : { default: byDefault }),
    });
    parameter.overrideLogicalId(`Payment${name}`);
    return parameter.valueAsString;
  }
}

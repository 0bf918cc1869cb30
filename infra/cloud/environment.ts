import { SecretValue } from 'aws-cdk-lib';
import type * as z from 'zod';
import type { IdentityEnv, MailEnv, PaymentEnv, ServiceEnv } from '../../shared/platform/env.ts';
import { resourceName, type Stage } from './stage.ts';

/** The variables of a function, typed by its schema: a missing or unknown name does not compile. */
export type Variables<Schema> = {
  [Name in keyof z.input<Schema>]: Extract<z.input<Schema>[Name], string>;
};

type Undeclared = Record<'POWERTOOLS_SERVICE_NAME', string>;

/** Returns the variables of every function. */
export const serviceVariables = (
  stage: Stage,
  folder: string,
): Variables<typeof ServiceEnv> & Undeclared => ({
  TABLE_NAME: resourceName(stage),
  STAGE: stage.name,
  POWERTOOLS_SERVICE_NAME: folder.slice(folder.lastIndexOf('/') + 1),
});

/** Returns the variable of the functions behind the gateway that browser origins are compared with. */
export const originVariables = ({ origins: { listed } }: Stage): Record<string, string> =>
  listed.length === 0 ? {} : { CORS_ORIGINS: listed.join(',') };

/** Returns the settings that the stage has other than by default. */
export const settingVariables = ({ settings }: Stage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(settings).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );

const secretField = (arn: string, jsonField: string): string =>
  SecretValue.secretsManager(arn, { jsonField }).unsafeUnwrap();

/** Returns the variables of a function that calls the identity provider (D11). */
export const identityVariables = ({
  identity,
}: Stage): Omit<Variables<typeof IdentityEnv>, 'STAGE' | 'JWKS_URI' | 'IDP_MANAGEMENT_AUDIENCE'> => ({
  ISSUER: identity.issuer,
  AUDIENCE: identity.audience,
  IDP_CLIENT_ID: identity.client_id,
  IDP_CLIENT_SECRET: secretField(identity.secret_arn, 'client_secret'),
  IDP_CONNECTION: identity.connection,
});

type Payments = Exclude<z.input<typeof PaymentEnv>, { PAYMENT_GATEWAY: 'sandbox' }>;

/** Returns the variables of a function that calls the payment gateway (D47). */
export const paymentVariables = ({ payment }: Stage): Record<string, string> => {
  const variables = ((): DistributiveOmit<Payments, 'STAGE'> => {
    switch (payment.gateway) {
      case 'none':
        return { PAYMENT_GATEWAY: 'none' };
      case 'stripe':
        return {
          PAYMENT_GATEWAY: 'stripe',
          PAYMENT_RETURN_URL: payment.return_url,
          STRIPE_SECRET_KEY: secretField(payment.secret_arn, 'stripe_secret_key'),
          STRIPE_WEBHOOK_SECRET: secretField(payment.secret_arn, 'stripe_webhook_secret'),
        };
      case 'vnpay':
        return {
          PAYMENT_GATEWAY: 'vnpay',
          PAYMENT_RETURN_URL: payment.return_url,
          VNPAY_TMN_CODE: payment.tmn_code,
          VNPAY_HASH_SECRET: secretField(payment.secret_arn, 'vnpay_hash_secret'),
          VNPAY_PAY_URL: payment.pay_url,
          VNPAY_API_URL: payment.api_url,
        };
    }
  })();
  return variables;
};

type DistributiveOmit<Type, Key extends PropertyKey> = Type extends unknown ? Omit<Type, Key> : never;

/** Returns the variables of a function that sends mails. */
export const mailVariables = ({ mail_sender }: Stage): Variables<typeof MailEnv> => ({
  MAIL_SENDER: mail_sender,
});

import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type * as z from 'zod';
import type { CanaryEnv } from '../../functions/schedules/canary/env.ts';
import type { ServiceEnv } from '../../shared/platform/environment/env.ts';
import type { IdentityEnv } from '../../shared/platform/identity/env.ts';
import type { MailEnv } from '../../shared/platform/mail/env.ts';
import type { PaymentEnv } from '../../shared/platform/payment/env.ts';
import { queueUrlVariable, workQueues } from '../../shared/schedules.ts';
import type { Grant } from './grants.ts';
import { resourceName, type Stage } from './stage.ts';

/** The variables of a function, typed by its schema: a missing or unknown name does not compile. */
export type Variables<Schema> = {
  [Name in keyof z.input<Schema>]: Extract<z.input<Schema>[Name], string>;
};

type Undeclared = Record<'SERVICE_NAME', string>;

/** Returns the variables of every function. */
export const serviceVariables = (
  stage: Stage,
  folder: string,
): Variables<typeof ServiceEnv> & Undeclared => ({
  TABLE_NAME: stage.tableName,
  STAGE: stage.name,
  SERVICE_NAME: folder.slice(folder.lastIndexOf('/') + 1),
});

/** Returns the variables of the functions behind the gateway: the API's own name, and the browser origins that may call it. */
export const addressVariables = ({ domain, origins: { listed } }: Stage): Record<string, string> => ({
  ...(domain === undefined ? {} : { API_URL: `https://${domain.name}` }),
  ...(listed.length === 0 ? {} : { CORS_ORIGINS: listed.join(',') }),
});

/**
 * The variables of the local service, without values: SAM gives a function only those that its template declares. `npm run
 * sam:env` writes their values.
 */
export const declaredForSam: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ...[
      'ISSUER',
      'AUDIENCE',
      'JWKS_URI',
      'EVENT_BUS_NAME',
      'MAIL_SENDER',
      'PAGES_URL',
      'SANDBOX_SCENARIOS',
      'TEAM_SIGN_UP',
    ],
    ...[
      'HOST_CLIENT_IDS',
      'HOST_MFA',
      'IDP_CLIENT_ID',
      'IDP_CLIENT_SECRET',
      'IDP_CONNECTION',
      'IDP_MANAGEMENT_AUDIENCE',
      'PAGES_CLIENT_ID',
      'GUEST_CLIENT_ID',
    ],
    ...['PAYMENT_GATEWAY', 'PAYMENT_SANDBOX_URL', 'PAYMENT_SANDBOX_SECRET'],
    ...['DYNAMODB', 'EVENTBRIDGE', 'SESV2', 'SQS'].map((service) => `AWS_ENDPOINT_URL_${service}`),
    ...workQueues.map(({ consumer }) => queueUrlVariable(consumer)),
    ...['DATA_KEY', 'LOG_LEVEL', 'METRICS_DISABLED'],
  ].map((name) => [name, '']),
);

/** Returns the settings that the stage has other than by default. */
export const settingVariables = ({ settings }: Stage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(settings).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );

/** Returns the variables of a function that calls the identity provider (D11). */
export const identityVariables = ({
  identity,
}: Stage): Omit<
  Variables<ReturnType<typeof IdentityEnv>>,
  'STAGE' | 'JWKS_URI' | 'IDP_CLIENT_SECRET' | 'IDP_MANAGEMENT_AUDIENCE'
> => ({
  ISSUER: identity.issuer,
  AUDIENCE: identity.audience,
  IDP_CLIENT_ID: identity.client_id,
  IDENTITY_SECRET_ARN: identity.secret_arn,
  IDP_CONNECTION: identity.connection,
  ...(identity.pages_client_id === undefined ? {} : { PAGES_CLIENT_ID: identity.pages_client_id }),
});

/** Returns the variables that say how guests sign in on pages of teams (D144). */
export const guestVariables = ({ identity }: Stage): Record<string, string> => ({
  ISSUER: identity.issuer,
  AUDIENCE: identity.audience,
  ...(identity.guest_client_id === undefined ? {} : { GUEST_CLIENT_ID: identity.guest_client_id }),
});

/** Returns the variables that say which tokens are for hosts (D106). */
export const hostVariables = ({
  identity,
  keepsData,
}: Stage): Record<'HOST_CLIENT_IDS' | 'HOST_MFA', string> => ({
  HOST_CLIENT_IDS: identity.host_client_ids.join(','),
  HOST_MFA: identity.host_mfa ?? (keepsData ? 'required' : 'off'),
});

type Payments = Exclude<z.input<ReturnType<typeof PaymentEnv>>, { PAYMENT_GATEWAY: 'sandbox' }>;

/** Returns the variables of a function that asks whether CloudFront has sent a request. */
export const edgeVariables = ({ domain }: Stage): Record<string, string> =>
  domain?.cloudfront === undefined ? {} : { EDGE_SECRET_ARN: domain.cloudfront.secret_arn };

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
          PAYMENT_SECRET_ARN: payment.secret_arn,
        };
      case 'vnpay':
        return {
          PAYMENT_GATEWAY: 'vnpay',
          PAYMENT_RETURN_URL: payment.return_url,
          VNPAY_TMN_CODE: payment.tmn_code,
          PAYMENT_SECRET_ARN: payment.secret_arn,
          VNPAY_PAY_URL: payment.pay_url,
          VNPAY_API_URL: payment.api_url,
        };
    }
  })();
  return variables;
};

type DistributiveOmit<Type, Key extends PropertyKey> = Type extends unknown ? Omit<Type, Key> : never;

/** Returns the variables of a function that shows or sends what is encrypted (D140); SAM has those of the local service. */
export const dataKeyVariables = (stage: Stage, keys: readonly IKey[]): Record<string, string> =>
  stage.isLocal ? {} : { DATA_KEY_IDS: keys.map(({ keyArn }) => keyArn).join(',') };

/** Returns the permission to make the data keys. */
export const dataKeyStatement = (keys: readonly IKey[]): PolicyStatement =>
  new PolicyStatement({
    sid: 'DataKey',
    actions: ['kms:GenerateMac'],
    resources: keys.map(({ keyArn }) => keyArn),
  });

/** Returns the variables of the canary. */
export const canaryVariables = (
  stage: Stage,
  folder: string,
  { listing_id, secret_arn }: NonNullable<Stage['canary']>,
  url: string,
): Variables<typeof CanaryEnv> & Undeclared => {
  const { TABLE_NAME: _, ...variables } = serviceVariables(stage, folder);
  return {
    ...variables,
    API_URL: url,
    CANARY_LISTING_ID: String(listing_id),
    CANARY_SECRET_ARN: secret_arn,
  };
};

/** Returns the name of the configuration set of all mail. */
export const mailConfigurationSet = (stage: Stage): string => resourceName(stage, 'mail');

/** Returns the variables of a function that sends mails. */
export const mailVariables = (stage: Stage): Variables<typeof MailEnv> => ({
  MAIL_SENDER: stage.mail_sender,
  MAIL_CONFIGURATION_SET: mailConfigurationSet(stage),
  ...(stage.domain === undefined ? {} : { PAGES_URL: `https://${stage.domain.name}` }),
});

/** Returns the permissions to read the secrets of a function, each by its ARN. */
export const secretStatements = (stage: Stage, grant: Grant): PolicyStatement[] => {
  const arns = [
    ...(grant.identity ? [stage.identity.secret_arn] : []),
    ...(grant.payments && stage.payment.gateway !== 'none' ? [stage.payment.secret_arn] : []),
    ...(grant.canaryKey && stage.canary ? [stage.canary.secret_arn] : []),
    ...(grant.edge && stage.domain?.cloudfront ? [stage.domain.cloudfront.secret_arn] : []),
  ];
  return arns.length === 0
    ? []
    : [new PolicyStatement({ sid: 'Secrets', actions: ['secretsmanager:GetSecretValue'], resources: arns })];
};

import { RemovalPolicy } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Node } from 'constructs';
import { type AllowedOrigins, allowedOrigins } from '../../shared/platform/http/cors.ts';

/** The differences between deployments. `production` keeps its data; other stages are disposable. */
export interface Stage {
  name: string;
  keepsData: boolean;
  removalPolicy: RemovalPolicy;
  logRetention: RetentionDays;
  logLevel: 'DEBUG' | 'INFO';
  /** Requests a second, and burst, that the gateway accepts from all callers together. */
  throttle: { rate: number; burst: number };
  /** Reserved concurrency of the authorizer, so that a busy group cannot block every caller. */
  authorizerConcurrency: number | undefined;
  /** The maximum concurrency of a queue's worker. */
  workerConcurrency: number;
  /** A web application firewall in front of the gateway: `-c waf=true`. */
  firewall: boolean;
  /** The payment gateway: `-c payment=stripe` or `vnpay`; default `none` (D47). */
  payment: (typeof paymentGateways)[number];
  /** The browser origins that may call customer and public routes: `-c cors_origins=https://app.example.com,…` (D99). */
  origins: AllowedOrigins;
  /** The endpoint of a table outside AWS: `-c dynamodb_endpoint=…`, for `sam local invoke` with the stage `local`. */
  tableEndpoint: string | undefined;
}

export const paymentGateways = ['none', 'stripe', 'vnpay'] as const;

const production = {
  keepsData: true,
  removalPolicy: RemovalPolicy.RETAIN,
  logRetention: RetentionDays.THREE_MONTHS,
  logLevel: 'INFO',
  throttle: { rate: 1000, burst: 2000 },
  authorizerConcurrency: 100,
  workerConcurrency: 20,
} as const;

const disposable = {
  keepsData: false,
  removalPolicy: RemovalPolicy.DESTROY,
  logRetention: RetentionDays.TWO_WEEKS,
  logLevel: 'DEBUG',
  throttle: { rate: 100, burst: 200 },
  authorizerConcurrency: undefined,
  workerConcurrency: 5,
} as const;

const flag = (node: Node, key: string): boolean => String(node.tryGetContext(key)) === 'true';

/** Returns the stage of `-c stage=staging`; default `dev`. */
export const stageOf = (node: Node): Stage => {
  const name = String(node.tryGetContext('stage') ?? 'dev');
  if (!/^[a-z][a-z0-9]{1,15}$/.test(name))
    throw new Error(`A stage is 2 to 16 small letters and digits, not "${name}".`);
  const endpoint = node.tryGetContext('dynamodb_endpoint') as string | undefined;
  if ((name === 'local') !== (endpoint !== undefined))
    throw new Error(
      'The stage `local` and `dynamodb_endpoint` go together: they are for `sam local invoke` alone.',
    );
  const asked = String(node.tryGetContext('payment') ?? 'none');
  const payment = paymentGateways.find((gateway) => gateway === asked);
  if (!payment) throw new Error(`payment is one of ${paymentGateways.join(', ')}, not "${asked}".`);
  const settings = name === 'production' ? production : disposable;
  return {
    name,
    ...settings,
    authorizerConcurrency: flag(node, 'unreserved') ? undefined : settings.authorizerConcurrency,
    firewall: flag(node, 'waf'),
    payment,
    origins: allowedOrigins({ CORS_ORIGINS: node.tryGetContext('cors_origins') as string | undefined }),
    tableEndpoint: endpoint,
  };
};

/** Returns the name of a resource of a stage: `nightlatch-dev`, `nightlatch-dev-chat`. */
export const resourceName = (stage: Stage, what?: string): string =>
  what === undefined ? `nightlatch-${stage.name}` : `nightlatch-${stage.name}-${what}`;

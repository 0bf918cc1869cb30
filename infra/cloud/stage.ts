import { RemovalPolicy } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Node } from 'constructs';

/** What differs between one deployment and another. `production` keeps its data; every other stage may be thrown away. */
export interface Stage {
  name: string;
  keepsData: boolean;
  removalPolicy: RemovalPolicy;
  logRetention: RetentionDays;
  logLevel: 'DEBUG' | 'INFO';
  /** Requests a second, and at once, that the gateway lets through for all callers together. */
  throttle: { rate: number; burst: number };
  /** Instances kept free for the authorizer, so that no busy group can lock everybody out. */
  authorizerConcurrency: number | undefined;
  /** How many instances may work on one queue at once. */
  workerConcurrency: number;
  /** A web application firewall before the gateway: `-c waf=true`. */
  firewall: boolean;
  /** How guests pay online: `-c payment=stripe` or `vnpay`; `none` when nothing was said (D47). */
  payment: (typeof paymentGateways)[number];
  /** Where the table is when it is not in AWS: `-c dynamodb_endpoint=…`, for `sam local invoke` with the stage `local`. */
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

/** The stage that was asked for: `-c stage=staging`; `dev` when nothing was said. */
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
    tableEndpoint: endpoint,
  };
};

/** The name of a resource of a stage: `nightlatch-dev`, `nightlatch-dev-chat`. */
export const resourceName = (stage: Stage, what?: string): string =>
  what === undefined ? `nightlatch-${stage.name}` : `nightlatch-${stage.name}-${what}`;

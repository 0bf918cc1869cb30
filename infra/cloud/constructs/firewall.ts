import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import { edgeHeaders } from '../../../shared/platform/http/edge-headers.ts';
import { readSettings } from '../../../shared/platform/settings.ts';
import { edgeSecretText } from '../edge-secret.ts';
import { settingVariables } from '../environment.ts';
import { resourceName, type Stage } from '../stage.ts';

type Rule = Pick<CfnWebACL.RuleProperty, 'action' | 'overrideAction' | 'statement'>;

const managed = (name: string): Rule => ({
  overrideAction: { none: {} },
  statement: { managedRuleGroupStatement: { vendorName: 'AWS', name: `AWSManagedRules${name}` } },
});

/** Twice what one key may ask, and never fewer than this in 5 minutes. */
const flood = { keys: 2, least: 6000, minutes: 5 };

/** Returns how many requests one address may make in 5 minutes; where a key has no limit, as many as the stage takes. */
const floodLimit = (stage: Stage): number => {
  const { RATE_LIMIT_KEY } = readSettings(settingVariables(stage));
  const ofMinute = RATE_LIMIT_KEY === null ? stage.requests.per_second * 60 : RATE_LIMIT_KEY * flood.keys;
  return Math.max(flood.least, ofMinute * flood.minutes);
};

/** What is refused of callers, in the order of the rules; each is paid by the month. */
export const callerRuleNames = [
  'AmazonIpReputationList',
  'KnownBadInputsRuleSet',
  'FloodFromOneAddress',
] as const;

/** Returns the rules of the firewall that callers reach. */
export const callerRules = (stage: Stage): Readonly<Record<(typeof callerRuleNames)[number], Rule>> => ({
  AmazonIpReputationList: managed('AmazonIpReputationList'),
  KnownBadInputsRuleSet: managed('KnownBadInputsRuleSet'),
  FloodFromOneAddress: {
    action: { block: {} },
    statement: {
      rateBasedStatement: {
        aggregateKeyType: 'IP',
        limit: floodLimit(stage),
        evaluationWindowSec: flood.minutes * 60,
      },
    },
  },
});

const hasSecret = (text: string): CfnWebACL.StatementProperty => ({
  byteMatchStatement: {
    fieldToMatch: { singleHeader: { Name: edgeHeaders.secret.toLowerCase() } },
    positionalConstraint: 'EXACTLY',
    searchString: text,
    textTransformations: [{ priority: 0, type: 'NONE' }],
  },
});

/** Behind CloudFront, whose firewall has judged the caller: what CloudFront has not sent is refused. */
const edgeRules = (stage: Stage): Readonly<Record<string, Rule>> => ({
  NotFromCloudFront: {
    action: { block: {} },
    statement: {
      notStatement: {
        statement: {
          orStatement: {
            statements: [
              hasSecret(edgeSecretText(stage, 'current')),
              hasSecret(edgeSecretText(stage, 'previous')),
            ],
          },
        },
      },
    },
  },
});

/** Returns the rules of the gateway's own firewall. */
export const gatewayRules = (stage: Stage): Readonly<Record<string, Rule>> =>
  stage.domain?.cloudfront ? edgeRules(stage) : callerRules(stage);

const sampled = (stage: Stage, name: string): CfnWebACL.VisibilityConfigProperty => ({
  cloudWatchMetricsEnabled: true,
  metricName: resourceName(stage, name),
  sampledRequestsEnabled: true,
});

/** What samples of requests leave out: credentials, the secret of CloudFront, and queries, since the address of a calendar has its secret there. */
const unsampled: CfnWebACL.FieldToProtectProperty[] = [
  { fieldType: 'QUERY_STRING' },
  {
    fieldType: 'SINGLE_HEADER',
    fieldKeys: ['authorization', 'x-api-key', edgeHeaders.secret.toLowerCase()],
  },
];

interface FirewallProps {
  stage: Stage;
  rules: Readonly<Record<string, Rule>>;
  /** The stage of the gateway before which it is; without it, it is for CloudFront. */
  stageArn?: string;
}

/** A web application firewall. The gateway's answers its refusals with the documented error body (response WAF_FILTERED). */
export class Firewall extends Construct {
  readonly arn: string;

  constructor(scope: Construct, id: string, { stage, rules, stageArn }: FirewallProps) {
    super(scope, id);
    const acl = new CfnWebACL(this, 'Acl', {
      name: resourceName(stage),
      scope: stageArn === undefined ? 'CLOUDFRONT' : 'REGIONAL',
      defaultAction: { allow: {} },
      visibilityConfig: sampled(stage, 'firewall'),
      dataProtectionConfig: {
        dataProtections: unsampled.map((field) => ({ field, action: 'SUBSTITUTION' })),
      },
      rules: Object.entries(rules).map(([name, rule], priority) => ({
        ...{ name, priority, visibilityConfig: sampled(stage, name) },
        ...rule,
      })),
    });
    this.arn = acl.attrArn;
    if (stageArn !== undefined)
      new CfnWebACLAssociation(this, 'Association', { resourceArn: stageArn, webAclArn: acl.attrArn });
  }
}

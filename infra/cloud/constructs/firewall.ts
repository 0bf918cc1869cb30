import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import { edgeHeaders } from '../../../shared/platform/http/edge-headers.ts';
import { edgeSecretText } from '../edge-secret.ts';
import { resourceName, type Stage } from '../stage.ts';

type Rule = Pick<CfnWebACL.RuleProperty, 'action' | 'overrideAction' | 'statement'>;

const managed = (name: string): Rule => ({
  overrideAction: { none: {} },
  statement: { managedRuleGroupStatement: { vendorName: 'AWS', name: `AWSManagedRules${name}` } },
});

/** What is refused of callers, in the order of the rules; each is paid by the month. */
export const callerRules: Readonly<Record<string, Rule>> = {
  AmazonIpReputationList: managed('AmazonIpReputationList'),
  KnownBadInputsRuleSet: managed('KnownBadInputsRuleSet'),
  FloodFromOneAddress: {
    action: { block: {} },
    statement: { rateBasedStatement: { aggregateKeyType: 'IP', limit: 6000, evaluationWindowSec: 300 } },
  },
};

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
  stage.domain?.cloudfront ? edgeRules(stage) : callerRules;

const sampled = (stage: Stage, name: string): CfnWebACL.VisibilityConfigProperty => ({
  cloudWatchMetricsEnabled: true,
  metricName: resourceName(stage, name),
  sampledRequestsEnabled: true,
});

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

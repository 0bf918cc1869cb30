import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import { resourceName, type Stage } from '../stage.ts';

/** The rules in their order; each is paid by the month. */
export const firewallRules = [
  'AmazonIpReputationList',
  'KnownBadInputsRuleSet',
  'FloodFromOneAddress',
] as const;
type RuleName = (typeof firewallRules)[number];

const managed = (name: RuleName): Partial<CfnWebACL.RuleProperty> => ({
  overrideAction: { none: {} },
  statement: { managedRuleGroupStatement: { vendorName: 'AWS', name: `AWSManagedRules${name}` } },
});

const contents: Record<RuleName, Partial<CfnWebACL.RuleProperty>> = {
  AmazonIpReputationList: managed('AmazonIpReputationList'),
  KnownBadInputsRuleSet: managed('KnownBadInputsRuleSet'),
  FloodFromOneAddress: {
    action: { block: {} },
    statement: { rateBasedStatement: { aggregateKeyType: 'IP', limit: 6000, evaluationWindowSec: 300 } },
  },
};

const sampled = (stage: Stage, name: string): CfnWebACL.VisibilityConfigProperty => ({
  cloudWatchMetricsEnabled: true,
  metricName: resourceName(stage, name),
  sampledRequestsEnabled: true,
});

/**
 * A web application firewall in front of the gateway; its refusals have the documented error body (gateway response
 * WAF_FILTERED).
 */
export class Firewall extends Construct {
  constructor(scope: Construct, id: string, { stage, stageArn }: { stage: Stage; stageArn: string }) {
    super(scope, id);
    const acl = new CfnWebACL(this, 'Acl', {
      name: resourceName(stage),
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      visibilityConfig: sampled(stage, 'firewall'),
      rules: firewallRules.map((name, priority) => ({
        ...{ name, priority, visibilityConfig: sampled(stage, name) },
        ...(contents[name] as Pick<CfnWebACL.RuleProperty, 'statement'>),
      })),
    });
    new CfnWebACLAssociation(this, 'Association', { resourceArn: stageArn, webAclArn: acl.attrArn });
  }
}

import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import { resourceName, type Stage } from '../stage.ts';

const managed = (stage: Stage, name: string, priority: number): CfnWebACL.RuleProperty => ({
  name,
  priority,
  overrideAction: { none: {} },
  statement: { managedRuleGroupStatement: { vendorName: 'AWS', name: `AWSManagedRules${name}` } },
  visibilityConfig: sampled(stage, name),
});

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
      rules: [
        managed(stage, 'AmazonIpReputationList', 0),
        managed(stage, 'KnownBadInputsRuleSet', 1),
        {
          name: 'FloodFromOneAddress',
          priority: 2,
          action: { block: {} },
          statement: {
            rateBasedStatement: { aggregateKeyType: 'IP', limit: 6000, evaluationWindowSec: 300 },
          },
          visibilityConfig: sampled(stage, 'FloodFromOneAddress'),
        },
      ],
    });
    new CfnWebACLAssociation(this, 'Association', { resourceArn: stageArn, webAclArn: acl.attrArn });
  }
}

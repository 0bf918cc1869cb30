import { Arn, ArnFormat, Stack } from 'aws-cdk-lib';
import type { IAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Alias } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { resourceName, type Stage } from '../stage.ts';
import { functionName } from './service-function.ts';

interface GradualReleaseProps {
  stage: Stage;
  /** The alias that is called, by the folder of its function. */
  aliases: ReadonlyMap<string, Alias>;
  /** A release during which one of these rings is rolled back. */
  alarms: readonly IAlarm[];
}

/**
 * Gives a new version of a function a tenth of its requests for 10 minutes, then all. An alarm in that time, also of another
 * function, gives all requests back to the version before, and the deployment fails.
 */
export class GradualRelease extends Construct {
  constructor(scope: Construct, id: string, { stage, aliases, alarms }: GradualReleaseProps) {
    super(scope, id);
    const application = new LambdaApplication(this, 'Application', { applicationName: resourceName(stage) });
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('codedeploy.amazonaws.com') });
    const functionArn = (folder: string) =>
      Arn.format(
        {
          service: 'lambda',
          resource: 'function',
          resourceName: functionName(stage, folder),
          arnFormat: ArnFormat.COLON_RESOURCE_NAME,
        },
        Stack.of(this),
      );
    role.addToPolicy(
      new PolicyStatement({
        sid: 'Shift',
        actions: ['lambda:GetAlias', 'lambda:GetProvisionedConcurrencyConfig', 'lambda:UpdateAlias'],
        resources: [...aliases.keys()].map(functionArn),
      }),
    );
    role.addToPolicy(
      new PolicyStatement({
        sid: 'Watch',
        actions: ['cloudwatch:DescribeAlarms'],
        resources: alarms.map(({ alarmArn }) => alarmArn),
      }),
    );
    for (const [folder, alias] of aliases) {
      const group = new LambdaDeploymentGroup(this, folder, {
        application,
        deploymentGroupName: functionName(stage, folder),
        alias,
        deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_10MINUTES,
        alarms: [...alarms],
        autoRollback: { deploymentInAlarm: true, failedDeployment: true, stoppedDeployment: true },
        // The policy that CDK adds lets CodeDeploy move every alias of the account.
        role: role.withoutPolicyUpdates(),
      });
      group.node.addDependency(role);
    }
  }
}

import { Annotations, CfnOutput, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnSubscription, Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { ServiceDashboard } from '../constructs/dashboard.ts';
import { resourceName, type Stage } from '../stage.ts';

interface ObservabilityStackProps extends StackProps {
  stage: Stage;
  /** Folders of the functions that the dashboard shows. */
  functions: readonly string[];
  /** Consumers of events that the dashboard shows. */
  consumers: readonly string[];
}

/** The alarm topic, the budget, and the dashboard where the stage has one. Alarms are defined beside what they watch. */
export class ObservabilityStack extends Stack {
  constructor(scope: Construct, id: string, props: ObservabilityStackProps) {
    super(scope, id, props);
    const { stage } = props;
    const topic = new Topic(this, 'Alarms', {
      topicName: resourceName(stage, 'alarms'),
      displayName: `Nightlatch ${stage.name}`,
      enforceSSL: true,
    });
    topic.addToResourcePolicy(
      new PolicyStatement({
        sid: 'AlarmsOfThisAccount',
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': this.account } },
      }),
    );
    const { alarm_email: address, budget_usd: usd } = stage;
    if (address !== undefined) this.#subscribe(topic, address);
    if (address !== undefined && usd !== undefined) this.#limitCost(stage, usd, address);
    if (address === undefined && stage.keepsData)
      Annotations.of(this).addWarningV2(
        'nightlatch:alarmEmail',
        `Alarms of this stage notify no one: write alarm_email into stages/${stage.name}.json, or subscribe to the output AlarmTopic.`,
      );
    if (stage.dashboard) new ServiceDashboard(this, 'Dashboard', props);
    new CfnOutput(this, 'AlarmTopic', {
      value: topic.topicArn,
      description: 'The topic of all alarms: subscribe a chat or a pager.',
    });
  }

  #subscribe(topic: Topic, address: string): void {
    const subscription = new CfnSubscription(this, 'ByMail', {
      topicArn: topic.topicArn,
      protocol: 'email',
      endpoint: address,
    });
    Validations.of(subscription).acknowledge({
      id: 'Serverless-SNSRedrivePolicy',
      reason: 'A dead-letter queue for alarms would need an alarm; the alarm itself stays red in CloudWatch.',
    });
  }

  /** The cost of the whole account: the cost of a tag is known only where the tag was activated for billing. */
  #limitCost(stage: Stage, usd: number, address: string): void {
    const subscribers = [{ subscriptionType: 'EMAIL', address }];
    const above = (notificationType: 'ACTUAL' | 'FORECASTED', threshold: number) => ({
      notification: {
        notificationType,
        threshold,
        comparisonOperator: 'GREATER_THAN',
        thresholdType: 'PERCENTAGE',
      },
      subscribers,
    });
    new CfnBudget(this, 'Budget', {
      budget: {
        budgetName: resourceName(stage),
        budgetType: 'COST',
        timeUnit: 'MONTHLY',
        budgetLimit: { amount: usd, unit: 'USD' },
      },
      notificationsWithSubscribers: [above('ACTUAL', 80), above('FORECASTED', 100)],
    });
  }
}

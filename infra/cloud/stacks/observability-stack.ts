import { CfnCondition, CfnOutput, CfnParameter, Fn, Stack, type StackProps, Validations } from 'aws-cdk-lib';
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

/** The alarm topic and the dashboard. Alarms are defined beside what they watch. */
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
    this.#subscribeEmail(topic);
    new ServiceDashboard(this, 'Dashboard', props);
    new CfnOutput(this, 'AlarmTopic', {
      value: topic.topicArn,
      description: 'The topic of all alarms: subscribe a chat or a pager.',
    });
  }

  #subscribeEmail(topic: Topic): void {
    const address = new CfnParameter(this, 'AlarmEmail', {
      default: '',
      allowedPattern: '^$|^[^@\\s]+@[^@\\s]+$',
      description:
        'E-mail address that receives the alarms; may be empty. AWS sends a confirmation request once.',
    });
    const wanted = new CfnCondition(this, 'AlarmEmailIsGiven', {
      expression: Fn.conditionNot(Fn.conditionEquals(address.valueAsString, '')),
    });
    const subscription = new CfnSubscription(this, 'ByMail', {
      topicArn: topic.topicArn,
      protocol: 'email',
      endpoint: address.valueAsString,
    });
    subscription.cfnOptions.condition = wanted;
    Validations.of(subscription).acknowledge({
      id: 'Serverless-SNSRedrivePolicy',
      reason: 'A dead-letter queue for alarms would need an alarm; the alarm itself stays red in CloudWatch.',
    });
  }
}

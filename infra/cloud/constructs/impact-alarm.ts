import { Arn, Stack } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { resourceName, type Stage } from '../stage.ts';

interface ImpactAlarmProps {
  stage: Stage;
  /** The name of the alarm: `chat-dead-letters`. */
  name: string;
  /** What it means for users: the first sentence that the person on call reads. */
  impact: string;
  metric: IMetric;
  /** The threshold, inclusive. */
  threshold: number;
  /** How many of the last periods must breach the threshold. */
  periods?: { bad: number; of: number };
  /** The alarm is raised below the threshold, and by missing data. */
  ringsBelow?: boolean;
}

/** Returns the ARN of the alarm topic of a stage; made from its name, so that no stack depends on another. */
const alarmTopicArn = (scope: Construct, stage: Stage): string =>
  Arn.format({ service: 'sns', resource: resourceName(stage, 'alarms') }, Stack.of(scope));

/** An alarm whose description states its impact on users. */
export class ImpactAlarm extends Construct {
  constructor(scope: Construct, id: string, props: ImpactAlarmProps) {
    super(scope, id);
    const { stage, name, impact, metric, threshold, periods = { bad: 1, of: 1 }, ringsBelow } = props;
    const topic = alarmTopicArn(this, stage);
    const alarm = new Alarm(this, 'Alarm', {
      alarmName: resourceName(stage, name),
      alarmDescription: impact,
      metric,
      threshold,
      comparisonOperator: ringsBelow
        ? ComparisonOperator.LESS_THAN_THRESHOLD
        : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      datapointsToAlarm: periods.bad,
      evaluationPeriods: periods.of,
      treatMissingData: ringsBelow ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    });
    alarm.addAlarmAction({ bind: () => ({ alarmActionArn: topic }) });
    alarm.addOkAction({ bind: () => ({ alarmActionArn: topic }) });
  }
}

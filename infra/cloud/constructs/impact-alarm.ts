import { Arn, Stack } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { resourceName, type Stage } from '../stage.ts';

interface ImpactAlarmProps {
  stage: Stage;
  /** What is wrong, in the words of the alarm list: `chat-dead-letters`. */
  name: string;
  /** What it means for the people who use the service: the first thing whoever is woken up reads. */
  impact: string;
  metric: IMetric;
  /** It rings from this value on. */
  threshold: number;
  /** Of the last periods, how many must be that bad. */
  periods?: { bad: number; of: number };
  /** It rings below the threshold, and when nothing is heard at all. */
  ringsBelow?: boolean;
}

/** Where every alarm of a stage is told; by name, so that no stack waits for another. */
const alarmTopicArn = (scope: Construct, stage: Stage): string =>
  Arn.format({ service: 'sns', resource: resourceName(stage, 'alarms') }, Stack.of(scope));

/** An alarm that says what it means for users; it cannot be made without that sentence. */
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

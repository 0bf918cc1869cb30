import { Arn, Stack } from 'aws-cdk-lib';
import {
  Alarm,
  type AlarmBase,
  ComparisonOperator,
  type IMetric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { alarmImpacts, type AlarmName, runbookOf } from '../impacts.ts';
import { resourceName, type Stage } from '../stage.ts';

interface ImpactAlarmProps {
  stage: Stage;
  name: AlarmName;
  /** Which of several alarms of this name it is, default 1: the others have their number at the end of theirs. */
  part?: number;
  metric: IMetric;
  /** The threshold, inclusive. */
  threshold: number;
  /** How many of the last periods must breach the threshold. */
  periods?: { bad: number; of: number };
  /** The alarm is raised below the threshold, and by missing data. */
  ringsBelow?: boolean;
  /** The alarm keeps its state where there is no data. */
  keepsState?: boolean;
}

/** Returns the description of an alarm: what users notice, and where to read what to do. */
export const alarmDescription = (name: AlarmName): string =>
  `${alarmImpacts[name]} What to do: ${runbookOf(name)}, or \`npm run -s operator -- runbook ${name}\`.`;

/** Has an alarm notify the topic of the stage, also when it is over. */
export const notify = (alarm: AlarmBase, stage: Stage): void => {
  // Made from its name, so that no stack depends on another.
  const topic = Arn.format({ service: 'sns', resource: resourceName(stage, 'alarms') }, Stack.of(alarm));
  alarm.addAlarmAction({ bind: () => ({ alarmActionArn: topic }) });
  alarm.addOkAction({ bind: () => ({ alarmActionArn: topic }) });
};

/** An alarm whose description states its impact on users and its runbook. */
export class ImpactAlarm extends Construct {
  readonly alarm: Alarm;

  constructor(scope: Construct, id: string, props: ImpactAlarmProps) {
    super(scope, id);
    const { stage, name, part = 1, metric, threshold, ringsBelow, keepsState } = props;
    const { periods = { bad: 1, of: 1 } } = props;
    const quiet = keepsState ? TreatMissingData.IGNORE : TreatMissingData.NOT_BREACHING;
    this.alarm = new Alarm(this, 'Alarm', {
      alarmName: resourceName(stage, part === 1 ? name : `${name}-${part}`),
      alarmDescription: alarmDescription(name),
      metric,
      threshold,
      comparisonOperator: ringsBelow
        ? ComparisonOperator.LESS_THAN_THRESHOLD
        : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      datapointsToAlarm: periods.bad,
      evaluationPeriods: periods.of,
      treatMissingData: ringsBelow ? TreatMissingData.BREACHING : quiet,
    });
    notify(this.alarm, stage);
  }
}

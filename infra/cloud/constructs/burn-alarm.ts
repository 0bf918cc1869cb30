import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  AlarmRule,
  AlarmState,
  ComparisonOperator,
  CompositeAlarm,
  type IAlarmRule,
  Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { metricDimensions, metricNamespace } from '../../../shared/platform/metrics/alarmed-metrics.ts';
import { failureMetric, type Objective, objectives } from '../../../shared/platform/metrics/objectives.ts';
import { resourceName, type Stage } from '../stage.ts';
import { alarmDescription, notify } from './impact-alarm.ts';

/** A window, and how many times faster than allowed failures use up the budget of 30 days in it. */
interface BurnWindow {
  name: string;
  minutes: number;
  rate: number;
}

/** A long window says that it matters, its short one that it still lasts (the SRE workbook's multiwindow, multi-burn-rate alerts). */
const pairs: Record<'fast' | 'slow', { long: BurnWindow; short: BurnWindow }> = {
  fast: { long: { name: '1h', minutes: 60, rate: 14.4 }, short: { name: '5m', minutes: 5, rate: 14.4 } },
  slow: { long: { name: '6h', minutes: 360, rate: 6 }, short: { name: '30m', minutes: 30, rate: 6 } },
};

interface BurnAlarmProps {
  stage: Stage;
  objective: Objective;
  /** Rings while there are more failures of the API than wake anyone in a quiet night. */
  several: Alarm;
}

/** The alarm of a service-level objective. Those of its windows are its inputs and notify no one. */
export class BurnAlarm extends Construct {
  /** Rings within minutes, and also for one failure in a quiet time. */
  readonly fastest: Alarm;
  readonly #stage: Stage;
  readonly #objective: Objective;

  constructor(scope: Construct, id: string, { stage, objective, several }: BurnAlarmProps) {
    super(scope, id);
    this.#stage = stage;
    this.#objective = objective;
    const name = `${objective}-burn` as const;
    this.fastest = this.#window(pairs.fast.short);
    const burning = [
      [this.fastest, this.#window(pairs.fast.long)],
      [this.#window(pairs.slow.short), this.#window(pairs.slow.long)],
    ].map((pair) => AlarmRule.allOf(...pair.map(ringing)));
    const alarm = new CompositeAlarm(this, 'Alarm', {
      compositeAlarmName: resourceName(stage, name),
      alarmDescription: alarmDescription(name),
      alarmRule: AlarmRule.allOf(ringing(several), AlarmRule.anyOf(...burning)),
    });
    notify(alarm, stage);
  }

  #window({ name, minutes, rate }: BurnWindow): Alarm {
    const share = Number((rate * (1 - objectives[this.#objective].target)).toFixed(6));
    const text = `Failures of ${name} use up the budget ${rate} times faster than allowed.`;
    return new Alarm(this, name, {
      alarmName: resourceName(this.#stage, `${this.#objective}-burn-${name}`),
      alarmDescription: `An input of ${this.#objective}-burn. ${text}`,
      metric: new Metric({
        namespace: metricNamespace,
        metricName: failureMetric(this.#objective),
        dimensionsMap: metricDimensions(this.#stage.name),
        statistic: 'Average',
        period: Duration.minutes(minutes),
      }),
      threshold: share,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
  }
}

const ringing = (alarm: Alarm): IAlarmRule => AlarmRule.fromAlarm(alarm, AlarmState.ALARM);

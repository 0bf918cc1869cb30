import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { makeService } from '../../infra/cloud/service.ts';
import { type Stage, stageOf } from '../../infra/cloud/stage.ts';
import { ruleHolds } from './boolean-rule.ts';
import type { Figure } from './figures.ts';

const minuteMs = 60_000;

interface Stat {
  Namespace: string;
  MetricName: string;
  Dimensions?: { Name: string; Value: string }[];
  Period: number;
  Statistic: string;
}

/** An alarm as CloudFormation makes it. */
interface AlarmProperties extends Partial<Stat> {
  AlarmName: string;
  AlarmActions?: unknown[];
  ExtendedStatistic?: string;
  Threshold: number;
  ComparisonOperator: string;
  EvaluationPeriods: number;
  DatapointsToAlarm?: number;
  TreatMissingData: string;
  Metrics?: {
    Id: string;
    Expression?: string;
    MetricStat?: { Metric: Omit<Stat, 'Period' | 'Statistic'>; Period: number; Stat: string };
  }[];
}

interface FilterProperties {
  FilterPattern: string;
  MetricTransformations: {
    MetricNamespace: string;
    MetricName: string;
    MetricValue: string;
    Dimensions?: { Key: string; Value: string }[];
  }[];
}

/** A line of the gateway's access log. */
export type AccessLine = Readonly<Record<'stage' | 'method' | 'route' | 'status' | 'refusal', string>>;

type Measured = Pick<Figure, 'namespace' | 'name' | 'dimensions' | 'value'>;
type State = 'OK' | 'ALARM' | 'INSUFFICIENT_DATA';

const placeOf = (namespace: string, name: string, dimensions: Record<string, string>): string =>
  JSON.stringify([namespace, name, Object.entries(dimensions).sort()]);
const placeOfStat = ({ Namespace, MetricName, Dimensions = [] }: Omit<Stat, 'Period' | 'Statistic'>) =>
  placeOf(Namespace, MetricName, Object.fromEntries(Dimensions.map(({ Name, Value }) => [Name, Value])));

const statistics: Record<string, (values: number[]) => number> = {
  Sum: (values) => values.reduce((sum, value) => sum + value, 0),
  Average: (values) => values.reduce((sum, value) => sum + value, 0) / values.length,
  Maximum: (values) => Math.max(...values),
  p99: (values) => values.toSorted((one, other) => one - other)[Math.ceil(values.length * 0.99) - 1] ?? 0,
};

/**
 * The alarms of the stage `dev`, or of one like it, and the data that they watch, with the semantics that the alarms use: statistics over a period
 * that ends now, M of N periods, missing data, MAX and FILL, rules of composite alarms, metric filters of the access log.
 */
export class CloudWatch {
  readonly alarms = new Map<string, AlarmProperties>();
  readonly composites = new Map<string, { rule: string; notifies: boolean }>();
  readonly #filters: FilterProperties[] = [];
  readonly #points = new Map<string, { at: number; value: number }[]>();
  readonly #kept = new Map<string, State>();
  /** By the line of the access log that they are found in. */
  readonly #measured = new Map<string, Measured[]>();

  constructor(changed: Partial<Stage> = {}) {
    const app = new App({ context: { 'aws:cdk:bundling-stacks': [] }, analyticsReporting: false });
    for (const stack of Object.values(makeService(app, { ...stageOf(app.node), ...changed }))) {
      const template = Template.fromStack(stack as never);
      const find = (type: string) =>
        Object.entries(template.findResources(type)).map(
          ([id, { Properties }]) => [id, Properties as unknown] as const,
        );
      const names = new Map<string, string>();
      for (const [id, properties] of find('AWS::CloudWatch::Alarm')) {
        const alarm = properties as AlarmProperties;
        const name = shortName(alarm.AlarmName);
        names.set(id, name);
        this.alarms.set(name, alarm);
      }
      for (const [, properties] of find('AWS::CloudWatch::CompositeAlarm')) {
        const { AlarmName, AlarmRule, AlarmActions } = properties as {
          AlarmName: string;
          AlarmRule: { 'Fn::Join': [string, (string | { 'Fn::GetAtt': [string] })[]] };
          AlarmActions: unknown[];
        };
        const rule = AlarmRule['Fn::Join'][1]
          .map((part) => (typeof part === 'string' ? part : (names.get(part['Fn::GetAtt'][0]) ?? '')))
          .join('');
        this.composites.set(shortName(AlarmName), { rule, notifies: AlarmActions.length > 0 });
      }
      this.#filters.push(...find('AWS::Logs::MetricFilter').map(([, filter]) => filter as FilterProperties));
    }
  }

  /** The names of the alarms that notify. */
  get notifying(): string[] {
    const plain = [...this.alarms].filter(([, { AlarmActions = [] }]) => AlarmActions.length > 0);
    const composite = [...this.composites].filter(([, { notifies }]) => notifies);
    return [...plain, ...composite].map(([name]) => name).sort();
  }

  forget(): void {
    this.#points.clear();
    this.#kept.clear();
  }

  /** Adds data, in the order of time. */
  put(at: number, measured: readonly Measured[]): void {
    for (const { namespace, name, dimensions, value } of measured) {
      const place = placeOf(namespace, name, dimensions);
      const points = this.#points.get(place) ?? [];
      this.#points.set(place, points);
      points.push({ at, value });
    }
  }

  /** Counts what the metric filters find in a line of the access log. */
  log(at: number, line: AccessLine): void {
    const text = JSON.stringify(line);
    const measured = this.#measured.get(text) ?? this.#measuredIn(line);
    this.#measured.set(text, measured);
    this.put(at, measured);
  }

  #measuredIn(line: AccessLine): Measured[] {
    const fieldOf = (text: string): string => line[text.slice(2) as keyof AccessLine];
    const atom = /\$\.\w+ (?:=|!=) "[^"]*"/;
    const holds = (text: string): boolean => {
      const [, field = '', operator, wanted = ''] = /(\$\.\w+) (!?=) "([^"]*)"/.exec(text) ?? [];
      const pattern = wanted.split('*').map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&'));
      return new RegExp(`^${pattern.join('.*')}$`).test(fieldOf(field)) === (operator === '=');
    };
    return this.#filters
      .filter(({ FilterPattern }) => ruleHolds(FilterPattern.replaceAll(/^\{|\}$/g, '').trim(), atom, holds))
      .flatMap(({ MetricTransformations }) => MetricTransformations)
      .map(({ MetricNamespace, MetricName, MetricValue, Dimensions = [] }) => ({
        namespace: MetricNamespace,
        name: MetricName,
        dimensions: Object.fromEntries(Dimensions.map(({ Key, Value }) => [Key, fieldOf(Value)])),
        value: Number(MetricValue),
      }));
  }

  /** Returns which alarms notify at a time. */
  ringing(now: number): string[] {
    return this.notifying.filter((name) => this.stateOf(name, now) === 'ALARM');
  }

  stateOf(name: string, now: number): State {
    const composite = this.composites.get(name);
    if (composite)
      return ruleHolds(
        composite.rule,
        /ALARM\("[^"]+"\)/,
        (text) => this.stateOf(text.slice(7, -2), now) === 'ALARM',
      )
        ? 'ALARM'
        : 'OK';
    const alarm = this.alarms.get(name);
    if (!alarm) throw new Error(`There is no alarm ${name}.`);
    const state = this.#evaluate(alarm, now) ?? this.#kept.get(name) ?? 'INSUFFICIENT_DATA';
    this.#kept.set(name, state);
    return state;
  }

  /** Undefined where the alarm keeps its state. */
  #evaluate(alarm: AlarmProperties, now: number): State | undefined {
    const { EvaluationPeriods: count, DatapointsToAlarm = count, Threshold, TreatMissingData } = alarm;
    const isBad = (value: number): boolean =>
      alarm.ComparisonOperator === 'LessThanThreshold' ? value < Threshold : value >= Threshold;
    const values = Array.from({ length: count }, (_, back) => this.#valueOf(alarm, now, back));
    const known = values.filter((value) => value !== undefined);
    if (known.length === 0) {
      if (TreatMissingData === 'ignore') return undefined;
      if (TreatMissingData === 'missing') return 'INSUFFICIENT_DATA';
    }
    const missing = TreatMissingData === 'breaching' ? count - known.length : 0;
    return known.filter(isBad).length + missing >= DatapointsToAlarm ? 'ALARM' : 'OK';
  }

  #valueOf(alarm: AlarmProperties, now: number, back: number): number | undefined {
    if (!alarm.Metrics) {
      const { Period = 0, Statistic = alarm.ExtendedStatistic ?? '' } = alarm;
      return this.#statistic(placeOfStat(alarm as Stat), Statistic, Period, now, back);
    }
    const expression = alarm.Metrics.find(({ Expression }) => Expression !== undefined)?.Expression ?? '';
    const [, list = ''] = /^MAX\(\[(.*)\]\)$/.exec(expression) ?? [];
    const filled = [...list.matchAll(/FILL\((\w+), (\d+)\)/g)];
    if (filled.length !== alarm.Metrics.length - 1) throw new Error(`Unknown expression: ${expression}`);
    return Math.max(
      ...filled.map(([, id, instead]) => {
        const stat = alarm.Metrics?.find((one) => one.Id === id)?.MetricStat;
        if (!stat) throw new Error(`No metric ${id ?? ''} in ${expression}`);
        return (
          this.#statistic(placeOfStat(stat.Metric), stat.Stat, stat.Period, now, back) ?? Number(instead)
        );
      }),
    );
  }

  #statistic(place: string, name: string, seconds: number, now: number, back: number): number | undefined {
    const end = now - back * seconds * 1000;
    const points = this.#points.get(place) ?? [];
    const values: number[] = [];
    for (let index = points.length - 1; index >= 0; index--) {
      const { at, value } = points[index]!;
      if (at <= end - seconds * 1000) break;
      if (at <= end) values.push(value);
    }
    if (values.length === 0) return undefined;
    const statistic = statistics[name];
    if (!statistic) throw new Error(`Unknown statistic: ${name}`);
    return statistic(values);
  }
}

const shortName = (name: string): string => name.replace(/^nightlatch-dev-/, '');

/** Calls `each` for every minute of a time, and returns which alarms rang in each. */
export const minutes = async (
  cloud: CloudWatch,
  { from, count }: { from: number; count: number },
  each: (now: number, minute: number) => Promise<void> | void,
): Promise<string[][]> => {
  const rang: string[][] = [];
  for (let minute = 0; minute < count; minute++) {
    const now = from + minute * minuteMs;
    await each(now, minute);
    rang.push(cloud.ringing(now));
  }
  return rang;
};

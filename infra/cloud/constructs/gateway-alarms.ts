import { Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, Metric, TreatMissingData, Unit } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { objectiveOf, type Route, type RouteGroup } from '../../../shared/platform/http/route.ts';
import { metricNamespace } from '../../../shared/platform/metrics/alarmed-metrics.ts';
import { failureMetric, type Objective, objectives } from '../../../shared/platform/metrics/objectives.ts';
import { resourceName, type Stage } from '../stage.ts';
import { BurnAlarm } from './burn-alarm.ts';
import { ImpactAlarm } from './impact-alarm.ts';
import { throttledPaths } from './open-methods.ts';

const namespace = 'Nightlatch/Gateway';

/** Returns a metric of the gateway. */
export const gatewayMetric = (stage: Stage, metricName: string, statistic: string): Metric =>
  new Metric({
    namespace: 'AWS/ApiGateway',
    metricName,
    dimensionsMap: { ApiName: resourceName(stage), Stage: stage.name },
    statistic,
    period: Duration.minutes(1),
  });

/** Returns the metric of requests throttled by the limit of the stage, which API Gateway has no metric for. */
export const throttledMetric = (stage: Stage): Metric =>
  new Metric({
    namespace,
    metricName: 'Throttled',
    dimensionsMap: { Stage: stage.name },
    statistic: 'Sum',
    period: Duration.minutes(1),
  });

/** The longest pattern that a filter may have. */
const longestPattern = 1024;

const conditionOf = ({ method, path }: Route): string => `($.method = "${method}" && $.route = "${path}")`;

/** Returns patterns for requests of these routes that the gateway itself has answered 5xx, as few as can hold them. */
const unansweredPatterns = (routes: readonly Route[]): string[] => {
  const around = (conditions: readonly string[]) =>
    `{ $.status = "5*" && $.refusal != "-" && (${conditions.join(' || ')}) }`;
  const parts: string[][] = [];
  for (const condition of routes.map(conditionOf)) {
    const last = parts.at(-1);
    if (last && around([...last, condition]).length <= longestPattern) last.push(condition);
    else parts.push([condition]);
  }
  return parts.map(around);
};

/**
 * Counts as failures of their objective what no function can count: it crashed, ran out of time or instances, or the authorizer
 * failed. The gateway then answers by itself, and its access log names the kind of its answer.
 */
const countUnanswered = (accessLog: LogGroup, groups: readonly RouteGroup[]): void => {
  const rows = groups.flatMap(({ routes }) => Object.values(routes));
  for (const [objective, routes] of Map.groupBy(rows, objectiveOf))
    for (const [at, pattern] of objective ? unansweredPatterns(routes).entries() : [])
      new MetricFilter(accessLog, `unanswered-${objective}-${at}`, {
        logGroup: accessLog,
        filterPattern: FilterPattern.literal(pattern),
        metricNamespace,
        metricName: failureMetric(objective as Objective),
        metricValue: '1',
        unit: Unit.COUNT,
        dimensions: { stage: '$.stage' },
      });
};

/** In a quiet night one failed request is a large share: fewer than these in 6 hours wake no one. */
const fewestFailures = { count: 3, hours: 6 };

/** An input of every alarm of an objective. The figure is the gateway's own, which is free, and of all requests. */
const severalFailures = (scope: Construct, stage: Stage): Alarm =>
  new Alarm(scope, 'SeveralFailures', {
    alarmName: resourceName(stage, 'burn-count'),
    alarmDescription: `An input of the burn alarms. At least ${fewestFailures.count} answers 5xx in ${fewestFailures.hours} hours.`,
    metric: gatewayMetric(stage, '5XXError', 'Sum').with({ period: Duration.hours(fewestFailures.hours) }),
    threshold: fewestFailures.count,
    comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    evaluationPeriods: 1,
    treatMissingData: TreatMissingData.NOT_BREACHING,
  });

/** Returns a pattern for requests refused by the limit of the stage: those without credentials have limits of their own. */
const throttledPattern = (groups: readonly RouteGroup[]): string => {
  const others = throttledPaths(groups).map((path) => ` && $.route != "${path}"`);
  return `{ $.refusal = "THROTTLED"${others.join('')} }`;
};

/** Adds the alarms of the gateway, and those of the service-level objectives. Returns those that stop a release. */
export const watchGateway = (
  scope: Construct,
  stage: Stage,
  { accessLog, groups }: { accessLog: LogGroup; groups: readonly RouteGroup[] },
): Alarm[] => {
  new MetricFilter(accessLog, 'Throttled', {
    logGroup: accessLog,
    filterPattern: FilterPattern.literal(throttledPattern(groups)),
    metricNamespace: namespace,
    metricName: 'Throttled',
    metricValue: '1',
    dimensions: { Stage: '$.stage' },
  });
  countUnanswered(accessLog, groups);
  const several = severalFailures(scope, stage);
  const burning = (Object.keys(objectives) as Objective[]).map(
    (objective) => new BurnAlarm(scope, `${objective}-burn`, { stage, objective, several }).fastest,
  );
  const { alarm: serverErrors } = new ImpactAlarm(scope, 'ServerErrors', {
    stage,
    name: 'api-server-errors',
    metric: gatewayMetric(stage, '5XXError', 'Average'),
    threshold: 0.01,
    periods: { bad: 3, of: 5 },
  });
  new ImpactAlarm(scope, 'Slow', {
    stage,
    name: 'api-slow',
    metric: gatewayMetric(stage, 'Latency', 'p99'),
    threshold: 3000,
    periods: { bad: 5, of: 5 },
  });
  new ImpactAlarm(scope, 'ThrottledCallers', {
    stage,
    name: 'api-throttled',
    metric: throttledMetric(stage),
    threshold: 10,
    periods: { bad: 2, of: 5 },
  });
  return [...burning, serverErrors];
};

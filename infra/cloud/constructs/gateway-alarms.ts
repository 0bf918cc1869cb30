import { Duration } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { impactOf } from '../impacts.ts';
import { resourceName, type Stage } from '../stage.ts';
import { ImpactAlarm } from './impact-alarm.ts';

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

/** Returns a metric that is counted from the access log, for refusals that API Gateway has no metric for. */
const refusalMetric = (stage: Stage, metricName: string): Metric =>
  new Metric({
    namespace,
    metricName,
    dimensionsMap: { Stage: stage.name },
    statistic: 'Sum',
    period: Duration.minutes(1),
  });

/** Returns the metric of requests throttled by the limit of the stage. */
export const throttledMetric = (stage: Stage): Metric => refusalMetric(stage, 'Throttled');

const countRefusals = (accessLog: LogGroup, metricName: string, refusal: string): void => {
  new MetricFilter(accessLog, metricName, {
    logGroup: accessLog,
    filterPattern: FilterPattern.stringValue('$.refusal', '=', refusal),
    metricNamespace: namespace,
    metricName,
    metricValue: '1',
    dimensions: { Stage: '$.stage' },
  });
};

/** Adds the alarms of the gateway: errors, latency, and throttled callers. */
export const watchGateway = (scope: Construct, stage: Stage, accessLog: LogGroup): void => {
  countRefusals(accessLog, 'Throttled', 'THROTTLED');
  countRefusals(accessLog, 'AuthorizerFailed', 'AUTHORIZER_FAILURE');
  new ImpactAlarm(scope, 'ServerErrors', {
    stage,
    name: 'api-server-errors',
    impact: 'Customers and partners get 5xx answers: more than 1 in 100 requests fails.',
    metric: gatewayMetric(stage, '5XXError', 'Average'),
    threshold: 0.01,
    periods: { bad: 3, of: 5 },
  });
  new ImpactAlarm(scope, 'Slow', {
    stage,
    name: 'api-slow',
    impact: 'Booking feels broken: 1 request in 100 takes longer than 3 seconds.',
    metric: gatewayMetric(stage, 'Latency', 'p99'),
    threshold: 3000,
    periods: { bad: 5, of: 5 },
  });
  new ImpactAlarm(scope, 'ThrottledCallers', {
    stage,
    name: 'api-throttled',
    impact: 'Callers within their own limit are answered 429: the stage as a whole is over its throttle.',
    metric: throttledMetric(stage),
    threshold: 10,
    periods: { bad: 2, of: 5 },
  });
  new ImpactAlarm(scope, 'AuthorizerFailures', {
    stage,
    name: 'authorizer-failures',
    impact: `${impactOf('authorizer')} The authorizer fails, or the identity provider does not answer it.`,
    metric: refusalMetric(stage, 'AuthorizerFailed'),
    threshold: 5,
    periods: { bad: 2, of: 5 },
  });
};

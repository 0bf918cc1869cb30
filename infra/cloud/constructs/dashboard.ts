import { Duration } from 'aws-cdk-lib';
import {
  Dashboard,
  GraphWidget,
  type IMetric,
  type IWidget,
  Metric,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { resourceName, type Stage } from '../stage.ts';
import { deadLettersName } from './dead-letters.ts';
import { gatewayMetric, throttledMetric } from './gateway-alarms.ts';
import { functionName } from './service-function.ts';

interface ServiceDashboardProps {
  stage: Stage;
  functions: readonly string[];
  consumers: readonly string[];
}

const period = Duration.minutes(5);

const graph = (title: string, left: IMetric[], right: IMetric[] = []): GraphWidget =>
  new GraphWidget({ title, left, right, width: 12, height: 6 });

const lambda = (stage: Stage, folder: string, metricName: string, statistic: string): Metric =>
  new Metric({
    namespace: 'AWS/Lambda',
    metricName,
    dimensionsMap: { FunctionName: functionName(stage, folder) },
    statistic,
    period,
    label: folder,
  });

const queue = (queueName: string, metricName: string): Metric =>
  new Metric({
    namespace: 'AWS/SQS',
    metricName,
    dimensionsMap: { QueueName: queueName },
    statistic: 'Maximum',
    period,
    label: queueName,
  });

const table = (stage: Stage, metricName: string): Metric =>
  new Metric({
    namespace: 'AWS/DynamoDB',
    metricName,
    dimensionsMap: { TableName: stage.tableName },
    statistic: 'Sum',
    period,
  });

/** One dashboard in the order of a request and its event: gateway, functions, table, queues, mail. */
export class ServiceDashboard extends Construct {
  constructor(scope: Construct, id: string, { stage, functions, consumers }: ServiceDashboardProps) {
    super(scope, id);
    const rows: IWidget[][] = [
      [
        new TextWidget({
          markdown: `# Nightlatch ${stage.name}\nRequests above, functions and table in the middle, events below.`,
          width: 24,
          height: 2,
        }),
      ],
      [
        graph(
          'Requests and refusals',
          [
            gatewayMetric(stage, 'Count', 'Sum'),
            gatewayMetric(stage, '4XXError', 'Sum'),
            throttledMetric(stage),
          ],
          [gatewayMetric(stage, '5XXError', 'Sum')],
        ),
        graph('Latency (ms)', [
          gatewayMetric(stage, 'Latency', 'p50'),
          gatewayMetric(stage, 'Latency', 'p99'),
        ]),
      ],
      [
        graph(
          'Function errors',
          functions.map((folder) => lambda(stage, folder, 'Errors', 'Sum')),
        ),
        graph(
          'Function duration (p95, ms)',
          functions.map((folder) => lambda(stage, folder, 'Duration', 'p95')),
        ),
      ],
      [
        graph('Table capacity', [
          table(stage, 'ConsumedReadCapacityUnits'),
          table(stage, 'ConsumedWriteCapacityUnits'),
        ]),
        graph('Table refusals', [
          table(stage, 'ReadThrottleEvents'),
          table(stage, 'WriteThrottleEvents'),
          table(stage, 'TransactionConflict'),
        ]),
      ],
      [
        graph('Publisher lag (ms)', [lambda(stage, 'workers/publisher', 'IteratorAge', 'Maximum')]),
        graph(
          'Queues: oldest message (s), and dead letters',
          consumers.map((name) => queue(resourceName(stage, name), 'ApproximateAgeOfOldestMessage')),
          [...consumers, 'publisher'].map((name) =>
            queue(deadLettersName(stage, name), 'ApproximateNumberOfMessagesVisible'),
          ),
        ),
      ],
    ];
    new Dashboard(this, 'Page', { dashboardName: resourceName(stage), widgets: rows });
  }
}

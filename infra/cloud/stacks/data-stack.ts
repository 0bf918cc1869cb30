import { CfnOutput, Duration, Stack, type StackProps } from 'aws-cdk-lib';
import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import {
  AttributeType,
  Billing,
  ProjectionType,
  StreamViewType,
  TableEncryptionV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { ttlAttribute } from '../../../shared/platform/table/definition.ts';
import { tableIndexes } from '../../../shared/platform/table/entity.ts';
import { ImpactAlarm } from '../constructs/impact-alarm.ts';
import { resourceName, type Stage } from '../stage.ts';

const operations = [
  'GetItem',
  'BatchGetItem',
  'Query',
  'PutItem',
  'UpdateItem',
  'DeleteItem',
  'TransactWriteItems',
];

const text = (name: string) => ({ name, type: AttributeType.STRING });

/** The table. Where the stage keeps its data it is retained, with deletion protection. */
export class DataStack extends Stack {
  readonly table: TableV2;

  constructor(scope: Construct, id: string, props: StackProps & { stage: Stage }) {
    super(scope, id, props);
    const { stage } = props;
    const { reads_per_second: reads, writes_per_second: writes } = stage.table;
    const mostReads = reads === undefined ? {} : { maxReadRequestUnits: reads };
    const mostWrites = writes === undefined ? {} : { maxWriteRequestUnits: writes };
    this.table = new TableV2(this, 'Table', {
      tableName: resourceName(stage),
      partitionKey: text('pk'),
      sortKey: text('sk'),
      billing: Billing.onDemand({ ...mostReads, ...mostWrites }),
      encryption: TableEncryptionV2.awsManagedKey(),
      dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES,
      timeToLiveAttribute: ttlAttribute,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: stage.keepsData,
      removalPolicy: stage.removalPolicy,
      globalSecondaryIndexes: Object.entries(tableIndexes).map(([indexName, { pk, sk }]) => ({
        indexName,
        partitionKey: text(pk),
        sortKey: text(sk),
        projectionType: ProjectionType.ALL,
        // An index takes the writes of its table: a limit of its own would refuse them a second time.
        ...mostReads,
      })),
    });
    this.#watch(stage);
    new CfnOutput(this, 'TableName', {
      value: this.table.tableName,
      description: 'The table, for the operator tool.',
    });
  }

  #watch(stage: Stage): void {
    const TableName = resourceName(stage);
    const places = [
      { TableName },
      ...Object.keys(tableIndexes).map((GlobalSecondaryIndexName) => ({
        TableName,
        GlobalSecondaryIndexName,
      })),
    ];
    const throttled = places.flatMap((place) => [
      this.#sum('ReadThrottleEvents', place),
      this.#sum('WriteThrottleEvents', place),
    ]);
    new ImpactAlarm(this, 'Throttles', {
      stage,
      name: 'table-throttles',
      impact: 'Bookings and searches are slow or answered 503: DynamoDB turns requests away.',
      metric: this.#total('throttled requests', throttled),
      threshold: 5,
      periods: { bad: 2, of: 3 },
    });
    const failed = operations.map((Operation) => this.#sum('SystemErrors', { TableName, Operation }));
    new ImpactAlarm(this, 'SystemErrors', {
      stage,
      name: 'table-system-errors',
      impact: 'Some requests are answered 503: DynamoDB has a fault of its own.',
      metric: this.#total('system errors', failed),
      threshold: 1,
      periods: { bad: 2, of: 3 },
    });
  }

  #sum(metricName: string, dimensionsMap: Record<string, string>): Metric {
    return new Metric({
      namespace: 'AWS/DynamoDB',
      metricName,
      dimensionsMap,
      statistic: 'Sum',
      period: Duration.minutes(1),
    });
  }

  #total(label: string, metrics: Metric[]): MathExpression {
    const usingMetrics = Object.fromEntries(metrics.map((metric, index) => [`m${index}`, metric]));
    const expression = Object.keys(usingMetrics)
      .map((name) => `FILL(${name}, 0)`)
      .join(' + ');
    return new MathExpression({ expression, usingMetrics, label, period: Duration.minutes(1) });
  }
}

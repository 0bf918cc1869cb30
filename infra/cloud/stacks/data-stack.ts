import { CfnOutput, Duration, Stack, type StackProps } from 'aws-cdk-lib';
import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import {
  AttributeType,
  BillingMode,
  ProjectionType,
  StreamViewType,
  Table,
  TableEncryption,
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

/** The table. On `production` it is retained with deletion protection. */
export class DataStack extends Stack {
  readonly table: Table;

  constructor(scope: Construct, id: string, props: StackProps & { stage: Stage }) {
    super(scope, id, props);
    const { stage } = props;
    this.table = new Table(this, 'Table', {
      tableName: resourceName(stage),
      partitionKey: text('pk'),
      sortKey: text('sk'),
      billingMode: BillingMode.PAY_PER_REQUEST,
      encryption: TableEncryption.AWS_MANAGED,
      stream: StreamViewType.NEW_AND_OLD_IMAGES,
      timeToLiveAttribute: ttlAttribute,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: stage.keepsData,
      removalPolicy: stage.removalPolicy,
    });
    for (const [indexName, { pk, sk }] of Object.entries(tableIndexes))
      this.table.addGlobalSecondaryIndex({
        indexName,
        partitionKey: text(pk),
        sortKey: text(sk),
        projectionType: ProjectionType.ALL,
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

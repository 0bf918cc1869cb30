import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import {
  AttributeType,
  Billing,
  ProjectionType,
  StreamViewType,
  TableEncryptionV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { ttlAttribute } from '../../../shared/platform/table/definition.ts';
import { tableIndexes } from '../../../shared/platform/table/entity.ts';
import { DataKeys } from '../constructs/data-keys.ts';
import type { Stage } from '../stage.ts';

const text = (name: string) => ({ name, type: AttributeType.STRING });

/**
 * The table and the keys of what is encrypted in it. Where the stage keeps its data all are retained, the table with deletion protection. One that was restored is imported: the
 * stack has it under a name of its own and lets go of the one before it, which is retained.
 */
export class DataStack extends Stack {
  readonly table: TableV2;
  readonly dataKeys: readonly IKey[];

  constructor(scope: Construct, id: string, props: StackProps & { stage: Stage }) {
    super(scope, id, props);
    const { stage } = props;
    const { generation, reads_per_second: reads, writes_per_second: writes } = stage.table;
    const mostReads = reads === undefined ? {} : { maxReadRequestUnits: reads };
    const mostWrites = writes === undefined ? {} : { maxWriteRequestUnits: writes };
    this.table = new TableV2(this, generation === 1 ? 'Table' : `Table${generation}`, {
      tableName: stage.tableName,
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
    this.dataKeys = new DataKeys(this, 'DataKeys', { stage }).keys;
    new CfnOutput(this, 'TableName', {
      value: this.table.tableName,
      description: 'The table, for the operator tool.',
    });
  }
}

import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb';
import { tableIndexes } from './entity.ts';

/** The TTL attribute, in epoch seconds. */
export const ttlAttribute = 'expires_at';

/** Returns the input of CreateTable; the cloud stack and the local service use the same. */
export const tableDefinition = (TableName: string): CreateTableCommandInput => {
  const indexes = Object.entries(tableIndexes);
  const keyAttributes = ['pk', 'sk', ...indexes.flatMap(([, index]) => [index.pk, index.sk])];
  return {
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: keyAttributes.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    GlobalSecondaryIndexes: indexes.map(([IndexName, index]) => ({
      IndexName,
      KeySchema: [
        { AttributeName: index.pk, KeyType: 'HASH' },
        { AttributeName: index.sk, KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'ALL' },
    })),
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
  };
};

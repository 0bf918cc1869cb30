import { describe, expect, it } from 'vitest';
import { tableDefinition } from '../../../shared/platform/table/definition.ts';
import type { Cloud } from './synthesized.ts';

type Json = Record<string, unknown>;

const replicaOf = (cloud: Cloud) => (tableOf(cloud)?.properties['Replicas'] as Json[])[0];

const tableOf = (cloud: Cloud) => cloud.all('AWS::DynamoDB::GlobalTable')[0];

/** The table, in a disposable stage and in one that keeps its data. */
export const tableSentences = (cloud: Cloud, production: Cloud): void => {
  describe('the table', () => {
    const { KeySchema, GlobalSecondaryIndexes, StreamSpecification } = tableDefinition('any');

    it('is the one that the laptop makes: keys, indexes, stream', () => {
      expect(tableOf(cloud)?.properties).toMatchObject({
        TableName: 'nightlatch-dev',
        BillingMode: 'PAY_PER_REQUEST',
        KeySchema,
        GlobalSecondaryIndexes,
        StreamSpecification: { StreamViewType: StreamSpecification?.StreamViewType },
        TimeToLiveSpecification: { AttributeName: 'expires_at', Enabled: true },
      });
    });

    it('is encrypted and can be restored to any second', () => {
      expect(tableOf(cloud)?.properties).toMatchObject({ SSESpecification: { SSEEnabled: true } });
      expect(replicaOf(cloud)).toMatchObject({
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      });
    });

    it('is in one region, to which others may be added', () => {
      expect(tableOf(cloud)?.properties['Replicas']).toHaveLength(1);
      expect(replicaOf(cloud)?.['Region']).toBe('ap-southeast-1');
    });

    it('has the most read and write units of its stage, each index the reads', () => {
      const reads = { ReadOnDemandThroughputSettings: { MaxReadRequestUnits: 2000 } };
      expect(replicaOf(production)).toMatchObject({
        ...reads,
        GlobalSecondaryIndexes: GlobalSecondaryIndexes?.map(({ IndexName }) => ({ IndexName, ...reads })),
      });
      expect(tableOf(production)?.properties).toMatchObject({
        WriteOnDemandThroughputSettings: { MaxWriteRequestUnits: 500 },
      });
      expect(JSON.stringify(tableOf(cloud))).not.toContain('OnDemandThroughput');
    });

    it('outlives its stack where the stage keeps its data, and cannot be deleted by mistake', () => {
      expect(tableOf(production)?.deletionPolicy).toBe('Retain');
      expect(replicaOf(production)?.['DeletionProtectionEnabled']).toBe(true);
    });

    it('goes with its stack in a disposable stage', () => {
      expect(tableOf(cloud)?.deletionPolicy).toBe('Delete');
      expect(replicaOf(cloud)?.['DeletionProtectionEnabled']).toBe(false);
    });
  });
};

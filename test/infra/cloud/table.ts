import { describe, expect, it } from 'vitest';
import { tableDefinition } from '../../../shared/platform/table/definition.ts';
import type { Cloud } from './synthesized.ts';

const tableOf = (cloud: Cloud) => cloud.all('AWS::DynamoDB::Table')[0];

/** The table, in a stage that may be thrown away and in production. */
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
      expect(tableOf(cloud)?.properties).toMatchObject({
        SSESpecification: { SSEEnabled: true },
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      });
    });

    it('outlives its stack on production, and cannot be deleted by mistake', () => {
      expect(tableOf(production)?.deletionPolicy).toBe('Retain');
      expect(tableOf(production)?.properties['DeletionProtectionEnabled']).toBe(true);
    });

    it('goes with its stack anywhere else', () => {
      expect(tableOf(cloud)?.deletionPolicy).toBe('Delete');
      expect(tableOf(cloud)?.properties['DeletionProtectionEnabled']).toBe(false);
    });
  });
};

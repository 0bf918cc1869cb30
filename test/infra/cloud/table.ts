import { describe, expect, it } from 'vitest';
import { dataKeyAlias } from '../../../infra/cloud/data-key-alias.ts';
import { tableDefinition } from '../../../shared/platform/table/definition.ts';
import { stageWith } from './stages.ts';
import { type Cloud, synthesize } from './synthesized.ts';

type Json = Record<string, unknown>;

const replicaOf = (cloud: Cloud) => (tableOf(cloud)!.properties['Replicas'] as Json[])[0];

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

    it('has beside it the key of what is encrypted in it, which is kept as long', () => {
      const keyOf = (of: Cloud) => of.all('AWS::KMS::Key');
      const [key, ...others] = keyOf(production);
      expect(others).toEqual([]);
      expect(key?.properties).toMatchObject({
        KeySpec: 'HMAC_256',
        KeyUsage: 'GENERATE_VERIFY_MAC',
        PendingWindowInDays: 30,
      });
      expect(key?.deletionPolicy).toBe('Retain');
      expect(keyOf(cloud)[0]?.deletionPolicy).toBe('Delete');
      expect(production.all('AWS::KMS::Alias').map(({ properties }) => properties)).toEqual([
        expect.objectContaining({ AliasName: dataKeyAlias('production', 1) }),
      ]);
    });

    it('has another key for each number, and takes those that exist', () => {
      const arn = 'arn:aws:kms:ap-southeast-1:111122223333:key/01234567-89ab-cdef-0123-456789abcdef';
      const third = synthesize(stageWith('staging', { data_key: { number: 3, arns: [arn] } }));
      expect(third.all('AWS::KMS::Key')).toHaveLength(2);
      const aliases = third.all<{ AliasName: string; TargetKeyId: unknown }>('AWS::KMS::Alias');
      expect(aliases.map(({ properties }) => properties.AliasName)).toEqual(
        [1, 2, 3].map((number) => dataKeyAlias('staging', number)),
      );
      const webhooks = third
        .all<{ FunctionName: string; Environment: { Variables: object } }>('AWS::Lambda::Function')
        .find(({ properties }) => properties.FunctionName === 'nightlatch-staging-webhooks');
      expect(JSON.stringify(webhooks?.properties.Environment.Variables)).toMatch(
        new RegExp(`"DATA_KEY_IDS":.*"${arn},",.*Key2.*Key3`),
      );
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

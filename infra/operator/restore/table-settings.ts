import {
  DescribeContinuousBackupsCommand,
  DescribeTimeToLiveCommand,
  ListTagsOfResourceCommand,
  type OnDemandThroughput,
  type Tag,
  type TableDescription,
  TagResourceCommand,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { tableDefinition, ttlAttribute } from '../../../shared/platform/table/definition.ts';
import type { TableControl } from './table-control.ts';

/** Something that a restore leaves out. */
export interface TableSetting {
  name: string;
  isRight: (copy: TableDescription) => Promise<boolean>;
  apply: (copy: TableDescription) => Promise<unknown>;
}

/** Returns what a restored table must be given to be like its origin, in the order in which it is given. */
export const tableSettings = (control: TableControl, source: TableDescription): TableSetting[] => [
  timeToLive(control),
  pointInTimeRecovery(control, source),
  deletionProtection(control),
  limits(control, source),
  tags(control, source),
  // Last: from here on writes are published.
  stream(control),
];

const { StreamSpecification } = tableDefinition('any');

const stream = ({ client }: TableControl): TableSetting => ({
  name: 'stream',
  isRight: ({ StreamSpecification: has }) =>
    Promise.resolve(
      has?.StreamEnabled === true && has.StreamViewType === StreamSpecification?.StreamViewType,
    ),
  apply: ({ TableName }) => client.send(new UpdateTableCommand({ TableName, StreamSpecification })),
});

const deletionProtection = ({ client }: TableControl): TableSetting => ({
  name: 'deletion protection',
  isRight: ({ DeletionProtectionEnabled }) => Promise.resolve(DeletionProtectionEnabled === true),
  apply: ({ TableName }) =>
    client.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: true })),
});

const timeToLive = ({ client }: TableControl): TableSetting => ({
  name: 'expiry',
  isRight: async ({ TableName }) => {
    const { TimeToLiveDescription: ttl } = await client.send(new DescribeTimeToLiveCommand({ TableName }));
    return (
      ['ENABLED', 'ENABLING'].includes(ttl?.TimeToLiveStatus ?? '') && ttl?.AttributeName === ttlAttribute
    );
  },
  apply: ({ TableName }) =>
    client.send(
      new UpdateTimeToLiveCommand({
        TableName,
        TimeToLiveSpecification: { AttributeName: ttlAttribute, Enabled: true },
      }),
    ),
});

const recoveryOf = async ({ client }: TableControl, TableName: string | undefined) => {
  const { ContinuousBackupsDescription } = await client.send(
    new DescribeContinuousBackupsCommand({ TableName }),
  );
  return ContinuousBackupsDescription?.PointInTimeRecoveryDescription;
};

const pointInTimeRecovery = (control: TableControl, source: TableDescription): TableSetting => ({
  name: 'point-in-time recovery',
  isRight: async ({ TableName }) => {
    const [copy, origin] = [
      await recoveryOf(control, TableName),
      await recoveryOf(control, source.TableName),
    ];
    return (
      copy?.PointInTimeRecoveryStatus === 'ENABLED' &&
      copy.RecoveryPeriodInDays === origin?.RecoveryPeriodInDays
    );
  },
  apply: async ({ TableName }) => {
    const RecoveryPeriodInDays = (await recoveryOf(control, source.TableName))?.RecoveryPeriodInDays;
    const input = {
      TableName,
      PointInTimeRecoverySpecification: {
        PointInTimeRecoveryEnabled: true,
        ...(RecoveryPeriodInDays === undefined ? {} : { RecoveryPeriodInDays }),
      },
    };
    for (;;)
      try {
        return await control.client.send(new UpdateContinuousBackupsCommand(input));
      } catch (error) {
        // Backups of a new table are not available in its first minutes.
        if ((error as Error).name !== 'ContinuousBackupsUnavailableException') throw error;
        control.progress(`${TableName ?? ''}: backups are not available yet`);
        await control.wait();
      }
  },
});

type Limited = Pick<TableDescription, 'OnDemandThroughput' | 'GlobalSecondaryIndexes'>;

/** Without a limit DynamoDB says -1 or nothing. */
const limitOf = (limit: OnDemandThroughput | undefined): OnDemandThroughput => ({
  MaxReadRequestUnits: limit?.MaxReadRequestUnits ?? -1,
  MaxWriteRequestUnits: limit?.MaxWriteRequestUnits ?? -1,
});

const limitsOf = ({ OnDemandThroughput: own, GlobalSecondaryIndexes = [] }: Limited) => ({
  own: limitOf(own),
  indexes: GlobalSecondaryIndexes.map(({ IndexName, OnDemandThroughput: limit }) => ({
    IndexName,
    OnDemandThroughput: limitOf(limit),
  })).sort((one, other) => String(one.IndexName).localeCompare(String(other.IndexName))),
});

const limits = ({ client }: TableControl, source: TableDescription): TableSetting => {
  const { own, indexes } = limitsOf(source);
  return {
    name: 'limits of units',
    isRight: (copy) => Promise.resolve(JSON.stringify(limitsOf(copy)) === JSON.stringify({ own, indexes })),
    apply: ({ TableName }) =>
      client.send(
        new UpdateTableCommand({
          TableName,
          OnDemandThroughput: own,
          GlobalSecondaryIndexUpdates: indexes.map((Update) => ({ Update })),
        }),
      ),
  };
};

/** Tags that begin with `aws:` are AWS's own. */
const tagsOf = async ({ client }: TableControl, ResourceArn: string | undefined): Promise<Tag[]> => {
  const tags: Tag[] = [];
  let NextToken: string | undefined;
  do {
    const page = await client.send(new ListTagsOfResourceCommand({ ResourceArn, NextToken }));
    tags.push(...(page.Tags ?? []).filter(({ Key }) => !Key?.startsWith('aws:')));
    NextToken = page.NextToken;
  } while (NextToken !== undefined);
  return tags;
};

const tags = (control: TableControl, source: TableDescription): TableSetting => {
  const lacking = async ({ TableArn }: TableDescription): Promise<Tag[]> => {
    const has = new Map((await tagsOf(control, TableArn)).map(({ Key, Value }) => [Key, Value]));
    return (await tagsOf(control, source.TableArn)).filter(({ Key, Value }) => has.get(Key) !== Value);
  };
  return {
    name: 'tags',
    isRight: async (copy) => (await lacking(copy)).length === 0,
    apply: async (copy) =>
      control.client.send(new TagResourceCommand({ ResourceArn: copy.TableArn, Tags: await lacking(copy) })),
  };
};

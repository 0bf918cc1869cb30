import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  ListTagsOfResourceCommand,
  type OnDemandThroughput,
  ResourceInUseException,
  ResourceNotFoundException,
  RestoreTableToPointInTimeCommand,
  type Tag,
  TagResourceCommand,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import type { TableControl } from '../../infra/operator/restore/table-control.ts';

/** What AWS has of a table. */
export interface AwsTable {
  status: 'CREATING' | 'ACTIVE' | 'UPDATING';
  stream: string | undefined;
  ttl: string | undefined;
  recoveryDays: number | undefined;
  isProtected: boolean;
  limit: OnDemandThroughput | undefined;
  indexLimit: OnDemandThroughput | undefined;
  tags: Record<string, string>;
  restored?: { from: string; at: Date };
}

const arnOf = (name: string) => `arn:aws:dynamodb:ap-southeast-1:111122223333:table/${name}`;

export const streamArnOf = (name: string) => `${arnOf(name)}/stream/2027-01-15T05:00:00.000`;

const named = (name: string): Error => Object.assign(new Error(name), { name });

/** Carries a request out whose answer is lost, also where it is a refusal. */
const carryOut = (request: () => unknown): void => {
  try {
    request();
  } catch {
    // Lost as well.
  }
};

/**
 * The part of DynamoDB that restores tables, as its documentation describes it: a copy has neither stream, expiry, recovery,
 * protection, limits nor tags; a change takes time, and the next one is refused until then; backups of a new table are not
 * available at once.
 */
export const restoringAws = (source: string, first: AwsTable) => {
  const tables = new Map<string, AwsTable>([[source, first]]);
  const changes: string[] = [];
  let unavailable = 1;
  /** The number of the call that fails, and whether it is carried out before. */
  let crash: { call: number; carriedOut: boolean } | undefined;
  let calls = 0;
  const client = new DynamoDBClient({ region: 'ap-southeast-1' });
  const mock = mockClient(client);
  const tableOf = (name: string | undefined): AwsTable => {
    const found = tables.get(name ?? '');
    if (!found) throw new ResourceNotFoundException({ message: 'none', $metadata: {} });
    return found;
  };
  const on = (command: unknown, act: (input: never) => unknown): void => {
    mock.on(command as typeof DescribeTableCommand).callsFake((input: unknown) => {
      const isLost = crash !== undefined && calls++ === crash.call;
      if (!isLost) return act(input as never);
      if (crash?.carriedOut) carryOut(() => act(input as never));
      throw named('the process died');
    });
  };
  const change = (name: string, what: string, set: Partial<AwsTable>): void => {
    const table = tableOf(name);
    if (table.status !== 'ACTIVE') throw new ResourceInUseException({ message: table.status, $metadata: {} });
    tables.set(name, { ...table, ...set, status: 'UPDATING' });
    changes.push(what);
  };

  on(DescribeTableCommand, ({ TableName }: { TableName: string }) => {
    const { status, stream, isProtected, limit, indexLimit, restored } = tableOf(TableName);
    return {
      Table: {
        ...{ TableName, TableArn: arnOf(TableName), TableStatus: status },
        DeletionProtectionEnabled: isProtected,
        OnDemandThroughput: limit,
        GlobalSecondaryIndexes: ['by_team', 'by_audience'].map((IndexName) => ({
          ...{ IndexName, IndexStatus: status, OnDemandThroughput: indexLimit },
        })),
        ...(stream === undefined
          ? {}
          : {
              LatestStreamArn: streamArnOf(TableName),
              StreamSpecification: { StreamEnabled: true, StreamViewType: stream },
            }),
        ...(restored
          ? {
              RestoreSummary: {
                SourceTableArn: arnOf(restored.from),
                RestoreDateTime: restored.at,
                RestoreInProgress: status === 'CREATING',
              },
            }
          : {}),
      },
    };
  });
  on(DescribeContinuousBackupsCommand, ({ TableName }: { TableName: string }) => {
    const days = tableOf(TableName).recoveryDays;
    return {
      ContinuousBackupsDescription: {
        PointInTimeRecoveryDescription:
          days === undefined
            ? { PointInTimeRecoveryStatus: 'DISABLED' }
            : {
                PointInTimeRecoveryStatus: 'ENABLED',
                RecoveryPeriodInDays: days,
                EarliestRestorableDateTime: new Date('2027-01-01T00:00:00Z'),
                LatestRestorableDateTime: new Date('2027-01-15T04:55:00Z'),
              },
      },
    };
  });
  on(DescribeTimeToLiveCommand, ({ TableName }: { TableName: string }) => {
    const { ttl } = tableOf(TableName);
    return {
      TimeToLiveDescription:
        ttl === undefined
          ? { TimeToLiveStatus: 'DISABLED' }
          : { TimeToLiveStatus: 'ENABLING', AttributeName: ttl },
    };
  });
  const ofArn = (arn: string) => arn.split(':table/')[1] ?? '';
  on(ListTagsOfResourceCommand, ({ ResourceArn, NextToken }: { ResourceArn: string; NextToken?: string }) => {
    const all = Object.entries(tableOf(ofArn(ResourceArn)).tags).map(([Key, Value]) => ({ Key, Value }));
    return NextToken === undefined ? { Tags: all.slice(0, 1), NextToken: 'more' } : { Tags: all.slice(1) };
  });
  on(
    RestoreTableToPointInTimeCommand,
    ({
      SourceTableName,
      TargetTableName,
      RestoreDateTime: at,
    }: {
      SourceTableName: string;
      TargetTableName: string;
      RestoreDateTime: Date;
    }) => {
      if (tables.has(TargetTableName)) throw named('TableAlreadyExistsException');
      changes.push('restore');
      tables.set(TargetTableName, {
        status: 'CREATING',
        ...{ stream: undefined, ttl: undefined, recoveryDays: undefined, isProtected: false },
        ...{ limit: undefined, indexLimit: undefined, tags: {} },
        restored: { from: SourceTableName, at },
      });
      return {};
    },
  );
  on(UpdateTableCommand, (input: UpdateTableCommand['input']) => {
    const name = String(input.TableName);
    if (input.StreamSpecification)
      change(name, 'stream', { stream: input.StreamSpecification.StreamViewType });
    else if (input.DeletionProtectionEnabled) change(name, 'protection', { isProtected: true });
    else
      change(name, 'limits', {
        limit: input.OnDemandThroughput,
        indexLimit: input.GlobalSecondaryIndexUpdates?.[0]?.Update?.OnDemandThroughput,
      });
    return {};
  });
  on(UpdateTimeToLiveCommand, (input: UpdateTimeToLiveCommand['input']) => {
    change(String(input.TableName), 'ttl', { ttl: input.TimeToLiveSpecification?.AttributeName });
    return {};
  });
  on(UpdateContinuousBackupsCommand, (input: UpdateContinuousBackupsCommand['input']) => {
    if (unavailable-- > 0) throw named('ContinuousBackupsUnavailableException');
    const days = input.PointInTimeRecoverySpecification?.RecoveryPeriodInDays;
    change(String(input.TableName), 'recovery', { recoveryDays: days });
    return {};
  });
  on(TagResourceCommand, ({ ResourceArn, Tags }: { ResourceArn: string; Tags: Tag[] }) => {
    const added = Object.fromEntries(Tags.map(({ Key, Value }) => [String(Key), String(Value)]));
    const name = ofArn(ResourceArn);
    tables.set(name, { ...tableOf(name), tags: { ...tableOf(name).tags, ...added } });
    changes.push('tags');
    return {};
  });

  const progress: string[] = [];
  const control: TableControl = {
    client,
    // A change is done after a wait.
    wait: async () => {
      for (const [name, table] of tables) tables.set(name, { ...table, status: 'ACTIVE' });
    },
    progress: (text) => void progress.push(text),
  };
  return {
    control,
    tables,
    changes,
    progress,
    restoreClient: () => mock.restore(),
    /** Makes the n-th call fail from now on; returns how many were made since the last time. */
    dieAt: (call: number, carriedOut: boolean) => {
      calls = 0;
      crash = { call, carriedOut };
    },
    live: () => {
      const made = calls;
      crash = undefined;
      return made;
    },
  };
};

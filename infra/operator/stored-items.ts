import {
  type AttributeValue,
  DynamoDBClient,
  ScanCommand,
  type ScanCommandInput,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';

export type Fields = Record<string, unknown>;

/** An item with DynamoDB's types. */
export type StoredItem = Record<string, AttributeValue>;

/** Which items are read; default: all, with consistent reads. */
interface Selection extends Pick<
  ScanCommandInput,
  'FilterExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'
> {
  consistent?: boolean;
}

interface Page {
  items: StoredItem[];
  /** How many items were read so far, in all segments; the filter has dropped some. */
  read: number;
}

/** The whole table, for the operator alone: no function scans it. */
export interface StoredItems {
  /** Reads the table in parallel segments. A page waits until `take` has resolved for the one before it in its segment. */
  scan(selection: Selection, take: (page: Page) => void | Promise<void>): Promise<void>;
}

/** Items of some entities. */
export const ofEntities = (names: readonly string[]): Selection => ({
  FilterExpression: `#entity IN (${names.map((_, at) => `:n${at}`).join(', ')})`,
  ExpressionAttributeNames: { '#entity': 'entity' },
  ExpressionAttributeValues: Object.fromEntries(names.map((name, at) => [`:n${at}`, { S: name }])),
});

/** The table, and where to say how much of it is read. */
export interface Reading {
  items: StoredItems;
  progress: (text: string) => void;
}

/** Calls `take` with each item; the next one of its segment waits until it has resolved. */
export const eachItem = (
  { items, progress }: Reading,
  selection: Selection,
  take: (item: Fields) => void | Promise<void>,
): Promise<void> =>
  items.scan(selection, async (page) => {
    progress(`${page.read} items read`);
    for (const item of page.items) await take(unmarshall(item));
  });

/** Counts one more of a kind. */
export const countOne = (counts: Record<string, number>, kind: string): void => {
  counts[kind] = (counts[kind] ?? 0) + 1;
};

const segments = 8;

export const createStoredItems = (tableName: string): StoredItems => {
  const client = new DynamoDBClient({ maxAttempts: 10 });
  return {
    scan: async ({ consistent = true, ...filter }, take) => {
      let read = 0;
      const scanSegment = async (Segment: number): Promise<void> => {
        let after: StoredItem | undefined;
        do {
          const page = await client.send(
            new ScanCommand({
              TableName: tableName,
              Segment,
              TotalSegments: segments,
              ConsistentRead: consistent,
              ...filter,
              ...(after ? { ExclusiveStartKey: after } : {}),
            }),
          );
          read += page.ScannedCount ?? 0;
          await take({ items: page.Items ?? [], read });
          after = page.LastEvaluatedKey;
        } while (after);
      };
      await Promise.all(Array.from({ length: segments }, (_, segment) => scanSegment(segment)));
    },
  };
};

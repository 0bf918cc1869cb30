import type { QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { type Condition, newTerms } from './condition.ts';
import { type IndexName, tableIndexes } from './entity.ts';

export interface QueryOptions {
  index?: IndexName;
  pk: string;
  /** The lowest sort key (inclusive). */
  from?: string;
  /** The highest sort key (inclusive). */
  to?: string;
  prefix?: string;
  descending?: boolean;
  limit?: number;
  after?: Record<string, unknown> | undefined;
  filter?: Condition;
  consistent?: boolean;
}

/** Returns the input of the SDK's QueryCommand. */
export const queryInput = (TableName: string, options: QueryOptions): QueryCommandInput => {
  const terms = newTerms();
  const index = options.index && tableIndexes[options.index];
  const pk = terms.name(index?.pk ?? 'pk');
  const sk = () => terms.name(index?.sk ?? 'sk');
  const conditions = [`${pk} = ${terms.value(options.pk)}`];
  if (options.prefix !== undefined) conditions.push(`begins_with(${sk()}, ${terms.value(options.prefix)})`);
  else if (options.from !== undefined && options.to !== undefined)
    conditions.push(`${sk()} BETWEEN ${terms.value(options.from)} AND ${terms.value(options.to)}`);
  else if (options.from !== undefined) conditions.push(`${sk()} >= ${terms.value(options.from)}`);
  else if (options.to !== undefined) conditions.push(`${sk()} <= ${terms.value(options.to)}`);
  const FilterExpression = options.filter?.(terms);
  return {
    TableName,
    ...(options.index ? { IndexName: options.index } : { ConsistentRead: options.consistent ?? true }),
    KeyConditionExpression: conditions.join(' AND '),
    ...(FilterExpression === undefined ? {} : { FilterExpression }),
    ExpressionAttributeNames: terms.names,
    ExpressionAttributeValues: terms.values,
    ScanIndexForward: !options.descending,
    ...(options.limit === undefined ? {} : { Limit: options.limit }),
    ...(options.after === undefined ? {} : { ExclusiveStartKey: options.after }),
  };
};

type Next = Record<string, unknown> | undefined;

/** Yields pages until there is none left. */
export async function* pages<Page extends { next: Next }>(
  read: (after: Next) => Promise<Page>,
): AsyncGenerator<Page> {
  let after: Next;
  do {
    const page = await read(after);
    yield page;
    after = page.next;
  } while (after);
}

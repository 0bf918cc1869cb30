import { holds, type ParsedCondition, parseCondition } from './condition.ts';
import type { Condition } from './condition-checks.ts';
import { ValidationError } from './expression-tokens.ts';
import { idOf, indexes, type IndexKeys, tableKeys } from './key-schema.ts';
import { hashOf } from './stream.ts';
import { keyRange } from './key-condition.ts';
import { type Entry, firstAt } from './ordered-rows.ts';
import { type Scope, stepOf } from './paths.ts';
import { type ParsedProjection, parseProjection, projected } from './projection.ts';
import { compareText, copied, type Item } from './values.ts';
import { scopeOf } from './write-action.ts';

/** The parameters that Query and Scan share. */
interface PageInput {
  IndexName?: string | undefined;
  KeyConditionExpression?: string | undefined;
  FilterExpression?: string | undefined;
  ProjectionExpression?: string | undefined;
  ExpressionAttributeNames?: Record<string, string> | undefined;
  ExpressionAttributeValues?: Record<string, unknown> | undefined;
  ExclusiveStartKey?: Record<string, unknown> | undefined;
  Limit?: number | undefined;
  ConsistentRead?: boolean | undefined;
  ScanIndexForward?: boolean | undefined;
  Select?: string | undefined;
}

/** A Query or Scan that DynamoDB would accept. */
export interface PageRequest {
  index: string | undefined;
  keys: IndexKeys;
  /** Of a Query. */
  range: ReturnType<typeof keyRange> | undefined;
  filter: ParsedCondition | undefined;
  projection: ParsedProjection | undefined;
  scope: Scope;
  after: Item | undefined;
  limit: number;
  descending: boolean;
  isConsistent: boolean;
  counts: boolean;
}

const maxPageBytes = 1024 * 1024;

export const pageRequest = (input: PageInput, isQuery: boolean): PageRequest => {
  const { IndexName: index, Limit: limit = Infinity, ConsistentRead: isConsistent = false } = input;
  if (limit < 1) throw new ValidationError('Limit must be greater than or equal to 1');
  const keys = index === undefined ? tableKeys : indexes.find(([name]) => name === index)?.[1];
  if (!keys) throw new ValidationError(`The table does not have the specified index: ${index}`);
  if (index !== undefined && isConsistent)
    throw new ValidationError('Consistent reads are not supported on global secondary indexes');
  const condition = parsed('KeyConditionExpression', input.KeyConditionExpression);
  if (isQuery && !condition)
    throw new ValidationError(
      'Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.',
    );
  const filter = parsed('FilterExpression', input.FilterExpression);
  const projection =
    input.ProjectionExpression === undefined ? undefined : parseProjection(input.ProjectionExpression);
  const scope = scopeOf(input, [condition, filter, projection]);
  if (input.Select === 'SPECIFIC_ATTRIBUTES' && !projection)
    throw new ValidationError(
      'Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES',
    );
  const range = condition && keyRange(condition.condition, keys, scope);
  if (filter && isQuery) checkNoKey(filter.condition, keys, scope);
  const after = input.ExclusiveStartKey && startKey(input.ExclusiveStartKey, keys, range);
  const descending = input.ScanIndexForward === false;
  const counts = input.Select === 'COUNT';
  return { index, keys, range, filter, projection, scope, after, limit, descending, isConsistent, counts };
};

const parsed = (
  kind: 'KeyConditionExpression' | 'FilterExpression',
  expression: string | undefined,
): ParsedCondition | undefined => (expression === undefined ? undefined : parseCondition(kind, expression));

const checkNoKey = (condition: Condition, keys: IndexKeys, scope: Scope): void => {
  if ('of' in condition) {
    for (const one of [condition.of].flat()) checkNoKey(one, keys, scope);
    return;
  }
  for (const operand of condition.operands) {
    if (operand.type === 'value') continue;
    const name = stepOf(operand.path[0] ?? '', scope.names);
    if (name === keys.pk || name === keys.sk)
      throw new ValidationError(
        `Filter Expression can only contain non-primary key attributes: Primary key attribute: ${name}`,
      );
  }
};

const startKey = (key: Item, keys: IndexKeys, range: PageRequest['range']): Item => {
  const names = [...new Set(['pk', 'sk', keys.pk, keys.sk])];
  if (Object.keys(key).length !== names.length || names.some((name) => typeof key[name] !== 'string'))
    throw new ValidationError('The provided starting key is invalid');
  const isInside = !range || (key[keys.pk] === range.pk && range.place(String(key[keys.sk])) === 0);
  if (!isInside)
    throw new ValidationError(
      'The provided starting key is outside query boundaries based on provided conditions',
    );
  return key;
};

/** A page before its items are filtered. */
interface Page {
  entries: readonly Entry[];
  bytes: number;
  last: Item | undefined;
}

/** Returns the next page of a partition: up to the limit, to 1 MB, or to `short` items. */
export const cutPage = (
  all: readonly Entry[],
  { keys, range, after, limit, descending }: PageRequest,
  short = Infinity,
): Page => {
  const place = range?.place ?? (() => 0);
  const from = firstAt(all, ({ sk }) => place(sk) < 0);
  const to = firstAt(all, ({ sk }) => place(sk) <= 0);
  const isAfter = (entry: Entry): boolean => {
    if (!after) return true;
    const direction =
      compareText(entry.sk, String(after[keys.sk])) ||
      compareText(entry.row.id, `${String(after['pk'])}\n${String(after['sk'])}`);
    return descending ? direction < 0 : direction > 0;
  };
  const entries: Entry[] = [];
  let bytes = 0;
  const start = after ? startAt(all, { from, to }, isAfter, descending) : descending ? to - 1 : from;
  const step = descending ? -1 : 1;
  for (let at = start; at >= from && at < to; at += step) {
    const entry = all[at]!;
    entries.push(entry);
    bytes += entry.row.size;
    if (entries.length >= limit || bytes > maxPageBytes || entries.length >= short)
      return { entries, bytes, last: keyOf(entry, keys) };
  }
  return { entries, bytes, last: undefined };
};

const startAt = (
  all: readonly Entry[],
  { from, to }: { from: number; to: number },
  isAfter: (entry: Entry) => boolean,
  descending: boolean,
): number => {
  const inside = all.slice(from, to);
  return descending
    ? from + firstAt(inside, isAfter) - 1
    : from + firstAt(inside, (entry) => !isAfter(entry));
};

const keyOf = ({ row: { item } }: Entry, keys: IndexKeys): Item =>
  Object.fromEntries([...new Set(['pk', 'sk', keys.pk, keys.sk])].map((name) => [name, item[name]]));

/** Returns what a request answers with a page. */
export const pageReply = ({ entries, last }: Page, request: PageRequest): object => {
  const { filter, projection, scope, counts } = request;
  const found = filter ? entries.filter(({ row }) => holds(filter.condition, row.item, scope)) : entries;
  const shown = ({ row }: Entry): Item =>
    projection ? projected(row.item, projection.paths, scope) : copied(row.item);
  return {
    Count: found.length,
    ScannedCount: entries.length,
    ...(counts ? {} : { Items: found.map(shown) }),
    ...(last ? { LastEvaluatedKey: last } : {}),
  };
};

/** Returns the next page of the whole table or index, partition by partition in the order of their hashes. */
export const cutScan = (all: readonly Entry[], request: PageRequest, short = Infinity): Page => {
  const { keys, after, limit } = request;
  const placeOf = (item: Item): string => {
    const pk = String(item[keys.pk]);
    return `${String(hashOf(pk)).padStart(10, '0')} ${pk}\n${String(item[keys.sk])}\n${idOf(item)}`;
  };
  const placed = all.map((entry) => ({ entry, place: placeOf(entry.row.item) }));
  const start = after && placeOf(after);
  const left = placed
    .filter(({ place }) => start === undefined || compareText(place, start) > 0)
    .sort((one, other) => compareText(one.place, other.place));
  const entries: Entry[] = [];
  let bytes = 0;
  for (const { entry } of left) {
    entries.push(entry);
    bytes += entry.row.size;
    if (entries.length >= limit || bytes > maxPageBytes || entries.length >= short)
      return { entries, bytes, last: keyOf(entry, keys) };
  }
  return { entries, bytes, last: undefined };
};

import type { CancellationReason } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { holds, type ParsedCondition, parseCondition } from './condition.ts';
import { ValidationError } from './expression-tokens.ts';
import { keyId, type Row, rowOf } from './key-schema.ts';
import { type Placeholders, type Scope, stepOf } from './paths.ts';
import { type ParsedUpdate, parseUpdate, updated } from './update.ts';
import { copied, type Item } from './values.ts';

/** The parameters of a write, as a command of one item or an action of a transaction has them. */
export interface WriteInput {
  Item?: Record<string, unknown> | undefined;
  Key?: Record<string, unknown> | undefined;
  ConditionExpression?: string | undefined;
  UpdateExpression?: string | undefined;
  ExpressionAttributeNames?: Record<string, string> | undefined;
  ExpressionAttributeValues?: Record<string, unknown> | undefined;
  ReturnValuesOnConditionCheckFailure?: string | undefined;
}

export type WriteKind = 'Put' | 'Update' | 'Delete' | 'ConditionCheck';

/** A write that DynamoDB would accept: what it does is decided by the item that it meets. */
export interface WriteAction {
  kind: WriteKind;
  id: string;
  key: Item;
  /** Of a Put. */
  row: Row | undefined;
  update: ParsedUpdate | undefined;
  condition: ParsedCondition | undefined;
  scope: Scope;
  returnsOld: boolean;
}

/** What becomes of a write: the item afterwards, unless the reason is an error. */
interface Outcome {
  reason: CancellationReason;
  after: Row | undefined;
}

/** Returns the action of a write; throws what DynamoDB rejects without looking at the item. */
export const writeAction = (kind: WriteKind, input: WriteInput): WriteAction => {
  const condition =
    input.ConditionExpression === undefined
      ? undefined
      : parseCondition('ConditionExpression', input.ConditionExpression);
  const update = input.UpdateExpression === undefined ? undefined : parseUpdate(input.UpdateExpression);
  const scope = scopeOf(input, [condition, update]);
  if (update) checkKeyKept(update, scope);
  const row = kind === 'Put' ? rowOf(copied(input.Item ?? {})) : undefined;
  const key = row ? row.item : (input.Key ?? {});
  return {
    kind,
    id: row ? row.id : keyId(key),
    key,
    row,
    update,
    condition,
    scope,
    returnsOld: input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD',
  };
};

interface Parsed {
  used: Placeholders;
  check: (scope: Scope) => void;
}

/** Returns the names and values of a request; throws for undefined and unused ones, and what the expressions reject. */
export const scopeOf = (
  {
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
  }: Pick<WriteInput, 'ExpressionAttributeNames' | 'ExpressionAttributeValues'>,
  expressions: readonly (Parsed | undefined)[],
): Scope => {
  const parsed = expressions.filter((expression) => expression !== undefined);
  checkKeys('ExpressionAttributeNames', '#', names, parsed.length > 0);
  checkKeys('ExpressionAttributeValues', ':', values, parsed.length > 0);
  const scope: Scope = { names: names ?? {}, values: values ? copied(values) : {} };
  for (const { check } of parsed) check(scope);
  checkUsed('ExpressionAttributeNames', names, (name) => parsed.some(({ used }) => used.names.has(name)));
  checkUsed('ExpressionAttributeValues', values, (name) => parsed.some(({ used }) => used.values.has(name)));
  return scope;
};

const checkKeys = (what: string, sign: string, given: object | undefined, hasExpression: boolean): void => {
  if (given === undefined) return;
  if (!hasExpression) throw new ValidationError(`${what} can only be specified when using expressions`);
  const keys = Object.keys(given);
  if (keys.length === 0) throw new ValidationError(`${what} must not be empty`);
  for (const key of keys)
    if (!key.startsWith(sign) || key.length === 1)
      throw new ValidationError(`${what} contains invalid key: Syntax error; key: "${key}"`);
};

const checkUsed = (what: string, given: object | undefined, isUsed: (key: string) => boolean): void => {
  const unused = Object.keys(given ?? {}).filter((key) => !isUsed(key));
  if (unused.length > 0)
    throw new ValidationError(
      `Value provided in ${what} unused in expressions: keys: {${unused.join(', ')}}`,
    );
};

const checkKeyKept = ({ clauses }: ParsedUpdate, { names }: Scope): void => {
  for (const { path } of clauses) {
    const name = stepOf(path[0] ?? '', names);
    if (name === 'pk' || name === 'sk')
      throw new ValidationError(
        `One or more parameter values were invalid: Cannot update attribute ${name}. This attribute is part of the key`,
      );
  }
};

/** Returns what becomes of a write on the item that is there. */
export const outcomeOf = (action: WriteAction, before: Row | undefined): Outcome => {
  const { condition, scope } = action;
  if (condition && !holds(condition.condition, before?.item ?? {}, scope)) {
    const Item = before && action.returnsOld ? marshall(before.item) : undefined;
    const Message = 'The conditional request failed';
    return { reason: { Code: 'ConditionalCheckFailed', Message, ...(Item ? { Item } : {}) }, after: before };
  }
  try {
    return { reason: { Code: 'None' }, after: afterOf(action, before) };
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    return { reason: { Code: 'ValidationError', Message: error.message }, after: before };
  }
};

const afterOf = (
  { kind, key, row, update, scope }: WriteAction,
  before: Row | undefined,
): Row | undefined => {
  if (kind === 'Put') return row;
  if (kind === 'Delete') return undefined;
  if (kind === 'ConditionCheck') return before;
  if (!update) return before ?? rowOf(copied(key));
  return rowOf(updated(before?.item ?? { pk: key['pk'], sk: key['sk'] }, update, scope), true);
};

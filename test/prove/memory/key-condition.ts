import type { Condition, Operand } from './condition-checks.ts';
import { ValidationError } from './expression-tokens.ts';
import { type Scope, stepOf } from './paths.ts';
import type { IndexKeys } from './key-schema.ts';
import { compareText } from './values.ts';

/** What a key condition selects: a partition, and a range of its sort keys. */
interface KeyRange {
  pk: string;
  /** Compares a sort key with the range: negative before it, 0 inside, positive after it. */
  place: (sk: string) => number;
}

/** Returns the range of a key condition on the given keys; throws as DynamoDB does. */
export const keyRange = (condition: Condition, keys: IndexKeys, scope: Scope): KeyRange => {
  const parts = condition.type === 'and' ? condition.of : [condition];
  const found = new Map<string, { type: string; bounds: readonly string[] }>();
  for (const part of parts) {
    const { attribute, type, bounds } = partOf(part, keys, scope);
    if (found.has(attribute))
      throw new ValidationError('KeyConditionExpressions must only contain one condition per key');
    found.set(attribute, { type, bounds });
  }
  const partition = found.get(keys.pk);
  if (!partition) throw new ValidationError(`Query condition missed key schema element: ${keys.pk}`);
  if (partition.type !== '=') throw new ValidationError('Query key condition not supported');
  const sort = found.get(keys.sk);
  if (found.size > 1 && !sort)
    throw new ValidationError(`Query condition missed key schema element: ${keys.sk}`);
  const [pk = ''] = partition.bounds;
  return { pk, place: sort ? placeIn(sort.type, sort.bounds) : () => 0 };
};

const partOf = (part: Condition, keys: IndexKeys, { names, values }: Scope) => {
  if ('of' in part) throw notSupported(part.type.toUpperCase());
  const type = part.type === 'function' ? part.name : part.type;
  if (!['=', '<', '<=', '>', '>=', 'BETWEEN', 'begins_with'].includes(type)) throw notSupported(type);
  const [key, ...bounds] = part.operands;
  if (key?.type !== 'path' || key.path.length !== 1) throw notSupported(type);
  const attribute = String(stepOf(key.path[0] ?? '', names));
  return { attribute, type, bounds: bounds.map((bound) => textOf(bound, attribute, keys, values)) };
};

const textOf = (bound: Operand, attribute: string, keys: IndexKeys, values: Scope['values']): string => {
  const value = bound.type === 'value' ? values[bound.name] : undefined;
  const isKey = attribute === keys.pk || attribute === keys.sk;
  if (typeof value !== 'string' && isKey)
    throw new ValidationError(
      'One or more parameter values were invalid: Condition parameter type does not match schema type',
    );
  if (value === '' && isKey)
    throw new ValidationError(
      `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: ${attribute}`,
    );
  return String(value);
};

const notSupported = (operator: string): ValidationError =>
  new ValidationError(`Invalid operator used in KeyConditionExpression: ${operator}`);

const placeIn = (type: string, [low = '', high = low]: readonly string[]): KeyRange['place'] => {
  switch (type) {
    case '=':
      return (sk) => compareText(sk, low);
    case '<':
      return (sk) => (compareText(sk, low) < 0 ? 0 : 1);
    case '<=':
      return (sk) => (compareText(sk, low) <= 0 ? 0 : 1);
    case '>':
      return (sk) => (compareText(sk, low) > 0 ? 0 : -1);
    case '>=':
      return (sk) => (compareText(sk, low) >= 0 ? 0 : -1);
    case 'begins_with':
      return (sk) => (sk.startsWith(low) ? 0 : compareText(sk, low));
    default:
      return (sk) => (compareText(sk, low) < 0 ? -1 : compareText(sk, high) > 0 ? 1 : 0);
  }
};

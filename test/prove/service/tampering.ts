import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { TransactWriteCommand } from '../../../shared/platform/dynamodb/index.ts';
import type { Tamper } from './table.ts';

type Action = NonNullable<TransactWriteCommandInput['TransactItems']>[number];
export type Update = NonNullable<Action['Update']>;
type Put = NonNullable<Action['Put']>;

/** Changes the actions of transactions before they arrive at the table. */
export const rewriting =
  (rewrite: (action: Action) => Action): Tamper =>
  (command) => {
    if (!(command instanceof TransactWriteCommand)) return command;
    const TransactItems = (command.input.TransactItems ?? []).map(rewrite);
    return new TransactWriteCommand({ ...command.input, TransactItems });
  };

/** Always true. */
const anyway = 'attribute_exists(pk) OR attribute_not_exists(pk)';

/** Makes the comparisons of an attribute in a condition hold always. */
export const without = <Part extends Update | Put>(part: Part, attribute: string): Part => {
  const names = part.ExpressionAttributeNames ?? {};
  const placeholder = Object.keys(names).find((name) => names[name] === attribute);
  const condition = part.ConditionExpression;
  if (placeholder === undefined || condition === undefined) return part;
  const term = `${placeholder} = :\\w+|attribute_not_exists\\(${placeholder}\\)`;
  const comparison = new RegExp(`\\(?(${term})\\)?`, 'g');
  return { ...part, ConditionExpression: condition.replaceAll(comparison, `(${anyway} OR $1)`) };
};

export const isOf = (part: Update | Put | undefined, key: string): boolean =>
  String((part && 'Key' in part ? part.Key : part?.Item)?.['sk']).startsWith(key);

/** Makes the condition hold always. */
export const unconditional = <Part extends Update | Put>(part: Part): Part =>
  part.ConditionExpression === undefined
    ? part
    : { ...part, ConditionExpression: `${part.ConditionExpression} OR ${anyway}` };

/** Leaves out puts of an entity, or some of them. */
export const withoutPuts =
  (entity: string, isLeftOut: (item: Record<string, unknown>) => boolean = () => true): Tamper =>
  (command) => {
    if (!(command instanceof TransactWriteCommand)) return command;
    const all = command.input.TransactItems ?? [];
    const TransactItems = all.filter(
      ({ Put }) => Put?.Item?.['entity'] !== entity || !isLeftOut(Put.Item as Record<string, unknown>),
    );
    return new TransactWriteCommand({ ...command.input, TransactItems });
  };

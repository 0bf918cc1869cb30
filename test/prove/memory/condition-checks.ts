import type { Tokens } from './expression-tokens.ts';
import { type Path, pathText, type Scope } from './paths.ts';
import { order, typeOf } from './values.ts';

export type Operand = { type: 'path' | 'size'; path: Path } | { type: 'value'; name: string };

export type Condition =
  | { type: '=' | '<>' | '<' | '<=' | '>' | '>=' | 'BETWEEN'; operands: readonly Operand[] }
  | { type: 'function'; name: string; operands: readonly Operand[] }
  | { type: 'and' | 'or'; of: readonly Condition[] }
  | { type: 'not'; of: Condition };

/** The operators and functions of one expression. */
export const maxOperators = 300;
const maxInOperands = 100;
const ordered = ['S', 'N', 'B'];
const typeNames = ['N', 'BS', 'L', 'B', 'NULL', 'M', 'S', 'SS', 'NS', 'BOOL'];

/** Throws for operands that the operator does not take, as far as the request alone says. */
export const checkOperands = (tokens: Tokens, condition: Condition, scope: Scope): void => {
  switch (condition.type) {
    case 'and':
    case 'or':
      for (const one of condition.of) checkOperands(tokens, one, scope);
      break;
    case 'not':
      checkOperands(tokens, condition.of, scope);
      break;
    case 'function':
      if (condition.name === 'IN') checkIn(tokens, condition.operands, scope);
      else checkFunction(tokens, condition.name, condition.operands, scope);
      break;
    default:
      checkComparison(tokens, condition.type, condition.operands, scope);
  }
};

const wrongType = (tokens: Tokens, name: string, value: unknown) =>
  tokens.invalid(
    `Incorrect operand type for operator or function; operator or function: ${name}, operand type: ${typeOf(value)}`,
  );

const checkComparison = (
  tokens: Tokens,
  name: string,
  operands: readonly Operand[],
  { names, values }: Scope,
): void => {
  checkDistinct(tokens, name, operands, { names, values });
  if (name === '=' || name === '<>') return;
  for (const operand of operands) {
    if (operand.type !== 'value') continue;
    const value = values[operand.name];
    if (!ordered.includes(typeOf(value))) throw wrongType(tokens, name, value);
  }
  const [, low, high] = operands;
  if (low?.type !== 'value' || high?.type !== 'value') return;
  checkBounds(tokens, values[low.name], values[high.name]);
};

const checkBounds = (tokens: Tokens, low: unknown, high: unknown): void => {
  const shown = (value: unknown): string => `AttributeValue: {${typeOf(value)}:${String(value)}}`;
  const bounds = `lower bound operand: ${shown(low)}, upper bound operand: ${shown(high)}`;
  if (typeOf(low) !== typeOf(high))
    throw tokens.invalid(
      `The BETWEEN operator requires same data type for lower and upper bounds; ${bounds}`,
    );
  if (order(low, high) > 0)
    throw tokens.invalid(
      `The BETWEEN operator requires upper bound to be greater than or equal to lower bound; ${bounds}`,
    );
};

const checkIn = (tokens: Tokens, operands: readonly Operand[], scope: Scope): void => {
  if (operands.length - 1 > maxInOperands)
    throw tokens.invalid(
      `The IN operator is provided with too many operands; number of operands: ${operands.length - 1}`,
    );
  checkDistinct(tokens, 'IN', operands, scope);
};

const checkDistinct = (
  tokens: Tokens,
  name: string,
  [first, ...others]: readonly Operand[],
  { names }: Scope,
): void => {
  if (first?.type !== 'path') return;
  const text = pathText(first.path, names);
  if (others.some((other) => other.type === 'path' && pathText(other.path, names) === text))
    throw tokens.invalid(
      `The first operand must be distinct from the remaining operands for this operator or function; operator: ${name}, first operand: ${text}`,
    );
};

const checkFunction = (
  tokens: Tokens,
  name: string,
  [first, second]: readonly Operand[],
  { values }: Scope,
): void => {
  if (name.startsWith('attribute_') && first?.type !== 'path')
    throw tokens.invalid(`Operator or function requires a document path; operator or function: ${name}`);
  if (second?.type !== 'value') return;
  const value = values[second.name];
  if (name === 'begins_with' && !['S', 'B'].includes(typeOf(value))) throw wrongType(tokens, name, value);
  if (name !== 'attribute_type') return;
  if (typeof value !== 'string') throw wrongType(tokens, name, value);
  if (!typeNames.includes(value))
    throw tokens.invalid(
      `Invalid attribute type name found; type: ${value}, valid types: {${typeNames.join()}}`,
    );
};

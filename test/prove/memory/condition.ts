import { Tokens, type ExpressionKind } from './expression-tokens.ts';
import { checkOperands, type Condition, maxOperators, type Operand } from './condition-checks.ts';
import { type Path, Placeholders, readPath, readValue, type Scope, valueAt } from './paths.ts';
import { isMember, isSame, type Item, order, typeOf } from './values.ts';

/** A condition, filter or key condition, parsed as DynamoDB does. */
export interface ParsedCondition {
  kind: ExpressionKind;
  condition: Condition;
  used: Placeholders;
  /** Throws what DynamoDB rejects once names and values are known. */
  check: (scope: Scope) => void;
}

const known = new Map<string, ParsedCondition>();

export const parseCondition = (kind: ExpressionKind, expression: string): ParsedCondition => {
  const key = `${kind} ${expression}`;
  const before = known.get(key);
  if (before) return before;
  const parser = new Parser(kind, expression);
  const condition = parser.whole();
  const { tokens, used } = parser;
  const parsed: ParsedCondition = {
    kind,
    condition,
    used,
    check: (scope) => {
      checkDefined(tokens, used, scope);
      checkOperands(tokens, condition, scope);
    },
  };
  known.set(key, parsed);
  return parsed;
};

/** Throws for a placeholder without a definition. */
export const checkDefined = (tokens: Tokens, used: Placeholders, { names, values }: Scope): void => {
  for (const name of used.names)
    if (!(name in names))
      throw tokens.invalid(
        `An expression attribute name used in the document path is not defined; attribute name: ${name}`,
      );
  for (const value of used.values)
    if (values[value] === undefined)
      throw tokens.invalid(
        `An expression attribute value used in expression is not defined; attribute value: ${value}`,
      );
};

/** Returns whether a condition holds on an item; a missing item has no attributes. */
export const holds = (condition: Condition, item: Item, scope: Scope): boolean => {
  switch (condition.type) {
    case 'and':
      return condition.of.every((one) => holds(one, item, scope));
    case 'or':
      return condition.of.some((one) => holds(one, item, scope));
    case 'not':
      return !holds(condition.of, item, scope);
    default: {
      const operands = condition.operands.map((operand) => operandValue(operand, item, scope));
      return condition.type === 'function'
        ? called(condition.name, operands)
        : compared(condition.type, operands);
    }
  }
};

const operandValue = (operand: Operand, item: Item, { names, values }: Scope): unknown => {
  if (operand.type === 'value') return values[operand.name];
  const value = valueAt(item, operand.path, names);
  return operand.type === 'size' ? sizeOf(value) : value;
};

const sizeOf = (value: unknown): number | undefined => {
  if (typeof value === 'string') return Array.from(value).length;
  if (Array.isArray(value) || value instanceof Uint8Array) return value.length;
  if (value instanceof Set) return value.size;
  return typeof value === 'object' && value !== null ? Object.keys(value).length : undefined;
};

const compared = (operator: string, [first, second, third]: readonly unknown[]): boolean => {
  switch (operator) {
    case '=':
      return isSame(first, second);
    case '<>':
      return !isSame(first, second);
    case '<':
      return order(first, second) < 0;
    case '<=':
      return order(first, second) <= 0;
    case '>':
      return order(first, second) > 0;
    case '>=':
      return order(first, second) >= 0;
    default:
      return order(first, second) >= 0 && order(first, third) <= 0;
  }
};

const called = (name: string, [first, ...others]: readonly unknown[]): boolean => {
  const [second] = others;
  switch (name) {
    case 'attribute_exists':
      return first !== undefined;
    case 'attribute_not_exists':
      return first === undefined;
    case 'attribute_type':
      return first !== undefined && typeOf(first) === second;
    case 'begins_with':
      return startsWith(first, second);
    case 'contains':
      return contains(first, second);
    default:
      return others.some((other) => isSame(first, other));
  }
};

const startsWith = (whole: unknown, part: unknown): boolean => {
  if (typeof whole === 'string' && typeof part === 'string') return whole.startsWith(part);
  return (
    whole instanceof Uint8Array &&
    part instanceof Uint8Array &&
    Buffer.compare(whole.subarray(0, part.length), part) === 0
  );
};

const contains = (whole: unknown, part: unknown): boolean => {
  if (typeof whole === 'string') return typeof part === 'string' && whole.includes(part);
  if (whole instanceof Uint8Array)
    return part instanceof Uint8Array && Buffer.from(whole).includes(Buffer.from(part));
  if (whole instanceof Set) return isMember(whole, part);
  return Array.isArray(whole) && whole.some((element) => isSame(element, part));
};

const comparators = ['=', '<>', '<', '<=', '>', '>='] as const;
const operandCounts: Record<string, number> = {
  attribute_exists: 1,
  attribute_not_exists: 1,
  attribute_type: 2,
  begins_with: 2,
  contains: 2,
  size: 1,
};

class Parser {
  readonly tokens: Tokens;
  readonly used = new Placeholders();
  #operators = 0;

  constructor(kind: ExpressionKind, expression: string) {
    this.tokens = new Tokens(kind, expression);
  }

  whole(): Condition {
    const condition = this.#any();
    this.tokens.expectEnd();
    return condition;
  }

  #any(): Condition {
    const of = [this.#all()];
    while (this.tokens.skip('OR')) of.push(this.#counted(this.#all()));
    return of.length === 1 ? of[0]! : { type: 'or', of };
  }

  #all(): Condition {
    const of = [this.#one()];
    while (this.tokens.skip('AND')) of.push(this.#counted(this.#one()));
    return of.length === 1 ? of[0]! : { type: 'and', of };
  }

  #one(): Condition {
    if (this.tokens.skip('NOT')) return this.#counted({ type: 'not', of: this.#one() });
    if (!this.tokens.skip('(')) return this.#counted(this.#simple());
    const isNested = this.tokens.peek() === '(';
    const condition = this.#any();
    this.tokens.expect(')');
    // `((a) AND (b))` has two operands between its parentheses; `((a))` has the same twice.
    if (isNested && this.#wasParenthesised === condition)
      throw this.tokens.invalid('The expression has redundant parentheses;');
    this.#wasParenthesised = condition;
    return condition;
  }

  #wasParenthesised: Condition | undefined;

  #counted<Result>(result: Result): Result {
    if (++this.#operators > maxOperators)
      throw this.tokens.invalid(
        `The expression contains too many operators; operator count: ${maxOperators + 1}`,
      );
    return result;
  }

  #simple(): Condition {
    const name = this.tokens.peek() ?? '';
    if (this.tokens.peek(1) === '(' && name !== 'size') return this.#function(name);
    const first = this.#operand();
    const operator = this.tokens.peek();
    if (operator === undefined && first.type === 'size')
      throw this.tokens.invalid(
        'The function is not allowed to be used this way in an expression; function: size',
      );
    if (this.tokens.skip('BETWEEN')) {
      const low = this.#operand();
      this.tokens.expect('AND');
      return { type: 'BETWEEN', operands: [first, low, this.#operand()] };
    }
    if (this.tokens.skip('IN')) {
      this.tokens.expect('(');
      return { type: 'function', name: 'IN', operands: [first, ...this.#operands()] };
    }
    const type = comparators.find((one) => one === operator);
    if (!type) throw this.tokens.unexpected();
    this.tokens.next();
    return { type, operands: [first, this.#operand()] };
  }

  #function(name: string): Condition {
    const count = operandCounts[name];
    if (count === undefined) throw this.tokens.invalid(`Invalid function name; function: ${name}`);
    this.tokens.next();
    this.tokens.next();
    const operands = this.#operands();
    if (operands.length !== count)
      throw this.tokens.invalid(
        `Incorrect number of operands for operator or function; operator or function: ${name}, number of operands: ${operands.length}`,
      );
    return { type: 'function', name, operands };
  }

  /** Reads operands up to the closing parenthesis. */
  #operands(): Operand[] {
    const operands = [this.#operand()];
    while (this.tokens.skip(',')) operands.push(this.#operand());
    this.tokens.expect(')');
    return operands;
  }

  #operand(): Operand {
    if (this.tokens.peek()?.startsWith(':') === true)
      return { type: 'value', name: readValue(this.tokens, this.used) };
    if (this.tokens.peek() !== 'size' || this.tokens.peek(1) !== '(')
      return { type: 'path', path: this.#path() };
    this.tokens.next();
    this.tokens.next();
    const path = this.#path();
    this.tokens.expect(')');
    return { type: 'size', path };
  }

  #path(): Path {
    return readPath(this.tokens, this.used);
  }
}

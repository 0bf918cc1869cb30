/** The condition, key and filter expressions that the Table renders, evaluated as DynamoDB does. */

export type Item = Record<string, unknown>;
export type Names = Record<string, string>;
export type Values = Record<string, unknown>;

type Evaluate<Result> = (item: Item, names: Names, values: Values) => Result;
type Operand = Evaluate<unknown>;
type Test = Evaluate<boolean>;

const parsed = new Map<string, Test>();

export const holdsFor = (
  expression: string | undefined,
  item: Item,
  names: Names,
  values: Values,
): boolean => {
  if (expression === undefined) return true;
  const test = parsed.get(expression) ?? new Parser(expression).whole();
  parsed.set(expression, test);
  return test(item, names, values);
};

/** The value at a path of placeholders, e.g. `#n0.#n1`. */
export const valueAt = (item: Item, path: string, names: Names): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (value, step) =>
        typeof value === 'object' && value !== null ? (value as Item)[nameOf(step, names)] : undefined,
      item,
    );

export const nameOf = (placeholder: string, names: Names): string => {
  const name = names[placeholder];
  if (name === undefined) throw new Error(`no name for ${placeholder}`);
  return name;
};

export const valueOf = (placeholder: string, values: Values): unknown => {
  if (!(placeholder in values)) throw new Error(`no value for ${placeholder}`);
  return values[placeholder];
};

const tokenPattern = /\s*(\(|\)|,|<>|<=|>=|=|<|>|[#:A-Za-z_][#\w.]*)/y;

const tokensOf = (expression: string): string[] => {
  const tokens: string[] = [];
  tokenPattern.lastIndex = 0;
  while (tokenPattern.lastIndex < expression.trimEnd().length) {
    const [, token] = tokenPattern.exec(expression) ?? [];
    if (token === undefined) throw new Error(`cannot read the expression ${expression}`);
    tokens.push(token);
  }
  return tokens;
};

const compare: Record<string, (one: unknown, other: unknown) => boolean> = {
  '=': (one, other) => isSame(one, other),
  '<>': (one, other) => !isSame(one, other),
  '<': (one, other) => order(one, other) < 0,
  '<=': (one, other) => order(one, other) <= 0,
  '>': (one, other) => order(one, other) > 0,
  '>=': (one, other) => order(one, other) >= 0,
};

const isSame = (one: unknown, other: unknown): boolean =>
  one !== undefined && (one === other || JSON.stringify(one) === JSON.stringify(other));

/** Only values of one type are ordered; a comparison with a missing attribute, or of different types, is false. */
const order = (one: unknown, other: unknown): number => {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  if (typeof one === 'string' && typeof other === 'string') return one < other ? -1 : Number(one > other);
  return NaN;
};

const isIn = (whole: unknown, part: unknown): boolean => {
  if (typeof whole === 'string') return typeof part === 'string' && whole.includes(part);
  return Array.isArray(whole) && whole.some((element) => isSame(element, part));
};

class Parser {
  readonly #tokens: string[];
  #at = 0;

  constructor(expression: string) {
    this.#tokens = tokensOf(expression);
  }

  whole(): Test {
    const test = this.#any();
    if (this.#at !== this.#tokens.length)
      throw new Error(`left over: ${this.#tokens.slice(this.#at).join(' ')}`);
    return test;
  }

  #any(): Test {
    const tests = [this.#all()];
    while (this.#skip('OR')) tests.push(this.#all());
    return (...args) => tests.some((test) => test(...args));
  }

  #all(): Test {
    const tests = [this.#one()];
    while (this.#skip('AND')) tests.push(this.#one());
    return (...args) => tests.every((test) => test(...args));
  }

  #one(): Test {
    if (this.#skip('NOT')) {
      const test = this.#one();
      return (...args) => !test(...args);
    }
    if (this.#skip('(')) {
      const test = this.#any();
      this.#expect(')');
      return test;
    }
    return this.#peek(1) === '(' ? this.#call() : this.#comparison();
  }

  #call(): Test {
    const name = this.#next();
    this.#expect('(');
    const operands = [this.#operand()];
    while (this.#skip(',')) operands.push(this.#operand());
    this.#expect(')');
    const [first = () => undefined, second = () => undefined] = operands;
    switch (name) {
      case 'attribute_exists':
        return (...args) => first(...args) !== undefined;
      case 'attribute_not_exists':
        return (...args) => first(...args) === undefined;
      case 'begins_with':
        return (...args) => String(first(...args)).startsWith(String(second(...args)));
      case 'contains':
        return (...args) => isIn(first(...args), second(...args));
      default:
        throw new Error(`no function ${name}`);
    }
  }

  #comparison(): Test {
    const left = this.#operand();
    const operator = this.#next();
    if (operator === 'BETWEEN') {
      const low = this.#operand();
      this.#expect('AND');
      const high = this.#operand();
      return (...args) =>
        compare['>=']?.(left(...args), low(...args)) === true &&
        compare['<=']?.(left(...args), high(...args)) === true;
    }
    if (operator === 'IN') {
      this.#expect('(');
      const options = [this.#operand()];
      while (this.#skip(',')) options.push(this.#operand());
      this.#expect(')');
      return (...args) => options.some((option) => isSame(left(...args), option(...args)));
    }
    const test = compare[operator];
    if (!test) throw new Error(`no operator ${operator}`);
    const right = this.#operand();
    return (...args) => test(left(...args), right(...args));
  }

  #operand(): Operand {
    const token = this.#next();
    return token.startsWith(':')
      ? (_, __, values) => valueOf(token, values)
      : (item, names) => valueAt(item, token, names);
  }

  #peek(ahead = 0): string | undefined {
    return this.#tokens[this.#at + ahead];
  }

  #next(): string {
    const token = this.#tokens[this.#at++];
    if (token === undefined) throw new Error('the expression ends too early');
    return token;
  }

  #skip(token: string): boolean {
    if (this.#peek() !== token) return false;
    this.#at++;
    return true;
  }

  #expect(token: string): void {
    if (!this.#skip(token)) throw new Error(`${token} expected, not ${String(this.#peek())}`);
  }
}

import { checkDefined } from './condition.ts';
import { Tokens, ValidationError } from './expression-tokens.ts';
import {
  type Path,
  pathText,
  Placeholders,
  readPath,
  readValue,
  type Scope,
  stepOf,
  valueAt,
} from './paths.ts';
import { copied, isMember, type Item, typeOf } from './values.ts';

type Operand =
  | { type: 'path'; path: Path }
  | { type: 'value'; name: string }
  | { type: 'if_not_exists'; path: Path; otherwise: Operand }
  | { type: 'list_append'; first: Operand; second: Operand }
  | { type: '+' | '-'; first: Operand; second: Operand };

type Clause =
  | { section: 'SET'; path: Path; to: Operand }
  | { section: 'REMOVE'; path: Path }
  | { section: 'ADD' | 'DELETE'; path: Path; value: string };

/** An UpdateExpression, parsed as DynamoDB does. */
export interface ParsedUpdate {
  clauses: readonly Clause[];
  used: Placeholders;
  /** Throws what DynamoDB rejects once names and values are known. */
  check: (scope: Scope) => void;
}

const known = new Map<string, ParsedUpdate>();

export const parseUpdate = (expression: string): ParsedUpdate => {
  const before = known.get(expression);
  if (before) return before;
  const parser = new Parser(expression);
  const clauses = parser.whole();
  const { tokens, used } = parser;
  const parsed: ParsedUpdate = {
    clauses,
    used,
    check: (scope) => {
      checkDefined(tokens, used, scope);
      checkPaths(tokens, clauses, scope);
      for (const clause of clauses) checkClause(tokens, clause, scope);
    },
  };
  known.set(expression, parsed);
  return parsed;
};

/** Returns the updated copy of an item; every operand is read before anything changes. */
export const updated = (item: Item, { clauses }: ParsedUpdate, scope: Scope): Item => {
  const values = clauses.map((clause) =>
    clause.section === 'SET' ? operandValue(clause.to, item, scope) : undefined,
  );
  const result = copied(item);
  clauses.forEach((clause, at) => {
    if (clause.section === 'SET') place(result, clause.path, values[at], scope);
    if (clause.section === 'ADD') add(result, clause.path, scope.values[clause.value], scope);
    if (clause.section === 'DELETE') deleteMembers(result, clause.path, scope.values[clause.value], scope);
  });
  // From the end of a list, so that positions mean the item as it was.
  const removes = clauses.flatMap(({ section, path }) => (section === 'REMOVE' ? [path] : []));
  for (const path of removes.toSorted((one, other) => Number(other.at(-1)) - Number(one.at(-1)) || 0))
    removeAt(result, path, scope);
  return result;
};

const invalidPath = (): ValidationError =>
  new ValidationError('The document path provided in the update expression is invalid for update');
const wrongData = (): ValidationError =>
  new ValidationError('An operand in the update expression has an incorrect data type');

const operandValue = (operand: Operand, item: Item, scope: Scope): unknown => {
  switch (operand.type) {
    case 'value':
      return scope.values[operand.name];
    case 'if_not_exists':
      return valueAt(item, operand.path, scope.names) ?? operandValue(operand.otherwise, item, scope);
    case 'path': {
      const value = valueAt(item, operand.path, scope.names);
      if (value === undefined)
        throw new ValidationError(
          'The provided expression refers to an attribute that does not exist in the item',
        );
      return value;
    }
    default: {
      const first = operandValue(operand.first, item, scope);
      const second = operandValue(operand.second, item, scope);
      if (operand.type === 'list_append') {
        if (!Array.isArray(first) || !Array.isArray(second)) throw wrongData();
        return [...(first as unknown[]), ...(second as unknown[])];
      }
      if (typeof first !== 'number' || typeof second !== 'number') throw wrongData();
      return operand.type === '+' ? first + second : first - second;
    }
  }
};

/** Returns the map or list that contains the end of a path. */
const parentOf = (item: Item, path: Path, { names }: Scope): Item | unknown[] => {
  const parent = path.length === 1 ? item : valueAt(item, path.slice(0, -1), names);
  const step = path.at(-1);
  const isContainer = typeof step === 'number' ? Array.isArray(parent) : typeOf(parent) === 'M';
  if (parent === undefined || !isContainer) throw invalidPath();
  return parent as Item | unknown[];
};

const place = (item: Item, path: Path, value: unknown, scope: Scope): void => {
  const parent = parentOf(item, path, scope);
  const step = stepOf(path.at(-1) ?? '', scope.names);
  if (!Array.isArray(parent)) parent[step] = copied(value);
  else if (Number(step) < parent.length) parent[Number(step)] = copied(value);
  else parent.push(copied(value));
};

const removeAt = (item: Item, path: Path, scope: Scope): void => {
  const parent = parentOf(item, path, scope);
  const step = stepOf(path.at(-1) ?? '', scope.names);
  if (Array.isArray(parent)) parent.splice(Number(step), 1);
  else Reflect.deleteProperty(parent, step);
};

const add = (item: Item, path: Path, value: unknown, scope: Scope): void => {
  const before = valueAt(item, path, scope.names);
  if (typeof value === 'number') {
    if (before !== undefined && typeof before !== 'number') throw wrongData();
    place(item, path, (before ?? 0) + value, scope);
    return;
  }
  if (before !== undefined && typeOf(before) !== typeOf(value)) throw wrongData();
  const members = (before as Set<unknown> | undefined) ?? new Set();
  const fresh = [...(value as Set<unknown>)].filter((member) => !isMember(members, member));
  place(item, path, new Set([...members, ...fresh]), scope);
};

const deleteMembers = (item: Item, path: Path, value: unknown, scope: Scope): void => {
  const before = valueAt(item, path, scope.names);
  if (before === undefined) return;
  if (typeOf(before) !== typeOf(value)) throw wrongData();
  const left = [...(before as Set<unknown>)].filter((member) => !isMember(value as Set<unknown>, member));
  if (left.length === 0) removeAt(item, path, scope);
  else place(item, path, new Set(left), scope);
};

const checkPaths = (tokens: Tokens, clauses: readonly Clause[], { names }: Scope): void => {
  clauses.forEach(({ path }, at) => {
    for (const { path: earlier } of clauses.slice(0, at)) {
      const problem = relation(earlier, path, names);
      if (problem === undefined) continue;
      const paths = `path one: ${pathText(earlier, names)}, path two: ${pathText(path, names)}`;
      throw tokens.invalid(
        `Two document paths ${problem} with each other; must remove or rewrite one of these paths; ${paths}`,
      );
    }
  });
};

const relation = (one: Path, other: Path, names: Scope['names']): 'overlap' | 'conflict' | undefined => {
  for (let at = 0; ; at++) {
    const [left, right] = [one[at], other[at]];
    if (left === undefined || right === undefined) return 'overlap';
    if (typeof left !== typeof right) return 'conflict';
    if (stepOf(left, names) !== stepOf(right, names)) return undefined;
  }
};

const checkClause = (tokens: Tokens, clause: Clause, { values }: Scope): void => {
  if (clause.section === 'SET') checkOperand(tokens, clause.to, values);
  if (clause.section !== 'ADD' && clause.section !== 'DELETE') return;
  const type = typeOf(values[clause.value]);
  if (['SS', 'NS', 'BS'].includes(type) || (clause.section === 'ADD' && type === 'N')) return;
  throw tokens.invalid(
    `Incorrect operand type for operator or function; operator: ${clause.section}, operand type: ${longNames[type] ?? type}, typeSet: ALLOWED_FOR_${clause.section}_OPERAND`,
  );
};

const longNames: Record<string, string> = {
  S: 'STRING',
  N: 'NUMBER',
  B: 'BINARY',
  BOOL: 'BOOLEAN',
  L: 'LIST',
  M: 'MAP',
};

const checkOperand = (tokens: Tokens, operand: Operand, values: Scope['values']): void => {
  if (operand.type === 'if_not_exists') checkOperand(tokens, operand.otherwise, values);
  if (!('first' in operand)) return;
  const wanted = operand.type === 'list_append' ? 'L' : 'N';
  for (const part of [operand.first, operand.second]) {
    checkOperand(tokens, part, values);
    const type = part.type === 'value' ? typeOf(values[part.name]) : wanted;
    if (type !== wanted)
      throw tokens.invalid(
        `Incorrect operand type for operator or function; operator or function: ${operand.type}, operand type: ${type}`,
      );
  }
};

const sections = ['SET', 'REMOVE', 'ADD', 'DELETE'] as const;

class Parser {
  readonly tokens: Tokens;
  readonly used = new Placeholders();

  constructor(expression: string) {
    this.tokens = new Tokens('UpdateExpression', expression);
  }

  whole(): Clause[] {
    const clauses: Clause[] = [];
    const seen = new Set<string>();
    while (this.tokens.peek() !== undefined || seen.size === 0) {
      const section = sections.find((name) => this.tokens.skip(name));
      if (!section) throw this.tokens.unexpected();
      if (seen.has(section))
        throw this.tokens.invalid(`The "${section}" section can only be used once in an update expression;`);
      seen.add(section);
      do clauses.push(this.#clause(section));
      while (this.tokens.skip(','));
    }
    return clauses;
  }

  #clause(section: (typeof sections)[number]): Clause {
    const path = this.#path();
    if (section === 'REMOVE') return { section, path };
    if (section !== 'SET') return { section, path, value: this.#value() };
    this.tokens.expect('=');
    const first = this.#operand();
    const type = (['+', '-'] as const).find((operator) => this.tokens.skip(operator));
    return { section, path, to: type ? { type, first, second: this.#operand() } : first };
  }

  #operand(): Operand {
    const token = this.tokens.peek() ?? '';
    if (token.startsWith(':')) return { type: 'value', name: this.#value() };
    if (this.tokens.peek(1) !== '(') return { type: 'path', path: this.#path() };
    if (token !== 'if_not_exists' && token !== 'list_append')
      throw this.tokens.invalid(`Invalid function name; function: ${token}`);
    this.tokens.next();
    this.tokens.next();
    const operand: Operand =
      token === 'if_not_exists'
        ? { type: token, path: this.#path(), otherwise: this.#second() }
        : { type: token, first: this.#operand(), second: this.#second() };
    this.tokens.expect(')');
    return operand;
  }

  #second(): Operand {
    this.tokens.expect(',');
    return this.#operand();
  }

  #path(): Path {
    return readPath(this.tokens, this.used);
  }

  #value(): string {
    if (this.tokens.peek()?.startsWith(':') !== true) throw this.tokens.unexpected();
    return readValue(this.tokens, this.used);
  }
}

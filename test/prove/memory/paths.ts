import { reservedWords } from './reserved-words.ts';
import type { Tokens } from './expression-tokens.ts';
import type { Item } from './values.ts';

type Names = Readonly<Record<string, string>>;
type Values = Readonly<Record<string, unknown>>;

/** The names and values of a request. */
export interface Scope {
  names: Names;
  values: Values;
}

/** An attribute (a `#placeholder` or its name) or the position in a list. */
type Step = string | number;
/** A document path, e.g. `#n0.#n1[2]`. */
export type Path = readonly Step[];

/** The placeholders that an expression uses. */
export class Placeholders {
  readonly names = new Set<string>();
  readonly values = new Set<string>();
}

export const readPath = (tokens: Tokens, used: Placeholders): Path => {
  const steps: Step[] = [attribute(tokens, used)];
  for (;;) {
    if (tokens.skip('.')) steps.push(attribute(tokens, used));
    else if (tokens.skip('[')) {
      if (!/^\d+$/.test(tokens.peek() ?? '')) throw tokens.unexpected();
      steps.push(Number(tokens.next()));
      tokens.expect(']');
    } else return steps;
  }
};

const attribute = (tokens: Tokens, used: Placeholders): string => {
  const token = tokens.peek() ?? '';
  if (token.startsWith('#')) used.names.add(token);
  else if (!/^[A-Za-z]/.test(token)) throw tokens.unexpected();
  else if (reservedWords.has(token.toUpperCase()))
    throw tokens.invalid(`Attribute name is a reserved keyword; reserved keyword: ${token}`);
  return tokens.next();
};

export const readValue = (tokens: Tokens, used: Placeholders): string => {
  const token = tokens.next();
  used.values.add(token);
  return token;
};

/** Returns a step as the attribute's name or the position. */
export const stepOf = (step: Step, names: Names): Step =>
  typeof step === 'string' && step.startsWith('#') ? (names[step] ?? step) : step;

export const valueAt = (item: Item, path: Path, names: Names): unknown => {
  let value: unknown = item;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || value instanceof Set || value instanceof Uint8Array)
      return undefined;
    const name = stepOf(step, names);
    if (Array.isArray(value) !== (typeof name === 'number')) return undefined;
    value = (value as Item)[name];
  }
  return value;
};

/** Returns a path as messages show it. */
export const pathText = (path: Path, names: Names): string =>
  `[${path.map((step) => (typeof step === 'number' ? `[${step}]` : stepOf(step, names))).join(', ')}]`;

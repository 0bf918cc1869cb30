/** A condition on the item at the time of the write. The expression is constant; names and values are placeholders. */
export type Condition = (terms: Terms) => string;

interface Terms {
  /** Returns the placeholder of an attribute; dots step into a map. */
  name(path: string): string;
  value(value: unknown): string;
}

interface Compiled {
  expression: string;
  names: Record<string, string>;
  values: Record<string, unknown>;
}

export const absent = (): Condition => (t) => `attribute_not_exists(${t.name('pk')})`;
export const present = (): Condition => (t) => `attribute_exists(${t.name('pk')})`;
export const lacks =
  (attribute: string): Condition =>
  (t) =>
    `attribute_not_exists(${t.name(attribute)})`;
export const has =
  (attribute: string): Condition =>
  (t) =>
    `attribute_exists(${t.name(attribute)})`;

export const equals =
  (attribute: string, value: unknown): Condition =>
  (t) =>
    `${t.name(attribute)} = ${t.value(value)}`;

export const isOneOf =
  (attribute: string, values: readonly unknown[]): Condition =>
  (t) => {
    if (values.length === 0 || values.length > 100) throw new RangeError('IN takes 1 to 100 operands');
    return `${t.name(attribute)} IN (${values.map((value) => t.value(value)).join(', ')})`;
  };

export const atMost =
  (attribute: string, value: unknown): Condition =>
  (t) =>
    `${t.name(attribute)} <= ${t.value(value)}`;

export const atLeast =
  (attribute: string, value: unknown): Condition =>
  (t) =>
    `${t.name(attribute)} >= ${t.value(value)}`;

export const all = (...conditions: Condition[]): Condition => joined(conditions, ' AND ');

export const any = (...conditions: Condition[]): Condition => joined(conditions, ' OR ');

/** A single condition gets no parentheses: inside another `all` it would have two pairs of them, which DynamoDB rejects. */
const joined = (conditions: readonly Condition[], operator: string): Condition => {
  const [only, ...others] = conditions;
  if (only && others.length === 0) return only;
  return (t) => conditions.map((condition) => `(${condition(t)})`).join(operator);
};

export const not =
  (condition: Condition): Condition =>
  (t) =>
    `NOT (${condition(t)})`;

/** Returns placeholders shared by the parts of one request. */
export const newTerms = (): Terms & Pick<Compiled, 'names' | 'values'> => {
  const names: Record<string, string> = {};
  const values: Record<string, unknown> = {};
  const placeholders = new Map<string, string>();
  const segment = (attribute: string): string => {
    const known = placeholders.get(attribute);
    if (known !== undefined) return known;
    const placeholder = `#n${placeholders.size}`;
    placeholders.set(attribute, placeholder);
    names[placeholder] = attribute;
    return placeholder;
  };
  return {
    names,
    values,
    name: (path) => path.split('.').map(segment).join('.'),
    value(value) {
      const placeholder = `:v${Object.keys(values).length}`;
      values[placeholder] = value;
      return placeholder;
    },
  };
};

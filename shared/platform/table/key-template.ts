/** The primary key of the one table. */
export interface TableKey {
  pk: string;
  sk: string;
}

/** Values in a template that are computed from the item, by name. */
type Derivations<Item> = Readonly<Record<string, (item: Item) => string | number>>;

/**
 * A key as text with fields of the item: `ORDER#{order_id}`. A dot steps into a map, `{id:sortable}` pads a number so that
 * the text sorts like the number, and null is an empty text.
 */
export interface KeyTemplate<Item> {
  readonly pk: string;
  readonly sk: string;
  /** Which items have this key, in words and as a condition; absent means all. */
  readonly when?: { readonly says: string; readonly holds: (item: Item) => boolean };
  readonly derived?: Derivations<Item>;
}

/** Returns a number as text that sorts like the number. */
export const sortable = (value: number): string => String(value).padStart(16, '0');

/** Compiles a text of a template. Runs once at module load, since every request makes keys. */
export const compileText = <Item extends object>(
  template: string,
  derived: Derivations<Item> = {},
): ((item: Item) => string) => {
  const [first = '', ...others] = template.split('{');
  const parts = others.map((part) => {
    const [field = '', literal = ''] = part.split('}');
    return { value: compileField(field, template, derived), literal };
  });
  return (item) => {
    let text = first;
    for (const { value, literal } of parts) text += value(item) + literal;
    return text;
  };
};

const compileField = <Item extends object>(
  field: string,
  template: string,
  derived: Derivations<Item>,
): ((item: Item) => string) => {
  const [path = '', format] = field.split(':');
  const read = derived[path] ?? compilePath(path.split('.'));
  return (item) => {
    const value = read(item);
    if (value === null) return '';
    if (format === 'sortable' && typeof value === 'number') return sortable(value);
    if (typeof value !== 'string' && typeof value !== 'number')
      throw new TypeError(`the key ${template} has no ${path}`);
    return String(value);
  };
};

const compilePath = (path: readonly string[]): ((item: object) => unknown) => {
  const [only = ''] = path;
  if (path.length === 1) return (item) => (item as Record<string, unknown>)[only];
  return (item) =>
    path.reduce<unknown>((found, name) => (found as Record<string, unknown> | undefined)?.[name], item);
};

/** Compiles key templates; the first whose condition holds is used. */
export const compileKey = <Item extends object>(
  templates: readonly KeyTemplate<Item>[],
): ((item: Item) => TableKey) => {
  const compiled = templates.map(compileTemplate);
  return (item) => {
    const found = compiled.find(({ holds }) => holds(item));
    if (!found) throw new TypeError('the item has none of the keys of its entity');
    return { pk: found.pk(item), sk: found.sk(item) };
  };
};

export const compileTemplate = <Item extends object>({ pk, sk, when, derived }: KeyTemplate<Item>) => ({
  pk: compileText(pk, derived),
  sk: compileText(sk, derived),
  holds: when?.holds ?? always,
});

const always = (): boolean => true;

/** Returns the fields in a text of a template. */
export const fieldsOf = (template: string): string[] =>
  [...template.matchAll(/\{([\w.]+)/g)].map(([, field = '']) => field);

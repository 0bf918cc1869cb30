import * as z from 'zod';
import { personalData } from '../../../shared/personal-data.ts';
import { classesOf, type DataClass, erasedText } from '../../../shared/platform/table/personal-data.ts';
import type { Fields } from '../stored-items.ts';

/** An address or number with another text would be written to or called. */
const emptyNames: readonly string[] = ['email', 'phone'];

const classes = new Map(
  Object.entries(personalData).map(([entity, fields]) => [entity, classesOf(fields)] as const),
);

/** Returns the paths of an entity that have a class. */
export const pathsOf = (entity: string, wanted: DataClass): string[] =>
  [...(classes.get(entity) ?? [])].flatMap(([path, found]) => (found === wanted ? [path] : []));

/** Values that also stand in texts about others: they are replaced at their own places alone. */
const commonNames: readonly string[] = ['arrival_time', 'date_of_birth', 'gender', 'last_login_at'];

/** Returns the texts at the personal paths of a record, by which copies of them are found. */
export const personalValues = (entity: string, fields: Fields): string[] =>
  pathsOf(entity, 'personal').flatMap((path) => {
    if (commonNames.includes(path.split('.').at(-1) ?? '')) return [];
    const value = path
      .split('.')
      .reduce<unknown>((at, name) => (at as Fields | null | undefined)?.[name], fields);
    return typeof value === 'string' && value !== '' && value !== erasedText ? [value] : [];
  });

/**
 * Returns the attributes of a record that change when its personal fields are erased: null where the record may have it,
 * absent where it may be, else a fixed text. Empty: it is erased already.
 */
export const erasedAttributes = (
  { name, record }: { name: string; record: () => z.ZodType },
  fields: Fields,
): Fields => {
  const changed: Fields = {};
  for (const path of pathsOf(name, 'personal')) {
    const [top = '', ...rest] = path.split('.');
    const before = top in changed ? changed[top] : fields[top];
    const after = erasedAt(before, rest, path, record());
    if (after !== before) changed[top] = after;
  }
  return changed;
};

const erasedAt = (value: unknown, path: readonly string[], whole: string, record: z.ZodType): unknown => {
  if (value === undefined || value === null) return value;
  const [name, ...rest] = path;
  if (name === undefined) return replacementAt(record, whole, value);
  const part = (value as Fields)[name];
  const after = erasedAt(part, rest, whole, record);
  if (after === part) return value;
  const { [name]: _, ...others } = value as Fields;
  return after === undefined ? others : { ...others, [name]: after };
};

const replacementAt = (record: z.ZodType, path: string, value: unknown): unknown => {
  const schema = schemaAt(record, path.split('.'));
  if (schema.safeParse(null).success) return null;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodExactOptional) return undefined;
  const text = emptyNames.includes(path.split('.').at(-1) ?? '') ? '' : erasedText;
  return value === text ? value : text;
};

const schemaAt = (schema: z.ZodType, [name, ...rest]: readonly string[]): z.ZodType => {
  if (name === undefined) return schema;
  let inner: z.ZodType = schema;
  while (
    inner instanceof z.ZodOptional ||
    inner instanceof z.ZodExactOptional ||
    inner instanceof z.ZodNullable
  )
    inner = inner.unwrap() as z.ZodType;
  if (!(inner instanceof z.ZodObject)) throw new TypeError(`a record has no ${name}`);
  return schemaAt(inner.shape[name] as z.ZodType, rest);
};

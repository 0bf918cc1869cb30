import { personalData } from '../../../shared/personal-data.ts';
import { foldText } from '../../../shared/platform/text/fold-text.ts';
import { classesOf } from '../../../shared/platform/table/personal-data.ts';
import type { Person } from './person.ts';
import type { Fields } from '../stored-items.ts';
import type { StoredRecord } from './stored-records.ts';

/** A text of another record in which a value of the person stands. */
export interface Mention {
  entity: string;
  pk: string;
  sk: string;
  path: string;
}

/** The contact of a team may be the person by name alone. */
const classesSearched = (entity: string): readonly string[] =>
  entity === 'Team' ? ['none', 'free', 'personal'] : ['none', 'free'];

const searched = new Map(
  Object.entries(personalData).map(([entity, fields]) => {
    const classes = classesOf(fields);
    const wanted = classesSearched(entity);
    return [entity, (path: string) => wanted.includes(classes.get(path) ?? 'none')] as const;
  }),
);

/** A shorter text is in too many words. */
const shortestValue = 5;

/** Returns where the texts of a record that is not the person's contain a value of theirs; banks write names in capitals without accents. */
export const mentionsIn = (person: Person, { entity, fields }: StoredRecord): Mention[] => {
  const values = [...person.values, ...person.emails]
    .filter(({ length }) => length >= shortestValue)
    .map(foldText);
  if (values.length === 0) return [];
  const isSearched = searched.get(entity.name) ?? (() => true);
  const paths = textsIn(fields).flatMap(([path, text]) =>
    isSearched(path) && values.some((value) => foldText(text).includes(value)) ? [path] : [],
  );
  return [...new Set(paths)].map((path) => ({ entity: entity.name, ...entity.key(fields), path }));
};

const textsIn = (value: unknown, path = ''): [path: string, text: string][] => {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return [];
  if (Array.isArray(value)) return value.flatMap((part) => textsIn(part, `${path}[]`));
  return Object.entries(value as Fields).flatMap(([name, part]) =>
    textsIn(part, path === '' ? name : `${path}.${name}`),
  );
};

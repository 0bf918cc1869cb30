import { entities } from '../../shared/entities.ts';
import type { IndexName } from '../../shared/platform/table/entity.ts';

/** What a function does with a partition: in the table, or by its index. */
export type Access = 'reads' | 'writes' | IndexName;

/** A use of the partitions whose keys match a pattern. */
export interface TableUse {
  /** As IAM matches it: `ORDER#*`. */
  partition: string;
  access: Access;
}

/**
 * Returns the pattern of a key template. Lists of due work were one partition each before they were sharded, and what is still
 * there is moved.
 */
const patternOf = (template: string): string =>
  template.replace(/#\{shard\}$/, '*').replace(/\{[^}]*\}/g, '*');

/** The templates of each entity's partition keys, in the table and by each index. */
const known = new Map(
  entities.map(({ name, keyTemplates, indexTemplates }) => [
    name,
    {
      inTable: keyTemplates.map(({ pk }) => pk),
      byIndex: indexTemplates.map(({ index, pk }) => ({ index, pk })),
    },
  ]),
);

/** Returns the patterns of an entity's partitions, in the table or an index; none if they are those of other records. */
export const partitionsOf = (name: string, index?: IndexName): string[] => {
  const entity = known.get(name);
  if (!entity) throw new Error(`shared/entities.ts has no ${name}.`);
  const templates =
    index === undefined
      ? entity.inTable
      : entity.byIndex.filter((template) => template.index === index).map(({ pk }) => pk);
  return [...new Set(templates.map(patternOf))].filter((pattern) => pattern !== '*');
};

const usesByText = new Map<string, TableUse[]>();
for (const { name, indexTemplates } of entities) {
  const add = (partition: string, access: Access) => {
    const uses = usesByText.get(partition) ?? [];
    usesByText.set(partition, uses);
    if (!uses.some((use) => use.access === access)) uses.push({ partition, access });
  };
  for (const partition of partitionsOf(name)) add(partition, 'reads');
  for (const { index } of indexTemplates)
    for (const partition of partitionsOf(name, index)) add(partition, index);
}

/** Returns the reads of which a text is the partition key, with `*` for each part that is computed. */
export const usesOfKey = (text: string): readonly TableUse[] => usesByText.get(text) ?? [];

/** Returns whether a pattern matches a key, or every key of another pattern. */
export const matches = (pattern: string, key: string): boolean => {
  const [first = '', ...parts] = pattern.split('*');
  const last = parts.pop();
  if (last === undefined) return pattern === key;
  if (!key.startsWith(first) || !key.endsWith(last)) return false;
  let at = first.length;
  for (const part of parts) {
    const found = key.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at + last.length <= key.length;
};

/** Returns the patterns that no other one contains, in the order of the alphabet. */
export const widest = (patterns: Iterable<string>): string[] => {
  const all = [...new Set(patterns)].sort();
  return all.filter((one) => !all.some((other) => other !== one && matches(other, one)));
};

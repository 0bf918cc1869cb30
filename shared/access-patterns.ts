import type { IndexKeys, IndexName, TableKey } from './platform/table/entity.ts';

/** What the chart reads of an entity, whatever its items are. */
export interface ChartedEntity {
  readonly name: string;
  readonly meaning: string;
  readonly patterns: readonly string[];
  readonly key: (ids: never) => TableKey;
  readonly indexes?: (item: never) => IndexKeys;
  readonly expiresAt?: (item: never) => number | undefined;
  readonly example: object;
}

/** Keys with `{field}` where an item's own values stand. */
interface KeyPatterns {
  key: TableKey;
  indexes: Partial<Record<IndexName, TableKey[]>>;
}

/**
 * Sixteen digits: longer than any padding of `sortable`, shorter than what a number holds exactly. A multiple of 16, as ids of
 * orders are: the key of what belongs to an order names the field.
 */
const firstNumber = 7_000_000_000_000_000;
/** Texts have lengths of their own, since a key may hold the length of a field. */
const firstLength = 701;

interface Probe {
  name: string;
  value: unknown;
}

/** A value that can be told apart in a key; a date stays what it is, since keys may reckon with it. */
const probeOf = ([name, value]: [string, unknown], position: number): Probe => {
  if (typeof value === 'number') return { name, value: firstNumber + 16 * position };
  const isDate = typeof value === 'string' && /^\d{4}-\d{2}/.test(value);
  return { name, value: isDate ? value : `${name}:`.padEnd(firstLength + position, '~') };
};

/** How the keys of an entity are made, found by making one of values that can be told apart in it. */
export const keyPatterns = (entity: ChartedEntity): KeyPatterns => {
  const [first, ...others] = tries.map((add) => keyPattern(entity, add));
  const [pk = '', ...otherPks] = [first, ...others].map((key) => key?.pk);
  // What depends on a hash of the ids differs from one try to the next, and stands last.
  const isSharded = otherPks.some((other) => other !== pk);
  const shown = isSharded ? pk.replace(/[^#]+$/, '{shard}') : pk;
  return { key: { pk: shown, sk: first?.sk ?? '' }, indexes: indexPatterns(entity) };
};

/** Added to numbers: several, since two may have one hash. */
const tries = [0, 1600, 3200, 4800];

const keyPattern = (entity: ChartedEntity, add: number): TableKey => {
  const probes = Object.entries(entity.example)
    .map(probeOf)
    .map(({ name, value }) => ({ name, value: typeof value === 'number' ? value + add : value }));
  const ids = Object.fromEntries(probes.map(({ name, value }) => [name, value]));
  const named = (text: string) => withLengths(withNames(text, probes), probes);
  const { pk, sk } = entity.key(ids as never);
  return { pk: named(pk), sk: named(sk) };
};

const withNames = (text: string, probes: readonly Probe[]): string =>
  probes.reduce((result, { name, value }) => result.replaceAll(String(value), `{${name}}`), text);

const withLengths = (text: string, probes: readonly Probe[]): string =>
  probes.reduce(
    (result, { name, value }) =>
      typeof value === 'string' && value.length >= firstLength
        ? result.replaceAll(String(value.length), `{${name}.length}`)
        : result,
    text,
  );

/** Fields that indexes make a difference of: each value is tried. */
const variants: readonly Record<string, unknown>[] = [
  {},
  { state: 'ACTIVE' },
  { role: 'OWNER' },
  { role: 'CUSTOMER' },
];

const indexPatterns = (entity: ChartedEntity): KeyPatterns['indexes'] => {
  const found: KeyPatterns['indexes'] = {};
  for (const variant of variants) {
    const keys = entity.indexes?.(nameless(variant) as never) ?? {};
    for (const [name, { pk, sk }] of Object.entries(keys) as [IndexName, TableKey][]) {
      const key = { pk: unpadded(pk), sk: unpadded(sk) };
      const known = (found[name] ??= []);
      if (!known.some((other) => other.pk === key.pk && other.sk === key.sk)) known.push(key);
    }
  }
  return found;
};

const unpadded = (text: string): string => text.replaceAll(/0+\{/g, '{');

/** An item whose fields, however deep, read as their own names. */
const nameless = (given: Record<string, unknown>, path: readonly string[] = []): object =>
  new Proxy(given, {
    get: (_, name) => {
      if (name === Symbol.toPrimitive) return () => `{${path.join('.')}}`;
      if (typeof name === 'symbol') return undefined;
      return given[name] ?? nameless({}, [...path, name]);
    },
  });

/** The access patterns of the one table as Markdown: written by `bin/generate.ts`, never by hand. */
export const accessPatternChart = (entities: readonly ChartedEntity[]): string =>
  [
    '| item | pk | sk | indexes | expires | read as |',
    '| --- | --- | --- | --- | --- | --- |',
    ...entities.map((entity) => {
      const { key, indexes } = keyPatterns(entity);
      const indexed = Object.entries(indexes).flatMap(([name, keys]) =>
        keys.map(({ pk, sk }) => `${name}: ${code(pk)}, ${code(sk)}`),
      );
      return row(
        `**${entity.name}** ${entity.meaning}`,
        code(key.pk),
        code(key.sk),
        indexed.join('<br>'),
        entity.expiresAt ? 'yes' : '',
        entity.patterns.join('<br>'),
      );
    }),
    '',
  ].join('\n');

const code = (text: string): string => `\`${text}\``;
const row = (...cells: string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

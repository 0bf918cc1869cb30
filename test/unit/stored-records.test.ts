import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { knownShapes } from '../../infra/docs/pages.ts';
import { incompatibilities, recordShapes, shapeOf, versionIssues } from '../../infra/docs/record-shapes.ts';
import { entities } from '../../shared/entities.ts';
import {
  binary,
  checkEveryRecord,
  checkSomeRecords,
  defineEntity,
  defineRecord,
} from '../../shared/platform/table/index.ts';
import { readStored, stored } from '../../shared/platform/table/stored-item.ts';

const known = knownShapes();

describe('a change of what is stored', () => {
  it.each(entities.map((entity) => [entity.name, entity] as const))(
    'of %s has a reader for the version before',
    (_, entity) => {
      expect(versionIssues(known, entity)).toEqual([]);
    },
  );

  const before = () => ({
    id: z.int(),
    name: z.string(),
    note: z.string().exactOptional(),
    state: z.enum(['OPEN', 'DONE']),
    parts: z.array(z.object({ price: z.int() })),
    place: z.object({ city: z.string() }).nullable(),
    live: z.record(z.string(), z.int()),
    packed: binary(),
  });
  const shape = shapeOf(defineRecord(before)());

  it('is seen in a shape by path', () => {
    expect(shape).toEqual({
      id: 'int',
      name: 'string',
      'note?': 'string',
      state: "'OPEN' | 'DONE'",
      parts: 'array',
      'parts[]': 'object',
      'parts[].price': 'int',
      place: 'object | null',
      'place.city': 'string',
      live: 'map',
      'live{}': 'int',
      packed: 'binary',
    });
  });

  const after = (changes: z.ZodRawShape, ...without: string[]) =>
    shapeOf(
      z.object(
        Object.fromEntries(
          Object.entries({ ...before(), ...changes }).filter(([name]) => !without.includes(name)),
        ),
      ),
    );

  it.each<[string, z.ZodRawShape]>([
    ['an optional field', { floor: z.int().exactOptional() }],
    ['an optional map with fields', { reply: z.object({ text: z.string() }).exactOptional() }],
    ['a further state', { state: z.enum(['OPEN', 'DONE', 'GONE']) }],
    ['null', { name: z.string().nullable() }],
    ['absence', { id: z.int().exactOptional() }],
    ['decimals', { parts: z.array(z.object({ price: z.number() })) }],
  ])('may allow %s', (_, changes) => {
    expect(incompatibilities(shape, after(changes))).toEqual([]);
  });

  it.each<[string, z.ZodRawShape, string]>([
    ['a required field', { floor: z.int() }, 'floor is new and not optional'],
    [
      'a required field of a part',
      { parts: z.array(z.object({ price: z.int(), unit: z.string() })) },
      'parts[].unit is new and not optional',
    ],
    ['another type', { name: z.int() }, 'name may no longer be string'],
    ['fewer states', { state: z.enum(['OPEN']) }, "state may no longer be 'DONE'"],
    ['no null', { place: z.object({ city: z.string() }) }, 'place may no longer be null'],
    ['no decimals', { live: z.record(z.string(), z.string()) }, 'live{} may no longer be int'],
    ['presence', { note: z.string() }, 'note is no longer optional'],
  ])('may not require %s', (_, changes, issue) => {
    expect(incompatibilities(shape, after(changes))).toEqual([issue]);
  });

  it('may not rename or drop a field', () => {
    expect(incompatibilities(shape, after({ title: z.string() }, 'name'))).toEqual([
      'name has gone',
      'title is new and not optional',
    ]);
  });

  it('says what to do, and `npm run generate` does not hide it', () => {
    const kind = (changes: z.ZodRawShape, upgrades = 0) => ({
      name: 'Thing',
      record: () => z.object({ ...before(), ...changes }),
      upgrades: Array.from({ length: upgrades }, () => (item: Record<string, unknown>) => item),
    });
    const first = recordShapes({}, [kind({})]);
    expect(versionIssues(first, kind({ floor: z.int() }))).toEqual([
      expect.stringMatching(
        /^Thing: floor is new .* add a reader to `upgrades` of the entity, which makes version 2/,
      ),
    ]);
    expect(recordShapes(first, [kind({ floor: z.int() })])).toEqual(first);
    const second = recordShapes(first, [kind({ floor: z.int() }, 1)]);
    expect(Object.keys(second['Thing']!)).toEqual(['1', '2']);
    expect(versionIssues(second, kind({ floor: z.int() }, 1))).toEqual([]);
    expect(versionIssues({}, kind({}, 1))).toEqual(['docs/reference/records.json has no version 1 of Thing']);
  });
});

const NoteRecord = defineRecord(() => ({ id: z.int(), text: z.string(), at: z.object({ x: z.int() }) }));
const NoteEntity = defineEntity<z.output<ReturnType<typeof NoteRecord>>, { id: number }>({
  name: 'Note',
  meaning: 'A note of this test.',
  patterns: [],
  record: NoteRecord,
  upgrades: [
    ({ words, ...note }) => ({ text: words, ...note }),
    ({ x, ...note }) => ({ at: { x }, ...note }),
  ],
  key: { pk: 'NOTE#{id}', sk: 'NOTE' },
  example: { id: 1 },
});
const keys = { pk: 'NOTE#1', sk: 'NOTE', entity: 'Note' };
const note = { id: 1, text: 'a', at: { x: 2 } };

describe('a stored item', () => {
  it.each([
    ['1, which is not written', { ...keys, id: 1, words: 'a', x: 2 }],
    ['1 of which a change has set a field of version 2', { ...keys, id: 1, words: 'b', text: 'a', x: 2 }],
    ['2', { ...keys, sv: 2, id: 1, text: 'a', x: 2 }],
    ['3, the current one', { ...keys, sv: 3, ...note }],
  ])('of version %s is read as the current one', (_, raw) => {
    expect(readStored(NoteEntity, raw, checkEveryRecord)).toEqual(note);
  });

  it('has its version, and none in version 1', () => {
    expect(stored(NoteEntity, note)).toEqual({ ...note, ...keys, sv: 3 });
    expect(stored({ ...NoteEntity, upgrades: [] }, note)).toEqual({ ...note, ...keys });
  });

  it('of a later version than the code knows is read as it is', () => {
    expect(readStored(NoteEntity, { ...keys, sv: 4, ...note }, checkEveryRecord)).toEqual(note);
  });
});

describe('a check on read', () => {
  const check = (item: Record<string, unknown>) => checkEveryRecord(NoteEntity, item, keys);

  it('of every item throws for a wrong, a missing and an unknown attribute, and names no value', () => {
    expect(() => check(note)).not.toThrow();
    expect(() => check({ ...note, text: 42 })).toThrow('A stored Note is not its record: text: ');
    expect(() => check({ id: 1, at: { x: 2 } })).toThrow('text: ');
    expect(() => check({ ...note, at: { x: 2, y: 'secret' } })).toThrow(
      /^A stored Note is not its record: at\.y is unknown$/,
    );
  });

  it('of some items reports a mismatch and lets unknown attributes of a later version pass', () => {
    const report = vi.fn();
    const some = checkSomeRecords(() => 100, report);
    some(NoteEntity, { ...note, more: 1 }, keys);
    expect(report).not.toHaveBeenCalled();
    some(NoteEntity, { ...note, text: 42 }, keys);
    expect(report).toHaveBeenCalledExactlyOnceWith({
      entity: 'Note',
      key: keys,
      issues: [expect.stringContaining('text: ')],
    });
  });

  it.each([
    [0, 0, 0],
    [10, 700, 1300],
    [100, 10_000, 10_000],
  ])('of %d percent takes about so many of 10,000 items', (percent, least, most) => {
    const report = vi.fn();
    const some = checkSomeRecords(() => percent, report);
    for (let at = 0; at < 10_000; at++) some(NoteEntity, {}, keys);
    expect(report.mock.calls.length).toBeGreaterThanOrEqual(least);
    expect(report.mock.calls.length).toBeLessThanOrEqual(most);
  });

  it('creates the schema at its first use', () => {
    const shape = vi.fn(() => ({ id: z.int() }));
    const record = defineRecord(shape);
    expect(shape).not.toHaveBeenCalled();
    expect(record()).toBe(record());
    expect(shape).toHaveBeenCalledOnce();
  });
});

import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { PagingQuery } from '../../shared/platform/schema/schema.ts';
import {
  atLeast,
  defineEntity,
  defineRecord,
  equals,
  isOneOf,
  filteredPage,
  paginate,
  type Place,
  put,
  type Ranking,
  type RecordOf,
  sortable,
} from '../../shared/platform/table/index.ts';
import { cursorFields, cursorCodec, type Source } from '../../shared/platform/table/page-cursor.ts';
import { freshId, type TestDependencies, testDependencies } from '../support/table.ts';

const LampRecord = defineRecord(() => ({ shelf: z.int(), id: z.int(), watts: z.int() }));
type Lamp = RecordOf<typeof LampRecord>;
const LampEntity = defineEntity<Lamp, Pick<Lamp, 'shelf' | 'id'>>({
  name: 'Lamp',
  meaning: 'A lamp on a shelf.',
  patterns: ['the lamps of a shelf'],
  record: LampRecord,
  key: { pk: 'SHELF#{shelf}', sk: '{id:sortable}' },
  example: { shelf: 1, id: 1 },
});

let deps: TestDependencies;
let shelf: number;
beforeAll(async () => {
  deps = await testDependencies();
  shelf = freshId();
  await deps.table.transact(
    Array.from({ length: 9 }, (_, at) => put(LampEntity, { shelf, id: at + 1, watts: (at * 4) % 9 })),
  );
});

const source = (given: Partial<Source> = {}): Source => ({ pk: `SHELF#${shelf}`, ...given });
const paging = (given: Partial<PagingQuery> = {}): PagingQuery => ({ page: 1, limit: 3, ...given });
const through = (from: Source | Source[], query: PagingQuery) =>
  paginate(deps.table, LampEntity, from, query);
const sorted = async (query: PagingQuery, name = 'watts') => {
  const items = await deps.table.queryAll(LampEntity, source());
  const placeOf = ({ watts, id }: Lamp): Place => ({ group: '', value: watts, id });
  const ranking: Ranking<Lamp> = {
    ...{ name, size: items.length, placeOf },
    from: (place) => byWatts(items, place),
  };
  return filteredPage(ranking, query, async () => () => true);
};
const byWatts = function* (items: readonly Lamp[], after: Place | undefined) {
  yield* items
    .toSorted((one, other) => one.watts - other.watts)
    .filter(({ watts }) => !after || watts > after.value);
};
const refused = { code: 'VALIDATION_ERROR', details: { issues: [{ path: 'cursor' }] } };

describe('a cursor', () => {
  it('continues in the list that made it, however many are asked for', async () => {
    const some = () => source({ filter: atLeast('watts', 2) });
    const { next_cursor } = await through(some(), paging());
    const rest = await through(some(), paging({ limit: 100, cursor: next_cursor ?? '' }));
    expect(rest).toMatchObject({ page: 2, next_cursor: null });
    expect(rest.items.map(({ id }) => id)).toEqual([5, 6, 7, 9]);
  });

  it('is refused by every other: another place, part, direction, filter or number of them', async () => {
    const made = source({ filter: isOneOf('watts', [0, 1, 2, 3, 4, 5, 6, 7]) });
    const cursor = (await through(made, paging())).next_cursor ?? '';
    for (const other of [
      source(),
      source({ filter: isOneOf('watts', [0, 1, 2, 3, 4, 5, 6]) }),
      source({ filter: equals('watts', 7) }),
      { ...made, descending: true },
      { ...made, from: sortable(1) },
      { ...made, prefix: '0' },
      { ...made, index: 'by_team' as const },
      { ...made, pk: 'SHELF#2' },
      [made, source()],
      [],
    ])
      await expect(through(other, paging({ cursor }))).rejects.toMatchObject(refused);
    await expect(sorted(paging({ cursor }))).rejects.toMatchObject(refused);
  });

  it('of a sorted list is refused in another order, and by the list as it lies', async () => {
    const cursor = (await sorted(paging())).next_cursor ?? '';
    expect((await sorted(paging({ cursor }))).items.map(({ watts }) => watts)).toEqual([3, 4, 5]);
    await expect(sorted(paging({ cursor }), 'id')).rejects.toMatchObject(refused);
    await expect(through(source(), paging({ cursor }))).rejects.toMatchObject(refused);
  });

  it('with any letter changed, or made longer or shorter, is refused', async () => {
    for (const ask of [
      (query: PagingQuery) => through(source(), query),
      (query: PagingQuery) => sorted(query),
    ]) {
      const cursor = (await ask(paging())).next_cursor ?? '';
      const changed = cursor
        .split('')
        .map((letter, at) => cursor.slice(0, at) + (letter === 'A' ? 'B' : 'A') + cursor.slice(at + 1));
      for (const text of [
        ...changed,
        `${cursor}A`,
        `${cursor}=`,
        `${cursor}!`,
        ` ${cursor}`,
        cursor.slice(1),
      ])
        await expect(ask(paging({ cursor: text })), text).rejects.toMatchObject(refused);
    }
  });

  it('that is forged is refused where it names no place, and finds nothing outside of the list', async () => {
    const forged = (place: Record<string, unknown>) =>
      cursorCodec(z.object({ after: z.unknown(), ...cursorFields }), [source()]).text(place as never);
    for (const place of [
      { after: '\u0000', total: 1, page: 1 },
      { after: { S: 'A' }, total: 1, page: 1 },
      { after: '', total: 1, page: 1 },
      { after: 'A', total: -1, page: 1 },
      { after: 'A', total: 1e13, page: 1 },
      { after: 'A', total: 1, page: 0 },
      { total: 1, page: 1 },
    ])
      await expect(through(source(), paging({ cursor: forged(place) }))).rejects.toMatchObject(refused);
    const beyond = forged({ after: '~', total: 9, page: 1e12 });
    expect(await through(source(), paging({ cursor: beyond }))).toMatchObject({
      items: [],
      next_cursor: null,
    });
    const far = forged({ after: sortable(1), total: 9, page: 1e12 });
    expect((await through(source(), paging({ cursor: far }))).items).toHaveLength(3);
  });
});

describe('the total', () => {
  const filled = async (count: number): Promise<number> => {
    const long = freshId();
    for (let at = 0; at < count; at += 100)
      await deps.table.transact(
        Array.from({ length: Math.min(100, count - at) }, (_, one) =>
          put(LampEntity, { shelf: long, id: at + one + 1, watts: 1 }),
        ),
      );
    return long;
  };

  it('is exact up to 1,000, counted no further, and the same on every page', async () => {
    const [full, over] = [await filled(1000), await filled(1001)];
    const at = (long: number): Source => ({ pk: `SHELF#${long}` });
    expect(await through(at(full), paging())).toMatchObject({ total: 1000, total_is_exact: true });
    const first = await through(at(over), paging());
    expect(first).toMatchObject({ total: 1000, total_is_exact: false, total_pages: 334 });
    const next = paging({ cursor: first.next_cursor ?? '' });
    expect(await through(at(over), next)).toMatchObject({ total: 1000, total_is_exact: false, page: 2 });
    expect(await through([at(over), at(full)], paging())).toMatchObject({
      total: 1000,
      total_is_exact: false,
    });
    const distinct = await paginate(deps.table, LampEntity, [at(over), at(full)], paging(), {
      distinct: true,
    });
    expect(distinct).toMatchObject({ total: 1000, total_is_exact: false });
  });
});

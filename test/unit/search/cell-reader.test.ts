import { describe, expect, it } from 'vitest';
import { listingExample } from '../../../shared/domain/listing/listing-example.schema.ts';
import type { Listing } from '../../../shared/domain/listing/listing.entity.ts';
import { packStates } from '../../../shared/domain/search/cell-chunks.ts';
import { CellReader } from '../../../shared/domain/search/cell-reader.ts';
import { packPlaces, placeRow } from '../../../shared/domain/search/place-plane.ts';
import { packDocument, searchDocument } from '../../../shared/domain/search/search-document.ts';
import { fixedClock } from '../../../shared/platform/clock.ts';
import { type FamilyMonth, takenWithin, unavailableHours } from '../../../shared/domain/calendar/model.ts';
import { monthName } from '../../../shared/domain/search/kept-months.ts';
import type { Table, TableKey } from '../../../shared/platform/table/index.ts';

const documentOf = (id: number) =>
  searchDocument(
    {
      listing: { ...listingExample, id, amenities: [] } as unknown as Listing,
      parts: undefined,
      taken: [],
    },
    '2027-01-15',
  );

/** A table of cells that records what is asked of it. */
const scene = ({ keepMs = 1000, maxBytes = 2 ** 20 } = {}) => {
  const clock = fixedClock('2027-01-15T03:00:00.000Z');
  const items = new Map<string, object>();
  const asked: string[][] = [];
  const faults: Error[] = [];
  /** What eventually consistent reads return in place of the items. */
  const replica = new Map<string, object | undefined>();
  const getAll = async (wanted: readonly { key: TableKey }[], { consistent = true } = {}) => {
    const how = consistent ? ' consistently' : '';
    asked.push(wanted.map(({ key }) => `${key.pk.replace(/^SEARCH_[A-Z]*#/, '')} ${key.sk}${how}`));
    await new Promise((resolve) => setImmediate(resolve));
    const fault = faults.pop();
    if (fault) throw fault;
    const names = wanted.map(({ key }) => `${key.pk} ${key.sk}`);
    return names.map((name) => (!consistent && replica.has(name) ? replica.get(name) : items.get(name)));
  };
  const getGroups = async (
    groups: readonly (readonly { key: TableKey }[])[],
    options: { consistent: boolean },
  ) => Promise.all(groups.map((group) => getAll(group, options)));
  const queryAll = async (_: unknown, { pk }: { pk: string }) =>
    [...items].filter(([name]) => name.startsWith(`${pk} `)).map(([, item]) => item);
  const table = { getAll, getGroups, queryAll } as unknown as Table;
  const reader = new CellReader({ keepMs, maxBytes });
  const read = (...cells: string[]) => reader.read({ clock, table }, cells, ['place']);
  /** Stores a cell: the ids of each chunk, and the version of its plane. */
  const put = (cell: string, ...chunks: [ids: number[], version: number][]) => {
    const states = chunks.map(([ids, version]) => ({
      slots: ids.length,
      free: [],
      planes: { place: [version, 0] as [number, number] },
    }));
    items.set(`SEARCH_CELL#${cell} CELL`, { cell, version: 1, chunks: packStates(states) });
    chunks.forEach(([ids, version], chunk) => {
      const packed = packPlaces(ids.map((id) => placeRow(documentOf(id))));
      items.set(`SEARCH_CELL#${cell}#${chunk} PLANE#place`, { cell, chunk, plane: 'place', version, packed });
    });
  };
  const ids = async (...cells: string[]) =>
    (await read(...cells)).flatMap((chunk) => [...(chunk.plane('place')?.ids ?? [])]);
  return { clock, items, replica, asked, faults, reader, read, ids, put, table };
};

describe('reading cells', () => {
  it('asks once for what is warm, and after its time whether it has changed', async () => {
    const s = scene();
    s.put('a', [[1], 1]);
    expect(await s.ids('a', 'b')).toEqual([1]);
    s.put('a', [[1, 2], 2]);
    expect(await s.ids('a')).toEqual([1]);
    s.clock.set('2027-01-15T03:00:01.000Z');
    expect(await s.ids('a', 'b', 'c')).toEqual([1, 2]);
    s.clock.set('2027-01-15T03:00:02.000Z');
    expect(await s.ids('a')).toEqual([1, 2]);
    expect(s.asked).toEqual([
      ['a CELL', 'b CELL'],
      ['a#0 PLANE#place'],
      ['a CELL', 'b CELL', 'c CELL'],
      ['a#0 PLANE#place'],
      ['a CELL'],
    ]);
  });

  it('reads the planes that have changed alone', async () => {
    const s = scene({ keepMs: 0 });
    s.put('a', [[1], 1], [[2], 1]);
    await s.ids('a');
    s.put('a', [[1], 1], [[2, 3], 2]);
    expect(await s.ids('a')).toEqual([1, 2, 3]);
    expect(s.asked.at(-1)).toEqual(['a#1 PLANE#place']);
  });

  it('reads a plane consistently that a replica has in an older version than its cell, or not at all', async () => {
    const s = scene({ keepMs: 0 });
    s.put('a', [[1], 1]);
    s.replica.set('SEARCH_CELL#a#0 PLANE#place', undefined);
    expect(await s.ids('a')).toEqual([1]);
    s.replica.set('SEARCH_CELL#a#0 PLANE#place', s.items.get('SEARCH_CELL#a#0 PLANE#place'));
    s.put('a', [[1, 2], 2]);
    expect(await s.ids('a')).toEqual([1, 2]);
    expect(s.asked.slice(-2)).toEqual([['a#0 PLANE#place'], ['a#0 PLANE#place consistently']]);
    s.asked.length = 0;
    expect(await s.ids('a')).toEqual([1, 2]);
    expect(s.asked).toEqual([['a CELL']]);
  });

  it('reads a plane again in the next search that was older than its cell all the same', async () => {
    const s = scene({ keepMs: 0 });
    s.put('a', [[1], 1]);
    const old = s.items.get('SEARCH_CELL#a#0 PLANE#place')!;
    s.put('a', [[1, 2], 2]);
    const current = s.items.get('SEARCH_CELL#a#0 PLANE#place')!;
    s.items.set('SEARCH_CELL#a#0 PLANE#place', old);
    expect(await s.ids('a')).toEqual([1]);
    s.items.set('SEARCH_CELL#a#0 PLANE#place', current);
    expect(await s.ids('a')).toEqual([1, 2]);
  });

  it('is done once for concurrent requests, and a failure is not shared', async () => {
    const s = scene();
    s.put('a', [[1], 1]);
    await s.ids('a');
    s.clock.set('2027-01-15T03:00:02.000Z');
    s.faults.push(new Error('throttled'));
    const [failed, ...others] = await Promise.allSettled([s.ids('a'), s.ids('a'), s.ids('a')]);
    expect(failed.status).toBe('rejected');
    expect(others).toEqual([1, 2].map(() => ({ status: 'fulfilled', value: [1] })));
    expect(s.asked).toHaveLength(3);
  });

  it('keeps no more bytes than its limit, the most recently used', async () => {
    const s = scene({ maxBytes: 4000 });
    const names = Array.from({ length: 60 }, (_, at) => `c${at}`);
    names.forEach((name, at) => s.put(name, [[at + 1], 1]));
    for (const name of names) await s.ids('c0', name);
    expect(s.reader.bytes).toBeGreaterThan(1000);
    expect(s.reader.bytes).toBeLessThanOrEqual(4000);
    s.asked.length = 0;
    expect(await s.ids('c0', 'c59')).toEqual([1, 60]);
    expect(s.asked).toEqual([]);
    expect(await s.ids('c1')).toEqual([2]);
    expect(s.asked).toEqual([['c1#0 PLANE#place']]);
  });
});

describe('reading documents', () => {
  it('asks once for what is warm, with what is read beside them', async () => {
    const s = scene();
    const packed = packDocument(documentOf(7));
    s.items.set('SEARCH_LISTING#7 ENTRY', { listing_id: 7, packed });
    const read = () => s.reader.readShown(s, [7, 8]);
    const { documents } = await read();
    expect(documents).toEqual(
      new Map([
        [7, documentOf(7)],
        [8, null],
      ]),
    );
    expect((await read()).documents).toEqual(documents);
    expect(s.asked.filter(({ length }) => length > 0)).toEqual([['7 ENTRY', '8 ENTRY']]);
    s.clock.set('2027-01-15T03:00:01.000Z');
    s.items.delete('SEARCH_LISTING#7 ENTRY');
    expect((await read()).documents.get(7)).toBeNull();
  });
});

describe('reading calendars', () => {
  const monthOf = (calendar_id: number, listing_id: number, days: string[], childChanges = {}) => ({
    ...{ calendar_id, listing_id, month: '2027-02', locks: {}, changes: {}, child_changes: childChanges },
    days: Object.fromEntries(days.map((day) => [day, Uint8Array.of(255, 255, 255)])),
  });
  const ids = (calendar_id: number, listing_id = calendar_id) => ({
    ...{ calendar_id, listing_id, month: '2027-02' },
  });
  const takenDays = (month: FamilyMonth, listing_id: number) =>
    takenWithin(unavailableHours(month, listing_id, 0), { from: 0, to: 28 * 24 }).map(
      ({ from }) => from / 24 + 1,
    );

  it('asks once for what is warm, a month without stays included', async () => {
    const s = scene();
    s.items.set('CALENDAR#1 MONTH#2027-02', monthOf(1, 1, ['04']));
    const taken = async () => {
      const { months } = await s.reader.readShown(s, [], [ids(1), ids(2)]);
      return [...months].map(([name, month]) => [name, takenDays(month, Number(name.split(' ')[0]))]);
    };
    const first = [
      ['1 2027-02', [4]],
      ['2 2027-02', []],
    ];
    expect(await taken()).toEqual(first);
    s.items.set('CALENDAR#1 MONTH#2027-02', monthOf(1, 1, ['04', '09']));
    expect(await taken()).toEqual(first);
    s.clock.set('2027-01-15T03:00:01.000Z');
    expect((await taken())[0]).toEqual(['1 2027-02', [4, 9]]);
    expect(s.asked.filter(({ length }) => length > 0)).toHaveLength(2);
  });

  it('knows of a room what its house takes, and of a house what its rooms take', async () => {
    const s = scene();
    s.items.set('CALENDAR#1 MONTH#2027-02', monthOf(1, 1, ['04'], { '09': 1, '11': 1 }));
    s.items.set('CALENDAR#1 MONTH#2027-02#2', monthOf(1, 2, ['09']));
    s.items.set('CALENDAR#1 MONTH#2027-02#3', monthOf(1, 3, ['11']));
    const wanted = [ids(1), ids(1, 2), ids(1, 3)];
    for (let time = 0; time < 2; time++) {
      const { months } = await s.reader.readShown(s, [], wanted);
      expect(wanted.map((one) => takenDays(months.get(monthName(one))!, one.listing_id))).toEqual([
        [4, 9, 11],
        [4, 9],
        [4, 11],
      ]);
    }
  });
});

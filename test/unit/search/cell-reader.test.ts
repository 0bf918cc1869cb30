import { describe, expect, it } from 'vitest';
import { listingExample } from '../../../shared/domain/listing/listing-example.schema.ts';
import type { Listing } from '../../../shared/domain/listing/listing.entity.ts';
import { AssumedCells } from '../../../shared/domain/search/assumed-cells.ts';
import { packStates } from '../../../shared/domain/search/cell-chunks.ts';
import { CellReader } from '../../../shared/domain/search/cell-reader.ts';
import { packPlaces, placeRow } from '../../../shared/domain/search/place-plane.ts';
import { packDocument, searchDocument } from '../../../shared/domain/search/search-document.ts';
import { fixedClock } from '../../../shared/platform/time/clock.ts';
import { type FamilyMonth, takenWithin, unavailableHours } from '../../../shared/domain/calendar/model.ts';
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
  let puts = 0;
  /** Stores a cell: the ids of each chunk, and the version of its plane. */
  const put = (cell: string, ...chunks: [ids: number[], version: number][]) => {
    const states = chunks.map(([ids, version]) => ({
      slots: ids.length,
      free: [],
      planes: { place: [version, 0] as [number, number] },
    }));
    items.set(`SEARCH_CELL#${cell} CELL`, { cell, version: ++puts, chunks: packStates(states) });
    chunks.forEach(([ids, version], chunk) => {
      const packed = packPlaces(ids.map((id) => placeRow(documentOf(id), 0)));
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

  it('forgets cells when it knows very many, not those of the same search', async () => {
    const s = scene({ maxBytes: 2 ** 26 });
    s.put('a', [[1], 1]);
    await s.ids('a', ...Array.from({ length: 5000 }, (_, at) => `e${at}`));
    s.put('b', [[2], 1]);
    expect(await s.ids('a', 'b')).toEqual([1, 2]);
  });

  it('forgets none of a search that is under way', async () => {
    const s = scene({ maxBytes: 2 ** 26 });
    s.put('a', [[1], 1]);
    await s.ids('a', ...Array.from({ length: 4999 }, (_, at) => `e${at}`));
    const forgotten = s.ids('x').then(() => s.ids('y'));
    expect(await s.ids('a', 'z')).toEqual([1]);
    await forgotten;
    s.asked.length = 0;
    await s.ids('a');
    expect(s.asked).toEqual([['a CELL']]);
  });

  it('does not replace what it knows by what a replica has that is behind', async () => {
    const s = scene({ keepMs: 0 });
    s.put('a', [[1], 1]);
    const old = s.items.get('SEARCH_CELL#a CELL')!;
    s.put('a', [[1, 2], 2]);
    expect(await s.ids('a')).toEqual([1, 2]);
    s.replica.set('SEARCH_CELL#a CELL', old);
    s.asked.length = 0;
    expect(await s.ids('a')).toEqual([1, 2]);
    expect(s.asked).toEqual([['a CELL']]);
  });

  describe('that are assumed', () => {
    /** Reads cells as a search does that shows nothing; returns their listings and whether they have changed. */
    const assuming = async (s: ReturnType<typeof scene>, ...cells: string[]) => {
      s.asked.length = 0;
      const from = { clock: s.clock, table: s.table, assumed: new AssumedCells() };
      const chunks = await s.reader.read(from, cells, ['place']);
      const before = s.asked.splice(0);
      await s.reader.verify(from);
      const ids = chunks.flatMap((chunk) => [...(chunk.plane('place')?.ids ?? [])]);
      return { ids, before, after: s.asked.splice(0), haveChanged: from.assumed.haveChanged };
    };

    it('are read after what needs them, and say whether they have changed', async () => {
      const s = scene({ keepMs: 0 });
      s.put('a', [[1], 1]);
      await s.ids('a', 'b');
      const unchanged = { ids: [1], before: [], after: [['a CELL', 'b CELL']], haveChanged: false };
      expect(await assuming(s, 'a', 'b')).toEqual(unchanged);
      s.put('b', [[2], 1]);
      expect(await assuming(s, 'a', 'b')).toEqual({ ...unchanged, haveChanged: true });
      expect(await assuming(s, 'a', 'b')).toMatchObject({ ids: [1, 2], haveChanged: false });
    });

    it('have not changed where a replica is behind', async () => {
      const s = scene({ keepMs: 0 });
      s.put('a', [[1], 1]);
      const old = s.items.get('SEARCH_CELL#a CELL')!;
      s.put('a', [[1, 2], 2]);
      await s.ids('a');
      s.replica.set('SEARCH_CELL#a CELL', old);
      expect(await assuming(s, 'a')).toMatchObject({ ids: [1, 2], haveChanged: false });
    });

    it('stay to be verified by the next search if one fails before it has read them', async () => {
      const s = scene();
      s.put('a', [[1], 1]);
      await s.ids('a');
      s.clock.advance(1000);
      s.put('a', [[1, 2], 2]);
      const from = { clock: s.clock, table: s.table, assumed: new AssumedCells() };
      await s.reader.read(from, ['a'], ['place']);
      expect(await assuming(s, 'a')).toMatchObject({ ids: [1], haveChanged: true });
      expect(await s.ids('a')).toEqual([1, 2]);
    });

    it('are read at once if one of them is not known, or was read a minute ago', async () => {
      const s = scene({ keepMs: 0 });
      s.put('a', [[1], 1]);
      await s.ids('a');
      expect(await assuming(s, 'a', 'b')).toMatchObject({ before: [['a CELL', 'b CELL']], after: [] });
      s.clock.advance(59_999);
      expect(await assuming(s, 'a', 'b')).toMatchObject({ before: [], after: [['a CELL', 'b CELL']] });
      s.clock.advance(60_000);
      expect(await assuming(s, 'a', 'b')).toMatchObject({ before: [['a CELL', 'b CELL']], after: [] });
    });
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

describe('reading what is shown', () => {
  const month = '2027-02';
  const alone = (id: number, revision = 1) => ({ id, calendar_id: id, revision, months: [] });
  const stay = (calendar_id: number, id = calendar_id) => ({ ...alone(id), calendar_id, months: [month] });
  const monthOf = (calendar_id: number, listing_id: number, days: string[], childChanges = {}) => ({
    ...{ calendar_id, listing_id, month, locks: {}, changes: {}, child_changes: childChanges },
    days: Object.fromEntries(days.map((day) => [day, Uint8Array.of(255, 255, 255)])),
  });
  const takenDays = (family: FamilyMonth | undefined, listing_id: number) =>
    takenWithin(unavailableHours(family!, listing_id, 0), { from: 0, to: 28 * 24 }).map(
      ({ from }) => from / 24 + 1,
    );
  const withDocument = (s: ReturnType<typeof scene>, id: number, revision: number, name = 'Villa') =>
    s.items.set(`SEARCH_LISTING#${id} ENTRY`, entryOf(id, revision, name));
  const entryOf = (id: number, revision: number, name: string) => ({
    ...{ listing_id: id, version: revision, revision },
    packed: packDocument({ ...documentOf(id), property_type: name }),
  });
  const asked = (s: ReturnType<typeof scene>) => s.asked.splice(0).filter(({ length }) => length > 0);
  const later = (s: ReturnType<typeof scene>, ms: number) => s.clock.advance(ms);

  const types = async (s: ReturnType<typeof scene>, ...listings: ReturnType<typeof alone>[]) =>
    (await s.reader.readShown(s, listings)).map(({ document }) => document?.property_type);

  it('asks for a document once, until its place says another revision', async () => {
    const s = scene();
    withDocument(s, 7, 1);
    expect(await types(s, alone(7))).toEqual(['Villa']);
    withDocument(s, 7, 2, 'Hotel');
    later(s, 59_999);
    expect(await types(s, alone(7))).toEqual(['Villa']);
    expect(asked(s)).toEqual([['7 ENTRY']]);
    expect(await types(s, alone(7, 2))).toEqual(['Hotel']);
    expect(await types(s, alone(7, 2))).toEqual(['Hotel']);
    expect(asked(s)).toEqual([['7 ENTRY']]);
  });

  it('asks again for a document of the same revision after a minute, and each time for one that is not counted', async () => {
    const s = scene();
    withDocument(s, 7, 1);
    expect(await types(s, alone(7))).toEqual(['Villa']);
    withDocument(s, 7, 1, 'Hotel');
    later(s, 60_000);
    expect(await types(s, alone(7))).toEqual(['Hotel']);
    withDocument(s, 7, 0, 'House');
    expect(await types(s, alone(7, 0))).toEqual(['House']);
    withDocument(s, 7, 0, 'Villa');
    expect(await types(s, alone(7, 0))).toEqual(['Villa']);
  });

  it('asks again for a document that a replica has in another revision than its place', async () => {
    const s = scene();
    withDocument(s, 7, 2, 'Hotel');
    s.replica.set('SEARCH_LISTING#7 ENTRY', entryOf(7, 1, 'Villa'));
    expect(await types(s, alone(7, 2))).toEqual(['Villa']);
    s.replica.clear();
    expect(await types(s, alone(7, 2))).toEqual(['Hotel']);
    withDocument(s, 7, 3, 'House');
    expect(await types(s, alone(7, 2))).toEqual(['Hotel']);
    expect(await types(s, alone(7, 3))).toEqual(['House']);
    expect(await types(s, alone(7, 2))).toEqual(['House']);
    expect(await types(s, alone(7, 3))).toEqual(['House']);
    expect(asked(s)).toHaveLength(4);
  });

  it('asks again for a listing that has left the index', async () => {
    const s = scene();
    expect(await types(s, alone(8))).toEqual([undefined]);
    withDocument(s, 8, 1);
    expect(await types(s, alone(8))).toEqual(['Villa']);
    s.items.set('SEARCH_LISTING#8 ENTRY', { listing_id: 8, version: 2, revision: 2, packed: null });
    expect(await types(s, alone(8, 2))).toEqual([undefined]);
  });

  it('keeps no more documents than its limit', async () => {
    const s = scene({ maxBytes: 400_000 });
    const all = Array.from({ length: 300 }, (_, at) => alone(at + 1));
    for (const { id } of all) withDocument(s, id, 1);
    await s.reader.readShown(s, all);
    expect(s.reader.bytes).toBeGreaterThan(40_000);
    expect(s.reader.bytes).toBeLessThan(400_000);
    asked(s);
    await s.reader.readShown(s, [alone(300), alone(1)]);
    expect(asked(s)).toEqual([['1 ENTRY']]);
  });

  it('asks once for a month that is warm, one without stays included', async () => {
    const s = scene();
    s.items.set('CALENDAR#1 MONTH#2027-02', monthOf(1, 1, ['04']));
    const taken = async () => {
      const shown = await s.reader.readShown(s, [stay(1), stay(2)]);
      return shown.map(({ months }, at) => takenDays(months[0], at + 1));
    };
    expect(await taken()).toEqual([[4], []]);
    s.items.set('CALENDAR#1 MONTH#2027-02', monthOf(1, 1, ['04', '09']));
    expect(await taken()).toEqual([[4], []]);
    later(s, 1000);
    expect(await taken()).toEqual([[4, 9], []]);
    expect(asked(s).filter((keys) => keys.some((key) => key.startsWith('CALENDAR')))).toHaveLength(2);
  });

  it('knows of a room what its house takes, and of a house what its rooms take', async () => {
    const s = scene();
    s.items.set('CALENDAR#1 MONTH#2027-02', monthOf(1, 1, ['04'], { '09': 1, '11': 1 }));
    s.items.set('CALENDAR#1 MONTH#2027-02#2', monthOf(1, 2, ['09']));
    s.items.set('CALENDAR#1 MONTH#2027-02#3', monthOf(1, 3, ['11']));
    const wanted = [stay(1), stay(1, 2), stay(1, 3)];
    for (let time = 0; time < 2; time++) {
      const shown = await s.reader.readShown(s, wanted);
      expect(shown.map(({ months }, at) => takenDays(months[0], at + 1))).toEqual([
        [4, 9, 11],
        [4, 9],
        [4, 11],
      ]);
    }
  });

  describe('that was used often in its time', () => {
    const used = async (s: ReturnType<typeof scene>, times: number, ...ids: number[]) => {
      for (const id of ids) withDocument(s, id, 1);
      for (let time = 0; time <= times; time++)
        await s.reader.readShown(
          s,
          ids.map((id) => stay(id)),
        );
      asked(s);
    };

    it('is read anew with what another search reads, and then not by itself', async () => {
      const s = scene();
      await used(s, 4, 1, 2);
      await used(s, 3, 3);
      withDocument(s, 9, 1);
      later(s, 1000);
      await s.reader.readShown(s, [stay(9)]);
      expect(asked(s)).toEqual([
        ['9 ENTRY'],
        ['CALENDAR#9 MONTH#2027-02', 'CALENDAR#1 MONTH#2027-02', 'CALENDAR#2 MONTH#2027-02'],
      ]);
      await s.reader.readShown(s, [stay(1), stay(2), stay(9)]);
      expect(asked(s)).toEqual([]);
      later(s, 1000);
      await s.reader.readShown(s, [stay(9)]);
      expect(asked(s)).toEqual([['CALENDAR#9 MONTH#2027-02']]);
    });

    it('is read once where the same search asks for it, and not after a pause', async () => {
      const s = scene();
      await used(s, 4, 1, 2);
      later(s, 1000);
      await s.reader.readShown(s, [stay(1)]);
      expect(asked(s)).toEqual([['CALENDAR#1 MONTH#2027-02', 'CALENDAR#2 MONTH#2027-02']]);
      await used(s, 4, 1);
      later(s, 2000);
      await s.reader.readShown(s, [stay(9)]);
      expect(asked(s)).toEqual([['9 ENTRY'], ['CALENDAR#9 MONTH#2027-02']]);
    });

    it('is read by itself where it would not fit into one request, or is a house', async () => {
      const s = scene({ maxBytes: 2 ** 22 });
      s.items.set('CALENDAR#200 MONTH#2027-02', monthOf(200, 200, [], { '09': 1 }));
      s.items.set('CALENDAR#200 MONTH#2027-02#201', monthOf(200, 201, ['09']));
      await used(s, 4, 200);
      await used(s, 4, ...Array.from({ length: 110 }, (_, at) => at + 1));
      later(s, 1000);
      await s.reader.readShown(s, [stay(300)]);
      const [entries = [], months = []] = asked(s);
      expect(entries.length + months.length).toBe(100);
      expect(entries).toHaveLength(1);
      expect(months).not.toContain('CALENDAR#200 MONTH#2027-02');
    });
  });
});

import { describe, expect, it } from 'vitest';
import { listingExample } from '../../../shared/domain/listing/listing-example.schema.ts';
import type { Listing } from '../../../shared/domain/listing/listing.entity.ts';
import { CellReader } from '../../../shared/domain/search/cell-reader.ts';
import { documentLine, packLines, searchDocument } from '../../../shared/domain/search/search-document.ts';
import type { SearchChunk } from '../../../shared/domain/search/search.entity.ts';
import { fixedClock } from '../../../shared/platform/clock.ts';
import type { Table, TableKey } from '../../../shared/platform/table/index.ts';

const line = (id: number) =>
  documentLine(
    searchDocument(
      {
        listing: { ...listingExample, id, amenities: [] } as unknown as Listing,
        parts: undefined,
        taken: [],
      },
      '2027-01-15',
    ),
  );
const chunk = (
  cell: string,
  number: number,
  ids: number[],
  more: Partial<SearchChunk> = {},
): SearchChunk => ({
  ...{ cell, chunk: number, version: 1, chunks: number === 0 ? 1 : null },
  packed: packLines(ids.map(line)),
  ...more,
});

/** A table of chunks that counts what is asked of it. */
const scene = (keepMs = 1000) => {
  const clock = fixedClock('2027-01-15T03:00:00.000Z');
  const chunks = new Map<string, SearchChunk>();
  const asked: string[][] = [];
  const faults: Error[] = [];
  const getAll = async (wanted: readonly { key: TableKey }[]) => {
    asked.push(wanted.map(({ key }) => `${key.pk.slice('SEARCH_CELL#'.length)} ${key.sk}`));
    await new Promise((resolve) => setImmediate(resolve));
    const fault = faults.pop();
    if (fault) throw fault;
    return wanted.map(({ key }) => chunks.get(`${key.pk} ${key.sk}`));
  };
  const reader = new CellReader({ keepMs });
  const read = (...cells: string[]) => reader.read({ clock, table: { getAll } as unknown as Table }, cells);
  const put = (...all: SearchChunk[]) => {
    for (const one of all) chunks.set(`SEARCH_CELL#${one.cell} CHUNK#${one.chunk}`, one);
  };
  const ids = async (...cells: string[]) => (await read(...cells)).map(({ id }) => id);
  return { clock, asked, faults, read, ids, put };
};

describe('reading cells', () => {
  it('asks once for what is warm, and again after its time', async () => {
    const s = scene();
    s.put(chunk('a', 0, [1]));
    expect(await s.ids('a', 'b')).toEqual([1]);
    s.put(chunk('a', 0, [1, 2], { version: 2 }));
    expect(await s.ids('a')).toEqual([1]);
    s.clock.set('2027-01-15T03:00:01.000Z');
    expect(await s.ids('a', 'b', 'c')).toEqual([1, 2]);
    expect(s.asked).toEqual([
      ['a CHUNK#0', 'b CHUNK#0'],
      ['a CHUNK#0', 'b CHUNK#0', 'c CHUNK#0'],
    ]);
  });

  it('does not unpack again what has not changed', async () => {
    const s = scene(0);
    s.put(chunk('a', 0, [1]));
    const [first] = await s.read('a');
    const [second] = await s.read('a');
    expect(second).toBe(first);
  });

  it('reads every chunk of a cell, and shows a listing once that moves between two', async () => {
    const s = scene();
    s.put(chunk('a', 0, [1, 2], { chunks: 3 }), chunk('a', 1, [3, 2]), chunk('a', 2, []));
    expect((await s.ids('a')).sort()).toEqual([1, 2, 3]);
    expect(s.asked[1]).toEqual(['a CHUNK#1', 'a CHUNK#2']);
  });

  it('is done once for concurrent requests, and a failure is not shared', async () => {
    const s = scene();
    s.put(chunk('a', 0, [1]));
    await s.ids('a');
    s.clock.set('2027-01-15T03:00:02.000Z');
    s.faults.push(new Error('throttled'));
    const [failed, ...others] = await Promise.allSettled([s.ids('a'), s.ids('a'), s.ids('a')]);
    expect(failed.status).toBe('rejected');
    expect(others).toEqual([1, 2].map(() => ({ status: 'fulfilled', value: [1] })));
    expect(s.asked).toHaveLength(2);
  });
});

import { describe, expect, it } from 'vitest';
import { listingExample } from '../../../shared/domain/listing/listing-example.schema.ts';
import type { Listing } from '../../../shared/domain/listing/listing.entity.ts';
import { statesOf } from '../../../shared/domain/search/cell-chunks.ts';
import { cellOf } from '../../../shared/domain/search/grid.ts';
import { PlacePlane } from '../../../shared/domain/search/place-plane.ts';
import { searchDocument } from '../../../shared/domain/search/search-document.ts';
import { memoryIndex } from '../../support/search-index.ts';

const spot = { latitude: 16.05, longitude: 108.2 };
const itemLimit = 400_000;

/** Rules whose prices are hard to pack. */
const rules = (id: number, count: number) =>
  Array.from({ length: count }, (_, at) => ({
    ...{ id: id * 1000 + at, listing_id: id, date_type: 'SPECIFIC_DATE', day_of_week: null },
    ...{ date_from: `2027-${String(1 + (at % 12)).padStart(2, '0')}-01`, date_to: null, priority: at },
    ...{ charge_unit: 'PER_NIGHT', stay_type: 'ANY', is_active: true },
    price: Math.floor(Math.abs(Math.sin(id * 1000 + at)) * 2 ** 40),
  }));

const documentOf = (id: number, ruleCount = 0) =>
  searchDocument(
    {
      listing: { ...listingExample, ...spot, id, amenities: [] } as unknown as Listing,
      parts: {
        ...{ listing_id: id, version: 1, combos: [], services: [] },
        rules: rules(id, ruleCount) as never,
      },
      taken: [],
    },
    '2027-01-01',
  );

const scene = () => {
  const { items, index } = memoryIndex();
  const cell = cellOf(spot);
  const states = () => statesOf(items.get(`SEARCH_CELL#${cell} CELL`) as never);
  const ids = () =>
    states().flatMap((_, chunk) => {
      const { packed } = items.get(`SEARCH_CELL#${cell}#${chunk} PLANE#place`) as { packed: Uint8Array };
      return [...new PlacePlane(packed).ids].filter((id) => id !== 0);
    });
  const largest = () =>
    Math.max(...states().flatMap(({ planes }) => Object.values(planes).map(([, bytes]) => bytes)));
  return { items, index, cell, states, ids, largest };
};
const idsTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

describe('a cell of many listings', () => {
  it('continues in further chunks, and fills the places that others leave', async () => {
    const s = scene();
    for (let at = 0; at < 4500; at += 500) await s.index(idsTo(500).map((id) => documentOf(at + id)));
    expect(s.states().map(({ slots }) => slots)).toEqual([2000, 2000, 500]);
    expect(s.ids()).toEqual(idsTo(4500));
    const moved = { ...documentOf(7), latitude: 20 };
    await s.index([moved]);
    expect(s.states()[0]).toMatchObject({ slots: 2000, free: [6] });
    expect(s.ids()).not.toContain(7);
    await s.index([documentOf(9000)]);
    expect(s.states()[0]).toMatchObject({ slots: 2000, free: [] });
    expect(s.ids()[6]).toBe(9000);
  });

  it('gives away what grows later, so that no item comes near its limit', async () => {
    const s = scene();
    const all = idsTo(300);
    await s.index(all.map((id) => documentOf(id)));
    expect(s.states()).toHaveLength(1);
    for (let at = 0; at < all.length; at += 50)
      await s.index(all.slice(at, at + 50).map((id) => documentOf(id, 200)));
    expect(s.states().length).toBeGreaterThan(1);
    expect(s.largest()).toBeLessThan(itemLimit * 0.9);
    expect(s.ids().sort((one, other) => one - other)).toEqual(all);
  });

  it('writes the planes that change alone', async () => {
    const s = scene();
    await s.index([documentOf(1), documentOf(2)]);
    const written = async (change: Partial<ReturnType<typeof documentOf>>) =>
      (await s.index([{ ...documentOf(2), ...change }])).map(({ key }) => key.sk);
    expect(await written({})).toEqual([]);
    const february = Date.UTC(2027, 1, 3, 14) / 3_600_000;
    const taken: [number, number][] = [[february, february + 46]];
    expect(await written({ taken })).toEqual(['CELL', 'PLANE#2027-02', 'ENTRY']);
    expect(await written({ taken, amenity_ids: [101] })).toEqual([
      ...['CELL', 'PLANE#place', 'PLANE#amenity', 'ENTRY'],
    ]);
    expect(await written({ amenity_ids: [101] })).toEqual(['CELL', 'PLANE#2027-02', 'ENTRY']);
  });
});

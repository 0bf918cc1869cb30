import { calendarOf, type HourStretch } from '../../shared/domain/calendar/model.ts';
import type { Listing } from '../../shared/domain/listing/listing.entity.ts';
import { type SearchDocument, searchDocument } from '../../shared/domain/search/search-document.ts';
import { manyListings } from './many-listings.ts';
import { chanceOf } from './many-stays.ts';
import { cellOf } from '../../shared/domain/search/grid.ts';
import { memoryIndex } from './search-index.ts';

const hourMs = 3_600_000;
const types = [
  'APARTMENT',
  'APARTMENT',
  'APARTMENT',
  'HOUSE',
  'HOUSE',
  'VILLA',
  'HOTEL',
  'BUNGALOW',
] as const;

interface City {
  count: number;
  /** Its centre; listings are within 7 km of it. */
  centre: { latitude: number; longitude: number };
  team_id: number;
  /** Epoch milliseconds. */
  now: number;
}

/** Returns the open listings of a city as search knows them: 12 stays each in the next year, in every month about one. */
export const cityDocuments = ({ count, centre, team_id, now }: City): SearchDocument[] => {
  const chance = chanceOf(count);
  const below = (most: number) => Math.floor(chance() * most);
  const near = (degrees: number) =>
    Math.round((degrees + ((chance() + chance() + chance()) / 3 - 0.5) * 0.09) * 1e6) / 1e6;
  const day = new Date(now).toISOString().slice(0, 10);
  return manyListings({ team_id, count, until: now - hourMs, seed: count }).map((made) => {
    const weekend = chance() < 0.3 ? made.full_rate + 10_000 * (1 + below(20)) : 0;
    const listing: Listing = {
      ...made,
      state: 'ACTIVE',
      latitude: near(centre.latitude),
      longitude: near(centre.longitude),
      maximum_guest: 0,
      capacity: [2, 2, 2, 4, 4, 4, 6, 6, 8, 12][below(10)] ?? 2,
      property_type: types[below(types.length)] ?? 'HOUSE',
      prices_by_week: weekend > 0 ? { 5: weekend, 6: weekend } : {},
      cleaning_fee: chance() < 0.3 ? 50_000 * (1 + below(6)) : 0,
      amenities: [101, 102, 201, 202, 301].flatMap((amenity_id) =>
        chance() < 0.5
          ? [{ id: amenity_id, amenity_id, is_private: false, is_chargeable: false, price: 0 }]
          : [],
      ),
    };
    const sources = { listing, parts: undefined, taken: takenHours(now, below) };
    return { ...searchDocument(sources, day), calendar_id: calendarOf(listing) };
  });
};

/** Twelve stays of one to five nights, a month apart. */
const takenHours = (now: number, below: (most: number) => number): HourStretch[] =>
  Array.from({ length: 12 }, (_, month): HourStretch => {
    const midnight = Math.floor(now / (24 * hourMs)) * 24 + (month * 30 + below(24)) * 24;
    return [midnight + 14, midnight + (1 + below(5)) * 24 + 12];
  });

/** Returns the items of a city as the search index has it, and a table that answers from them. */
export const indexCity = async (documents: readonly SearchDocument[]) => {
  const { index, items, table } = memoryIndex();
  const cell = ({ latitude, longitude }: SearchDocument) =>
    cellOf({ latitude: latitude ?? 0, longitude: longitude ?? 0 });
  for (const some of Map.groupBy(documents, cell).values())
    for (let at = 0; at < some.length; at += 1000) await index(some.slice(at, at + 1000));
  return { items, table };
};

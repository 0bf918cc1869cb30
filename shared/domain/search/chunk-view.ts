import type { AmenityPlane } from './choice-planes.ts';
import type { HourPlane } from './hour-plane.ts';
import type { LoadedChunk } from './loaded-chunk.ts';
import type { Column } from './number-columns.ts';
import type { PlacePlane } from './place-plane.ts';
import type { PricePlane } from './price-plane.ts';
import { unitOf } from './quick-total.ts';
import type { SearchCriteria } from './search-criteria.ts';
import type { StayRulePlane } from './stay-rule-plane.ts';
import type { SearchStay, Stays } from './stay-hours.ts';

/** Which values of a column are wanted. */
interface Filter {
  column: Column;
  isWanted: boolean[];
}

/** A chunk for one search: which of its values fit, and the stay for each combination of times. */
export interface ChunkView {
  chunk: LoadedChunk;
  place: PlacePlane;
  /** The minor units of each currency; a place that is free has none. */
  units: number[];
  /** Those alone that refuse something. */
  filters: Filter[];
  stays: (ChunkStay | null)[];
  amenities: AmenityPlane | undefined;
  stayRules: StayRulePlane | undefined;
  /** Read them with {@link pricesIn}. */
  prices: PricePlane | undefined;
}

/** A stay with the taken hours of its months in a chunk. */
interface ChunkStay extends SearchStay {
  hours: { plane: HourPlane; from: number; to: number }[];
}

/** Groups ask for the prices of chunks after all else. */
export const pricesIn = (view: ChunkView): PricePlane | undefined =>
  (view.prices ??= view.chunk.plane('price'));

/** Returns a chunk as a search sees it; undefined if it has no places. */
export const viewOf = (
  chunk: LoadedChunk,
  { propertyTypes, currency, teamIds }: SearchCriteria,
  stays: Stays,
): ChunkView | undefined => {
  const place = chunk.plane('place');
  if (!place) return undefined;
  const { types, currencies, times, teams } = place.legends;
  return {
    chunk,
    place,
    amenities: chunk.plane('amenity'),
    stayRules: chunk.plane('stay_rule'),
    prices: chunk.plane('price'),
    units: currencies.map((code) => (code === '' ? 1 : unitOf(code))),
    filters: [
      {
        column: place.types,
        isWanted: types.map((type) => propertyTypes.length === 0 || propertyTypes.includes(type)),
      },
      {
        column: place.currencies,
        isWanted: currencies.map((code) => currency === null || currency === code),
      },
      {
        column: place.teams,
        isWanted: teams.map((team) => teamIds === null || teamIds.includes(Number(team))),
      },
    ].filter(({ isWanted }) => isWanted.includes(false)),
    stays: times.map((value) => (value === '' ? null : stayIn(chunk, stays.of(value)))),
  };
};

const stayIn = (chunk: LoadedChunk, stay: SearchStay | null): ChunkStay | null => {
  if (!stay) return null;
  const hours = stay.months.flatMap(({ month, from, to }) => {
    const plane = chunk.hours(month);
    return plane ? [{ plane, from, to }] : [];
  });
  return { ...stay, hours };
};

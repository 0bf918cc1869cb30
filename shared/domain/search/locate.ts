import { invalid } from '../../platform/errors.ts';
import type { CellReader, SearchScope } from './cell-reader.ts';
import { cellsAround, distancesFrom, type Point } from './grid.ts';
import type { LoadedChunk } from './loaded-chunk.ts';
import type { PlacePlane } from './place-plane.ts';
import { provinceOf, provinceTerm, teamTerm } from './place-text.ts';
import { rankOfPart, queryParts, termGroups } from './query-text.ts';
import type { StaySearchQuery } from './search.schema.ts';

/** The listings at a requested place, as columns of which the first `rows` are filled. */
export interface Located {
  chunks: readonly LoadedChunk[];
  rows: number;
  /** The position of the listing's chunk. */
  chunkAt: Uint16Array;
  slots: Uint16Array;
  /** NaN for a listing without coordinates. */
  km: Float64Array;
  /** How well the text matches: 0 is best, higher in less significant fields or not as a phrase. */
  foundIn: Uint8Array;
}

interface LocationQuery extends Pick<StaySearchQuery, 'location' | 'radius_km'> {
  /** Where there is no location: the teams whose listings are found. */
  teamIds?: readonly number[] | undefined;
}

/** Returns every open listing at a location (D58): around a point, in a province, matching a text, or in the cells of some teams; with some planes. */
export const locate = async (
  from: SearchScope,
  cells: CellReader,
  { location, radius_km, teamIds = [] }: LocationQuery,
  planes: readonly string[],
): Promise<Located> => {
  const wanted = ['place', ...planes];
  if (location === undefined) return ofTeams(from, cells, teamIds, wanted);
  const point = pointOf(location);
  if (point) {
    const chunks = await cells.read(from, cellsAround(point, radius_km), wanted);
    return aroundPoint(chunks, point, radius_km);
  }
  return (await inProvince(from, cells, location, wanted)) ?? (await withText(from, cells, location, wanted));
};

const pointPattern = /^([+-]?\d+(?:\.\d+)?)\s*,\s*([+-]?\d+(?:\.\d+)?)$/;

const pointOf = (location: string): Point | undefined => {
  const [, latitude, longitude] = pointPattern.exec(location) ?? [];
  if (latitude === undefined || longitude === undefined) return undefined;
  const point = { latitude: Number(latitude), longitude: Number(longitude) };
  if (Math.abs(point.latitude) > 90 || Math.abs(point.longitude) > 180)
    throw invalid({
      path: 'location',
      message: 'must be within 90 degrees of latitude and 180 of longitude',
    });
  return point;
};

/** Calls back with each chunk that has places. */
const eachChunk = (
  chunks: readonly LoadedChunk[],
  visit: (place: PlacePlane, chunkAt: number) => void,
): void => {
  for (const [chunkAt, chunk] of chunks.entries()) {
    const place = chunk.plane('place');
    if (place) visit(place, chunkAt);
  }
};

/** Calls back with each open listing. */
const eachPlace = (
  chunks: readonly LoadedChunk[],
  visit: (place: PlacePlane, slot: number, chunkAt: number) => void,
): void =>
  eachChunk(chunks, (place, chunkAt) => {
    for (let slot = 0; slot < place.length; slot++) if (place.ids[slot] !== 0) visit(place, slot, chunkAt);
  });

const nothingIn = (chunks: readonly LoadedChunk[]): Located => {
  const most = chunks.reduce((sum, chunk) => sum + (chunk.plane('place')?.length ?? 0), 0);
  return {
    chunks,
    rows: 0,
    chunkAt: new Uint16Array(most),
    slots: new Uint16Array(most),
    km: new Float64Array(most),
    foundIn: new Uint8Array(most),
  };
};

const aroundPoint = (chunks: readonly LoadedChunk[], point: Point, radiusKm: number): Located => {
  const located = nothingIn(chunks);
  eachChunk(chunks, (place, chunkAt) => {
    const { ids } = place;
    const kms = place.distances(point);
    for (let slot = 0; slot < kms.length; slot++) {
      const km = kms[slot] ?? NaN;
      if (km <= radiusKm && ids[slot] !== 0) push(located, { chunkAt, slot, km, foundIn: 0 });
    }
  });
  return located;
};

interface LocatedRow {
  chunkAt: number;
  slot: number;
  km: number;
  foundIn: number;
}

const push = (located: Located, { chunkAt, slot, km, foundIn }: LocatedRow): void => {
  const row = located.rows++;
  located.chunkAt[row] = chunkAt;
  located.slots[row] = slot;
  located.km[row] = km;
  located.foundIn[row] = foundIn;
};

/** Longer texts are names, not codes. */
const codePattern = /^[\w-]{1,5}$/;

/** Returns the listings of a province; undefined if the text is not the code of a province with listings. */
const inProvince = async (
  from: SearchScope,
  cells: CellReader,
  text: string,
  planes: readonly string[],
): Promise<Located | undefined> => {
  if (!codePattern.test(text)) return undefined;
  const code = provinceOf(text);
  const inside = await cells.cellsOf(from, provinceTerm(code));
  if (inside?.length === 0) return undefined;
  const chunks = await cells.read(from, inside ?? tooMany(), planes);
  const located = nothingIn(chunks);
  eachPlace(chunks, (place, slot, chunkAt) => {
    if (place.legends.provinces[place.provinces[slot] ?? 0] === code)
      push(located, { chunkAt, slot, km: NaN, foundIn: 0 });
  });
  return withDistances(located);
};

/** Returns the listings of the cells in which teams have some; those of other teams are among them. */
const ofTeams = async (
  from: SearchScope,
  cells: CellReader,
  teamIds: readonly number[],
  planes: readonly string[],
): Promise<Located> => {
  const found = await Promise.all(teamIds.map((id) => cells.cellsOf(from, teamTerm(id))));
  const inside = found.flatMap((some) => some ?? tooMany());
  const chunks = await cells.read(from, [...new Set(inside)], planes);
  const located = nothingIn(chunks);
  eachPlace(chunks, (_, slot, chunkAt) => push(located, { chunkAt, slot, km: NaN, foundIn: 0 }));
  return withDistances(located);
};

const tooMany = (): never => {
  throw invalid({ path: 'location', message: 'matches too many places: add the district or province' });
};

const withText = async (
  from: SearchScope,
  cells: CellReader,
  text: string,
  planes: readonly string[],
): Promise<Located> => {
  const parts = queryParts(text);
  const groups = termGroups(parts);
  if (groups.length === 0) return nothingIn([]);
  const chunks = await cells.read(from, await cellsWith(from, cells, groups), [...planes, 'text']);
  const located = nothingIn(chunks);
  eachPlace(chunks, (_, slot, chunkAt) => {
    const texts = chunks[chunkAt]?.plane('text')?.texts(slot) ?? [];
    const places = parts.map((part) => rankOfPart(texts, part));
    if (places.every((place) => place !== undefined))
      push(located, { chunkAt, slot, km: NaN, foundIn: Math.max(...places) });
  });
  return withDistances(located);
};

/** Up to this number, reading the cells costs no more than reducing their number. */
const enoughCells = 12;
/** The most groups of terms that are read if the most selective one leads to many cells. */
const maxGroups = 8;

/** Returns the cells that have a term of every group; groups with too many cells are ignored. */
const cellsWith = async (
  from: SearchScope,
  cells: CellReader,
  groups: string[][],
): Promise<readonly string[]> => {
  const read = async (query: string[][]) => {
    const signs = [...new Set(query.flat())];
    const cellsByTerm = await Promise.all(signs.map((sign) => cells.cellsOf(from, sign)));
    const bySign = new Map(signs.map((sign, at) => [sign, cellsByTerm[at]]));
    return query.map((group) => cellsOfGroup(group.map((sign) => bySign.get(sign))));
  };
  const [best] = await read(groups.slice(0, 1));
  if (best && best.length <= enoughCells) return best;
  const found = [best, ...(await read(groups.slice(1, maxGroups)))].filter((some) => some !== undefined);
  const [first, ...others] = found;
  return (first ?? tooMany()).filter((cell) => others.every((some) => some.includes(cell)));
};

/** The last term is the word's own: if the phrase has too many cells, the word is used without it. */
const cellsOfGroup = (
  cellsByTerm: readonly (readonly string[] | undefined)[],
): readonly string[] | undefined =>
  cellsByTerm.at(-1) && [...new Set(cellsByTerm.flatMap((some) => some ?? []))];

/** Adds distances from the mean position of the listings, since a text or province has no centre of its own. */
const withDistances = (located: Located): Located => {
  const { chunks, chunkAt, slots, rows, km } = located;
  const points = Array.from({ length: rows }, (_, row) => {
    const place = chunks[chunkAt[row] ?? 0]?.plane('place');
    const slot = slots[row] ?? 0;
    return { latitude: place?.latitudes[slot] ?? NaN, longitude: place?.longitudes[slot] ?? NaN };
  });
  const known = points.filter(({ latitude }) => !Number.isNaN(latitude));
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const kmTo = distancesFrom({
    latitude: mean(known.map(({ latitude }) => latitude)),
    longitude: mean(known.map(({ longitude }) => longitude)),
  });
  points.forEach(({ latitude, longitude }, row) => (km[row] = kmTo(latitude, longitude)));
  return located;
};

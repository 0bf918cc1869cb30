import type { Context } from '../../platform/context.ts';
import { invalid } from '../../platform/errors.ts';
import type { CellReader } from './cell-reader.ts';
import { cellsAround, distanceKm, type Point } from './grid.ts';
import { provinceOf, provinceTerm } from './place-text.ts';
import { rankOfPart, queryParts, termGroups } from './query-text.ts';
import type { PackedDocument } from './search-document.ts';
import type { SearchQuery } from './search.schema.ts';

/** A listing at the requested place. */
export interface Located {
  id: number;
  packed: PackedDocument;
  /** Null for a listing without coordinates. */
  km: number | null;
  /** How well the text matches: 0 is best, higher in less significant fields or not as a phrase. */
  foundIn: number;
}

type Reader = Pick<Context, 'table' | 'clock'>;
type LocationQuery = Pick<SearchQuery, 'location' | 'radius_km'>;

/** Returns every open listing at a location (D58): around a point, in a province, or matching a text. */
export const locate = async (from: Reader, cells: CellReader, query: LocationQuery): Promise<Located[]> => {
  const point = pointOf(query.location);
  if (point) return aroundPoint(from, cells, point, query.radius_km);
  const found =
    (await inProvince(from, cells, query.location)) ?? (await withText(from, cells, query.location));
  return withDistances(found);
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

const aroundPoint = async (
  from: Reader,
  cells: CellReader,
  point: Point,
  radiusKm: number,
): Promise<Located[]> => {
  const documents = await cells.read(from, cellsAround(point, radiusKm));
  return documents
    .map((packed) => ({ id: packed.id, packed, km: kmFrom(point, packed), foundIn: 0 }))
    .filter(({ km }) => km !== null && km <= radiusKm);
};

/** Longer texts are names, not codes. */
const codePattern = /^[\w-]{1,5}$/;

/** Returns the listings of a province; undefined if the text is not the code of a province with listings. */
const inProvince = async (from: Reader, cells: CellReader, text: string): Promise<Located[] | undefined> => {
  if (!codePattern.test(text)) return undefined;
  const code = provinceOf(text);
  const inside = await cells.cellsOf(from, provinceTerm(code));
  if (inside?.length === 0) return undefined;
  const documents = await cells.read(from, inside ?? tooMany());
  return documents
    .filter(({ document }) => document.province === code)
    .map((packed) => ({ id: packed.id, packed, km: null, foundIn: 0 }));
};

const tooMany = (): never => {
  throw invalid({ path: 'location', message: 'matches too many places: add the district or province' });
};

const withText = async (from: Reader, cells: CellReader, text: string): Promise<Located[]> => {
  const parts = queryParts(text);
  const groups = termGroups(parts);
  if (groups.length === 0) return [];
  const documents = await cells.read(from, await cellsWith(from, cells, groups));
  return documents.flatMap((packed) => {
    const places = parts.map((part) => rankOfPart(packed.texts, part));
    if (!places.every((place) => place !== undefined)) return [];
    return [{ id: packed.id, packed, km: null, foundIn: Math.max(...places) }];
  });
};

/** Up to this number, reading the cells costs no more than reducing their number. */
const enoughCells = 12;
/** The most groups of terms that are read if the most selective one leads to many cells. */
const maxGroups = 8;

/** Returns the cells that have a term of every group; groups with too many cells are ignored. */
const cellsWith = async (from: Reader, cells: CellReader, groups: string[][]): Promise<readonly string[]> => {
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

/** Returns distances from the mean position of the listings, since a text or province has no centre of its own. */
const withDistances = (found: readonly Located[]): Located[] => {
  const points = found.map(({ packed }) => pointIn(packed)).filter((point) => point !== null);
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const middle = {
    latitude: mean(points.map(({ latitude }) => latitude)),
    longitude: mean(points.map(({ longitude }) => longitude)),
  };
  return found.map((one) => ({ ...one, km: kmFrom(middle, one.packed) }));
};

const pointIn = ({ latitude, longitude }: PackedDocument): Point | null =>
  latitude === null || longitude === null ? null : { latitude, longitude };

const kmFrom = (point: Point, packed: PackedDocument): number | null => {
  const there = pointIn(packed);
  return there && distanceKm(point, there);
};

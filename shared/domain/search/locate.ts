import type { Context } from '../../platform/context.ts';
import { invalid } from '../../platform/errors.ts';
import type { CellReader } from './cell-reader.ts';
import { cellsAround, distanceKm, type Point } from './grid.ts';
import { provinceOf, provinceTerm } from './place-text.ts';
import { placeOfPart, queryParts, termGroups } from './query-text.ts';
import type { PackedDocument } from './search-document.ts';
import type { SearchQuery } from './search.schema.ts';

/** A listing at the place that was asked for. */
export interface Located {
  id: number;
  packed: PackedDocument;
  /** Null for a listing without coordinates. */
  km: number | null;
  /** How well the text was found: 0 best, higher where it stands in less telling places or not in one piece. */
  foundIn: number;
}

type Reader = Pick<Context, 'table' | 'clock'>;
type Asked = Pick<SearchQuery, 'location' | 'radius_km'>;

/** Every open listing at a location (D58): around a point, in a province, or with a text. */
export const locate = async (from: Reader, cells: CellReader, asked: Asked): Promise<Located[]> => {
  const point = pointOf(asked.location);
  if (point) return aroundPoint(from, cells, point, asked.radius_km);
  const found =
    (await inProvince(from, cells, asked.location)) ?? (await withText(from, cells, asked.location));
  return fromTheirMiddle(found);
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

/** Anything longer is a name, not a code. */
const codePattern = /^[\w-]{1,5}$/;

/** The listings of a province; undefined where the text is the code of none that has any. */
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
  throw invalid({ path: 'location', message: 'stands in too many places: add the district or province' });
};

const withText = async (from: Reader, cells: CellReader, text: string): Promise<Located[]> => {
  const parts = queryParts(text);
  const groups = termGroups(parts);
  if (groups.length === 0) return [];
  const documents = await cells.read(from, await cellsWith(from, cells, groups));
  return documents.flatMap((packed) => {
    const places = parts.map((part) => placeOfPart(packed.texts, part));
    if (!places.every((place) => place !== undefined)) return [];
    return [{ id: packed.id, packed, km: null, foundIn: Math.max(...places) }];
  });
};

/** So few cells that reading them costs no more than looking for fewer. */
const fewCells = 12;
/** Groups that are asked at once where the most telling one leads to many cells. */
const mostGroups = 8;

/** Cells that have a sign of every group; a group that leads to too many is no help. */
const cellsWith = async (from: Reader, cells: CellReader, groups: string[][]): Promise<readonly string[]> => {
  const read = async (asked: string[][]) => {
    const signs = [...new Set(asked.flat())];
    const led = await Promise.all(signs.map((sign) => cells.cellsOf(from, sign)));
    const bySign = new Map(signs.map((sign, at) => [sign, led[at]]));
    return asked.map((group) => together(group.map((sign) => bySign.get(sign))));
  };
  const [best] = await read(groups.slice(0, 1));
  if (best && best.length <= fewCells) return best;
  const found = [best, ...(await read(groups.slice(1, mostGroups)))].filter((some) => some !== undefined);
  const [first, ...others] = found;
  return (first ?? tooMany()).filter((cell) => others.every((some) => some.includes(cell)));
};

/** The last sign is the word's own: where the phrase leads to too many cells, the word has to do without it. */
const together = (led: readonly (readonly string[] | undefined)[]): readonly string[] | undefined =>
  led.at(-1) && [...new Set(led.flatMap((some) => some ?? []))];

/** A text or province has no middle of its own: it is where its listings are on average. */
const fromTheirMiddle = (found: readonly Located[]): Located[] => {
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

/** Divides the earth into cells about 14 km wide and high: a search of 10 km touches at most nine of them. */

export interface Point {
  latitude: number;
  longitude: number;
}

const rowDegrees = 0.125;
const rows = 180 / rowDegrees;
const columnsAtEquator = 360 / rowDegrees;
const earthKm = 6371.0088;
const radians = (degrees: number): number => (degrees * Math.PI) / 180;
const degrees = (angle: number): number => (angle * 180) / Math.PI;

const rowOf = (latitude: number): number =>
  Math.min(rows - 1, Math.max(0, Math.floor((latitude + 90) / rowDegrees)));

/** Fewer towards the poles, so that cells stay as wide as they are high. */
const columnsOf = (row: number): number => {
  const middle = (row + 0.5) * rowDegrees - 90;
  return Math.max(1, Math.floor(columnsAtEquator * Math.cos(radians(middle))));
};

const columnOf = (longitude: number, columns: number): number => {
  const column = Math.floor(((longitude + 180) / 360) * columns);
  return ((column % columns) + columns) % columns;
};

const cellName = (row: number, column: number): string => `${row}-${column}`;

/** Returns the cell of a point. */
export const cellOf = ({ latitude, longitude }: Point): string => {
  const row = rowOf(latitude);
  return cellName(row, columnOf(longitude, columnsOf(row)));
};

/**
 * Returns every cell that contains a point of the circle, and possibly some near it; handles the 180th meridian and the
 * poles.
 */
export const cellsAround = ({ latitude, longitude }: Point, radiusKm: number): string[] => {
  const angle = (radiusKm / earthKm) * 1.001;
  const [south, north] = [latitude - degrees(angle), latitude + degrees(angle)];
  const reachesPole = south <= -90 || north >= 90;
  const half = reachesPole ? 180 : degrees(Math.asin(Math.sin(angle) / Math.cos(radians(latitude))));
  const cells = new Set<string>();
  for (let row = rowOf(south); row <= rowOf(north); row++) {
    const columns = columnsOf(row);
    const first = Math.floor(((longitude - half + 180) / 360) * columns);
    const last = Math.floor(((longitude + half + 180) / 360) * columns);
    for (let column = first; column <= Math.min(last, first + columns - 1); column++)
      cells.add(cellName(row, ((column % columns) + columns) % columns));
  }
  return [...cells];
};

/** Returns the great-circle distance of two points in kilometres. */
export const distanceKm = (one: Point, other: Point): number =>
  distancesFrom(one)(other.latitude, other.longitude);

/** Returns the distances of a point in kilometres. */
export const distancesFrom = ({
  latitude,
  longitude,
}: Point): ((toLatitude: number, toLongitude: number) => number) => {
  const cosine = Math.cos(radians(latitude));
  return (toLatitude, toLongitude) => {
    const byLatitude = Math.sin(radians(toLatitude - latitude) / 2) ** 2;
    const byLongitude = Math.sin(radians(toLongitude - longitude) / 2) ** 2;
    const sides = cosine * Math.cos(radians(toLatitude));
    return 2 * earthKm * Math.asin(Math.min(1, Math.sqrt(byLatitude + sides * byLongitude)));
  };
};

/** Rounds to ten metres for responses. */
export const shownKm = (km: number): number => Math.round(km * 100) / 100;

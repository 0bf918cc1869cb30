import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellOf, cellsAround, distanceKm } from '../../../shared/domain/search/grid.ts';

const point = fc.record({
  latitude: fc.double({ min: -90, max: 90, noNaN: true }),
  longitude: fc.double({ min: -180, max: 180, noNaN: true }),
});

/** The point so far away in a direction (radians from north). */
const awayFrom = (
  { latitude, longitude }: { latitude: number; longitude: number },
  km: number,
  direction: number,
) => {
  const [angle, from] = [km / 6371.0088, (latitude * Math.PI) / 180];
  const to = Math.asin(
    Math.sin(from) * Math.cos(angle) + Math.cos(from) * Math.sin(angle) * Math.cos(direction),
  );
  const turned = Math.atan2(
    Math.sin(direction) * Math.sin(angle) * Math.cos(from),
    Math.cos(angle) - Math.sin(from) * Math.sin(to),
  );
  const there = longitude + (turned * 180) / Math.PI;
  return { latitude: (to * 180) / Math.PI, longitude: ((((there + 180) % 360) + 360) % 360) - 180 };
};

describe('the cells of the map', () => {
  it('around a point hold every point of the circle, over poles and the 180th meridian', () => {
    const radius = fc.double({ min: 0.1, max: 100, noNaN: true });
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    const direction = fc.double({ min: 0, max: 2 * Math.PI, noNaN: true });
    fc.assert(
      fc.property(point, radius, share, direction, (center, km, part, towards) => {
        const there = awayFrom(center, km * part, towards);
        expect(cellsAround(center, km)).toContain(cellOf(there));
      }),
      { numRuns: 5000 },
    );
  });

  it.each([
    [10, 9],
    [100, 256],
  ])('around %d km are at most %d where people live', (km, most) => {
    const inhabited = fc.record({
      latitude: fc.double({ min: -60, max: 60, noNaN: true }),
      longitude: fc.double({ min: -180, max: 180, noNaN: true }),
    });
    fc.assert(
      fc.property(inhabited, (center) => {
        const cells = cellsAround(center, km);
        expect(new Set(cells).size).toBe(cells.length);
        expect(cells.length).toBeLessThanOrEqual(most);
      }),
    );
  });

  it('take in every corner of the earth', () => {
    for (const latitude of [-90, 90])
      for (const longitude of [-180, 0, 180])
        expect(cellsAround({ latitude, longitude }, 1)).toContain(cellOf({ latitude, longitude }));
  });
});

describe('distanceKm', () => {
  it.each([
    ['Hà Nội to Thành phố Hồ Chí Minh', [21.0278, 105.8342], [10.8231, 106.6297], 1138],
    ['a degree of the equator', [0, 0], [0, 1], 111],
    ['over the 180th meridian', [0, 179.5], [0, -179.5], 111],
    ['to the other end', [0, 0], [0, 180], 20015],
  ])('%s', (_, one, other, km) => {
    const of = ([latitude = 0, longitude = 0]: number[]) => ({ latitude, longitude });
    expect(Math.round(distanceKm(of(one), of(other)))).toBe(km);
  });
});

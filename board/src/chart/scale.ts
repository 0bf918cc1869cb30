import { Temporal } from 'temporal-polyfill';

/** How time becomes pixels: a day is as wide as its hours need. */
export interface Scale {
  /** The first date of the chart. */
  start: string;
  days: number;
  dayWidth: number;
}

export const rowHeight = 44;
export const headHeight = 48;
export const nameWidth = 112;

const pastDays = 31;
const aheadDays = 395;

export const zooms = { days: 56, hours24: 24 * 32 } as const;
export type Zoom = keyof typeof zooms;

export const scaleOf = (today: string, zoom: Zoom): Scale => ({
  start: Temporal.PlainDate.from(today).subtract({ days: pastDays }).toString(),
  days: pastDays + aheadDays,
  dayWidth: zooms[zoom],
});

const hourMs = 3_600_000;

/** Hours of a local time since 1970, for differences alone: no zone, so every day has 24. */
const hoursOf = (local: string): number =>
  Date.parse(`${local.length === 10 ? `${local}T00:00:00` : local}Z`) / hourMs;

/** How far from the left a local time is. */
export const leftOf = ({ start, dayWidth }: Scale, local: string): number =>
  ((hoursOf(local) - hoursOf(start)) * dayWidth) / 24;

export const dateAt = ({ start }: Scale, day: number): string =>
  Temporal.PlainDate.from(start).add({ days: day }).toString();

export const dayOf = ({ start }: Scale, date: string): number =>
  Math.round((hoursOf(date) - hoursOf(start)) / 24);

/** What is in sight: days and rows, the last ones excluded. */
export interface Sight {
  firstDay: number;
  lastDay: number;
  firstRow: number;
  lastRow: number;
}

/** A row and some days more on each side, so that a little scrolling draws nothing. */
export const sightOf = (
  { dayWidth, days }: Scale,
  rows: number,
  place: { scrollLeft: number; scrollTop: number; clientWidth: number; clientHeight: number },
): Sight => {
  const step = Math.max(1, Math.round(224 / dayWidth));
  const day = Math.floor(place.scrollLeft / dayWidth / step) * step;
  const row = Math.floor(place.scrollTop / rowHeight / 4) * 4;
  return {
    firstDay: Math.max(0, day - step),
    lastDay: Math.min(days, day + Math.ceil(place.clientWidth / dayWidth) + 2 * step),
    firstRow: Math.max(0, row - 4),
    lastRow: Math.min(rows, row + Math.ceil(place.clientHeight / rowHeight) + 8),
  };
};

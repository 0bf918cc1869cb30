import { rowHeight, type Scale } from './scale.ts';

/** A day of a home, counted from the first ones of the chart. */
export interface Place {
  day: number;
  row: number;
}

/** Nights of a home; none of day use. */
export interface Span extends Place {
  nights: number;
}

/** What a pointer has hold of: a stay, one of its ends, or free nights. */
export type Grip = 'MOVE' | 'START' | 'END' | 'NIGHTS';

/** Returns the day and home of a point, in pixels from the first ones. */
export const placeAt = ({ dayWidth }: Pick<Scale, 'dayWidth'>, x: number, y: number): Place => ({
  day: Math.floor(x / dayWidth),
  row: Math.floor(y / rowHeight),
});

/** A finger needs a wider end than a mouse; the middle of a short stay is left to move it. */
const endWidth = { mouse: 8, touch: 20 };

/** Returns what of a bar is taken, by the pixels from its left. */
export const gripAt = (x: number, width: number, by: keyof typeof endWidth): Grip => {
  const end = Math.min(endWidth[by], width / 4);
  if (x < end) return 'START';
  return x > width - end ? 'END' : 'MOVE';
};

/** Returns where a span is after a pointer has gone from one place to another. A stay keeps one night. */
export const dragged = (span: Span, grip: Grip, from: Place, to: Place): Span => {
  const days = to.day - from.day;
  const { row, day, nights } = span;
  if (grip === 'NIGHTS') return { row, day: Math.min(from.day, to.day), nights: Math.abs(days) + 1 };
  if (grip === 'MOVE' || nights === 0) return { row: row + to.row - from.row, day: day + days, nights };
  const moved = grip === 'START' ? Math.min(days, nights - 1) : Math.max(days, 1 - nights);
  return grip === 'START'
    ? { row, day: day + moved, nights: nights - moved }
    : { row, day, nights: nights + moved };
};

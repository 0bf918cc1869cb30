import type { Signal } from '@preact/signals';
import type { RefObject } from 'preact';
import { noteEnd } from '../data/reading.ts';
import { api } from '../session/session.ts';
import { nightsBetween } from './free.ts';
import type { Home } from './homes.ts';
import type { Place, Span } from './place.ts';
import { dayOf, type Scale } from './scale.ts';

/** Where a stay would be, or the nights that would be chosen. */
export interface Ghost extends Span {
  /** Of a stay. */
  bookingId?: number;
}

export interface DragProps {
  place: RefObject<HTMLDivElement | null>;
  scale: Scale;
  homes: readonly Home[];
  /** A stay was dropped elsewhere. */
  onStay: (bookingId: number, to: Span) => void;
  /** Free nights were chosen. */
  onNights: (nights: Span) => void;
}

export interface Tools {
  ghost: Signal<Ghost | undefined>;
  latest: { current: DragProps };
}

/** Returns a place of a home that there is. */
export const inRows = ({ day, row }: Place, { homes }: DragProps): Place => ({
  day,
  row: Math.max(0, Math.min(homes.length - 1, row)),
});

const isSame = (one: Span, other: Span): boolean =>
  one.row === other.row && one.day === other.day && one.nights === other.nights;

export const drop = (span: Ghost, to: Ghost, { onStay, onNights }: DragProps): void => {
  if (to.bookingId === undefined) onNights(to);
  else if (!isSame(span, to)) onStay(to.bookingId, to);
};

export const mayChange = async (bookingId: number): Promise<boolean> => {
  try {
    return (await api().getBooking({ booking_id: bookingId })).allowed_actions.includes('CHANGE');
  } catch (error) {
    noteEnd(error);
    return false;
  }
};

/** Where a stay of the chart is. */
export const spanOf = (bookingId: number, { homes, scale }: DragProps): Ghost | undefined => {
  for (const [row, { entries }] of homes.entries()) {
    const stay = entries.find(({ kind, booking_id }) => kind === 'STAY' && booking_id === bookingId);
    if (!stay) continue;
    const [from, to] = [stay.start_at.slice(0, 10), stay.end_at.slice(0, 10)];
    return { row, day: dayOf(scale, from), nights: nightsBetween(from, to), bookingId };
  }
  return undefined;
};

export const bookingAt = (target: EventTarget | null): HTMLElement | undefined => {
  const bar = target instanceof Element ? target.closest<HTMLElement>('.bar[data-booking]') : null;
  return bar ?? undefined;
};

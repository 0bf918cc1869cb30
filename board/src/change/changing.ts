import { signal } from '@preact/signals';
import { typeDraft } from '../data/drafts.ts';
import type { Place } from './asked.ts';

/** The booking whose dates, home or guests are asked to change. */
export const changing = signal<number | undefined>(undefined);

export const draftOf = (bookingId: number): string => `booking ${bookingId} CHANGE`;

/** Asks what a change would do; without `to` it goes on with what was typed. */
export const openChange = (bookingId: number, to?: Partial<Place>): void => {
  if (to) typeDraft(draftOf(bookingId), { ...to });
  changing.value = bookingId;
};

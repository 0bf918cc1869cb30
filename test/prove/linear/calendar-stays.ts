import type { HourSpan } from '../schedule/history.ts';
import { overlap } from '../schedule/model.ts';

/** Hours of a home. */
export interface Place extends HourSpan {
  home: string;
  /** Until when it may take time, as its host changes the preparation after stays. */
  perhapsTo?: number;
}

/** The earliest and the latest moment. */
export type Moments = readonly [from: number, to: number];

export interface Stay extends Place {
  /** Of the order, and of the stay or block itself. */
  ids: readonly number[];
  who: string;
  /** When a lock expires; null for what stays. */
  until: Moments | null;
  /** From here on the service may have freed it by itself, as it does when the payment is missing. */
  looseFrom: number;
  /** By then the service had freed it for certain. */
  goneAt?: number;
  /** A block of its host. */
  isBlock?: boolean;
  /** The bulk change that made it. */
  bulk?: number;
}

/** What a client knows of the clock of the service while it waited. */
export interface Waited {
  who: string;
  since: number;
  by: number;
}

export interface Calendar {
  stays: readonly Stay[];
  parents: Readonly<Record<string, string | null>>;
}

export const has = (stay: Stay, id: number | undefined): boolean => id !== undefined && stay.ids.includes(id);

const excludes = ({ parents }: Calendar, one: string, other: string): boolean =>
  one === other || parents[one] === other || parents[other] === one;

export const meets = (calendar: Calendar, one: Place, other: Place): boolean =>
  excludes(calendar, one.home, other.home) && overlap(one, other);

/** Whether both are of one bulk change, which blocks a house together with its rooms. */
export const isOfOneBulk = ({ bulk }: Stay, other: Stay): boolean =>
  bulk !== undefined && bulk === other.bulk;

/** The same with the preparation that each of them may have. */
export const mayMeet = (calendar: Calendar, one: Place, other: Place): boolean =>
  meets(calendar, prepared(one), prepared(other));

const prepared = <Of extends Place>(place: Of): Of => ({ ...place, to: place.perhapsTo ?? place.to });

/** There whatever the clocks of the instances said. */
export const isSurelyThere = ({ until, looseFrom }: Stay, { by }: Waited): boolean =>
  looseFrom > by && (until === null || until[0] > by);

export const isPerhapsThere = ({ until, goneAt = Infinity }: Stay, { since }: Waited): boolean =>
  goneAt > since && (until === null || until[1] > since);

export const surely = (stays: readonly Stay[], asked: Waited): boolean =>
  stays.some((stay) => isSurelyThere(stay, asked));

import { overlap } from '../schedule/model.ts';
import {
  type Calendar,
  has,
  isPerhapsThere,
  isSurelyThere,
  mayMeet,
  meets,
  type Place,
  type Stay,
  type Waited,
} from './calendar-stays.ts';

/** The time that a change asks for; what is absent stays as it is. Days by their first hour. */
export interface Wish {
  home?: string;
  firstDay?: number;
  lastDay?: number;
  fromHour?: number;
  toHour?: number;
}

/** A stay has another time: the present one is free, and the new one taken, in one step. */
export interface Change {
  did: 'change';
  id: number;
  stay: Stay;
  /** It must be there, since its booking was answered and it has not left the family. */
  isFixed: boolean;
  /** Of an unpaid stay the time to pay may be shorter. */
  isNear: boolean;
}

export interface RefusedChange {
  did: 'find change taken';
  id: number;
  wish: Wish;
  preparation: number;
}

/** Blocks of a home, or those with an id alone, do not take these hours any more. */
export interface Lift {
  did: 'lift';
  places: readonly Place[];
  id?: number;
}

export const move = (calendar: Calendar, asked: Waited & Change): Calendar | undefined => {
  const { id, stay, isFixed, isNear } = asked;
  const [own] = calendar.stays.filter((one) => has(one, id));
  if (!own && isFixed) return undefined;
  const others = calendar.stays.filter((one) => !has(one, id));
  const inTheWay = others.filter((other) => meets(calendar, stay, other));
  if (inTheWay.some((other) => isSurelyThere(other, asked))) return undefined;
  const isLoose = isNear && own?.looseFrom !== Infinity;
  const kept = own ? { ids: own.ids, who: own.who, looseFrom: isLoose ? -Infinity : own.looseFrom } : {};
  return {
    ...calendar,
    stays: [...others.filter((other) => !inTheWay.includes(other)), { ...stay, ...kept }],
  };
};

const dayHours = 24;
/** When nights begin and end. */
const [usualFrom, usualTo] = [14, 12];
const between = usualFrom - usualTo;

/** Returns all hours that a change may have asked for; undefined if that is not known. */
const wished = (own: Stay | undefined, wish: Wish, preparation: number): Place | undefined => {
  const dayOf = (hour: number): number => hour - (hour % dayHours);
  const { home = own?.home, firstDay = own && dayOf(own.from), lastDay = own && dayOf(own.to) } = wish;
  if (home === undefined || firstDay === undefined || lastDay === undefined) return undefined;
  const isDayUse = firstDay >= lastDay;
  const starts = [usualFrom, wish.fromHour, own && own.from % dayHours, isDayUse ? 0 : undefined];
  const ends = [usualTo, wish.toHour, own && own.to % dayHours, isDayUse ? dayHours : undefined];
  const from = firstDay + Math.min(...starts.filter((hour) => hour !== undefined));
  const to = lastDay + Math.max(...ends.filter((hour) => hour !== undefined));
  return { home, from, to, perhapsTo: to + preparation };
};

export const isChangeTaken = (calendar: Calendar, asked: Waited & RefusedChange): boolean => {
  const { id, wish, preparation } = asked;
  const [own, ...more] = calendar.stays.filter((stay) => has(stay, id));
  const place = wished(own, wish, preparation);
  // Of a stay that was perhaps changed it is not known where it is.
  if (!place || more.length > 0 || own?.looseFrom === -Infinity) return true;
  return calendar.stays.some(
    (stay) => !has(stay, id) && mayMeet(calendar, place, stay) && isPerhapsThere(stay, asked),
  );
};

/**
 * What is left of a block without these hours. A block of several nights has the hours between two of them, from check-out to
 * check-in, only as long as it has both: beside a night that is lifted they may be free.
 */
const restOf = (stay: Stay, places: readonly Place[]): Stay[] =>
  places
    .filter(({ home }) => home === stay.home)
    .reduce<Stay[]>(
      (rest, place) =>
        rest.flatMap((one) => {
          if (!overlap(one, place)) return [one];
          const [before, after] = [place.from - between, place.to + between];
          const parts = [
            { ...one, to: Math.min(one.to, before) },
            { ...one, from: Math.max(one.from, before), to: place.from, looseFrom: -Infinity },
            { ...one, from: place.to, to: Math.min(one.to, after), looseFrom: -Infinity },
            { ...one, from: Math.max(one.from, after) },
          ];
          return parts.filter(({ from, to }) => from < to);
        }),
      [stay],
    );

export const lift = (calendar: Calendar, { places, id }: Lift): Calendar => ({
  ...calendar,
  stays: calendar.stays.flatMap((stay) =>
    stay.isBlock && (id === undefined || has(stay, id)) ? restOf(stay, places) : [stay],
  ),
});

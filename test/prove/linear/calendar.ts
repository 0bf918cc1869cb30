import { type Change, isChangeTaken, lift, type Lift, move, type RefusedChange } from './calendar-changes.ts';
import {
  type Calendar,
  has,
  isOfOneBulk,
  isPerhapsThere,
  isSurelyThere,
  mayMeet,
  meets,
  type Moments,
  type Place,
  type Stay,
  surely,
  type Waited,
} from './calendar-stays.ts';
import { overlap } from '../schedule/model.ts';
import type { Specification } from './linearize.ts';

/** A request about the calendar of a family of homes, with its answer. */
export type Asked = Waited &
  (
    | { did: 'take'; stays: readonly Stay[]; consumed?: number }
    /** Of hours that the client does not know exactly: each of the stays takes all of them or a part. */
    | { did: 'take a part'; stays: readonly Stay[] }
    | { did: 'find taken'; places: readonly Place[]; consumed?: number }
    | Change
    | RefusedChange
    | Lift
    | { did: 'free'; id: number }
    | { did: 'loosen'; id: number }
    | { did: 'extend'; id: number; byMs: Moments }
    | { did: 'move'; home: string; parent: string | null }
    | { did: 'drop locks'; home: string }
    | { did: 'read'; place: Place; taken: ReadonlySet<number> }
    /** `sparesOwn`: the caller's own locks count as free. */
    | { did: 'read nights'; nights: readonly (Place & { isFree: boolean })[]; sparesOwn?: true }
  );

/** A new order of the same caller replaces the caller's locks on the same home and hours, each with its whole order. */
const replaced = ({ stays }: Calendar, who: string, places: readonly Place[]): number[] =>
  stays
    .filter((stay) => stay.until !== null && stay.who === who)
    .filter((stay) => places.some((place) => place.home === stay.home && overlap(place, stay)))
    .flatMap(({ ids }) => ids.slice(0, 1));

const take = (calendar: Calendar, asked: Asked & { did: 'take' }): Calendar | undefined => {
  const { stays, who, consumed } = asked;
  const given = replaced(calendar, who, stays);
  const others = calendar.stays.filter(
    (stay) => !has(stay, consumed) && !given.some((order) => has(stay, order)),
  );
  const inTheWay = others.filter((other) =>
    stays.some((stay) => meets(calendar, stay, other) && !isOfOneBulk(stay, other)),
  );
  if (inTheWay.some((other) => isSurelyThere(other, asked))) return undefined;
  if (stays.some((stay, at) => stays.slice(0, at).some((other) => meets(calendar, stay, other))))
    return undefined;
  return { ...calendar, stays: [...others.filter((other) => !inTheWay.includes(other)), ...stays] };
};

const isTaken = (calendar: Calendar, asked: Asked & { did: 'find taken' }): boolean =>
  asked.places.some(
    (place, at) =>
      asked.places.slice(0, at).some((other) => mayMeet(calendar, place, other)) ||
      calendar.stays.some(
        (stay) => !has(stay, asked.consumed) && mayMeet(calendar, place, stay) && isPerhapsThere(stay, asked),
      ),
  );

const isRightRead = (calendar: Calendar, asked: Asked & { did: 'read' }): boolean => {
  const { place, taken } = asked;
  const there = calendar.stays.filter((stay) => meets(calendar, place, stay));
  for (let hour = place.from; hour < place.to; hour++) {
    const then = there.filter((stay) => stay.from <= hour && hour < stay.to);
    if (taken.has(hour) ? !then.some((stay) => isPerhapsThere(stay, asked)) : surely(then, asked))
      return false;
  }
  return true;
};

const areRightNights = (calendar: Calendar, asked: Asked & { did: 'read nights' }): boolean =>
  asked.nights.every((night) => {
    const isSpared = ({ who, until }: Stay): boolean =>
      asked.sparesOwn === true && until !== null && who === asked.who;
    const there = calendar.stays.filter((stay) => !isSpared(stay));
    return night.isFree
      ? !surely(
          there.filter((stay) => meets(calendar, night, stay)),
          asked,
        )
      : there.some((stay) => mayMeet(calendar, night, stay) && isPerhapsThere(stay, asked));
  });

const change = (calendar: Calendar, id: number, to: (stay: Stay) => Stay): Calendar => ({
  ...calendar,
  stays: calendar.stays.map((stay) => (has(stay, id) ? to(stay) : stay)),
});

const after = (calendar: Calendar, asked: Asked): Calendar | undefined => {
  switch (asked.did) {
    case 'take':
      return take(calendar, asked);
    case 'take a part':
      return { ...calendar, stays: [...calendar.stays, ...asked.stays] };
    case 'find taken':
      return isTaken(calendar, asked) ? calendar : undefined;
    case 'change':
      return move(calendar, asked);
    case 'find change taken':
      return isChangeTaken(calendar, asked) ? calendar : undefined;
    case 'lift':
      return lift(calendar, asked);
    case 'free':
      return { ...calendar, stays: calendar.stays.filter((stay) => !has(stay, asked.id)) };
    case 'loosen':
      return change(calendar, asked.id, (stay) => ({ ...stay, looseFrom: -Infinity }));
    case 'extend': {
      if (!calendar.stays.some((stay) => has(stay, asked.id))) return undefined;
      const [least, most] = asked.byMs;
      return change(calendar, asked.id, (stay) =>
        stay.until ? { ...stay, until: [stay.until[0] + least, stay.until[1] + most] } : stay,
      );
    }
    case 'move':
      return { ...calendar, parents: { ...calendar.parents, [asked.home]: asked.parent } };
    case 'drop locks':
      return {
        ...calendar,
        stays: calendar.stays.filter(({ home, until }) => home !== asked.home || until === null),
      };
    case 'read':
      return isRightRead(calendar, asked) ? calendar : undefined;
    case 'read nights':
      return areRightNights(calendar, asked) ? calendar : undefined;
  }
};

const key = ({ stays, parents }: Calendar): string =>
  [
    ...stays.map(({ ids, home, from, to, perhapsTo = '', until, looseFrom, goneAt = '' }) =>
      [ids.join('+'), home, from, to, perhapsTo, until?.join('-') ?? '', looseFrom, goneAt].join(),
    ),
    JSON.stringify(parents),
  ]
    .sort()
    .join(' ');

/** The calendar of a family: what each request may be answered when the requests come one after another. */
export const calendarOf = (parents: Calendar['parents']): Specification<Calendar, Asked> => ({
  initial: { stays: [], parents },
  after,
  key,
});

/** A request as a line. */
export const askedText = (asked: Asked, hour: (at: number) => string): string => {
  const text = ({ home, from, to }: Place): string => `${home} ${hour(from)}..${hour(to)}`;
  switch (asked.did) {
    case 'take':
      return `takes ${asked.stays.map((stay) => `${text(stay)}${stay.until ? ' for a while' : ''} (${stay.ids.join('/')})`).join(' + ')}`;
    case 'take a part':
      return `takes a part of ${asked.stays.map(text).join(' + ')}`;
    case 'find taken':
      return `finds that ${asked.places.map(text).join(' + ')} is taken`;
    case 'change':
      return `changes ${asked.id} to ${text(asked.stay)}`;
    case 'lift':
      return `lifts blocks of ${asked.places.map(text).join(' + ')}`;
    case 'find change taken':
      return `finds that ${JSON.stringify(asked.wish)} of ${asked.id} is taken`;
    case 'read':
      return `reads ${text(asked.place)}: ${asked.taken.size} hours are taken`;
    case 'read nights':
      return `reads ${asked.nights.map((night) => `${text(night)} ${night.isFree ? 'free' : 'taken'}`).join(', ')}`;
    case 'move':
      return `moves ${asked.home} to ${asked.parent ?? 'no parent'}`;
    case 'drop locks':
      return `drops the locks of ${asked.home}`;
    default:
      return `${asked.did}s ${asked.id}`;
  }
};

import { Temporal } from 'temporal-polyfill';

/** What a guest has chosen; it goes along from page to page, to the sign-in and back. */
export interface Wish {
  from?: string | undefined;
  to?: string | undefined;
  guests: number;
  text?: string | undefined;
  sort?: 'price' | 'rating' | undefined;
  services: readonly number[];
}

export type View = 'search' | 'home' | 'book' | 'bookings' | 'booking';

export interface Place extends Wish {
  view: View;
  /** Of the home, or of the booking. */
  id?: number;
  /** The booking has just been made. */
  isNew?: boolean;
}

const words = { homes: 'home', book: 'book', bookings: 'booking' } as const;
const day = /^\d{4}-\d{2}-\d{2}$/;
const isDate = (text: string | undefined): boolean => {
  try {
    return text !== undefined && Temporal.PlainDate.from(text, { overflow: 'reject' }).toString() === text;
  } catch {
    return false;
  }
};
const mostGuests = 5000;

/** Returns the place that the part of an address behind `#` says; what it does not say, or says wrong, is left out. */
export const readPlace = (hash: string): Place & { key?: string } => {
  const [, word, number, query = ''] =
    /^#\/(?:(homes|book|bookings)(?:\/(\d{1,16}))?)?(?:\?(.*))?$/.exec(hash) ?? [];
  const asked = new URLSearchParams(query);
  const named = (name: string, pattern: RegExp): string | undefined =>
    pattern.exec(asked.get(name) ?? '')?.[0];
  const [from, to] = [named('from', day), named('to', day)].map((text) => (isDate(text) ? text : undefined));
  const key = named('key', /^pk_\w{1,100}$/);
  const [text, sort] = [named('text', /^.{1,200}$/), named('sort', /^(?:price|rating)$/)];
  const guests = Number(named('guests', /^\d{1,4}$/) ?? 2);
  const view = word === 'bookings' && number === undefined ? 'bookings' : number && words[word as 'homes'];
  return {
    view: view || 'search',
    ...(number === undefined ? {} : { id: Number(number) }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(text === undefined ? {} : { text }),
    ...(sort === undefined ? {} : { sort: sort as 'price' }),
    ...(key === undefined ? {} : { key }),
    ...(asked.has('new') ? { isNew: true } : {}),
    guests: Math.min(Math.max(guests, 1), mostGuests),
    services: (asked.get('services') ?? '')
      .split(',')
      .map(Number)
      .filter(Number.isSafeInteger)
      .filter(Boolean),
  };
};

/** Returns the part of an address behind `#` of a place. */
export const hashOf = ({ view, id, isNew, ...wish }: Place, key: string): string => {
  const word = Object.entries(words).find(([, of]) => of === view)?.[0] ?? (view === 'bookings' ? view : '');
  const query = new URLSearchParams();
  const said = {
    ...wish,
    guests: String(wish.guests),
    services: wish.services.join(','),
    new: isNew && '1',
    key,
  };
  for (const [name, value] of Object.entries(said)) if (value) query.set(name, value);
  return `#/${word}${id === undefined ? '' : `/${id}`}?${query.toString()}`;
};

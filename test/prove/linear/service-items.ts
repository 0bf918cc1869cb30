import { addDays } from '../../../shared/platform/time/time.ts';
import { hourSpan } from '../schedule/scene.ts';
import type { Request } from '../service/client.ts';
import type { Place } from './calendar-stays.ts';

/** A stay as it is asked for. */
export interface Item {
  listing_id: number;
  check_in_date: string;
  check_out_date: string;
  check_in_time?: string;
  check_out_time?: string;
}

/** Returns the stays that a request names; undefined if it names none. */
export const itemsOf = ({ verb, body }: Request): readonly Item[] | undefined => {
  if (!['createCheckout', 'confirmCheckout', 'bookForGuest', 'createExternalBooking'].includes(verb))
    return undefined;
  return verb === 'createExternalBooking' ? ([body] as Item[]) : (body as { items?: Item[] }).items;
};

/** Returns the hours of a stay. */
export const placeOf = (item: Item): Place => {
  const {
    listing_id,
    check_in_date,
    check_out_date,
    check_in_time = '14:00',
    check_out_time = '12:00',
  } = item;
  const span = { from: `${check_in_date}T${check_in_time}`, to: `${check_out_date}T${check_out_time}` };
  return { home: String(listing_id), ...hourSpan(span) };
};

/** Returns the hours of blocked dates: their nights, and their days where hours are sold. */
export const blockedSpan = (isHourly: boolean, first: string, last: string) =>
  hourSpan({ from: `${first}T${isHourly ? '00:00' : '14:00'}`, to: `${addDays(last, 1)}T12:00` });

/** Returns the hours of a block. */
export const blockPlace = ({ path, body }: Request, isHourly: (home: number) => boolean): Place => {
  const { block_date: day = '', start_at, end_at } = body as Record<string, string | undefined>;
  const home = idIn(path, 'listings');
  const span =
    start_at !== undefined && end_at !== undefined
      ? hourSpan({ from: start_at, to: end_at })
      : blockedSpan(isHourly(home), day, day);
  return { home: String(home), ...span };
};

/** Returns the id that follows a name in a path; 0 if there is none. */
export const idIn = (path: string, after: string): number =>
  Number(new RegExp(`/${after}/(\\d+)`).exec(path)?.[1] ?? 0);

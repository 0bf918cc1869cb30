import { addDays } from '../../../shared/platform/time/time.ts';
import { hourSpan } from '../schedule/scene.ts';
import type { Request } from '../service/client.ts';
import type { Place } from './calendar-stays.ts';
import { type Item, placeOf } from './service-items.ts';

type Night = Place & { isFree: boolean };

interface Read {
  nights: Night[];
  /** The caller's own locks count as free. */
  sparesOwn?: true;
}

interface Days {
  listing_id: number;
  granularity: 'day' | 'hour';
  items: { date: string; state: string }[];
}

interface Previewed {
  items: { available: boolean }[];
}

/** Returns what the answer to a read says of hours that are free or taken; of those before `now` nothing. */
export const nightsRead = (request: Request, json: unknown, now: number): Read => {
  const ahead = (nights: Night[]): Night[] => nights.filter(({ from }) => from > now);
  switch (request.verb) {
    case 'readAvailability':
    case 'readExternalAvailability':
      return { nights: ahead(dayNights(json as Days)) };
    case 'listUnavailableHours':
      return { nights: ahead(hourStretches(request, json as string[])) };
    case 'previewCheckout': {
      const { items: wishes } = request.body as { items: Item[] };
      // What is not available may be closed instead of taken.
      const free = wishes.filter((_, at) => (json as Previewed).items[at]?.available === true);
      const nights = free.map((wish) => ({ ...placeOf(wish), isFree: true }));
      return { nights: ahead(nights), sparesOwn: true };
    }
    default:
      return { nights: [] };
  }
};

const dayNights = ({ listing_id, granularity, items }: Days): Night[] =>
  granularity === 'hour'
    ? []
    : items.map(({ date, state }) => ({
        ...placeOf({ listing_id, check_in_date: date, check_out_date: addDays(date, 1) }),
        isFree: state === 'AVAILABLE',
      }));

/** The hours that are taken one by one, and the stretches between them. */
const hourStretches = ({ path, query = {} }: Request, taken: readonly string[]): Night[] => {
  const home = /\/listings\/(\d+)/.exec(path)?.[1] ?? '';
  const hourAt = (compact: string): number =>
    hourSpan({ from: `${compact.slice(0, 13)}:00`, to: compact }).from;
  const end = hourAt(String(query['end_time']));
  let free = hourAt(String(query['start_time']));
  const nights: Night[] = [];
  for (const hour of [...taken.map(hourAt).sort((one, other) => one - other), end]) {
    if (hour > free) nights.push({ home, from: free, to: hour, isFree: true });
    if (hour < end) nights.push({ home, from: hour, to: hour + 1, isFree: false });
    free = hour + 1;
  }
  return nights;
};

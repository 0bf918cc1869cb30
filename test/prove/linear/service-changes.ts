import { hourSpan } from '../schedule/scene.ts';
import type { Asked } from './calendar.ts';
import type { Wish } from './calendar-changes.ts';
import type { Place, Stay } from './calendar-stays.ts';
import { type Asks, jsonOf, nowHour } from './service-asks.ts';
import { idIn } from './service-items.ts';

interface Asking {
  check_in_date?: string;
  check_out_date?: string;
  check_in_time?: string;
  check_out_time?: string;
  listing_id?: number;
  payment_gateway_token?: string;
}

interface Changed {
  check_in_date: string;
  check_out_date: string;
  start_at: string;
  end_at: string;
  listing_id: number;
  change?: { payment_url?: string | null };
}

/** What is known of the stays and homes of a history. */
interface Known {
  /** The family of each home. */
  names: ReadonlyMap<number, string>;
  /** Every home at which a stay may have been. */
  homesOf: (id: number) => readonly number[];
  /** Whether the answer to its booking has named the stay. */
  isNamed: (id: number) => boolean;
  /** From now on it is not known where a stay is. */
  lose: (id: number) => void;
  /** From when on the service may free a stay by itself. */
  looseFrom: (id: number) => number;
  prepared: (place: Place) => Place;
  isShared: (places: readonly Place[]) => boolean;
}

interface InFamily {
  family: string;
  asked: Asked;
}

/** A window to pay that was longer than this at the booking ends with the check-in. */
const longestWindowHours = 96;

const always = { from: -1_000_000, to: 1_000_000 };

const changes = new Set(['changeBooking', 'changeExternalBooking']);

export const isChange = (verb: string): boolean => changes.has(verb);

/** Returns the home that a change names; undefined for one within the home. */
export const homeNamed = ({ request: { request } }: Asks): number | undefined =>
  isChange(request.verb) ? ((request.body ?? {}) as Asking).listing_id : undefined;

/** Returns what a change of a stay does to the calendars: the present time is free, and the new one taken, in one step. */
export const changeAsked = (one: Asks, known: Known): InFamily[] => {
  const { answer } = one;
  if (((answer?.json ?? {}) as { isUnchanged?: true }).isUnchanged) return [];
  if (answer === undefined || (answer.status < 300 && isBrief(one))) return lost(one, known);
  if (answer.status < 300 && waitsForPage(one)) return held(one, known);
  if (takesToken(one)) return answer.status < 300 ? charged(one, known) : lost(one, known);
  if (answer.status < 300) return changed(one, known);
  return answer.code === 'LISTING_NOT_AVAILABLE' ? refused(one, known) : [];
};

/** Such a change holds its time first, and is made when it is paid, or given up. */
const takesToken = ({ request: { request } }: Asks): boolean =>
  askingOf(request.body).payment_gateway_token !== undefined;

/** The answer to a guest's link has no times. */
const isBrief = ({ answer }: Asks): boolean => !('start_at' in ((answer?.json ?? {}) as Partial<Changed>));

const waitsForPage = ({ answer }: Asks): boolean =>
  ((answer?.json ?? {}) as Partial<Changed>).change?.payment_url !== undefined;

const askingOf = (body: object | undefined): Asking => body ?? {};

const idOf = ({ request: { request } }: Asks): number => idIn(request.path, 'bookings');

const waitedOf = ({ since, by, request: { who } }: Asks) => ({ who: who.name, since, by });

const familiesOf = ({ names }: Known, homes: readonly number[]): string[] => [
  ...new Set(homes.flatMap((id) => names.get(id) ?? [])),
];

const changed = (one: Asks, known: Known): InFamily[] => {
  const id = idOf(one);
  const { start_at, end_at, listing_id } = one.answer!.json as Changed;
  const { from, to } = hourSpan({ from: start_at, to: end_at });
  const place = known.prepared({ home: String(listing_id), from, to });
  const target = known.names.get(listing_id);
  const families = familiesOf(known, known.homesOf(id));
  const { master_reservation_id: order = id } = jsonOf(one);
  const isFixed = known.isNamed(id) && families.length === 1 && families[0] === target;
  // An unpaid stay whose check-in comes nearer has less time to pay.
  const isNear = from < nowHour(one) + longestWindowHours;
  const looseFrom = isNear && known.looseFrom(id) !== Infinity ? -Infinity : known.looseFrom(id);
  const { who } = one.request;
  const stay: Stay = { ...place, ids: [order, id], who: who.name, until: null, looseFrom };
  const waited = waitedOf(one);
  return [
    ...families
      .filter((family) => family !== target)
      .map((family) => ({ family, asked: { ...waited, did: 'free' as const, id } })),
    ...(target === undefined
      ? []
      : [{ family: target, asked: { ...waited, did: 'change' as const, id, stay, isFixed, isNear } }]),
  ];
};

/** What got no answer may have been made or not, and from then on either time may be taken. */
const lost = (one: Asks, known: Known): InFamily[] => {
  const { check_in_date, check_out_date, ...asked } = askingOf(one.request.request.body);
  if (check_in_date === undefined || check_out_date === undefined) return perhaps(one, known, always);
  const isNightly = takesToken(one) || (isBrief(one) && check_in_date < check_out_date);
  const isByNight = isNightly && !asked.check_in_time && !asked.check_out_time;
  const [first, last] = isByNight ? ['12:00', '14:00'] : ['00:00', '24:00'];
  return perhaps(
    one,
    known,
    hourSpan({ from: `${check_in_date}T${first}`, to: `${check_out_date}T${last}` }),
  );
};

/** What waits for its page: the answer has the stay as it still is. */
const held = (one: Asks, known: Known): InFamily[] => {
  const asked = askingOf(one.request.request.body);
  const { start_at, end_at, check_in_date, check_out_date } = one.answer!.json as Changed;
  const [first = check_in_date, last = check_out_date] = [asked.check_in_date, asked.check_out_date];
  const isSameKind = first < last === check_in_date < check_out_date;
  const from = `${first}T${asked.check_in_time ?? (isSameKind ? start_at.slice(11) : '00:00:00')}`;
  const to = `${last}T${asked.check_out_time ?? (isSameKind ? end_at.slice(11) : '24:00:00')}`;
  return perhaps(one, known, hourSpan({ from, to }));
};

/** What a token was charged for: its time was held before. */
const charged = (one: Asks, known: Known): InFamily[] => {
  const { start_at, end_at, listing_id } = one.answer!.json as Changed;
  const times = hourSpan({ from: start_at, to: end_at });
  return [...parts(one, known, [listing_id], times), ...changed(one, known)];
};

/** From now on either time may be taken. */
const perhaps = (one: Asks, known: Known, times: { from: number; to: number }): InFamily[] => {
  const id = idOf(one);
  const home = homeNamed(one);
  const homes = home === undefined ? [...new Set(known.homesOf(id))] : [home];
  known.lose(id);
  const loosened = familiesOf(known, known.homesOf(id)).map((family) => ({
    family,
    asked: { ...waitedOf(one), did: 'loosen' as const, id },
  }));
  return [...loosened, ...parts(one, known, homes, times)];
};

/** Of these times some may be taken. */
const parts = (
  one: Asks,
  known: Known,
  homes: readonly number[],
  times: { from: number; to: number },
): InFamily[] =>
  homes.flatMap((to) => {
    const place = known.prepared({ home: String(to), ...times });
    const family = known.names.get(to);
    const waited = waitedOf(one);
    const stay: Stay = { ...place, ids: [idOf(one)], who: waited.who, until: null, looseFrom: -Infinity };
    return family === undefined
      ? []
      : [{ family, asked: { ...waited, did: 'take a part' as const, stays: [stay] } }];
  });

/** A refusal says that the new time, without the present one of the stay, was taken. */
const refused = (one: Asks, known: Known): InFamily[] => {
  const id = idOf(one);
  const home = homeNamed(one);
  const places = (home === undefined ? known.homesOf(id) : [home]).map((to) =>
    known.prepared({ home: String(to), from: 0, to: 0 }),
  );
  const [family, ...others] = familiesOf(
    known,
    places.map((place) => Number(place.home)),
  );
  if (family === undefined || others.length > 0 || known.isShared(places)) return [];
  const preparation = Math.max(...places.map(({ perhapsTo = 0 }) => perhapsTo));
  const wish = wishOf(one.request.request.body ?? {});
  const asked = { ...waitedOf(one), did: 'find change taken' as const, id, preparation };
  return [{ family, asked: { ...asked, wish: home === undefined ? wish : { ...wish, home: String(home) } } }];
};

const dayOf = (date: string): number => hourSpan({ from: `${date}T00:00`, to: `${date}T00:00` }).from;

const hourOf = (time: string): number => Number(time.slice(0, 2));

const wishOf = ({ check_in_date, check_out_date, check_in_time, check_out_time }: Asking): Wish => ({
  ...(check_in_date === undefined ? {} : { firstDay: dayOf(check_in_date) }),
  ...(check_out_date === undefined ? {} : { lastDay: dayOf(check_out_date) }),
  ...(check_in_time === undefined ? {} : { fromHour: hourOf(check_in_time) }),
  ...(check_out_time === undefined ? {} : { toHour: hourOf(check_out_time) }),
});

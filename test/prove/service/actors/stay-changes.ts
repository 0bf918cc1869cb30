import { addDays } from '../../../../shared/platform/time/time.ts';
import type { Reply } from '../client.ts';
import type { Actor } from './actor.ts';

/** How a caller reaches the changes of a stay. */
interface Way {
  read: string;
  preview: string;
  change: string;
  stay: (id: number) => string;
  root: (id: number) => string;
}

const people: Way = {
  ...{ read: 'getBooking', preview: 'previewChange', change: 'changeBooking' },
  ...{ stay: (id) => `/bookings/${id}`, root: (id) => `/bookings/${id}` },
};

const partners: Way = {
  ...{ read: 'getExternalBooking', preview: 'previewExternalChange', change: 'changeExternalBooking' },
  ...{ stay: (id) => `/external/bookings/${id}`, root: (id) => `/external/bookings/${id}` },
};

const byLink: Way = {
  ...{ read: 'getGuestBooking', preview: 'previewGuestChange', change: 'changeGuestBooking' },
  ...{ stay: () => '/guest/booking', root: () => '/guest' },
};

const wayOf = ({ key, link }: Actor['who']): Way =>
  link !== undefined ? byLink : key === undefined ? people : partners;

/** A stay as its callers read it. */
interface Found {
  id: number;
  team_id: number;
  listing_id: number | string;
  check_in_date: string;
  check_out_date: string;
  payment_method: string;
}

/** A stay after a change. */
interface ChangedStay {
  id: number;
  listing_id: number;
  payment_url?: string | null;
  /** With the page of a change that is to be paid first. */
  change: { difference: number; payment_url?: string | null };
}

type Wish = (who: Actor, stay: Found) => object | Promise<object>;

const time = (hour: number): string => `${String(hour).padStart(2, '0')}:00:00`;

const shifted: Wish = ({ town: { sim } }, { check_in_date, check_out_date }) => {
  const days = sim.pick([-2, -1, 1, 1, 2]);
  return { check_in_date: addDays(check_in_date, days), check_out_date: addDays(check_out_date, days) };
};

const longer: Wish = ({ town: { sim } }, { check_in_date, check_out_date }) =>
  sim.chance(0.6)
    ? { check_out_date: addDays(check_out_date, 1) }
    : { check_in_date: addDays(check_in_date, -1) };

const shorter: Wish = ({ town: { sim } }, { check_in_date, check_out_date }) =>
  sim.chance(0.6)
    ? { check_out_date: addDays(check_out_date, -1) }
    : { check_in_date: addDays(check_in_date, 1) };

/** Arrives later or leaves earlier; a stay by the hour gets other hours. */
const otherHours: Wish = ({ town: { sim } }, { check_in_date, check_out_date }) => {
  if (check_in_date < check_out_date)
    return sim.pick([{ check_in_time: time(16) }, { check_out_time: time(10) }]);
  const from = 9 + sim.whole(6);
  return { check_in_time: time(from), check_out_time: time(from + 2 + sim.whole(3)) };
};

/** A night instead of hours, or hours instead of a night, which one home alone offers. */
const otherKind: Wish = ({ town: { sim } }, { check_in_date, check_out_date }) =>
  check_in_date < check_out_date
    ? { check_out_date: check_in_date, check_in_time: time(9), check_out_time: time(12 + sim.whole(3)) }
    : { check_out_date: addDays(check_in_date, 1) };

/** Another home of the team: from a room to its house or to another room, and so on; sometimes on other days. */
const otherHome: Wish = (who, stay) => {
  const { sim, homes } = who.town;
  const present = Number(stay.listing_id);
  const team = homes.find(({ id }) => id === present)?.team;
  const others = homes.filter((home) => home.team === team && home.id !== present);
  if (others.length === 0) return shifted(who, stay);
  const { check_in_date, check_out_date } = stay;
  const dates = sim.pick([{}, shifted(who, stay), { check_in_date, check_out_date }]);
  return { listing_id: sim.pick(others).id, ...dates };
};

const otherParty: Wish = ({ town: { sim } }) => ({ guest_number: 1 + sim.whole(4) });

const otherExtras: Wish = async (who, { listing_id }) => {
  const reply = await who.get('listExtraServices', `/listings/${listing_id}/extra-services`);
  const offered = (reply?.status === 200 ? reply.json : []) as { id: number; is_active: boolean }[];
  const chosen = offered.filter(({ is_active }) => is_active && who.town.sim.chance(0.6));
  return { extra_service_ids: chosen.map(({ id }) => id) };
};

/** What the stay is already. */
const nothing: Wish = (_, { check_in_date, check_out_date }) => ({ check_in_date, check_out_date });

const wishes: readonly (readonly [weight: number, wish: Wish])[] = [
  [22, shifted],
  [18, longer],
  [12, shorter],
  [8, otherHours],
  [4, otherKind],
  [20, otherHome],
  [10, otherParty],
  [4, otherExtras],
  [4, nothing],
];

/**
 * Changes a stay, mostly after a look at the price, sometimes with a token for what it costs more; returns it as it is then,
 * undefined if it was not changed. Its guest finds the page of a change that waits among the others.
 */
export const changeStay = async (
  who: Actor,
  id: number,
  { takesTokens = false } = {},
): Promise<ChangedStay | undefined> => {
  const { sim } = who.town;
  const way = wayOf(who.who);
  const read = await who.get(way.read, way.stay(id));
  if (read?.status !== 200) return undefined;
  const found = read.json as Found;
  const body = await sim.weighted(wishes)(who, found);
  const isHost = who.who.team !== undefined && found.team_id === who.who.team;
  // With a token the dates are named, so that the judge knows what was held of a change that was declined.
  const { check_in_date, check_out_date } = found;
  const tokens = ['tok_ok', 'tok_ok', 'tok_declined'];
  const later = {
    ...(isHost && sim.chance(0.5) ? { charge_later: true } : {}),
    ...(takesTokens && found.payment_method === 'ONLINE_GATEWAY' && sim.chance(0.3)
      ? { check_in_date, check_out_date, payment_gateway_token: sim.pick(tokens) }
      : {}),
  };
  const difference = sim.chance(0.65) ? await previewed(who, way, id, { ...later, ...body }) : undefined;
  if (difference === 'refused' && sim.chance(0.7)) return undefined;
  await who.town.pause(sim.chance(0.1) ? 20 : 3);
  const change = (wish: object): Promise<Reply | undefined> =>
    who.post(way.change, `${way.root(id)}/change`, { ...later, ...wish });
  const expected =
    typeof difference === 'number' && sim.chance(0.6)
      ? { expected_difference: difference + (sim.chance(0.05) ? 1000 : 0) }
      : {};
  // Some change their mind in another window.
  const other = sim.chance(0.1) ? [change(await sim.weighted(wishes)(who, found))] : [];
  const [reply] = await Promise.all([change({ ...body, ...expected }), ...other]);
  if (reply?.status !== 200) return undefined;
  const changed = reply.json as ChangedStay;
  const { payment_url: url } = changed.change;
  if (url) who.town.bookings.find(({ stays }) => stays.some((stay) => stay.id === id))?.pages.push(url);
  return changed;
};

const previewed = async (
  who: Actor,
  { preview, root }: Way,
  id: number,
  body: object,
): Promise<number | 'refused'> => {
  const reply = await who.inquire(preview, `${root(id)}/change-preview`, body);
  if (reply?.status !== 200) return 'refused';
  const { difference, available } = reply.json as { difference: number; available: boolean };
  return available ? difference : 'refused';
};

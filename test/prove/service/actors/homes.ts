import { addDays } from '../../../../shared/platform/time/time.ts';
import type { Home, PartKind } from '../town.ts';
import type { Actor } from './actor.ts';
import { adoptStay, changeFeed, followAnew, tendFeeds } from './feed-keeper.ts';
import { seasonDeeds } from './seasons.ts';

type Deed = (host: Actor, home: Home) => Promise<unknown>;

const block: Deed = async (host, home) => {
  const { sim, blocks } = host.town;
  const date = sim.pick(host.town.week());
  const path = `/listing-availability/listings/${home.id}/blocks`;
  const hours = { start_at: `${date}T14:00:00`, end_at: `${addDays(date, 2)}T12:00:00`, note: 'Painting' };
  const reply = await host.post('blockTime', path, sim.chance(0.6) ? { block_date: date } : hours);
  if (reply?.status === 201) blocks.push({ id: (reply.json as { id: number }).id, home });
};

const unblock: Deed = async (host) => {
  const { sim, blocks } = host.town;
  const mine = blocks.filter((one) => one.home.team === host.who);
  if (mine.length === 0) return;
  const { id, home } = sim.pick(mine);
  await host.remove('unblockTime', `/listing-availability/listings/${home.id}/blocks/${id}`);
  blocks.splice(
    blocks.findIndex((one) => one.id === id),
    1,
  );
};

const change =
  (bodyOf: (host: Actor) => object): Deed =>
  (host, home) =>
    host.patch('updateListing', `/listings/${home.id}`, bodyOf(host));

const prepare = change(({ town: { sim } }) => ({ preparation_hours: sim.pick([0, 2, 3, 24]) }));
const reprice = change(({ town: { sim } }) => ({ full_rate: 800_000 + 50_000 * sim.whole(10) }));
const pause = change(({ town: { sim } }) => ({ state: sim.pick(['INACTIVE', 'ACTIVE', 'ACTIVE']) }));
const rename = change(({ town: { sim } }) => ({
  description: 'A house in the pines. '.repeat(sim.whole(9)),
}));

/** A room leaves its house, or comes back. */
const moveRoom: Deed = async (host) => {
  const { sim, homes } = host.town;
  const [house] = homes.filter(({ isHouse, team }) => isHouse && team === host.who);
  const rooms = homes.filter(({ isRoom, team }) => isRoom && team === host.who);
  if (!house || rooms.length === 0) return;
  const room = sim.pick(rooms);
  const parent = room.parent === undefined ? house.id : null;
  const body = { parent_listing_id: parent };
  const reply = await host.patch('updateListing', `/listings/${room.id}`, body);
  if (reply?.status !== 200) return;
  if (parent === null) delete room.parent;
  else room.parent = parent;
};

interface Booking {
  reservations: { id: number; listing_id: number }[];
  estimated_total: number;
  payment_url?: string;
}

/** A price part: where it is made, where one of them is, and its fields. */
interface Part {
  verbs: readonly [create: string, update: string, remove: string];
  path: (home: number) => string;
  one: (home: number, id: number) => string;
  create: (host: Actor, home: number) => object;
  update: (host: Actor) => object;
}

const price = ({ town: { sim } }: Actor): number => 900_000 + 10_000 * sim.whole(20);
const rulesPath = '/listing-pricing-rules';
const combosPath = '/listing-combo-prices';

const parts: Record<PartKind, Part> = {
  rule: {
    verbs: ['createPricingRule', 'updatePricingRule', 'deletePricingRule'],
    path: (home) => `${rulesPath}/listings/${home}`,
    one: (_, id) => `${rulesPath}/${id}`,
    create: (host) => ({
      ...host.town.sim.pick([
        { date_type: 'ALWAYS' },
        { date_type: 'WEEKDAY', day_of_week: 6 },
        { date_type: 'SPECIFIC_DATE', date_from: host.town.sim.pick(host.town.week()) },
      ]),
      ...{ charge_unit: 'PER_NIGHT', stay_type: 'ANY', price: price(host), priority: host.town.sim.whole(5) },
    }),
    update: (host) => ({ price: price(host), is_active: host.town.sim.chance(0.7) }),
  },
  service: {
    verbs: ['createExtraService', 'updateExtraService', 'deleteExtraService'],
    path: (home) => `/listings/${home}/extra-services`,
    one: (home, id) => `/listings/${home}/extra-services/${id}`,
    create: (host) => ({
      service_name: 'Breakfast',
      price: 50_000,
      price_unit: host.town.sim.pick(['per_use', 'per_night', 'per_person']),
      is_required: host.town.sim.chance(0.2),
    }),
    update: (host) => ({ price: 40_000 + 1000 * host.town.sim.whole(30) }),
  },
  combo: {
    verbs: ['createComboPrice', 'updateComboPrice', 'deleteComboPrice'],
    path: () => combosPath,
    one: (_, id) => `${combosPath}/${id}`,
    create: (host, listing_id) => ({
      ...{ listing_id, name: 'Night', start_time: '20:00:00', end_time: '10:00:00', combo_type: 'overnight' },
      ...{ original_price: 2_000_000, discounted_price: price(host) },
    }),
    update: (host) => ({ discounted_price: price(host) }),
  },
  parking: {
    verbs: ['createParkingRule', 'updateParkingRule', 'deleteParkingRule'],
    path: (home) => `/listings/${home}/parking-rules`,
    one: (home, id) => `/listings/${home}/parking-rules/${id}`,
    create: ({ town: { sim } }) => ({
      vehicle_type: sim.pick(['car', 'motorbike']),
      ...{ price: 20_000, currency: 'VND', location_type: 'on_site' },
    }),
    update: ({ town: { sim } }) => ({ price: 10_000 * (1 + sim.whole(5)) }),
  },
};

/** Adds a price part or a parking rule, or changes or removes one of those there are. */
const tendParts: Deed = async (host, home) => {
  const { sim, parts: known } = host.town;
  const kind = sim.pick(Object.keys(parts) as PartKind[]);
  const part = parts[kind];
  const [create, update, remove] = part.verbs;
  const mine = known.filter((one) => one.kind === kind && one.home.team === host.who);
  if (mine.length === 0 || sim.chance(0.3)) {
    const reply = await host.post(create, part.path(home.id), part.create(host, home.id));
    if (reply?.status === 201) known.push({ kind, id: (reply.json as { id: number }).id, home });
    return;
  }
  const one = sim.pick(mine);
  const path = part.one(one.home.id, one.id);
  if (sim.chance(0.6)) await host.patch(update, path, part.update(host));
  else {
    known.splice(known.indexOf(one), 1);
    await host.remove(remove, path);
  }
};

const setWeekdays: Deed = (host, home) =>
  host.patch('updateWeeklyPrices', `/listings/${home.id}/pricing/weekly`, {
    base_price_by_weekday: { 5: price(host), 6: price(host) },
  });

const setPolicies: Deed = (host, home) =>
  host.put('putPolicies', `/listings/${home.id}/policies`, { pet_allowed: host.town.sim.chance(0.5) });

const setImages: Deed = (host, home) =>
  host.put('replaceImages', `/listings/${home.id}/images`, {
    images: [{ url: `https://images.example.com/${home.id}.jpg` }],
  });

/** Mostly of a guest who has the link to the stay alone. */
const bookByTelephone: Deed = async (host, home) => {
  const { sim, bookings } = host.town;
  const date = sim.pick(host.town.week());
  const method = sim.pick(['CASH', 'BANK_TRANSFER', 'ONLINE_GATEWAY']);
  const reply = await host.post('bookForGuest', '/bookings', {
    items: [{ listing_id: home.id, check_in_date: date, check_out_date: addDays(date, 1), guest_number: 2 }],
    guest_info: { full_name: 'Bà Tám', phone: '+84906000001', email: 'tam@phone.example' },
    payment_method: method,
    ...(sim.chance(0.3) ? { override_rules: true } : {}),
  });
  if (reply?.status !== 201) return;
  const { reservations, estimated_total: total, payment_url: url } = reply.json as Booking;
  const known = { by: host.who, kind: 'host', method, total, isCancelled: false } as const;
  bookings.push({ ...known, id: reservations[0]!.id, stays: reservations, pages: url ? [url] : [] });
};

const answerReview: Deed = async (host) => {
  const mine = host.town.reviews.filter((one) => one.home.team === host.who);
  if (mine.length > 0)
    await host.post('replyToReview', `/reviews/${host.town.sim.pick(mine).id}/reply`, { text: 'Thank you.' });
};

/** Opens a tent for a while: made, and archived again. */
const pitchTent: Deed = async (host, home) => {
  const body = { ...host.town.listingBody('Tent'), state: 'DRAFT' };
  const made = await host.post('createListing', '/listings', body);
  if (made?.status !== 201) return;
  const { id } = made.json as { id: number };
  await host.town.pause(10);
  await host.remove('archiveListing', `/listings/${id}`);
  if (host.town.sim.chance(0.2)) await host.get('listListings', '/listings', { state: 'ARCHIVED' });
  await host.get('getListing', `/listings/${home.id}`);
};

const deeds: readonly (readonly [weight: number, deed: Deed])[] = [
  [20, block],
  [18, unblock],
  [14, reprice],
  [5, rename],
  [3, prepare],
  [6, pause],
  [7, moveRoom],
  [20, tendParts],
  [4, setWeekdays],
  [2, setPolicies],
  [2, setImages],
  [14, bookByTelephone],
  [6, answerReview],
  [3, pitchTent],
  [8, tendFeeds],
  [50, adoptStay],
  [12, changeFeed],
  ...seasonDeeds,
  [3, (host) => host.get('listThreads', '/chats', { as: 'host' })],
];

/** Does something for one of the team's homes. */
export const tendHomes = async (host: Actor): Promise<void> => {
  const { sim, homes } = host.town;
  const home = sim.pick(homes.filter(({ team }) => team === host.who));
  const possible: typeof deeds = [...deeds, [host.town.isSlow ? 25 : 0, followAnew]];
  await sim.weighted(possible)(host, home);
};

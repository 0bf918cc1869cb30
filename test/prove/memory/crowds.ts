import { isDeepStrictEqual } from 'node:util';
import type { Listing } from '../../../shared/domain/listing/listing.entity.ts';
import type { Caller } from '../../../shared/platform/auth.ts';
import { addDays } from '../../../shared/platform/time/time.ts';
import { type RawAnswer, type Request, sendAs } from '../schedule/handlers.ts';
import { callers, listingWrites, person, plainListing, start } from '../schedule/scene.ts';
import { makeVirtual, runVirtual, seeded } from '../schedule/virtual.ts';
import { hostile } from './manners.ts';
import type { Row } from './key-schema.ts';
import { forgetIds, simulatedDependencies, tableOf } from './simulated-dependencies.ts';
import { SimulatedTable } from './simulated-table.ts';
import { SimulatedTime } from './simulated-time.ts';

/** Many concurrent buyers, over transactions that overlap. */
interface Crowd {
  name: string;
  buyers: number;
  /** The number of rooms of the house; 0 if it has no children. */
  rooms: number;
  /** Returns the request of a buyer: a room (0 is the house itself) and a night of the month. */
  wish: (buyer: number) => { room: number; night: number };
  /** How many buyers can succeed. */
  winners: number;
  /** How many buyers come each second; all come at once unless given. */
  perSecond?: number;
}

const ofSiblings = {
  buyers: 100,
  rooms: 40,
  wish: (buyer: number) => ({ room: 1 + (buyer % 40), night: Math.floor(buyer / 40) }),
  winners: 100,
};

export const crowds: readonly Crowd[] = [
  {
    name: '100 buyers of one night',
    buyers: 100,
    rooms: 0,
    wish: () => ({ room: 0, night: 3 }),
    winners: 1,
  },
  {
    name: '30 buyers of different nights of one month',
    buyers: 30,
    rooms: 0,
    wish: (buyer) => ({ room: 0, night: buyer }),
    winners: 30,
  },
  { name: '100 buyers of different nights of 40 siblings', ...ofSiblings },
  { name: '100 buyers of different nights of 40 siblings, 50 a second', ...ofSiblings, perSecond: 50 },
  {
    name: '100 buyers of one night of 40 siblings',
    buyers: 100,
    rooms: 40,
    wish: (buyer) => ({ room: 1 + (buyer % 40), night: 3 }),
    winners: 40,
  },
  {
    name: '60 buyers of one night, half of the house and half of its rooms',
    buyers: 60,
    rooms: 1,
    wish: (buyer) => ({ room: buyer % 2, night: 3 }),
    winners: 1,
  },
];

interface Wanted {
  listing_id: number;
  check_in_date: string;
  check_out_date: string;
  guest_number: number;
}

const post = (resource: string, body: object): Request => ({ method: 'POST', resource, body });

/** How a buyer books: as a customer, or through a partner. */
export const ways = {
  confirm: (item: Wanted) => post('/api/v1/checkout/confirm', { items: [item], payment_method: 'CASH' }),
  hold: (item: Wanted) => post('/api/v1/checkout', { items: [item] }),
  partner: (item: Wanted) =>
    post('/api/v1/external/bookings', {
      ...item,
      nights: 1,
      guest_info: { full_name: 'Gió', phone: '+84906000000', email: 'gio@example.com' },
      payment_method: 'CASH',
    }),
} as const;
export type Way = keyof typeof ways;

interface CrowdReport {
  name: string;
  way: Way;
  /** Responses by status and code */
  answers: Record<string, number>;
  /** What the table did besides answering. */
  manners: Record<string, number>;
  p50_ms: number;
  p99_ms: number;
  problems: string[];
}

const houseId = 100;
const firstNight = '2027-03-01';

/** Runs all buyers at one moment of simulated time and checks the results. */
export const admitCrowd = async (
  crowd: Crowd,
  way: Way,
  seed: number,
  manners = hostile,
): Promise<CrowdReport> => {
  makeVirtual();
  const time = new SimulatedTime(start);
  const random = seeded(seed);
  const table = new SimulatedTable({ time, random, manners, rows: await houseOf(crowd.rooms) });
  const deps = simulatedDependencies(table, time);
  const answers: { answer: RawAnswer; ms: number }[] = [];
  forgetIds();
  const buy = async (buyer: number): Promise<void> => {
    const arrival = (buyer * 1000) / (crowd.perSecond ?? Infinity);
    await time.sleep(arrival);
    const { room, night } = crowd.wish(buyer);
    const item = {
      listing_id: houseId + room,
      check_in_date: addDays(firstNight, night),
      check_out_date: addDays(firstNight, night + 1),
      guest_number: 1,
    };
    const request = { ...ways[way](item), key: `buyer-${buyer}` };
    const answer = await sendAs(deps, way === 'partner' ? callers.partner : buyerOf(buyer), request);
    answers.push({ answer, ms: time.now() - start - arrival });
  };
  runVirtual({ random, pause: (ms) => time.sleep(ms) }, () => {
    for (let buyer = 0; buyer < crowd.buyers; buyer++) void buy(buyer);
  });
  await time.toEnd();
  return reportOf(crowd, way, answers, table);
};

const houseOf = async (rooms: number): Promise<readonly Row[]> => {
  const roomIds = Array.from({ length: rooms }, (_, room) => houseId + 1 + room);
  const house: Listing = { ...plainListing(houseId, 1, 'house'), child_listing_ids: roomIds };
  const children = roomIds.map((id) => ({
    ...plainListing(id, 1, `room-${id}`),
    parent_listing_id: houseId,
  }));
  return (await tableOf([house, ...children].flatMap(listingWrites))).rows();
};

const buyerOf = (buyer: number): Caller => person(1000 + buyer, `buyer-${buyer}`);

const reportOf = (
  crowd: Crowd,
  way: Way,
  answers: readonly { answer: RawAnswer; ms: number }[],
  table: SimulatedTable,
): CrowdReport => {
  const counts: Record<string, number> = {};
  for (const { answer } of answers) {
    const what = answer.status < 300 ? String(answer.status) : `${answer.status} ${codeOf(answer)}`;
    counts[what] = (counts[what] ?? 0) + 1;
  }
  const times = answers.map(({ ms }) => ms).toSorted((one, other) => one - other);
  const at = (part: number) => Math.round(times[Math.floor(part * (times.length - 1))] ?? 0);
  return {
    name: crowd.name,
    way,
    answers: counts,
    manners: Object.fromEntries(table.counts()),
    p50_ms: at(0.5),
    p99_ms: at(0.99),
    problems: problemsOf(crowd, counts, table),
  };
};

const codeOf = ({ body }: RawAnswer): string => (JSON.parse(body) as { code: string }).code;

const problemsOf = (crowd: Crowd, counts: Record<string, number>, table: SimulatedTable): string[] => {
  const problems: string[] = [];
  const losers = crowd.buyers - crowd.winners;
  const wanted = {
    '201': crowd.winners,
    ...(losers > 0 ? { '409 LISTING_NOT_AVAILABLE': losers } : {}),
  };
  if (!isDeepStrictEqual(counts, wanted))
    problems.push(`${JSON.stringify(wanted)} expected, not ${JSON.stringify(counts)}`);
  const stays = table.items().filter((item) => item['entity'] === 'AvailabilityEntry');
  const places = new Set(stays.map((stay) => `${String(stay['listing_id'])} ${String(stay['start_at'])}`));
  if (stays.length !== crowd.winners || places.size !== stays.length)
    problems.push(`${stays.length} stays at ${places.size} places lie in the table`);
  return problems;
};

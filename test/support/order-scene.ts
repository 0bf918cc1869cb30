import { afterAll, beforeAll, beforeEach, vi } from 'vitest';
import type * as z from 'zod';
import { availability } from '../../functions/availability/index.ts';
import { availabilityRoutes } from '../../functions/availability/routes.ts';
import { bookings } from '../../functions/bookings/index.ts';
import { bookingRoutes } from '../../functions/bookings/routes.ts';
import { changes } from '../../functions/changes/index.ts';
import { changesRoutes } from '../../functions/changes/routes.ts';
import { checkout } from '../../functions/checkout/index.ts';
import { checkoutRoutes } from '../../functions/checkout/routes.ts';
import { guest } from '../../functions/guest/index.ts';
import { guestRoutes } from '../../functions/guest/routes.ts';
import { external } from '../../functions/external/index.ts';
import { externalRoutes } from '../../functions/external/routes.ts';
import { payments } from '../../functions/payments/index.ts';
import { paymentsRoutes } from '../../functions/payments/routes.ts';
import { search } from '../../functions/search/index.ts';
import { searchRoutes } from '../../functions/search/routes.ts';
import { stay as stayPages } from '../../functions/stay/index.ts';
import { stayRoutes } from '../../functions/stay/routes.ts';
import type { Listing } from '../../shared/domain/listing/listing.entity.ts';
import type { Role } from '../../shared/platform/auth.ts';
import type { Dependencies } from '../../shared/platform/context.ts';
import { errorCatalogue, type Issue } from '../../shared/platform/errors.ts';
import { type Api, api, type Asked, type Reply, type TestGroup } from './api.ts';
import { testListing } from './listings.ts';
import { testKey, testStart, testTeam, testUser } from './table.ts';

/** Sets the system clock to a fixed instant, for the service under test too. */
export const stopClock = (instant: string = testStart): void => {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(Date.parse(instant));
};

export const advanceMinutes = (minutes: number): void =>
  void vi.setSystemTime((vi.getMockedSystemTime()?.getTime() ?? 0) + minutes * 60_000);

/** Faults that a test injects. */
interface Faults {
  /** Thrown by every table call. */
  table?: Error;
}

/** The groups of search, availability, checkout and payment, over dependencies that a test can break. */
const sellingGroups =
  (faults: Faults) =>
  (deps: Api['deps']): TestGroup[] => {
    const wrappers = ['waitingFor', 'measured'];
    const broken = new Proxy(deps.table, {
      get: (table, name) =>
        wrappers.includes(String(name)) ? () => new Proxy(table, { get: () => fail }) : fail,
    });
    const fail = async (): Promise<never> => {
      throw faults.table!;
    };
    const given = (): Dependencies => (faults.table ? { ...deps, table: broken } : deps);
    const made = [
      { group: checkoutRoutes, handler: checkout(given) },
      { group: bookingRoutes, handler: bookings(given) },
      { group: changesRoutes, handler: changes(given) },
      { group: availabilityRoutes, handler: availability(given) },
      { group: externalRoutes, handler: external(given) },
      { group: searchRoutes, handler: search(given, { keepMs: 0 }) },
      { group: stayRoutes, handler: stayPages(given, { keepMs: 0 }) },
      { group: paymentsRoutes, handler: payments(given) },
      { group: guestRoutes, handler: guest(given) },
    ];
    return made.map(({ group, handler }) => ({ group, handler: handler }));
  };

export type Who = Pick<Asked, 'key' | 'token'>;
export type ListingGiven = Partial<Parameters<typeof testListing>[1]>;

/** Creates two teams, their users and partners, behind the real gateway, at a fixed clock. */
export const orderScene = async () => {
  stopClock();
  const faults: Faults = {};
  const { deps, call } = await api({ extra: sellingGroups(faults) });
  const [a, b] = [await testTeam(deps), await testTeam(deps)];
  const person = async (role?: Role, team_id = a.team_id, given: object = {}) => {
    const { caller } = await testUser(deps, {
      ...(role ? { memberships: [{ team_id, role }] } : {}),
      ...given,
    });
    return { token: caller.subject, user_id: caller.user_id };
  };
  const partner = async (given: Partial<Parameters<typeof testKey>[1]> = {}) => ({
    key: (await testKey(deps, { team_ids: [a.team_id, b.team_id], ...given })).api_key,
  });
  const listing = (given: ListingGiven = {}): Promise<Listing> =>
    testListing(deps, { team_id: a.team_id, ...given });
  const people = async () => ({
    host: await person('OWNER'),
    staff: await person('STAFF'),
    otherHost: await person('OWNER', b.team_id),
    guest: await person(),
    other: await person(),
  });
  const scene = {
    deps,
    call,
    faults,
    a,
    b,
    person,
    partner,
    listing,
    ...(await people()),
    /** Creates all callers anew, so that rate limits and holds do not affect the next test. */
    renew: async (): Promise<void> => void Object.assign(scene, await people()),
    people,
    ...verbs(call),
  };
  return scene;
};
export type OrderScene = Awaited<ReturnType<typeof orderScene>>;

/** The scene of all tests of a file: made once, with the clock of its start and new callers before each of them. */
export const useOrderScene = (): OrderScene => {
  const scene = {} as OrderScene;
  beforeAll(async () => void Object.assign(scene, await orderScene()));
  beforeEach(async () => {
    stopClock();
    Object.assign(scene, await scene.people());
  });
  afterAll(() => void vi.useRealTimers());
  return scene;
};

/** The guest whom partners book for. */
export const guest_info = {
  full_name: 'Trần Thị Bình',
  phone: '+84 912 345 678',
  email: 'binh@example.com',
};

/** The header that makes a request repeatable. */
export const key = (text: string) => ({ 'Idempotency-Key': text });

/** A reply with the body of a successful response. */
export type ReplyOf<Body> = Omit<Reply, 'body'> & { body: Body };
type Answer<Row extends { reply: z.ZodType }> = Promise<ReplyOf<z.output<Row['reply']>>>;
type At = Pick<Listing, 'id'>;

type Selling = (typeof checkoutRoutes)['routes'];
type Booked = (typeof bookingRoutes)['routes'];
type Changed = (typeof changesRoutes)['routes'];
type Calendars = (typeof availabilityRoutes)['routes'];
type Partners = (typeof externalRoutes)['routes'];

/** A day or an hour of a listing's availability. */
export interface Slot {
  date: string;
  start_at: string;
  end_at: string;
  state: string;
  available: boolean;
  price: number | null;
  pricing_rule_id: number | null;
  /** Of a night. */
  min_nights?: number;
}

/** Returns one function for each operation. */
const verbs = (call: Api['call']) => {
  const post =
    (path: string) =>
    (who: Who, body?: unknown, headers: Record<string, string> = {}) =>
      call('POST', path, { ...credentials(who), ...(body === undefined ? {} : { body }), headers });
  const get = <Body>(who: Who, path: string, query: Asked['query'] = {}): Promise<ReplyOf<Body>> =>
    call('GET', path, { ...credentials(who), query });
  const remove = (who: Who, path: string) => call('DELETE', path, credentials(who));
  const calendar = (listing: At) => `/api/v1/listing-availability/listings/${listing.id}`;
  type Post<Row extends { reply: z.ZodType }> = (
    ...asked: Parameters<ReturnType<typeof post>>
  ) => Answer<Row>;
  type PostAt<Row extends { reply: z.ZodType }, Where> = (
    who: Who,
    where: Where,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Answer<Row>;
  const preview: Post<Selling['previewCheckout']> = post('/api/v1/checkout/preview');
  const hold: Post<Selling['createCheckout']> = post('/api/v1/checkout');
  const confirm: Post<Selling['confirmCheckout']> = post('/api/v1/checkout/confirm');
  const bookOut: Post<Partners['createExternalBooking']> = post('/api/v1/external/bookings');
  const quote: Post<Partners['createQuote']> = post('/api/v1/external/quotes');
  const holdQuote: PostAt<Partners['holdQuote'], number> = (who, id, body, headers) =>
    post(`/api/v1/external/quotes/${id}/hold`)(who, body, headers);
  const extendQuote: PostAt<Partners['extendQuote'], number> = (who, id) =>
    post(`/api/v1/external/quotes/${id}/hold/extend`)(who);
  const releaseQuote = (who: Who, id: number) => remove(who, `/api/v1/external/quotes/${id}/hold`);
  const cancel: PostAt<Booked['cancelBooking'], number> = (who, id, ...asked) =>
    post(`/api/v1/bookings/${id}/cancel`)(who, ...asked);
  const cancelOut: PostAt<Partners['cancelExternalBooking'], number> = (who, id, ...asked) =>
    post(`/api/v1/external/bookings/${id}/cancel`)(who, ...asked);
  const change: PostAt<Changed['changeBooking'], number> = (who, id, ...asked) =>
    post(`/api/v1/bookings/${id}/change`)(who, ...asked);
  const previewChange: PostAt<Changed['previewChange'], number> = (who, id, ...asked) =>
    post(`/api/v1/bookings/${id}/change-preview`)(who, ...asked);
  const changeOut: PostAt<Changed['changeExternalBooking'], number> = (who, id, ...asked) =>
    post(`/api/v1/external/bookings/${id}/change`)(who, ...asked);
  const previewChangeOut: PostAt<Changed['previewExternalChange'], number> = (who, id, ...asked) =>
    post(`/api/v1/external/bookings/${id}/change-preview`)(who, ...asked);
  const block: PostAt<Calendars['blockTime'], At> = (who, listing, ...asked) =>
    post(`${calendar(listing)}/blocks`)(who, ...asked);
  return {
    get,
    preview,
    hold,
    confirm,
    bookOut,
    quote,
    holdQuote,
    extendQuote,
    releaseQuote,
    cancel,
    cancelOut,
    change,
    previewChange,
    changeOut,
    previewChangeOut,
    block,
    extend: (who: Who, id: number, headers?: Record<string, string>): Answer<Selling['extendCheckout']> =>
      post(`/api/v1/checkout/${id}/extend`)(who, undefined, headers),
    release: (who: Who, id: number): Answer<Selling['releaseCheckout']> =>
      remove(who, `/api/v1/checkout/${id}`),
    booking: (who: Who, id: number): Answer<Booked['getBooking']> => get(who, `/api/v1/bookings/${id}`),
    mine: (who: Who): Answer<Booked['listMyBookings']> => get(who, '/api/v1/bookings/my'),
    month: (who: Who, listing: At, query?: Asked['query']): Answer<Calendars['readMonth']> =>
      get(who, `${calendar(listing)}/calendar`, query),
    range: (who: Who, listing: At, query?: Asked['query']): Answer<Calendars['readRange']> =>
      get(who, calendar(listing), query),
    hours: (
      who: Who,
      listing: At,
      start_time: string,
      end_time: string,
    ): Answer<Calendars['listUnavailableHours']> =>
      get(who, `${calendar(listing)}/calendars/unavailable`, { start_time, end_time }),
    unblock: (who: Who, listing: At, id: number): Answer<Calendars['unblockTime']> =>
      remove(who, `${calendar(listing)}/blocks/${id}`),
    days: (
      who: Who,
      listing: At,
      query?: Asked['query'],
    ): Promise<ReplyOf<{ granularity: string; items: Slot[] }>> =>
      get(who, `/api/v1/listings/${listing.id}/availability`, query),
  };
};

const credentials = ({ key, token }: Who): Asked => ({
  ...(key === undefined ? {} : { key }),
  ...(token === undefined ? {} : { token }),
});

/** Returns a checkout item: by default two guests, two nights in February 2027. */
export const stay = (listing: Pick<Listing, 'id'>, given: object = {}) => ({
  listing_id: listing.id,
  check_in_date: '2027-02-10',
  check_out_date: '2027-02-12',
  guest_number: 2,
  ...given,
});

export const nights = (check_in_date: string, check_out_date: string) => ({ check_in_date, check_out_date });

/** Returns the body; throws unless the status is as expected. */
export const ok = <Body>(reply: ReplyOf<Body>, status = 200): Body => {
  if (reply.status !== status) throw new Error(`${reply.status} instead of ${status}: ${reply.text}`);
  if (!reply.headers['x-request-id']) throw new Error('an answer without X-Request-Id');
  return reply.body;
};

/** Returns an error as text: `409 LISTING_NOT_AVAILABLE` and the paths of its issues. */
export const refusal = (reply: ReplyOf<unknown>) => {
  const { code, message, details } = reply.body as {
    code: keyof typeof errorCatalogue;
    message: unknown;
    details: Record<string, unknown> & { issues?: Issue[] };
  };
  const shaped =
    reply.headers['x-request-id'] &&
    typeof message === 'string' &&
    typeof details === 'object' &&
    errorCatalogue[code].status === reply.status;
  if (!shaped) throw new Error(`not a refusal in the documented shape: ${reply.status} ${reply.text}`);
  return { code, details, paths: (details.issues ?? []).map(({ path }) => path) };
};

/** Counts replies by status and code: `{ '201': 1, '409 LISTING_NOT_AVAILABLE': 19 }`. */
export const tally = (replies: readonly ReplyOf<unknown>[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { status, body } of replies) {
    const { code } = body as { code?: string };
    const name = code === undefined ? String(status) : `${status} ${code}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
};

export const times = <Result>(
  count: number,
  make: (position: number) => Promise<Result>,
): Promise<Result[]> => Promise.all(Array.from({ length: count }, (_, position) => make(position)));

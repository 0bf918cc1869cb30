import { vi } from 'vitest';
import { availability } from '../../functions/availability/index.ts';
import { availabilityRoutes } from '../../functions/availability/routes.ts';
import { bookings } from '../../functions/bookings/index.ts';
import { bookingRoutes } from '../../functions/bookings/routes.ts';
import { checkout } from '../../functions/checkout/index.ts';
import { checkoutRoutes } from '../../functions/checkout/routes.ts';
import { external } from '../../functions/external/index.ts';
import { externalRoutes } from '../../functions/external/routes.ts';
import type { GroupFunction } from '../../infra/local/gateway/index.ts';
import type { Listing } from '../../shared/domain/listing/index.ts';
import type { Role } from '../../shared/platform/auth.ts';
import { errorCatalogue, type Issue } from '../../shared/platform/errors.ts';
import type { Dependencies } from '../../shared/platform/context.ts';
import { type Api, api, type Asked, type Reply, type TestGroup } from './api.ts';
import { testListing } from './listings.ts';
import { testKey, testStart, testTeam, testUser } from './table.ts';

/** Stops the machine's clock at an instant, for the service under test too. */
export const stopClock = (instant: string = testStart): void => {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(Date.parse(instant));
};

export const advanceMinutes = (minutes: number): void =>
  void vi.setSystemTime(vi.getMockedSystemTime()!.getTime() + minutes * 60_000);

/** What the groups under test run into when a test says so. */
export interface Faults {
  /** Thrown by whatever is asked of the table. */
  table?: Error;
}

/** The four groups that sell time, over dependencies that a test can break. */
export const sellingGroups =
  (faults: Faults) =>
  (deps: Api['deps']): TestGroup[] => {
    const wrappers = ['admitting', 'measured'];
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
      { group: availabilityRoutes, handler: availability(given) },
      { group: externalRoutes, handler: external(given) },
    ];
    return made.map(({ group, handler }) => ({ group, handler: handler as unknown as GroupFunction }));
  };

export type Who = Pick<Asked, 'key' | 'token'>;
export type ListingGiven = Partial<Parameters<typeof testListing>[1]>;

/** Two teams and those who come to them, behind the real gateway, at a clock that stands still. */
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
    /** Everybody anew: whoever called often, or holds time, does not meet the next test. */
    renew: async (): Promise<void> => void Object.assign(scene, await people()),
    ...verbs(call),
  };
  return scene;
};
export type OrderScene = Awaited<ReturnType<typeof orderScene>>;

/** The operations by their names, one call each. */
const verbs = (call: Api['call']) => {
  const post =
    (path: string) =>
    (who: Who, body?: unknown, headers: Record<string, string> = {}) =>
      call('POST', path, { ...credentials(who), ...(body === undefined ? {} : { body }), headers });
  const get = (who: Who, path: string, query: Asked['query'] = {}) =>
    call('GET', path, { ...credentials(who), query });
  const calendar = (listing: Pick<Listing, 'id'>) => `/api/v1/listing-availability/listings/${listing.id}`;
  return {
    get,
    preview: post('/api/v1/checkout/preview'),
    hold: post('/api/v1/checkout'),
    confirm: post('/api/v1/checkout/confirm'),
    extend: (who: Who, id: number, headers?: Record<string, string>) =>
      post(`/api/v1/checkout/${id}/extend`)(who, undefined, headers),
    release: (who: Who, id: number) => call('DELETE', `/api/v1/checkout/${id}`, credentials(who)),
    booking: (who: Who, id: number) => get(who, `/api/v1/bookings/${id}`),
    cancel: (who: Who, id: number, body?: unknown, headers?: Record<string, string>) =>
      post(`/api/v1/bookings/${id}/cancel`)(who, body, headers),
    mine: (who: Who) => get(who, '/api/v1/bookings/my'),
    month: (who: Who, listing: Pick<Listing, 'id'>, query?: Asked['query']) =>
      get(who, `${calendar(listing)}/calendar`, query),
    range: (who: Who, listing: Pick<Listing, 'id'>, query?: Asked['query']) =>
      get(who, calendar(listing), query),
    hours: (who: Who, listing: Pick<Listing, 'id'>, start_time: string, end_time: string) =>
      get(who, `${calendar(listing)}/calendars/unavailable`, { start_time, end_time }),
    block: (who: Who, listing: Pick<Listing, 'id'>, body: unknown, headers?: Record<string, string>) =>
      post(`${calendar(listing)}/blocks`)(who, body, headers),
    unblock: (who: Who, listing: Pick<Listing, 'id'>, id: number) =>
      call('DELETE', `${calendar(listing)}/blocks/${id}`, credentials(who)),
    days: (who: Who, listing: Pick<Listing, 'id'>, query?: Asked['query']) =>
      get(who, `/api/v1/listings/${listing.id}/availability`, query),
    bookOut: post('/api/v1/external/bookings'),
    cancelOut: (who: Who, id: number, body?: unknown, headers?: Record<string, string>) =>
      post(`/api/v1/external/bookings/${id}/cancel`)(who, body, headers),
  };
};

const credentials = ({ key, token }: Who): Asked => ({
  ...(key === undefined ? {} : { key }),
  ...(token === undefined ? {} : { token }),
});

/** A checkout item: two guests, two nights in February 2027 unless told otherwise. */
export const stay = (listing: Pick<Listing, 'id'>, given: object = {}) => ({
  listing_id: listing.id,
  check_in_date: '2027-02-10',
  check_out_date: '2027-02-12',
  guest_number: 2,
  ...given,
});

export const nights = (check_in_date: string, check_out_date: string) => ({ check_in_date, check_out_date });

/** The body of an answer that went well. */
export const ok = (reply: Reply, status = 200): Reply['body'] => {
  if (reply.status !== status) throw new Error(`${reply.status} instead of ${status}: ${reply.text}`);
  if (!reply.headers['x-request-id']) throw new Error('an answer without X-Request-Id');
  return reply.body;
};

/** What was refused, in the documented shape: `409 LISTING_NOT_AVAILABLE`, and where the problems are. */
export const refusal = (reply: Reply) => {
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

/** How often each status and code came: `{ '201': 1, '409 LISTING_NOT_AVAILABLE': 19 }`. */
export const tally = (replies: readonly Reply[]): Record<string, number> => {
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

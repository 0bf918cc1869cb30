import { account } from '../../functions/account/index.ts';
import { availability } from '../../functions/availability/index.ts';
import { bookings } from '../../functions/bookings/index.ts';
import { cart } from '../../functions/cart/index.ts';
import { changes } from '../../functions/changes/index.ts';
import { chats } from '../../functions/chats/index.ts';
import { checkout } from '../../functions/checkout/index.ts';
import { customers } from '../../functions/customers/index.ts';
import { external } from '../../functions/external/index.ts';
import { feeds } from '../../functions/feeds/index.ts';
import { guest } from '../../functions/guest/index.ts';
import { invitations } from '../../functions/invitations/index.ts';
import { listings } from '../../functions/listings/index.ts';
import { payments } from '../../functions/payments/index.ts';
import { prices } from '../../functions/prices/index.ts';
import { bulk } from '../../functions/bulk/index.ts';
import { routeGroups } from '../../functions/routes.ts';
import { search } from '../../functions/search/index.ts';
import { documentText } from '../../functions/system/document-text.ts';
import { forReader } from '../../functions/system/for-reader.ts';
import { stay } from '../../functions/stay/index.ts';
import { system } from '../../functions/system/index.ts';
import { team } from '../../functions/team/index.ts';
import { webhooks } from '../../functions/webhooks/index.ts';
import { seedDemo } from '../../infra/local/demo/index.ts';
import type { GroupFunction } from '../../infra/local/gateway/index.ts';
import { linkTokenFor } from '../../infra/local/home/collection.ts';
import { localCalendar } from '../../infra/local/home/local-calendar.ts';
import { openThreads } from '../../shared/domain/chat/threads.ts';
import type { EventOf } from '../../shared/events.ts';
import { newEventId } from '../../shared/platform/ids.ts';
import type { Access } from '../../shared/platform/http/route.ts';
import { exampleIds } from '../../shared/platform/http/example-records.ts';
import { machineClock } from '../../shared/platform/time/clock.ts';
import type { Dependencies } from '../../shared/platform/context.ts';
import { type Api, api, type Asked, type Reply } from './api.ts';
import { type ApiDocument, type PrefilledCall, prefilledCalls } from './prefilled.ts';

const apiUrl = 'http://127.0.0.1:4000';

/** The whole API in this process, over the demo data of a laptop, and what it asked other services to do. */
export interface DemoScene {
  deps: Api['deps'];
  call: Api['call'];
  /** Every operation as the documentation shows it. */
  calls: readonly PrefilledCall[];
  /** Sends one, with the demo's credentials. */
  send: (call: PrefilledCall, headers?: Record<string, string>) => Promise<Reply>;
  credentials: Record<'guest' | 'host' | 'partner' | 'publishable', Pick<Asked, 'key' | 'token'>>;
  /** Waits that were asked for, in milliseconds. */
  waits: number[];
  /** Addresses that were posted to. */
  posted: string[];
}

export const demoScene = async (): Promise<DemoScene> => {
  const [waits, posted]: [number[], string[]] = [[], []];
  const wait = async (ms: number) => void waits.push(ms);
  const { deps, call } = await api({
    stage: 'local',
    extra: (given) => groupsOver({ ...given, wait }, posted),
  });
  const demo = await seedDemo({
    deps,
    createAccount: async ({ email, email_verified }) => deps.provider.add({ email, email_verified }),
    ...{ apiUrl, size: 'small' },
  });
  const created = { id: newEventId(deps.clock), data: { id: exampleIds.booking } };
  // The queue's consumer does this on a laptop.
  await openThreads(deps, [created as EventOf<'booking.created'>]);
  const tokenOf = (email: string) =>
    [...deps.provider.accounts.values()].find((one) => one.email === email)!.subject;
  const credentials = {
    guest: { token: tokenOf(demo.guest.email) },
    host: { token: tokenOf(demo.host.email) },
    partner: { key: demo.api_key },
    publishable: { key: demo.publishable_key ?? '' },
  };
  const rows = routeGroups.flatMap(({ routes }) => Object.entries(routes));
  const accessOf = new Map<string, Access>(rows.map(([id, { access }]) => [id, access]));
  const credentialOf = (id: string): Pick<Asked, 'key' | 'token' | 'headers'> => {
    const access = accessOf.get(id) ?? 'public';
    if (access === 'public') return {};
    if (access === 'guest') return { headers: { Authorization: `Guest ${linkTokenFor(demo, id)}` } };
    return credentials[access === 'customer' ? 'guest' : access];
  };
  const reader = { serverUrl: apiUrl, now: deps.clock.now(), isLocal: true };
  const text = forReader(await documentText(), reader);
  return {
    deps,
    call,
    calls: prefilledCalls(JSON.parse(text) as ApiDocument),
    send: ({ id, method, url, headers, body }, more = {}) => {
      const credential = credentialOf(id);
      return call(method, url.slice(apiUrl.length), {
        ...credential,
        headers: { ...credential.headers, ...headers, ...more },
        ...(body === undefined ? {} : { body }),
      });
    },
    credentials,
    waits,
    posted,
  };
};

const groupsOver = (deps: Dependencies, posted: string[]) => {
  const given = () => deps;
  const handlers: Record<string, GroupFunction> = {
    account: account(given),
    availability: availability(given),
    bookings: bookings(given),
    cart: cart(given),
    changes: changes(given),
    chats: chats(given),
    checkout: checkout(given),
    customers: customers(given),
    external: external(given),
    feeds: feeds(given, async (url) => ({
      status: 200,
      headers: {},
      body: Buffer.from(localCalendar(deps.clock.now())),
      url,
    })),
    guest: guest(given),
    invitations: invitations(given),
    listings: listings(given),
    payments: payments(given),
    prices: prices(given),
    bulk: bulk(given),
    search: search(given),
    stay: stay(given),
    system: system(given),
    team: team(given, () => 'local'),
    webhooks: webhooks(given, {
      post: async (url) => {
        posted.push(url);
        return { status: 204, headers: {}, body: Buffer.alloc(0), url };
      },
      signingClock: machineClock,
      address: () => ({ local: true }),
    }),
  };
  return routeGroups.map((group) => ({ group, handler: handlers[group.group]! }));
};

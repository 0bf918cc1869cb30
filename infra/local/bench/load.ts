import type { Log } from '../log.ts';
import { withProgress } from '../progress.ts';
import type { Ready } from '../ready.ts';

interface Load {
  operation: string;
  requests_per_second: number;
  p50_ms: number;
  p99_ms: number;
  /** Responses by status. */
  statuses: Record<string, number>;
}

const clients = 16;
const day = 86_400_000;

/** Measures the requests a second of search, preview and confirm against a running local service. */
export const measureLoad = async (ready: Ready, seconds: number, log: Log): Promise<Load[]> => {
  const token = await guestToken(ready);
  const post = async (path: string, body: unknown): Promise<number> => {
    const reply = await fetch(`${ready.api_url}${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    await reply.arrayBuffer();
    return reply.status;
  };
  const search = async (at: number): Promise<number> => {
    const { check_in_date, check_out_date } = stay(at);
    const dates = `check_in=${check_in_date}&check_out=${check_out_date}`;
    const reply = await fetch(`${ready.api_url}/api/v1/search?location=16.05,108.24&${dates}`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    await reply.arrayBuffer();
    return reply.status;
  };
  const stay = stays(await bookable(ready, token));
  return [
    await measure('search', { seconds, log }, search),
    await measure('checkout/preview', { seconds, log }, (at) =>
      post('/api/v1/checkout/preview', { items: [stay(at)], currency: 'VND' }),
    ),
    await measure('checkout/confirm', { seconds, log }, (at) =>
      post('/api/v1/checkout/confirm', { items: [stay(at)], currency: 'VND', payment_method: 'CASH' }),
    ),
  ];
};

/** Returns demo listings that can be booked independently: no rooms of a house that is among them. */
const bookable = async ({ api_url, demo }: Ready, token: string): Promise<number[]> => {
  const headers = { Authorization: `Bearer ${token}` };
  const found = await Promise.all(
    demo.listing_ids.map(async (id) => {
      const reply = await fetch(`${api_url}/api/v1/listings/${id}`, { headers });
      return reply.ok
        ? ((await reply.json()) as { id: number; parent_listing_id: number | null; currency: string })
        : [];
    }),
  );
  return found
    .flat()
    .filter(({ parent_listing_id, currency }) => parent_listing_id === null && currency === 'VND')
    .map(({ id }) => id);
};

/** Returns stays of one night, each different from all others of the run. */
const stays = (listingIds: readonly number[]) => {
  const first = Date.parse(new Date(performance.timeOrigin).toISOString().slice(0, 10)) + 2 * day;
  const dateOf = (at: number) => new Date(first + at * day).toISOString().slice(0, 10);
  return (at: number) => {
    // Successive stays are in different months, so that the benchmark does not measure conflicts of one month item.
    const night = (Math.floor(at / listingIds.length) * 31) % 700;
    return {
      listing_id: listingIds[at % listingIds.length],
      check_in_date: dateOf(night),
      check_out_date: dateOf(night + 1),
      guest_number: 1,
    };
  };
};

const measure = async (
  operation: string,
  { seconds, log }: { seconds: number; log: Log },
  request: (at: number) => Promise<number>,
): Promise<Load> => {
  const latencies: number[] = [];
  const statuses: Record<string, number> = {};
  const startedAt = performance.now();
  const ends = startedAt + seconds * 1000;
  let next = 0;
  const client = async (): Promise<void> => {
    while (performance.now() < ends) {
      const sent = performance.now();
      const status = await request(next++);
      latencies.push(performance.now() - sent);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  const line = (elapsed: number): string => `${operation}: ${latencies.length} requests, ${elapsed} s`;
  await withProgress({ log, line, firstMs: 1000 }, () =>
    Promise.all(Array.from({ length: clients }, client)),
  );
  const sorted = latencies.toSorted((one, other) => one - other);
  const quantile = (part: number) => Math.round(sorted[Math.floor(sorted.length * part)] ?? 0);
  return {
    operation,
    requests_per_second: Math.round((latencies.length * 1000) / (performance.now() - startedAt)),
    p50_ms: quantile(0.5),
    p99_ms: quantile(0.99),
    statuses,
  };
};

/** Returns the demo guest's access token by password grant. */
const guestToken = async ({ auth_url, client, demo }: Ready): Promise<string> => {
  const { email: username, password } = demo.guest;
  const grant = { grant_type: 'password', username, password, scope: 'openid profile email', ...client };
  const reply = await fetch(`${auth_url}/oauth/token`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(grant),
  });
  const { access_token } = (await reply.json()) as { access_token?: string };
  if (access_token === undefined) throw new Error(`The demo guest got no token: ${reply.status}`);
  return access_token;
};

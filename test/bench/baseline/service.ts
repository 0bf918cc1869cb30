import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type pg from 'pg';
import { addDays, nightsBetween } from '../../../shared/platform/time/time.ts';
import { queries } from './queries.ts';

interface Listing {
  id: string;
  name: string;
  capacity: number;
  full_rate: string;
  currency: string;
  prices: Record<string, number> | null;
}

interface StayRequest {
  listing_id: number;
  check_in_date: string;
  check_out_date: string;
  guest_number: number;
}

class Refusal extends Error {
  readonly status: number;
  constructor(status: number, code: string) {
    super(code);
    this.status = status;
  }
}

const dateText = /^\d{4}-\d{2}-\d{2}$/;
/** Check-in at 14:00 and check-out at 12:00 in Việt Nam. */
const beginOf = (date: string): string => `${date}T14:00:00+07:00`;
const endOf = (date: string): string => `${date}T12:00:00+07:00`;
const exclusionViolation = '23P01';
const kilometresOfDegree = 111.195;
const searchKilometres = 10;

type Pool = InstanceType<typeof pg.Pool>;

const ask = async <Row>(pool: Pool, name: keyof typeof queries, values: unknown[]): Promise<Row[]> =>
  (await pool.query<Row>({ name, text: queries[name], values })).rows;

const stayOf = (body: unknown): StayRequest => {
  const stay = body as Partial<StayRequest>;
  const isValid =
    Number.isSafeInteger(stay.listing_id) &&
    dateText.test(stay.check_in_date ?? '') &&
    dateText.test(stay.check_out_date ?? '') &&
    (stay.check_in_date ?? '') < (stay.check_out_date ?? '') &&
    Number.isInteger(stay.guest_number);
  if (!isValid) throw new Refusal(400, 'VALIDATION_ERROR');
  return stay as StayRequest;
};

const quoteOf = (listing: Listing, { check_in_date, check_out_date, guest_number }: StayRequest) => {
  if (guest_number > listing.capacity) throw new Refusal(400, 'TOO_MANY_GUESTS');
  const nights = Array.from({ length: nightsBetween(check_in_date, check_out_date) }, (_, night) => {
    const date = addDays(check_in_date, night);
    const price = listing.prices?.[new Date(date).getUTCDay()] ?? Number(listing.full_rate);
    return { date, price };
  });
  const total = nights.reduce((sum, { price }) => sum + price, 0);
  return { listing_id: Number(listing.id), name: listing.name, nights, total, currency: listing.currency };
};

const listingOf = async (pool: Pool, id: number): Promise<Listing> => {
  const [listing] = await ask<Listing>(pool, 'listing', [id]);
  if (!listing) throw new Refusal(404, 'LISTING_NOT_FOUND');
  return listing;
};

const quote = async (pool: Pool, body: unknown) => {
  const stay = stayOf(body);
  const times = [beginOf(stay.check_in_date), endOf(stay.check_out_date)];
  const [listing, taken] = await Promise.all([
    listingOf(pool, stay.listing_id),
    ask(pool, 'isTaken', [stay.listing_id, ...times]),
  ]);
  if (taken.length > 0) throw new Refusal(409, 'LISTING_NOT_AVAILABLE');
  return quoteOf(listing, stay);
};

const book = async (pool: Pool, body: unknown, key: string) => {
  const stay = stayOf(body);
  const hash = createHash('sha256').update(JSON.stringify(body)).digest('hex');
  const [listing, [earlier]] = await Promise.all([
    listingOf(pool, stay.listing_id),
    ask<{ request_hash: string; answer: object }>(pool, 'answered', [key]),
  ]);
  if (earlier) {
    if (earlier.request_hash !== hash) throw new Refusal(422, 'IDEMPOTENCY_KEY_REUSED');
    return earlier.answer;
  }
  const price = quoteOf(listing, stay);
  const times = [beginOf(stay.check_in_date), endOf(stay.check_out_date)];
  try {
    const values = [1, price.total, JSON.stringify(price), stay.listing_id, ...times, key, hash];
    const [booked] = await ask<{ body: object }>(pool, 'book', values);
    return { ...booked?.body, ...price };
  } catch (error) {
    if ((error as { code?: string }).code === exclusionViolation)
      throw new Refusal(409, 'LISTING_NOT_AVAILABLE');
    throw error;
  }
};

const availability = async (pool: Pool, id: number, query: URLSearchParams) => {
  const [from, to] = [query.get('start_date') ?? '', query.get('end_date') ?? ''];
  if (!dateText.test(from) || !dateText.test(to)) throw new Refusal(400, 'VALIDATION_ERROR');
  const [listing, taken] = await Promise.all([
    listingOf(pool, id),
    ask<{ begins: Date; ends: Date }>(pool, 'taken', [id, beginOf(from), endOf(addDays(to, 1))]),
  ]);
  return {
    listing_id: id,
    items: Array.from({ length: nightsBetween(from, to) + 1 }, (_, night) => {
      const date = addDays(from, night);
      const [begins, ends] = [Date.parse(beginOf(date)), Date.parse(endOf(addDays(date, 1)))];
      const available = !taken.some((stay) => +stay.begins < ends && +stay.ends > begins);
      return { date, available, price: quoteOf(listing, { ...oneNight(id, date) }).total };
    }),
  };
};

const oneNight = (listing_id: number, check_in_date: string): StayRequest => ({
  ...{ listing_id, check_in_date, check_out_date: addDays(check_in_date, 1), guest_number: 1 },
});

const search = async (pool: Pool, query: URLSearchParams) => {
  const [latitude = NaN, longitude = NaN] = (query.get('location') ?? '').split(',').map(Number);
  const [from, to] = [query.get('check_in') ?? '', query.get('check_out') ?? ''];
  const guests = Number(query.get('guests') ?? 1);
  if (Number.isNaN(latitude + longitude + guests) || !dateText.test(from) || !dateText.test(to))
    throw new Refusal(400, 'VALIDATION_ERROR');
  const reach = searchKilometres / kilometresOfDegree;
  const values = [latitude, longitude, reach, guests, beginOf(from), endOf(to), from, to];
  const rows = await ask<Record<string, string>>(pool, 'search', values);
  return {
    total: Number(rows[0]?.['total_count'] ?? 0),
    items: rows.map(({ id, name, address, capacity, currency, total, place }) => ({
      ...{ id: Number(id), name, address, capacity: Number(capacity), currency, total: Number(total), place },
    })),
  };
};

const answer = async (pool: Pool, request: IncomingMessage): Promise<{ status: number; body: unknown }> => {
  if (request.headers.authorization !== 'Bearer bench') throw new Refusal(401, 'UNAUTHORIZED');
  const url = new URL(request.url ?? '/', 'http://localhost');
  if (request.method === 'POST') {
    const body = await bodyOf(request);
    if (url.pathname === '/quotes') return { status: 200, body: await quote(pool, body) };
    const key = String(request.headers['idempotency-key']);
    if (url.pathname === '/stays') return { status: 201, body: await book(pool, body, key) };
  }
  const listing = /^\/listings\/(\d+)\/availability$/.exec(url.pathname)?.[1];
  if (listing !== undefined)
    return { status: 200, body: await availability(pool, Number(listing), url.searchParams) };
  if (url.pathname === '/search') return { status: 200, body: await search(pool, url.searchParams) };
  throw new Refusal(404, 'NOT_FOUND');
};

const bodyOf = async (request: IncomingMessage): Promise<unknown> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
};

const send = (response: ServerResponse, status: number, body: unknown): void => {
  const text = JSON.stringify(body);
  const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) };
  response.writeHead(status, headers).end(text);
};

/** Starts the baseline: a small service on PostgreSQL, as one would write it by hand. Returns its address. */
export const startBaseline = async (pool: Pool): Promise<string> => {
  const server = createServer((request, response) => {
    answer(pool, request).then(
      ({ status, body }) => send(response, status, body),
      (error: unknown) => {
        const status = error instanceof Refusal ? error.status : 500;
        send(response, status, { error: error instanceof Error ? error.message : String(error) });
      },
    );
  });
  server.keepAliveTimeout = 65_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

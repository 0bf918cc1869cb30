import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

interface Journey {
  /** The address of the API, for example `https://api.staging.example.com/`. */
  api: string;
  /** A key with all scopes, of a team for tests that has a listing with free nights and instant booking. */
  apiKey: string;
  /** The commit that must answer. */
  commit?: string | undefined;
  /** How long to wait for the commit to answer, and for events to be in the feed. */
  patienceMs?: number;
  log?: (line: string) => void;
}

interface Answer {
  status: number;
  text: string;
  body: Record<string, unknown>;
}

interface Stay {
  listing_id: number;
  check_in_date: string;
  check_out_date: string;
  guest_number: number;
}

interface Event {
  event_type: string;
  data: { id: number };
}

const dayMs = 86_400_000;
const dateAfter = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10);
const today = (): string => new Date(performance.timeOrigin + performance.now()).toISOString().slice(0, 10);

/** The mailbox of SES that takes every mail and harms no sender's reputation. */
const guest_info = {
  full_name: 'Release Journey',
  phone: '+84 900 000 000',
  email: 'success@simulator.amazonses.com',
};

const api = ({ api: address, apiKey }: Journey) => {
  const base = address.endsWith('/') ? address : `${address}/`;
  return async (method: string, path: string, body?: object, key: string = randomUUID()): Promise<Answer> => {
    const reply = await fetch(`${base}${path}`, {
      method,
      headers: {
        'X-API-Key': apiKey,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json', 'Idempotency-Key': key }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    });
    const text = await reply.text();
    try {
      return { status: reply.status, text, body: JSON.parse(text) as Record<string, unknown> };
    } catch {
      throw new Error(`${method} /${path} answered ${reply.status} and no JSON: ${text.slice(0, 200)}`);
    }
  };
};
type Call = ReturnType<typeof api>;

const expected = (answer: Answer, status: number, code?: string): Answer['body'] => {
  const given = `${answer.status} ${answer.text.slice(0, 500)}`;
  const wanted = code === undefined ? `${status}` : `${status} ${code}`;
  if (answer.status !== status || (code !== undefined && answer.body['code'] !== code))
    throw new Error(`expected ${wanted}, got ${given}`);
  return answer.body;
};

const same = (what: string, given: unknown, wanted: unknown): void => {
  if (given !== wanted)
    throw new Error(`${what} is ${JSON.stringify(given)}, expected ${JSON.stringify(wanted)}`);
};

/** Asks until the answer is there. */
const eventually = async (patienceMs: number, ask: () => Promise<boolean>, failure: () => string) => {
  const until = performance.now() + patienceMs;
  while (!(await ask())) {
    if (performance.now() > until) throw new Error(failure());
    await delay(Math.min(1000, patienceMs / 10));
  }
};

/** The first free night from half a year ahead on, where its listing books at once. */
const freeNight = async (call: Call): Promise<Stay> => {
  const { items } = expected(await call('GET', 'api/v1/external/listings?limit=50'), 200);
  const listings = items as { id: number; instant_book_enabled: boolean }[];
  for (const { id } of listings.filter(({ instant_book_enabled }) => instant_book_enabled)) {
    const span = `start_date=${dateAfter(today(), 180)}&end_date=${dateAfter(today(), 360)}`;
    const path = `api/v1/external/listings/${id}/availability?${span}`;
    const calendar = expected(await call('GET', path), 200);
    if (calendar['granularity'] !== 'day') continue;
    const nights = calendar['items'] as { date: string; can_arrive: boolean; min_nights: number }[];
    const night = nights.find(({ can_arrive, min_nights }) => can_arrive && min_nights === 1);
    if (night)
      return {
        listing_id: id,
        check_in_date: night.date,
        check_out_date: dateAfter(night.date, 1),
        guest_number: 1,
      };
  }
  throw new Error('The teams of the key have no listing with instant booking and a free night.');
};

/** Reads the feed until a booking has these events. */
const eventsInFeed = async (call: Call, bookingId: number, wanted: readonly string[], patienceMs: number) => {
  const seen = new Set<string>();
  let after = '';
  await eventually(
    patienceMs,
    async () => {
      let page: Answer['body'];
      do {
        page = expected(await call('GET', `api/v1/external/events?limit=100${after}`), 200);
        for (const { event_type, data } of page['items'] as Event[])
          if (data.id === bookingId) seen.add(event_type);
        const cursor = page['next_cursor'] as string | null;
        if (cursor !== null) after = `&after=${encodeURIComponent(cursor)}`;
      } while (page['has_more'] === true);
      return wanted.every((type) => seen.has(type));
    },
    () =>
      `of booking ${bookingId} the feed has ${[...seen].join(', ') || 'nothing'}, not ${wanted.join(', ')}`,
  );
};

type Step = <T>(what: string, play: () => Promise<T>) => Promise<T>;

const serviceAnswers = async (call: Call, commit: string | undefined, patienceMs: number) => {
  let answering: unknown;
  await eventually(
    patienceMs,
    async () => {
      const health = expected(await call('GET', 'healthz'), 200);
      answering = health['commit'];
      return commit === undefined || answering === commit;
    },
    () => `commit ${String(answering)} answers, not ${String(commit)}`,
  );
  expected(await call('GET', 'openapi.json'), 200);
};

const terms = { guest_info, payment_method: 'CASH' };
const bookings = 'api/v1/external/bookings';

/** Quotes and holds a night, and tries to book it beside the hold. */
const holdNight = async (call: Call, step: Step, stay: Stay): Promise<Answer['body']> => {
  const quote = await step('it has a price', async () =>
    expected(await call('POST', 'api/v1/external/quotes', { items: [stay] }), 201),
  );
  await step('it is held', async () =>
    expected(await call('POST', `api/v1/external/quotes/${String(quote['quote_id'])}/hold`, {}), 201),
  );
  await step('no one else can book it', async () => {
    const answer = await call('POST', bookings, { ...stay, nights: 1, ...terms });
    expected(answer, 409, 'LISTING_NOT_AVAILABLE');
  });
  return quote;
};

/** Books what is held, reads it, and cancels it whatever has happened. */
const bookAndCancel = async (call: Call, step: Step, quote: Answer['body'], patienceMs: number) => {
  const { quote_id, estimated_total } = quote;
  const key = randomUUID();
  const booking = { quote_id, expected_total: estimated_total, external_booking_id: key, ...terms };
  const booked = await step('it is booked', async () => {
    const body = expected(await call('POST', bookings, booking, key), 201);
    same('the status', body['status'], 'CONFIRMED');
    return body;
  });
  const id = Number(booked['id']);
  const stays = booked['reservations'] as { id: number }[];
  const inFeed = (...wanted: string[]) => eventsInFeed(call, Number(stays[0]?.id), wanted, patienceMs);
  try {
    await step('the same request books it once', async () => {
      const again = expected(await call('POST', bookings, booking, key), 201);
      same('the repeated answer', JSON.stringify(again), JSON.stringify(booked));
    });
    await step('it can be read', async () => {
      const read = expected(await call('GET', `${bookings}/${id}`), 200);
      same('the status', read['status'], 'CONFIRMED');
      same('the price', read['total_price'], estimated_total);
    });
    await step('the feed has it', () => inFeed('booking.created'));
  } finally {
    await step('it is cancelled', async () => {
      const cancelled = expected(await call('POST', `${bookings}/${id}/cancel`, { reason: 'Test' }), 200);
      same('the status', cancelled['status'], 'CANCELLED');
    });
  }
  await step('the feed has the cancellation', () => inFeed('booking.created', 'booking.cancelled'));
};

/**
 * Plays a partner from outside: the deployed commit answers, a night is quoted, held, refused to another caller, booked, not booked
 * twice, read, reported in the feed, cancelled, and free again. Leaves no booking behind. Throws an error that names the step.
 */
export const playJourney = async (journey: Journey): Promise<void> => {
  const { commit, patienceMs = 60_000, log = () => undefined } = journey;
  const call = api(journey);
  const step: Step = async (what, play) => {
    const start = performance.now();
    try {
      const result = await play();
      log(`ok   ${what} (${Math.round(performance.now() - start)} ms)`);
      return result;
    } catch (cause) {
      throw new Error(`${what}: ${(cause as Error).message}`, { cause });
    }
  };
  await step('the service answers', () => serviceAnswers(call, commit, patienceMs));
  const stay = await step('a night is free', () => freeNight(call));
  const quote = await holdNight(call, step, stay);
  await bookAndCancel(call, step, quote, patienceMs);
  await step('the night is free again', async () => {
    const span = `start_date=${stay.check_in_date}&end_date=${stay.check_out_date}`;
    const path = `api/v1/external/listings/${stay.listing_id}/availability?${span}`;
    const { items } = expected(await call('GET', path), 200);
    const [night] = items as { date: string }[];
    same('the first free night', night?.date, stay.check_in_date);
  });
};

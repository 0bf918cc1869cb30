import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { addHours, ceilHour, floorHour } from '../../../shared/platform/time/time.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { seeded } from '../schedule/virtual.ts';
import { type Credentials, mailsOf, type Reply, type Request } from './client.ts';
import { type Folders, leftovers, newFolders, processesOf, startService } from './service.ts';
import { countAnswers } from './storms.ts';
import { enter, type Entry, entriesOf, externalStay, type Home, night, type World } from './world.ts';

interface KillReport {
  storm: string;
  answers: Record<string, number>;
  acknowledged: number;
  /** Requests in flight when the service was killed, repeated afterwards with their keys. */
  repeated: Record<string, number>;
  bookings: number;
  restart_ms: number;
  /** Time until the last event of a booking was delivered, after the restart. */
  delivered_ms: number;
  problems: string[];
}

interface Booking {
  id: number;
  listing_id: number;
  status: string;
  start_at: string;
  end_at: string;
}

interface Sent {
  who: Credentials;
  request: Request;
  reply: Reply | undefined;
}

const clients = 24;
const days = 12;
const deliveryMs = 60_000;

/** Kills service and table during a storm of bookings, restarts both on the same data, and checks everything. */
export const killStorm = async (seed: number, acknowledgedBefore = 60): Promise<KillReport> => {
  const folders = newFolders();
  const service = await startService({ folders, keep: true });
  try {
    const world = await enter(service.ready, 6);
    const ofDemo = new Set((await bookingsOf(world)).map(({ id }) => id));
    const sent = await stormUntilKilled(world, seed, acknowledgedBefore, () => service.kill());
    const restarted = await startService({ folders, keep: true, at: service.ready });
    try {
      const report = await aftermath(world, { sent, ofDemo }, restarted.startMs);
      await restarted.stop();
      return { ...report, problems: [...report.problems, ...(await remains(folders))] };
    } finally {
      await restarted.stop();
    }
  } finally {
    await service.kill();
    folders.remove();
  }
};

const stormUntilKilled = async (
  world: World,
  seed: number,
  enough: number,
  kill: () => Promise<void>,
): Promise<Sent[]> => {
  const random = seeded(seed);
  const sent: Sent[] = [];
  let killed: Promise<void> | undefined;
  let acknowledged = 0;
  const client = async (): Promise<void> => {
    while (!killed) {
      const wish = { ...anyRequest(world, random), reply: undefined } as Sent;
      sent.push(wish);
      wish.reply = await world.call(wish.who, wish.request).catch(() => undefined);
      if (wish.reply?.status === 201 && ++acknowledged === enough) killed = kill();
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  await killed;
  return sent;
};

/** Returns a booking of one to three stays by a guest or the partner; every request has its own key. */
const anyRequest = (world: World, random: () => number): Pick<Sent, 'who' | 'request'> => {
  const pick = <Value>(values: readonly Value[]): Value =>
    values[Math.floor(random() * values.length)] as Value;
  const homes = [...world.lone, world.parent, ...world.children];
  const headers = { 'Idempotency-Key': randomUUID() };
  const date = world.date(40 + Math.floor(random() * days));
  if (random() < 0.4) {
    const body = externalStay(pick(homes), date, 1);
    return { who: world.partner, request: { path: '/api/v1/external/bookings', body, headers } };
  }
  const count = random() < 0.3 ? 3 : 1;
  const left = [...homes];
  const items = Array.from({ length: count }, () => {
    const home = pick(left);
    // The same night of a home twice in one order would be refused as such.
    left.splice(left.indexOf(home), 1);
    return night(home, date);
  });
  const body = { items, payment_method: 'CASH' };
  return { who: pick(world.guests), request: { path: '/api/v1/checkout/confirm', body, headers } };
};

interface Storm {
  sent: readonly Sent[];
  /** The bookings that were there before. */
  ofDemo: ReadonlySet<number>;
}

const aftermath = async (world: World, { sent, ofDemo }: Storm, restart_ms: number): Promise<KillReport> => {
  const startedAt = performance.now();
  // The claim of a killed attempt lasts a minute of the service's time.
  await world.call(world.host, { path: '/_local/clock', body: { advance: 'PT2M' } });
  const lost = sent.filter(({ reply }) => reply === undefined);
  const again = await Promise.all(lost.map(({ who, request }) => world.call(who, request)));
  const found = await bookingsOf(world);
  const ids = new Set(found.map(({ id }) => id));
  const acknowledgements = [...sent.flatMap(({ reply }) => reply ?? []), ...again].filter(
    ({ status }) => status === 201,
  );
  const acknowledged = acknowledgements.flatMap(idsIn);
  const problems = [
    ...acknowledged.filter((id) => !ids.has(id)).map((id) => `the acknowledged booking ${id} is gone`),
    ...[...ids]
      .filter((id) => !acknowledged.includes(id) && !ofDemo.has(id))
      .map((id) => `no answer acknowledges booking ${id}`),
    ...again
      .filter(({ status, json }) => status !== 201 && json.code !== 'LISTING_NOT_AVAILABLE')
      .map(({ status, text }) => `a repeated request was answered ${status} ${text.slice(0, 200)}`),
    ...(await calendarProblems(world, found)),
  ];
  const undelivered = await deliveryProblems(
    world,
    found.filter(({ id }) => !ofDemo.has(id)),
  );
  return {
    storm: 'kill -9 in a storm of bookings',
    answers: countAnswers(sent.flatMap(({ reply }) => reply ?? [])),
    acknowledged: acknowledged.length,
    repeated: countAnswers(again),
    bookings: found.length,
    restart_ms: Math.round(restart_ms),
    delivered_ms: Math.round(performance.now() - startedAt),
    problems: [...problems, ...undelivered],
  };
};

const idsIn = ({ json }: Reply): number[] =>
  'reservations' in json
    ? (json['reservations'] as { id: number }[]).map(({ id }) => id)
    : [Number(json['id'])];

/** Returns the cursor of the next page; null after the last. */
const cursorOf = ({ json }: Reply): string | null => json['next_cursor'] as string | null;

const bookingsOf = async ({ call, partner }: World): Promise<Booking[]> => {
  const bookings: Booking[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const path: string = `/api/v1/external/bookings?limit=100${cursor && `&cursor=${cursor}`}`;
    const page: Reply = await call(partner, { method: 'GET', path });
    bookings.push(...(page.json['items'] as Booking[]));
    cursor = cursorOf(page);
  }
  return bookings;
};

const hoursOf = ({ start_at, end_at }: Pick<Entry, 'start_at' | 'end_at'>): string[] => {
  const hours: string[] = [];
  for (let hour = floorHour(start_at); hour < ceilHour(end_at); hour = addHours(hour, 1)) hours.push(hour);
  return hours;
};

/** Returns hours taken twice, bookings without hours, and hours without a booking. */
const calendarProblems = async (world: World, bookings: readonly Booking[]): Promise<string[]> => {
  const homes = [...world.lone, world.parent, ...world.children];
  const [from, to] = [world.date(39), world.date(40 + days)];
  const problems = await Promise.all(
    homes.map(async (home) => {
      const entries = await entriesOf(world, home, from, to);
      const own = bookings.filter(({ listing_id }) => listing_id === home.id);
      return homeProblems(world, home, { entries, own, hours: await takenHours(world, home, from, to) });
    }),
  );
  return problems.flat();
};

const homeProblems = (
  world: World,
  home: Home,
  { entries, own, hours }: { entries: Entry[]; own: Booking[]; hours: string[] },
): string[] => {
  const named = entries.flatMap(({ reservation_id }) => reservation_id ?? []).sort();
  const counts = new Map<string, number>();
  for (const hour of entries.flatMap(hoursOf)) counts.set(hour, (counts.get(hour) ?? 0) + 1);
  // A parent's calendar shows concurrent stays of its children.
  const most = home.id === world.parent.id ? world.children.length : 1;
  const twice = [...counts].filter(([, count]) => count > most).map(([hour]) => hour);
  const ownTwice = entries.filter(({ reservation_id }) => reservation_id !== null);
  return [
    ...twice.map((hour) => `${hour} of ${home.id} is taken more than once`),
    ...(new Set(ownTwice.flatMap(hoursOf)).size === ownTwice.flatMap(hoursOf).length
      ? []
      : [`two stays of ${home.id} overlap`]),
    ...(String(named) === String(own.map(({ id }) => id).sort())
      ? []
      : [`the entries of ${home.id} are not its bookings`]),
    ...(String([...counts.keys()].sort()) === String(hours)
      ? []
      : [`the hours of ${home.id} are not those of its entries`]),
  ];
};

const takenHours = async ({ call, host }: World, home: Home, from: string, to: string): Promise<string[]> => {
  const range = `start_time=${from}T0000&end_time=${to}T2300`;
  const path = `/api/v1/listing-availability/listings/${home.id}/calendars/unavailable?${range}`;
  const { json } = await call(host, { method: 'GET', path });
  return (json as unknown as string[]).map((text) => `${text.slice(0, 13)}:00:00`);
};

/** Returns bookings without a mail to the host or without a chat thread. */
const deliveryProblems = async (world: World, bookings: readonly Booking[]): Promise<string[]> => {
  const hostMail = world.ready.demo.host.email;
  const missing = async (): Promise<string[]> => {
    const mails = (await mailsOf(world.ready)).filter(({ to }) => to === hostMail).map(({ text }) => text);
    const threads = await threadsOf(world);
    return bookings.flatMap(({ id }) => [
      ...(mails.some((text) => text.includes(String(id))) ? [] : [`no mail to the host about booking ${id}`]),
      ...(threads.has(id) ? [] : [`no chat thread of booking ${id}`]),
    ]);
  };
  const allThere = async (): Promise<boolean> => {
    const left = await missing();
    if (left.length > 0) await sleep(200);
    return left.length === 0;
  };
  await waitUntil('every event is delivered', allThere, deliveryMs).catch(() => undefined);
  return missing();
};

const threadsOf = async ({ call, host, lone, parent }: World): Promise<Set<number>> => {
  const threads = new Set<number>();
  for (const team_id of new Set([...lone, parent].map((home) => home.team_id))) {
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: Reply = await call(host, {
        method: 'GET',
        path: `/api/v1/chats?limit=100&as=host${cursor && `&cursor=${cursor}`}`,
        headers: { 'X-Team-ID': String(team_id) },
      });
      for (const { booking_id } of page.json['items'] as { booking_id: number }[]) threads.add(booking_id);
      cursor = cursorOf(page);
    }
  }
  return threads;
};

/** Returns processes and files that remain after an orderly stop. */
const remains = async (folders: Folders): Promise<string[]> => {
  await waitUntil('every process has ended', () => processesOf(folders).length === 0, 5000).catch(
    () => undefined,
  );
  return [
    ...processesOf(folders).map((pid) => `process ${pid} is still there`),
    ...leftovers(folders).map((name) => `${name} is left in the data folder`),
  ];
};

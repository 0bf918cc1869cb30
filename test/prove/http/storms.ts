import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { addDays } from '../../../shared/platform/time/time.ts';
import type { Credentials, Reply, Request } from './client.ts';
import { entriesOf, externalStay, type Home, night, type World } from './world.ts';

/** A request of a storm and the homes that it books for the night. */
export interface Attempt {
  who: Credentials;
  request: Request;
  wants: readonly Home[];
}

/** The result of a storm and its problems. */
export interface Report {
  storm: string;
  attempts: number;
  won: number;
  /** Responses by status and code. */
  answers: Record<string, number>;
  /** Responses with SERVICE_UNAVAILABLE, after which the request was repeated with its key. */
  busy: number;
  slowest_loser_ms: number;
  all_ms: number;
  problems: string[];
}

const confirmPath = '/api/v1/checkout/confirm';

export const confirmOf = (homes: readonly Home[], date: string): Request => ({
  path: confirmPath,
  body: { items: homes.map((home) => night(home, date)), payment_method: 'CASH' },
});

const excludes = (one: Home, other: Home): boolean =>
  one.id === other.id || one.parent_listing_id === other.id || other.parent_listing_id === one.id;

const clash = (some: readonly Home[], others: readonly Home[]): boolean =>
  some.some((one) => others.some((other) => excludes(one, other)));

const tries = 8;

/**
 * Sends all requests at once. Each successful one must hold its homes alone, and each refused one must conflict with a
 * successful one.
 */
export const storm = async ({ call }: World, name: string, attempts: readonly Attempt[]): Promise<Report> => {
  const startedAt = performance.now();
  let busy = 0;
  const send = async ({ who, request }: Attempt): Promise<Reply> => {
    const keyed = { ...request, headers: { 'Idempotency-Key': randomUUID() } };
    for (let attempt = 1; ; attempt++) {
      const reply = await call(who, keyed);
      if (reply.status !== 503 || attempt === tries) return reply;
      busy++;
      await sleep(Number(reply.headers.get('retry-after')) * 1000);
    }
  };
  const replies = await Promise.all(attempts.map(send));
  const all_ms = Math.round(performance.now() - startedAt);
  const answered = attempts.map((attempt, at) => ({ ...attempt, reply: replies[at] as Reply }));
  const isWon = ({ reply }: (typeof answered)[number]) => reply.status === 201 || reply.status === 200;
  const winners = answered.filter(isWon);
  const losers = answered.filter((one) => !isWon(one));
  const problems = [
    ...winners.flatMap(({ wants }, at) =>
      winners.slice(at + 1).flatMap((other) => (clash(wants, other.wants) ? [`two won ${text(wants)}`] : [])),
    ),
    ...losers.flatMap(({ wants, reply }) => losersProblems(wants, reply, winners)),
  ];
  return {
    storm: name,
    attempts: attempts.length,
    won: winners.length,
    answers: countAnswers(replies),
    busy,
    slowest_loser_ms: Math.round(Math.max(0, ...losers.map(({ reply }) => reply.ms))),
    all_ms,
    problems,
  };
};

const text = (homes: readonly Home[]): string => homes.map(({ id }) => id).join('+');

const losersProblems = (wants: readonly Home[], reply: Reply, winners: readonly Attempt[]): string[] => {
  if (reply.status !== 409 || reply.json.code !== 'LISTING_NOT_AVAILABLE')
    return [`${text(wants)} was answered ${reply.status} ${reply.text.slice(0, 300)}`];
  const taken = reply.json.details?.['unavailable'];
  return [
    ...(Array.isArray(taken) && taken.length > 0 ? [] : [`a 409 does not say what is taken: ${reply.text}`]),
    ...(winners.some((winner) => clash(wants, winner.wants))
      ? []
      : [`${text(wants)} was refused without a winner`]),
  ];
};

export const countAnswers = (replies: readonly Reply[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { status, json } of replies) {
    const answer = json.code === undefined ? String(status) : `${status} ${json.code}`;
    counts[answer] = (counts[answer] ?? 0) + 1;
  }
  return counts;
};

/** Adds what the calendars show: `expected` live entries each. */
export const withCalendar = async (
  world: World,
  report: Report,
  date: string,
  homes: readonly Home[],
  expected: (home: Home) => number,
): Promise<Report> => {
  const found = await Promise.all(homes.map((home) => entriesOf(world, home, date)));
  const problems = homes.flatMap((home, at) => {
    const count = found[at]?.length ?? 0;
    return count === expected(home)
      ? []
      : [`the calendar of ${home.id} shows ${count} entries on ${date}, not ${expected(home)}`];
  });
  return { ...report, problems: [...report.problems, ...problems] };
};

export const at = <Item>(items: readonly Item[], position: number): Item =>
  items[position % items.length] as Item;

/** Many guests confirm the same night. */
export const oneNight = async (world: World, date: string, count = 200): Promise<Report> => {
  const home = at(world.lone, 0);
  const attempts = Array.from({ length: count }, (_, position) => ({
    who: at(world.guests, position),
    request: confirmOf([home], date),
    wants: [home],
  }));
  const report = await storm(world, 'one night', attempts);
  const problems = report.won === 1 ? [] : [`${report.won} won`];
  return withCalendar(
    world,
    { ...report, problems: [...report.problems, ...problems] },
    date,
    [home],
    () => 1,
  );
};

/** Parent against children: either the parent is booked, or each child once. */
export const parentAgainstChild = async (world: World, date: string, count = 200): Promise<Report> => {
  const family = [world.parent, ...world.children];
  const attempts = Array.from({ length: count }, (_, position) => {
    const home = at(family, position);
    return { who: at(world.guests, position), request: confirmOf([home], date), wants: [home] };
  });
  const report = await storm(world, 'parent against child', attempts);
  const expected = [1, world.children.length].includes(report.won) ? [] : [`${report.won} won`];
  const parentWon = report.won === 1;
  const checked = { ...report, problems: [...report.problems, ...expected] };
  return withCalendar(world, checked, date, family, (home) =>
    parentWon ? 1 : home.parent_listing_id === null ? world.children.length : 1,
  );
};

/** Overlapping groups of three homes on a ring: any two share a home, so exactly one order succeeds. */
export const crosswiseGroups = async (world: World, date: string, count = 200): Promise<Report> => {
  const ring = world.lone.slice(0, 5);
  const attempts = Array.from({ length: count }, (_, position) => {
    const wants = [at(ring, position), at(ring, position + 1), at(ring, position + 2)];
    return { who: at(world.guests, position), request: confirmOf(wants, date), wants };
  });
  const report = await storm(world, 'crosswise groups of three', attempts);
  const found = await Promise.all(ring.map((home) => entriesOf(world, home, date)));
  const taken = found.filter((entries) => entries.length > 0).length;
  const problems = [
    ...(report.won === 1 ? [] : [`${report.won} orders won`]),
    ...(taken === 3 * report.won ? [] : [`${taken} homes are taken by ${report.won} orders of three`]),
  ];
  return { ...report, problems: [...report.problems, ...problems] };
};

/** Checkout, confirm, external booking and block of one night, all at once. */
export const mixedVerbs = async (world: World, date: string, count = 200): Promise<Report> => {
  const home = at(world.lone, 1);
  const noon = { start_at: `${date}T20:00:00`, end_at: `${addDays(date, 1)}T08:00:00` };
  const requests: Attempt['request'][] = [
    { path: '/api/v1/checkout', body: { items: [night(home, date)] } },
    confirmOf([home], date),
    { path: '/api/v1/external/bookings', body: externalStay(home, date) },
    { path: `/api/v1/listing-availability/listings/${home.id}/blocks`, body: noon },
  ];
  const attempts = Array.from({ length: count }, (_, position) => {
    const request = at(requests, position);
    const who = [at(world.guests, position >> 2), at(world.guests, position >> 2), world.partner, world.host];
    return { who: at(who, position), request, wants: [home] };
  });
  // A caller's newer checkout replaces the older one, and a confirm uses the caller's own lock, so each caller sends one
  // of the two.
  const report = await storm(
    world,
    'checkout, confirm, external booking and block',
    oneEach(attempts, world),
  );
  const problems = report.won === 1 ? [] : [`${report.won} won`];
  return withCalendar(
    world,
    { ...report, problems: [...report.problems, ...problems] },
    date,
    [home],
    () => 1,
  );
};

/** Even guests check out, odd ones confirm, and those who check out do it once. */
const oneEach = (attempts: readonly Attempt[], { guests }: World): Attempt[] => {
  let lockers = 0;
  return attempts.flatMap((attempt, position) => {
    if (position % 4 === 0) {
      const who = guests[2 * lockers++];
      return who ? [{ ...attempt, who }] : [];
    }
    return [position % 4 === 1 ? { ...attempt, who: at(guests, 2 * position + 1) } : attempt];
  });
};

interface RepeatReport {
  storm: string;
  answers: Record<string, number>;
  problems: string[];
}

/** Sends a request many times at once with one Idempotency-Key: one booking, identical bodies. */
export const oneKey = async (
  world: World,
  name: string,
  { who, request, wants }: Attempt,
  date: string,
  count = 20,
): Promise<RepeatReport> => {
  const headers = { 'Idempotency-Key': randomUUID() };
  const replies = await Promise.all(
    Array.from({ length: count }, () => world.call(who, { ...request, headers })),
  );
  const later = await world.call(who, { ...request, headers });
  const all = [...replies, later];
  const bodies = new Set(all.map(({ text: body }) => body));
  const replayed = all.filter((reply) => reply.headers.get('idempotent-replayed') === 'true').length;
  const other = await world.call(who, {
    ...request,
    headers,
    body: { ...request.body, expected_total: 1 },
  });
  const entries = await Promise.all(wants.map((home) => entriesOf(world, home, date)));
  return {
    storm: name,
    answers: countAnswers(all),
    problems: [
      ...(all.every(({ status }) => status === 201) ? [] : ['an answer is no 201']),
      ...(bodies.size === 1 ? [] : [`${bodies.size} different bodies`]),
      ...(replayed === count ? [] : [`${replayed} answers say that they are replayed, not ${count}`]),
      ...(other.status === 422 ? [] : [`another body with the key was answered ${other.status}`]),
      ...entries.flatMap((found) => (found.length === 1 ? [] : [`${found.length} calendar entries`])),
    ],
  };
};

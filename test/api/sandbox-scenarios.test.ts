import { beforeAll, describe, expect, it } from 'vitest';
import { routeGroups } from '../../functions/routes.ts';
import type { ErrorCode } from '../../shared/platform/errors.ts';
import { errorsOf, type Route } from '../../shared/platform/http/route.ts';
import type { Reply } from '../support/api.ts';
import { exampleIds } from '../../shared/platform/http/example-records.ts';
import { addDays } from '../../shared/platform/time/time.ts';
import { type DemoScene, demoScene } from '../support/demo-scene.ts';
import { testListing } from '../support/listings.ts';
import { tableDump } from '../support/table-dump.ts';

/** Every operation that writes in every scenario, as the documentation shows it, over the demo data of a laptop. */
const header = 'X-Sandbox-Scenario';
const codes: Record<string, ErrorCode | undefined> = {
  taken: 'LISTING_NOT_AVAILABLE',
  price_changed: 'PRICE_CHANGED',
  declined: 'PAYMENT_DECLINED',
  gateway_down: 'PAYMENT_GATEWAY_UNAVAILABLE',
  busy: 'SERVICE_UNAVAILABLE',
  rate_limited: 'RATE_LIMIT_EXCEEDED',
  slow: undefined,
};
const scenarios = Object.keys(codes);

const rows = new Map<string, Route>(routeGroups.flatMap(({ routes }) => Object.entries(routes)));
/** What cannot be called here: it is signed by the payment gateway or a bank's reporter, or answered with a bundled site or the address of a provider. */
const uncalled = [
  'handlePaymentWebhook',
  'takeBankReport',
  'getRoot',
  'getDocs',
  'getDocsAsset',
  'getInvitationPage',
  'getGuestPage',
  // Shown on the day of arrival alone.
  'readGuestAccess',
];
const called = [...rows].filter(([id]) => !uncalled.includes(id));
const writing = called.filter(([, { method }]) => method !== 'GET');
const reading = called.filter(([, { method }]) => method === 'GET');

/** What an operation has, but not as its example is: the examples pay in cash, move no listing and check in no guest early. */
const otherwise = new Set([
  'assignTransfer taken',
  'checkInBooking taken',
  'updateListing taken',
  'confirmBooking declined',
  'confirmBooking gateway_down',
  'confirmCheckout declined',
  'confirmCheckout gateway_down',
  'bookForGuest gateway_down',
  'createExternalBooking gateway_down',
  'changeBooking declined',
  'changeBooking gateway_down',
  'changeSecurityDeposit declined',
  'changeSecurityDeposit gateway_down',
  'addAdjustment gateway_down',
  'removeAdjustment gateway_down',
  'changeGuestBooking declined',
  'changeGuestBooking gateway_down',
  'changeExternalBooking declined',
  'changeExternalBooking gateway_down',
  // Its limit is on mails, not on requests.
  'requestInvitedReset rate_limited',
]);
/** These ask other services to do something, so they cannot be rehearsed to their end. */
const callsServices = new Set([
  'openDuePage',
  'payGuestBooking',
  'registerCustomer',
  'logInCustomer',
  'requestPasswordReset',
  'requestInvitedReset',
  'resendVerification',
  'testWebhook',
  'redeliverWebhook',
]);

/** The status and the code, or the path of a VALIDATION_ERROR. */
const answerOf = ({ status, body }: Reply): string => {
  const { code, details } = body as { code?: string; details?: { issues?: { path: string }[] } };
  return [status, details?.issues?.map(({ path }) => path).join() ?? code ?? ''].join(' ').trim();
};
const expected = (id: string, route: Route, scenario: string): string => {
  const code = codes[scenario];
  const cannot = `400 ${header}`;
  if (!code) return callsServices.has(id) ? cannot : String(route.status);
  if (!errorsOf(route).includes(code) || otherwise.has(`${id} ${scenario}`)) return cannot;
  const status = { taken: 409, price_changed: 409, declined: 402, gateway_down: 502, busy: 503 }[scenario];
  return `${status ?? 429} ${code}`;
};

let s: DemoScene;
beforeAll(async () => {
  Object.assign(process.env, {
    SANDBOX_SCENARIOS: 'on',
    TEAM_SIGN_UP: 'on',
    RATE_LIMIT_USER: '9999999',
    RATE_LIMIT_GUEST: '9999999',
    RATE_LIMIT_KEY: '9999999',
    RATE_LIMIT_ATTEMPTS: '5',
  });
  s = await demoScene();
  // The first call of a key or a person is noted.
  for (const id of ['getMe', 'listTeamKeys', 'listWebhooks', 'getStayTeam']) await s.send(callOf(id));
}, 60_000);

const callOf = (id: string) => {
  const call = s.calls.find((one) => one.id === id);
  if (!call) throw new Error(`the document has no ${id}`);
  return call;
};

/** The form of a body: its fields, of lists none, since operations between the two calls have changed some. */
const formOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return 'list';
  if (typeof value !== 'object' || value === null) return 'value';
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, formOf(item)]));
};

const slowForms = new Map<string, unknown>();

describe.each(writing)('%s', (id, route) => {
  it('answers each scenario with its error, or says that it has none, and writes nothing', async () => {
    const [table, asked] = [await tableDump(), s.deps.sandbox.asked.length];
    const accounts = [...s.deps.provider.accounts];
    const given: Record<string, string> = {};
    for (const scenario of scenarios) {
      const reply = await s.send(callOf(id), { [header]: scenario, 'Idempotency-Key': id });
      given[scenario] = answerOf(reply);
      expect(reply.headers['x-request-id']).toBeTruthy();
      expect(reply.headers['idempotent-replayed']).toBeUndefined();
      if (reply.status === 503 || reply.status === 429)
        expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
      if (scenario === 'slow' && reply.status === route.status) slowForms.set(id, formOf(reply.body));
    }
    const wanted = scenarios.map((scenario) => [scenario, expected(id, route, scenario)]);
    expect(given).toEqual(Object.fromEntries(wanted));
    expect(await tableDump()).toEqual(table);
    expect([...s.deps.provider.accounts]).toEqual(accounts);
    expect([s.deps.sandbox.asked.length, s.posted]).toEqual([asked, []]);
  });
});

describe.each(reading)('%s', (id) => {
  it('has no scenario', async () => {
    const reply = await s.send(callOf(id), { [header]: 'busy' });
    expect(answerOf(reply).trim()).toBe(`400 ${header}`);
  });
});

it('updateListing: taken is the time of the stays that a move would take to a parent', async () => {
  const of = () => testListing(s.deps, { team_id: exampleIds.team });
  const [parent, child] = [await of(), await of()];
  const day = addDays(new Date(s.deps.clock.now()).toISOString().slice(0, 10), 30);
  const stay = { listing_id: child.id, check_in_date: day, check_out_date: addDays(day, 1), guest_number: 2 };
  const { guest, host } = s.credentials;
  const order = { items: [stay], payment_method: 'CASH' };
  const booked = await s.call('POST', '/api/v1/checkout/confirm', { ...guest, body: order });
  expect(booked.status).toBe(201);
  const [start_at, end_at] = [`${day}T14:00:00`, `${stay.check_out_date}T12:00:00`];
  const table = await tableDump();
  const moved = await s.call('PATCH', `/api/v1/listings/${child.id}`, {
    ...host,
    body: { parent_listing_id: parent.id },
    headers: { [header]: 'taken' },
  });
  expect(moved.body).toMatchObject({
    code: 'LISTING_NOT_AVAILABLE',
    details: {
      unavailable: [{ listing_id: child.id, start_at, end_at }],
      free_again: [{ listing_id: child.id, at: end_at }],
    },
  });
  expect(await tableDump()).toEqual(table);
});

it('createListing: slow is refused as really where another listing has the slug', async () => {
  const { body, ...call } = callOf('createListing');
  const villa = {
    ...call,
    body: JSON.stringify({ ...(JSON.parse(body!) as object), slug: 'a-slug-of-its-own' }),
  };
  expect((await s.send(villa)).status).toBe(201);
  const waited = s.waits.length;
  const reply = await s.send(villa, { [header]: 'slow' });
  expect([answerOf(reply), s.waits.length]).toEqual(['409 SLUG_ALREADY_EXISTS', waited]);
});

describe('afterwards', () => {
  it('slow has waited for three seconds each time', () => {
    const played = writing.filter(([id]) => !callsServices.has(id));
    expect(s.waits).toEqual(played.map(() => 3000));
  });

  it('every operation works with the same Idempotency-Key, and answers what slow has shown', async () => {
    const inOrder = writing.toSorted(
      ([one], [other]) => Number(one === 'logOut') - Number(other === 'logOut'),
    );
    for (const [id, route] of inOrder) {
      const reply = await s.send(callOf(id), { 'Idempotency-Key': id });
      expect([id, reply.status, reply.headers['idempotent-replayed']]).toEqual([id, route.status, undefined]);
      if (slowForms.has(id)) expect([id, slowForms.get(id)]).toEqual([id, formOf(reply.body)]);
    }
    expect(slowForms.size).toBe(writing.length - callsServices.size);
  });
});

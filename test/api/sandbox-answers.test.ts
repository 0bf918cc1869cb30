import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Reply } from '../support/api.ts';
import { nights, ok, type OrderScene, orderScene, stay, stopClock } from '../support/order-scene.ts';
import { tableDump } from '../support/table-dump.ts';

/** What scenarios answer, beside what the service answers when the same really happens. */
let s: OrderScene;
beforeAll(async () => {
  process.env['SANDBOX_SCENARIOS'] = 'on';
  s = await orderScene();
});
beforeEach(async () => {
  stopClock();
  s.deps.sandbox.fault = undefined;
  await s.renew();
});

interface Shown extends Record<string, unknown> {
  status: number;
  details?: unknown;
}

const played = (scenario: string, more: Record<string, string> = {}) => ({
  'X-Sandbox-Scenario': scenario,
  ...more,
});
const shown = ({ status, body }: Reply): Shown => {
  const { request_id, ...rest } = body as Omit<Shown, 'status'>;
  expect(request_id).toBeTypeOf('string');
  return { status, ...rest };
};
/** Plays a scenario, and checks that nothing was written and the gateway not asked. */
const play = async (scenario: string, send: (headers: Record<string, string>) => Promise<Reply>) => {
  const [table, asked] = [await tableDump(), s.deps.sandbox.asked.length];
  const reply = await send(played(scenario));
  expect(await tableDump()).toEqual(table);
  expect(s.deps.sandbox.asked.length).toBe(asked);
  return shown(reply);
};
const cash = (listing: { id: number }, given: object = {}) => ({
  items: [stay(listing)],
  payment_method: 'CASH',
  ...given,
});
const byToken = (listing: { id: number }, payment_gateway_token: string) =>
  cash(listing, { payment_method: 'ONLINE_GATEWAY', payment_gateway_token });
const guestInfo = { full_name: 'Bình', phone: '+84 912 345 678', email: 'binh@example.com' };
const problem = (reply: Shown) =>
  (reply.details as { issues: { path: string; message: string }[] }).issues[0];

describe('taken', () => {
  it('is the answer that follows when another has the time, beside other stays', async () => {
    const listing = await s.listing();
    const after = stay(listing, nights('2027-02-12', '2027-02-14'));
    ok(await s.confirm(s.other, { items: [after], payment_method: 'CASH' }), 201);
    const given = await play('taken', (headers) => s.confirm(s.guest, cash(listing), headers));
    ok(await s.confirm(s.other, cash(listing)), 201);
    const real = shown(await s.confirm(s.guest, cash(listing)));
    expect(given).toEqual(real);
    expect(given).toMatchObject({ status: 409, code: 'LISTING_NOT_AVAILABLE' });
  });

  it('is it for a hold, a block, a quote and a booking of a partner', async () => {
    const [listing, partner] = [await s.listing(), await s.partner()];
    const { quote_id } = ok(await s.quote(partner, { items: [stay(listing)] }), 201);
    const out = { ...stay(listing), nights: 2, guest_info: guestInfo, payment_method: 'CASH' };
    const day = { start_at: '2027-02-10T14:00:00', end_at: '2027-02-12T12:00:00' };
    const sends: ((headers?: Record<string, string>) => Promise<Reply>)[] = [
      (headers) => s.hold(s.guest, { items: [stay(listing)] }, headers),
      (headers) => s.block(s.host, listing, day, headers),
      (headers) => s.holdQuote(partner, quote_id, {}, headers),
      (headers) => s.bookOut(partner, out, headers),
    ];
    const given: object[] = [];
    for (const send of sends) given.push(await play('taken', send));
    ok(await s.confirm(s.other, cash(listing)), 201);
    const real: object[] = [];
    for (const send of sends) real.push(shown(await send()));
    expect(given).toEqual(real);
  });

  it('is CHECKOUT_EXPIRED for a hold that has ended, as really', async () => {
    const listing = await s.listing();
    const { checkout_id } = ok(await s.hold(s.guest, { items: [stay(listing)] }), 201);
    stopClock('2027-01-15T03:15:00.000Z');
    const confirm = (headers?: Record<string, string>) =>
      s.confirm(s.guest, { checkout_id, payment_method: 'CASH' }, headers);
    const given = await play('taken', confirm);
    ok(await s.hold(s.other, { items: [stay(listing)] }), 201);
    expect(given).toEqual(shown(await confirm()));
    expect(given).toMatchObject({ code: 'CHECKOUT_EXPIRED' });
  });

  it('is it before a token is charged', async () => {
    const listing = await s.listing();
    const given = await play('taken', (headers) => s.confirm(s.guest, byToken(listing, 'tok_ok'), headers));
    expect(given).toMatchObject({ status: 409, code: 'LISTING_NOT_AVAILABLE' });
  });
});

describe('price_changed', () => {
  it('is the answer to another expected_total, with the price as it is', async () => {
    const listing = await s.listing();
    const given = await play('price_changed', (headers) => s.confirm(s.guest, cash(listing), headers));
    const real = shown(await s.confirm(s.guest, cash(listing, { expected_total: 1 })));
    expect(given).toEqual(real);
  });

  it('is it whatever total is expected', async () => {
    const listing = await s.listing();
    const { estimated_total: total } = ok(await s.preview(s.guest, { items: [stay(listing)] }));
    for (const expected_total of [total - 1, total, total + 1]) {
      const given = await play('price_changed', (headers) =>
        s.confirm(s.guest, cash(listing, { expected_total }), headers),
      );
      expect(given).toMatchObject({
        code: 'PRICE_CHANGED',
        details: { preview: { estimated_total: total }, changes: [{ now: total }] },
      });
    }
  });

  it('is refused for a booking that was made before', async () => {
    const [listing, partner] = [await s.listing(), await s.partner()];
    const out = {
      ...stay(listing),
      nights: 2,
      guest_info: guestInfo,
      payment_method: 'CASH',
      external_booking_id: 'A-1',
    };
    ok(await s.bookOut(partner, out), 201);
    const given = await play('price_changed', (headers) => s.bookOut(partner, out, headers));
    expect(problem(given)?.message).toMatch(/price_changed cannot happen/);
  });
});

describe('declined and gateway_down', () => {
  it('are the answers of the gateway to a token', async () => {
    for (const [scenario, token, isDown] of [
      ['declined', 'tok_declined', false],
      ['gateway_down', 'tok_ok', true],
    ] as const) {
      const listing = await s.listing();
      const given = await play(scenario, (headers) =>
        s.confirm(s.guest, byToken(listing, 'tok_ok'), headers),
      );
      s.deps.sandbox.fault = () => (isDown ? 'before' : undefined);
      expect(given).toEqual(shown(await s.confirm(s.guest, byToken(listing, token))));
    }
  });

  it('are it for a checkout, and for stays that their hosts accept by hand', async () => {
    const listings = [await s.listing(), await s.listing({ instant_book_enabled: false })];
    const items = listings.map((listing) => stay(listing));
    const { checkout_id } = ok(await s.hold(s.guest, { items }), 201);
    const confirm = (token: string) => (headers?: Record<string, string>) =>
      s.confirm(
        s.guest,
        { checkout_id, payment_method: 'ONLINE_GATEWAY', payment_gateway_token: token },
        headers,
      );
    expect(await play('gateway_down', confirm('tok_ok'))).toMatchObject({
      status: 502,
      code: 'PAYMENT_GATEWAY_UNAVAILABLE',
    });
    expect(await play('declined', confirm('tok_ok'))).toEqual(shown(await confirm('tok_declined')()));
  });

  it('are it for an acceptance that charges', async () => {
    const booked = async (token: string) => {
      const listing = await s.listing({ instant_book_enabled: false });
      return ok(await s.confirm(s.guest, byToken(listing, token)), 201).reservations[0]!.id;
    };
    const accept = (id: number) => (headers?: Record<string, string>) =>
      s.call('POST', `/api/v1/bookings/${id}/confirm`, { ...s.host, ...(headers ? { headers } : {}) });
    const [id, uncapturable] = [await booked('tok_ok'), await booked('tok_uncapturable')];
    const given = await play('declined', accept(id));
    const real = shown(await accept(uncapturable)());
    expect(given).toEqual({ ...real, details: { reason: 'declined', bookings: [id] } });
    expect(real).toMatchObject({ details: { reason: 'declined', bookings: [uncapturable] } });
    expect(await play('gateway_down', accept(id))).toMatchObject({ code: 'PAYMENT_GATEWAY_UNAVAILABLE' });
    expect(ok(await accept(id)())).toMatchObject({ status: 'CONFIRMED', payment_status: 'PAID' });
  });

  it('say what they are for where nothing is charged', async () => {
    const online = cash(await s.listing(), { payment_method: 'ONLINE_GATEWAY' });
    const [inCash, page] = [
      cash(await s.listing()),
      (headers: Record<string, string>) => s.confirm(s.guest, online, headers),
    ];
    expect(
      problem(await play('declined', (headers) => s.confirm(s.guest, inCash, headers)))?.message,
    ).toMatch(/charges no payment_gateway_token/);
    expect(problem(await play('declined', page))?.message).toMatch(/charges no payment_gateway_token/);
    expect(await play('gateway_down', page)).toMatchObject({ code: 'PAYMENT_GATEWAY_UNAVAILABLE' });
    expect(problem(await play('slow', page))?.message).toMatch(/tok_slow/);
  });

  it('leave a slow charge to the token of the sandbox gateway', async () => {
    const listing = await s.listing();
    const given = await play('slow', (headers) => s.confirm(s.guest, byToken(listing, 'tok_ok'), headers));
    expect(problem(given)).toMatchObject({ path: 'X-Sandbox-Scenario' });
    expect(problem(given)?.message).toMatch(/tok_slow/);
  });
});

it('a report of the payment gateway is rehearsed too', async () => {
  const body = cash(await s.listing(), { payment_method: 'ONLINE_GATEWAY' });
  const { master_reservation_id: id } = ok(await s.confirm(s.guest, body), 201);
  const { server, notificationOf } = s.deps.sandbox;
  server.decide(server.find(id)!, 'success');
  const report = notificationOf(server.find(id)!);
  const send = (headers: Record<string, string> = {}) =>
    s.call('POST', report.path, { headers: { ...report.headers, ...headers }, body: report.body });
  expect(await play('busy', send)).toMatchObject({ status: 503 });
  expect(problem(await play('rate_limited', send))?.message).toMatch(/takes busy, slow here/);
  expect(problem(await play('slow', send))?.message).toMatch(/calls other services/);
  expect((await s.booking(s.guest, id)).body).toMatchObject({ payment_status: 'PENDING' });
  ok(await send());
  expect((await s.booking(s.guest, id)).body).toMatchObject({ payment_status: 'PAID' });
});

it.each(['busy', 'gateway_down'])('%s is no error of the log, since it was asked for', async (scenario) => {
  const listing = await s.listing();
  const [error, warn] = [vi.spyOn(s.deps.log, 'error'), vi.spyOn(s.deps.log, 'warn')];
  try {
    const send = (headers = {}) => s.confirm(s.guest, byToken(listing, 'tok_ok'), headers);
    const { status } = await play(scenario, send);
    expect(status).toBeGreaterThanOrEqual(500);
    expect([error.mock.calls.length, warn.mock.calls.length]).toEqual([0, 1]);
    s.deps.sandbox.fault = () => 'before';
    expect((await send()).status).toBe(502);
    expect(error.mock.calls.length).toBeGreaterThan(0);
  } finally {
    error.mockRestore();
    warn.mockRestore();
  }
});

describe('rate_limited', () => {
  it('is the answer to the request beyond the limit, and uses up nothing', async () => {
    const listing = await s.listing();
    const preview = (headers?: Record<string, string>) =>
      s.preview(s.guest, { items: [stay(listing)] }, headers);
    process.env['RATE_LIMIT_USER'] = '3';
    try {
      const given = await preview(played('rate_limited'));
      const next = await preview();
      expect([next.status, next.headers['x-ratelimit-remaining']]).toEqual([200, '1']);
      await preview();
      const real = await preview();
      expect(shown(given)).toEqual(shown(real));
      for (const name of ['retry-after', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'])
        expect([name, given.headers[name]]).toEqual([name, real.headers[name]]);
      expect(given.headers['x-ratelimit-remaining']).toBe('0');
      expect((await preview(played('busy'))).status).toBe(429);
    } finally {
      process.env['RATE_LIMIT_USER'] = 'off';
    }
  });

  it('is answered where no limit is set', async () => {
    process.env['RATE_LIMIT_USER'] = 'off';
    const reply = await s.preview(s.guest, { items: [stay(await s.listing())] }, played('rate_limited'));
    expect([reply.status, reply.headers['retry-after']]).toEqual([429, '60']);
  });
});

describe('a request with a scenario', () => {
  it('is refused as without one', async () => {
    const listing = await s.listing();
    const nowhere = await s.confirm(s.guest, cash({ id: 5 }), played('taken'));
    expect(shown(nowhere)).toMatchObject({ status: 404, code: 'LISTING_NOT_FOUND' });
    const wrong = await s.confirm(s.guest, { ...cash(listing), nonsense: 1 }, played('nonsense'));
    expect(problem(shown(wrong))).toMatchObject({ path: 'nonsense' });
    expect((await s.confirm({ token: 'x' }, cash(listing), played('busy'))).status).toBe(401);
    ok(await s.confirm(s.other, cash(listing)), 201);
    const late = await s.confirm(s.guest, cash(listing), played('gateway_down'));
    expect(shown(late)).toMatchObject({ code: 'LISTING_NOT_AVAILABLE' });
    const { subject } = s.deps.provider.add({ email_verified: false });
    const newcomer = await s.confirm({ token: subject }, cash(listing), played('taken'));
    expect(shown(newcomer)).toMatchObject({ status: 403, code: 'USER_NOT_VERIFIED' });
  });

  it('neither reads nor uses its Idempotency-Key', async () => {
    const body = cash(await s.listing());
    const key = { 'Idempotency-Key': 'one' };
    const first = await s.confirm(s.guest, body, played('taken', key));
    expect(first.status).toBe(409);
    const booked = await s.confirm(s.guest, body, key);
    expect([booked.status, booked.headers['idempotent-replayed']]).toEqual([201, undefined]);
    const busy = await s.confirm(s.guest, body, played('busy', key));
    expect([busy.status, busy.headers['idempotent-replayed']]).toEqual([503, undefined]);
    const again = await s.confirm(s.guest, body, key);
    expect([again.status, again.headers['idempotent-replayed'], again.text]).toEqual([
      201,
      'true',
      booked.text,
    ]);
  });

  it('is answered with the scenarios that there are', async () => {
    const body = cash(await s.listing());
    const messageOf = async (scenario: string) =>
      problem(shown(await s.confirm(s.guest, body, played(scenario))))?.message;
    expect(await messageOf('Price-Changed')).toBe(
      'X-Sandbox-Scenario takes taken, price_changed, declined, gateway_down, busy, rate_limited, slow. Did you mean price_changed?',
    );
    for (const unknown of ['earthquake', '']) expect(await messageOf(unknown)).toMatch(/slow\.$/);
    const hold = await s.hold(s.guest, { items: body.items }, played('declined'));
    expect(problem(shown(hold))?.message).toBe(
      'X-Sandbox-Scenario takes taken, busy, rate_limited, slow here: this operation never answers PAYMENT_DECLINED',
    );
    const read = await s.call('GET', '/api/v1/bookings/my', { ...s.guest, headers: played('busy') });
    expect(problem(shown(read))?.message).toMatch(/leave it out of a GET/);
  });

  it('is refused where the setting is off, and answered as ever without the header', async () => {
    process.env['SANDBOX_SCENARIOS'] = 'off';
    try {
      const off = await orderScene();
      const body = cash(await off.listing());
      for (const scenario of ['taken', 'busy', 'slow', 'nonsense', '']) {
        const reply = shown(await off.confirm(off.guest, body, played(scenario)));
        expect(reply).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
        expect(problem(reply)?.message).toMatch(/SANDBOX_SCENARIOS: leave it out here/);
      }
      ok(await off.confirm(off.guest, body), 201);
    } finally {
      process.env['SANDBOX_SCENARIOS'] = 'on';
    }
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import { updateListing } from '../../shared/domain/listing/update-listing.ts';
import { CanaryFailure } from '../../functions/schedules/canary/partner-api.ts';
import { canaryScene, type Sent } from '../support/canary-scene.ts';
import { testContext, testKey, testUser } from '../support/table.ts';

const minute = 60_000;

let s: Awaited<ReturnType<typeof canaryScene>>;
beforeEach(async () => {
  s = await canaryScene();
});

const stepsOf = (sent: readonly Sent[]) =>
  sent.map(({ method, path }) => `${method} ${path.replaceAll(/\d{9,}/g, '#').replace(/\?.*$/, '')}`);
const isBooking = ({ method, path }: Sent) => method === 'POST' && path === 'bookings';
const isCancellation = ({ path }: Sent) => path.endsWith('/cancel');
const answer = (status: number, code: string) => new Response(JSON.stringify({ code }), { status });
const failed = { name: 'canary_success', unit: 'Count', dimensions: { stage: 'dev' }, value: 0 };

/** Books the night that the canary is about to book, with another key of its team. */
const takeFirst = async ({ body }: Sent) => {
  const { api_key } = await testKey(s.deps, { team_ids: [s.team_id], scopes: ['book'] });
  const taken = await s.call('POST', '/api/v1/external/bookings', {
    key: api_key,
    body: { ...body, external_booking_id: `other-${body?.external_booking_id}` },
  });
  expect(taken.status).toBe(201);
};

describe('the canary', () => {
  it('books a night as a partner does, reads it, cancels it and finds the night free again', async () => {
    const { outcome, figures, sent } = await s.run();
    expect(outcome).toMatchObject({ left: 0 });
    expect(stepsOf(sent)).toEqual([
      'GET bookings',
      'POST quotes',
      'POST bookings',
      'GET bookings/#',
      'POST bookings/#/cancel',
      'GET listings/#/availability',
    ]);
    expect(figures).toMatchObject([{ ...failed, value: 1 }]);
    const [booked, ...others] = await s.bookings();
    expect(others).toEqual([]);
    expect(booked).toMatchObject({ state: 'CANCELLED', payment_method: 'CASH', nights: 1 });
    expect(booked?.guest.email).toMatch(/\.invalid$/);
    expect(booked?.external_booking_id).toMatch(/^canary-[\da-f-]{36}-1$/);
    expect(Date.parse(booked!.start_at)).toBeGreaterThan(s.deps.clock.now() + 58 * 24 * 60 * minute);
  });

  it('takes another night when the one that it wants is taken, which is no failure', async () => {
    let isFirst = true;
    const { outcome, figures, sent } = await s.run(async (request) => {
      if (!isBooking(request) || !isFirst) return;
      isFirst = false;
      await takeFirst(request);
    });
    expect(outcome).toMatchObject({ left: 0 });
    expect(figures).toMatchObject([{ value: 1 }]);
    const nights = sent.filter(isBooking).map(({ body }) => body?.check_in_date);
    expect(nights).toHaveLength(2);
    expect(nights[0]).not.toBe(nights[1]);
  });

  it('asks again when the price changes between quote and booking', async () => {
    const { caller } = await testUser(s.deps, { memberships: [{ team_id: s.team_id, role: 'OWNER' }] });
    let isFirst = true;
    const { outcome, sent } = await s.run(async (request) => {
      if (!isBooking(request) || !isFirst) return;
      isFirst = false;
      await updateListing(testContext(s.deps, caller), s.listing.id, { full_rate: 2_000_000 });
    });
    expect(outcome).toMatchObject({ left: 0 });
    const [before, after] = sent.filter(isBooking).map(({ body }) => body?.expected_total);
    expect(after).not.toBe(before);
  });

  it('fails when three nights in a row are taken', async () => {
    const { outcome, figures, sent } = await s.run((request) =>
      isBooking(request) ? takeFirst(request) : undefined,
    );
    expect(outcome).toMatchObject({ step: 'book', code: 'LISTING_NOT_AVAILABLE' });
    expect(sent.filter(isBooking)).toHaveLength(3);
    expect(figures).toMatchObject([failed]);
  });

  it('two runs at once that want the same night both succeed', async () => {
    let other: Promise<unknown> | undefined;
    const { promise: isOver, resolve: end } = Promise.withResolvers<undefined>();
    const { outcome } = await s.run(async (request) => {
      if (!isBooking(request) || other) return;
      const { promise: isBooked, resolve: goOn } = Promise.withResolvers<undefined>();
      const cancelLater = async (asked: Sent) => {
        if (!isCancellation(asked)) return;
        goOn(undefined);
        await isOver;
      };
      other = s.other(cancelLater, () => 0);
      await isBooked;
    });
    expect(outcome).toMatchObject({ left: 0 });
    expect((await s.bookings()).map(({ state }) => state).sort()).toEqual(['CANCELLED', 'CONFIRMED']);
    end(undefined);
    expect(await other).toMatchObject({ left: 0 });
    expect((await s.bookings()).map(({ state }) => state)).toEqual(['CANCELLED', 'CANCELLED']);
  });

  it.each([
    ['list', 'GET bookings'],
    ['quote', 'POST quotes'],
    ['book', 'POST bookings'],
    ['read', 'GET bookings/#'],
    ['cancel', 'POST bookings/#/cancel'],
    ['availability', 'GET listings/#/availability'],
  ])('fails at the step %s when the API answers 500 there', async (step, request) => {
    const { outcome, figures, sent } = await s.run((asked) =>
      stepsOf([asked])[0] === request ? answer(500, 'INTERNAL_ERROR') : undefined,
    );
    expect(outcome).toBeInstanceOf(CanaryFailure);
    expect(outcome).toMatchObject({ step, code: 'INTERNAL_ERROR' });
    expect(stepsOf(sent).at(-1)).toBe(request);
    expect(figures).toMatchObject([failed]);
  });

  it.each([
    ['no answer at all', () => Promise.reject(new TypeError('fetch failed')), 'no answer'],
    ['a page of something else', () => new Response('<html>', { status: 200 }), 'of another shape'],
    [
      '403 of a firewall',
      () => new Response('{"message":"Forbidden"}', { status: 403 }),
      '403 without a code',
    ],
  ])('fails for %s', async (_, given, message) => {
    const { outcome, figures } = await s.run((asked) => (isBooking(asked) ? given() : undefined));
    expect(String(outcome)).toContain(message);
    expect(figures).toMatchObject([failed]);
  });

  it('fails when its secret cannot be read', async () => {
    const secret = {
      read: () => Promise.reject(new Error('AccessDenied')),
      renew: () => Promise.reject(new Error()),
    };
    const { outcome, figures, sent } = await s.run(undefined, { secret });
    expect(String(outcome)).toContain('AccessDenied');
    expect(sent).toEqual([]);
    expect(figures).toMatchObject([failed]);
  });

  it.each([
    ['read', 'is in another state', { state: 'PENDING' }],
    ['read', 'has another night', { check_in_date: '2026-01-01' }],
    ['read', 'has another id of its partner', { external_booking_id: 'canary-other' }],
    ['cancel', 'is not cancelled', { state: 'CONFIRMED' }],
  ])('fails at the step %s for an answer whose booking %s', async (step, _, changed) => {
    const lied = { read: 'GET bookings/#', cancel: 'POST bookings/#/cancel' }[step];
    const { outcome } = await s.run(async (asked) => {
      if (stepsOf([asked])[0] !== lied) return undefined;
      const path = `/api/v1/external/${asked.path}`;
      const answered = await s.call(asked.method, path, { key: s.api_key, body: asked.body });
      return Response.json({ ...(answered.body as object), ...changed });
    });
    expect(outcome).toMatchObject({ step, code: undefined });
  });

  it('fails when a cancelled night stays taken', async () => {
    let booked: Sent | undefined;
    const { outcome } = await s.run(async (asked) => {
      if (isBooking(asked)) booked = asked;
      if (stepsOf([asked])[0] === 'GET listings/#/availability') await takeFirst(booked!);
    });
    expect(outcome).toMatchObject({ step: 'availability' });
  });
});

describe('what a run that crashed has left', () => {
  const crash = async () => {
    const { outcome } = await s.run((asked) =>
      isCancellation(asked) ? Promise.reject(new Error('signal: killed')) : undefined,
    );
    expect(outcome).toMatchObject({ step: 'cancel' });
    expect(await s.bookings()).toMatchObject([{ state: 'CONFIRMED' }]);
  };

  it('is cancelled by the next one', async () => {
    await crash();
    s.later(5 * minute);
    const { outcome, sent } = await s.run();
    expect(outcome).toMatchObject({ left: 1 });
    expect(stepsOf(sent).slice(0, 2)).toEqual(['GET bookings', 'POST bookings/#/cancel']);
    expect((await s.bookings()).map(({ state }) => state)).toEqual(['CANCELLED', 'CANCELLED']);
    expect((await s.run()).outcome).toMatchObject({ left: 0 });
  });

  it('is left alone while its run may still be under way', async () => {
    await crash();
    s.later(minute);
    expect((await s.run()).outcome).toMatchObject({ left: 0 });
  });

  it('is cancelled once by two runs at a time', async () => {
    await crash();
    const [{ reservation_id: id } = { reservation_id: 0 }] = await s.bookings();
    s.later(5 * minute);
    const { outcome } = await s.run(async ({ path }) => {
      if (path !== `bookings/${id}/cancel`) return;
      const other = await s.call('POST', `/api/v1/external/bookings/${id}/cancel`, { key: s.api_key });
      expect(other.status).toBe(200);
    });
    expect(outcome).toMatchObject({ left: 1 });
  });

  it('keeps the next one from booking while it cannot be cancelled', async () => {
    await crash();
    s.later(5 * minute);
    const { outcome, sent } = await s.run((asked) =>
      isCancellation(asked) ? answer(503, 'SERVICE_UNAVAILABLE') : undefined,
    );
    expect(outcome).toMatchObject({ step: 'clean up', code: 'SERVICE_UNAVAILABLE' });
    expect(sent.filter(isBooking)).toEqual([]);
  });

  it('is its own, no booking of others', async () => {
    let booked: Sent | undefined;
    await s.run((asked) => {
      if (isBooking(asked)) booked = asked;
    });
    await takeFirst(booked!);
    s.later(60 * minute);
    expect((await s.run()).outcome).toMatchObject({ left: 0 });
  });
});

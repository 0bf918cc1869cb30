import type * as z from 'zod';
import { describe, expect, it } from 'vitest';
import type { checkoutRoutes } from '../../functions/checkout/routes.ts';
import {
  ok,
  refusal,
  stay,
  tally,
  times,
  type ReplyOf,
  type Who,
  useOrderScene,
} from '../support/order-scene.ts';

const guest_info = { full_name: 'Trần Thị Bình', phone: '+84 912 345 678', email: 'binh@example.com' };
type Answer = ReplyOf<z.output<typeof checkoutRoutes.routes.bookForGuest.reply>>;

const s = useOrderScene();

const bookFor = (who: Who, items: object[], given: object = {}, headers: Record<string, string> = {}) =>
  s.call('POST', '/api/v1/bookings', {
    ...(who.token === undefined ? {} : { token: who.token }),
    ...(who.key === undefined ? {} : { key: who.key }),
    body: { guest_info, items, payment_method: 'CASH', ...given },
    headers,
  }) as Promise<Answer>;
const first = (answer: Answer): number => ok(answer, 201).reservations[0]?.id ?? 0;

describe('POST /bookings', () => {
  it('books for a guest without an account, who is not the host', async () => {
    const [one, two] = [await s.listing(), await s.listing()];
    const wishes = { note: 'We bring a cot.', arrival_time: '17:30:00' };
    const booked = ok(
      await bookFor(s.host, [stay(one), stay(two)], { ...wishes, expected_total: 4_400_000 }),
      201,
    );
    expect(booked.reservations).toMatchObject([
      { listing_id: one.id, state: 'CONFIRMED' },
      { listing_id: two.id, state: 'CONFIRMED' },
    ]);
    expect(booked).toMatchObject({ payment_status: 'PENDING', estimated_total: 4_400_000 });
    expect(ok(await s.booking(s.host, booked.reservations[0]?.id ?? 0))).toMatchObject({
      ...wishes,
      user_id: null,
      guest_info: { ...guest_info, name: guest_info.full_name },
    });
    expect(ok(await s.mine(s.host))).toEqual([]);
  });

  it('is confirmed at once, also where the host accepts each booking', async () => {
    const listing = await s.listing({ instant_book_enabled: false });
    const id = first(await bookFor(s.host, [stay(listing)]));
    expect(ok(await s.booking(s.host, id))).toMatchObject({ state: 'CONFIRMED' });
    expect(
      refusal(await s.call('POST', `/api/v1/bookings/${id}/confirm`, { token: s.host.token })),
    ).toMatchObject({ code: 'INVALID_STATE_TRANSITION' });
  });

  it('answers a payment_url for an online payment, also where the host accepts each booking', async () => {
    const listing = await s.listing({ instant_book_enabled: false });
    const booked = ok(await bookFor(s.host, [stay(listing)], { payment_method: 'ONLINE_GATEWAY' }), 201);
    expect(booked).toMatchObject({
      payment_url: expect.any(String) as string,
      payment_expires_at: expect.any(String) as string,
      reservations: [{ state: 'CONFIRMED' }],
    });
  });

  it('takes the time once when several callers request it at the same moment', async () => {
    const listing = await s.listing();
    const answers = await times(5, () => bookFor(s.host, [stay(listing)]));
    expect(tally(answers)).toEqual({ '201': 1, '409 LISTING_NOT_AVAILABLE': 4 });
    expect(
      refusal(await s.confirm(s.guest, { items: [stay(listing)], payment_method: 'CASH' })),
    ).toMatchObject({
      code: 'LISTING_NOT_AVAILABLE',
    });
  });

  it('books nothing of an order when one stay is taken', async () => {
    const [free, taken] = [await s.listing(), await s.listing()];
    first(await bookFor(s.host, [stay(taken)]));
    expect(refusal(await bookFor(s.host, [stay(free), stay(taken)]))).toMatchObject({
      code: 'LISTING_NOT_AVAILABLE',
    });
    first(await bookFor(s.host, [stay(free)]));
  });

  it('is given once for an Idempotency-Key', async () => {
    const listing = await s.listing();
    const key = { 'Idempotency-Key': `call-${listing.id}` };
    const one = await bookFor(s.host, [stay(listing)], {}, key);
    const again = await bookFor(s.host, [stay(listing)], {}, key);
    expect(again.text).toBe(one.text);
    expect(again.headers['idempotent-replayed']).toBe('true');
  });

  it('sells only the listings of the acting team', async () => {
    const theirs = await s.listing({ team_id: s.b.team_id });
    const draft = await s.listing({ state: 'DRAFT' });
    for (const listing of [theirs, draft, { id: 1 }])
      expect(refusal(await bookFor(s.host, [stay(listing)]))).toMatchObject({
        code: 'LISTING_NOT_FOUND',
      });
    const both = await s.person('OWNER', s.a.team_id);
    const header = { 'X-Team-ID': String(s.b.team_id) };
    expect(refusal(await bookFor(both, [stay(theirs)], {}, header))).toMatchObject({ code: 'FORBIDDEN' });
  });

  it('is for owners and managers', async () => {
    const listing = await s.listing();
    for (const who of [s.staff, s.guest])
      expect(refusal(await bookFor(who, [stay(listing)]))).toMatchObject({ code: 'FORBIDDEN' });
    first(await bookFor(await s.person('MANAGER'), [stay(listing)]));
  });

  it.each([
    ['guest_info.phone', { guest_info: { ...guest_info, phone: 'abc' } }],
    ['guest_info.language', { guest_info: { ...guest_info, language: 'fr' } }],
    ['note', { note: 'x'.repeat(501) }],
    ['arrival_time', { arrival_time: '25:00:00' }],
    ['payment_method', { payment_method: 'CHEQUE' }],
    ['items', { items: [] }],
    ['payment_gateway_token', { payment_gateway_token: 'tok_ok' }],
  ])('refuses a bad %s by its name', async (path, given) => {
    const listing = await s.listing();
    expect(refusal(await bookFor(s.host, [stay(listing)], given))).toMatchObject({
      code: 'VALIDATION_ERROR',
      paths: [path],
    });
  });
});

it('a guest and a partner leave a note and an arrival time too', async () => {
  const wishes = { note: 'Late flight', arrival_time: '23:15:00' };
  const [one, two, three] = [await s.listing(), await s.listing(), await s.listing()];
  const confirmed = ok(
    await s.confirm(s.guest, { items: [stay(one)], payment_method: 'CASH', ...wishes }),
    201,
  );
  expect(ok(await s.booking(s.guest, confirmed.reservations[0]?.id ?? 0))).toMatchObject(wishes);
  const charged = ok(
    await s.confirm(s.guest, {
      items: [stay(two)],
      payment_method: 'ONLINE_GATEWAY',
      payment_gateway_token: 'tok_ok',
      ...wishes,
    }),
    201,
  );
  expect(ok(await s.booking(s.host, charged.reservations[0]?.id ?? 0))).toMatchObject(wishes);
  const partner = await s.partner();
  const { id } = ok(
    await s.bookOut(partner, { ...stay(three), nights: 2, guest_info, payment_method: 'CASH', ...wishes }),
    201,
  );
  expect(ok(await s.get(partner, `/api/v1/external/bookings/${id}`))).toMatchObject(wishes);
});

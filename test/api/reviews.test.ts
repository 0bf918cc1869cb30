import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { listings } from '../../functions/listings/index.ts';
import { listingsRoutes } from '../../functions/listings/routes.ts';
import { ListingEntity } from '../../shared/domain/listing/listing.entity.ts';
import type { Review } from '../../shared/domain/listing/review.schema.ts';
import { createReview, replyToReview } from '../../shared/domain/listing/reviews.ts';
import { ServiceError } from '../../shared/platform/errors.ts';
import { change, present, type Table } from '../../shared/platform/table/index.ts';
import { subscriptions } from '../../shared/subscriptions.ts';
import { api } from '../support/api.ts';
import { advanceMinutes, ok, refusal, stay, stopClock, tally, times } from '../support/order-scene.ts';
import { type ReviewScene, reviewScene } from '../support/review-scene.ts';
import { at, freshSpot, idsOf } from '../support/search-scene.ts';
import { testContext, testUser } from '../support/table.ts';

let s: ReviewScene;
beforeAll(async () => {
  s = await reviewScene();
});
beforeEach(async () => {
  stopClock();
  await s.renew();
});
afterAll(() => void vi.useRealTimers());

/** A table of which some calls go another way, also through what it makes of itself. */
const altered = (table: Table, methods: Partial<Table>): Table =>
  new Proxy(table, {
    get: (target, name) => {
      const own = methods[name as keyof Table];
      if (own) return own;
      const value: unknown = Reflect.get(target, name, target);
      if (name !== 'measured' && name !== 'waitingFor')
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      return (...asked: unknown[]) =>
        altered((value as (...given: unknown[]) => Table).apply(target, asked), methods);
    },
  });

/** A table that does something else before a listing is read from it, once. */
const meanwhile = (work: () => Promise<unknown>): Table => {
  let done = false;
  const get = (async (...asked: Parameters<Table['get']>) => {
    if (!done && asked[0].name === ListingEntity.name) {
      done = true;
      await work();
    }
    return s.deps.table.get(...asked);
  }) as Table['get'];
  return altered(s.deps.table, { get });
};

describe('POST /api/v1/bookings/{booking_id}/review (createReview)', () => {
  it('reviews a stay that its hosts completed; the listing has its figures at once', async () => {
    const listing = await s.listing();
    const guest = await s.person(undefined, undefined, { full_name: 'Nguyễn Văn An', language: 'vi' });
    const { reservations } = ok(
      await s.confirm(guest, { items: [stay(listing)], payment_method: 'CASH' }),
      201,
    );
    const { id } = reservations[0]!;
    stopClock('2027-02-10T08:00:00.000Z');
    const move = (name: string) => s.call('POST', `/api/v1/bookings/${id}/${name}`, s.host);
    ok(await move('check-in'));
    stopClock('2027-02-12T03:00:00.000Z');
    ok(await move('check-out'));
    ok(await move('mark-paid'));
    ok(await move('complete'));
    const review = ok(await s.review(guest, id, { rating: 4, comment: ' Sạch sẽ. ' }), 201);
    expect(review).toEqual({
      id: expect.any(Number) as number,
      listing_id: listing.id,
      guest_name: 'An',
      rating: 4,
      comment: 'Sạch sẽ.',
      reply: null,
      created_at: '2027-02-12T03:00:00.000Z',
    });
    expect(await s.figures(listing)).toEqual({ rating_average: 4, review_count: 1 });
    expect(ok(await s.reviews(s.other, listing)).items).toEqual([review]);
    expect(await s.eventsOf(s.deps.table, `REVIEW#${review.id}`)).toMatchObject([
      {
        event_type: 'review.created',
        team_id: s.a.team_id,
        actor: `user:${guest.user_id}`,
        data: {
          id: review.id,
          booking_id: id,
          listing_id: listing.id,
          rating: 4,
          comment: 'Sạch sẽ.',
          rating_average: 4,
          review_count: 1,
        },
      },
    ]);
  });

  it('never shows the e-mail address, the telephone number or the surname of a guest', async () => {
    const listing = await s.listing();
    const given = {
      full_name: 'Trần Thị Bình',
      email: `binh-${listing.id}@example.com`,
      phone: '+84907654321',
    };
    const guest = await s.person(undefined, undefined, given);
    const { id } = ok(await s.review(guest, await s.over(guest, listing), { rating: 5 }), 201);
    ok(await s.reply(s.host, id, { text: 'Cảm ơn!' }), 201);
    for (const who of [s.other, s.host, guest]) {
      const { text } = await s.reviews(who, listing);
      expect(text).toContain('Bình');
      for (const secret of [given.email, given.phone, 'Trần', 'user_id', 'reservation'])
        expect(text).not.toContain(secret);
    }
  });

  it('reviews a stay by the id of its order, where that is of one stay alone', async () => {
    const listing = await s.listing();
    const one = await s.over(s.guest, listing);
    const { master_reservation_id } = ok(await s.booking(s.guest, one));
    expect(ok(await s.review(s.guest, master_reservation_id, { rating: 3 }), 201).comment).toBeNull();
    const items = [stay(await s.listing()), stay(await s.listing())];
    const order = ok(await s.confirm(s.guest, { items, payment_method: 'CASH' }), 201);
    for (const { id } of order.reservations) await s.become(id, 'COMPLETED');
    const refused = await s.review(s.guest, order.master_reservation_id, { rating: 3 });
    expect(refusal(refused)).toMatchObject({ code: 'VALIDATION_ERROR', paths: ['booking_id'] });
    for (const { id } of order.reservations) expect(refused.text).toContain(String(id));
    for (const { id } of order.reservations) ok(await s.review(s.guest, id, { rating: 3 }), 201);
  });

  it('is refused a second time, and before the stay is COMPLETED, with INVALID_STATE_TRANSITION', async () => {
    const listing = await s.listing();
    const id = await s.booked(s.guest, listing);
    for (const state of ['PENDING', 'CONFIRMED', 'CHECKED_IN', 'CHECKED_OUT', 'CANCELLED'] as const) {
      await s.become(id, state);
      expect(refusal(await s.review(s.guest, id, { rating: 5 }))).toMatchObject({
        code: 'INVALID_STATE_TRANSITION',
        details: { state, allowed_from: ['COMPLETED'] },
      });
    }
    await s.become(id, 'COMPLETED');
    const review = ok(await s.review(s.guest, id, { rating: 5 }), 201);
    expect(refusal(await s.review(s.guest, id, { rating: 1 }))).toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
      details: { review_id: review.id },
    });
    expect(await s.figures(listing)).toEqual({ rating_average: 5, review_count: 1 });
  });

  it('is for the guest of the stay: its hosts are FORBIDDEN, for others there is BOOKING_NOT_FOUND', async () => {
    const id = await s.over(s.guest, await s.listing());
    for (const who of [s.host, s.staff])
      expect(refusal(await s.review(who, id, { rating: 5 })).code).toBe('FORBIDDEN');
    for (const who of [s.other, s.otherHost])
      expect(refusal(await s.review(who, id, { rating: 5 })).code).toBe('BOOKING_NOT_FOUND');
    expect(refusal(await s.review(s.guest, 5, { rating: 5 })).code).toBe('BOOKING_NOT_FOUND');
  });

  it.each([
    ['a rating of 0', { rating: 0 }, 'rating'],
    ['a rating of 6', { rating: 6 }, 'rating'],
    ['half a star', { rating: 4.5 }, 'rating'],
    ['no rating', {}, 'rating'],
    ['a comment of 2,001 characters', { rating: 5, comment: 'x'.repeat(2001) }, 'comment'],
    ['a comment that is no text', { rating: 5, comment: 7 }, 'comment'],
  ])('refuses %s', async (_, body, path) => {
    expect(refusal(await s.review(s.guest, 16, body))).toMatchObject({
      code: 'VALIDATION_ERROR',
      paths: [path],
    });
  });

  it('takes a comment of 2,000 characters, and blanks as none', async () => {
    const listing = await s.listing();
    const comment = 'ạ'.repeat(2000);
    const [one, other] = [await s.over(s.guest, listing), await s.over(s.guest, listing)];
    expect(ok(await s.review(s.guest, one, { rating: 5, comment }), 201).comment).toBe(comment);
    expect(ok(await s.review(s.guest, other, { rating: 5, comment: '  ' }), 201).comment).toBeNull();
  });

  it('counts each of 20 simultaneous reviews of one listing, while its host changes it', async () => {
    const listing = await s.listing();
    const guests = await times(20, () => s.person());
    const stays: number[] = [];
    for (const guest of guests) stays.push(await s.over(guest, listing));
    const rename = s.call('PATCH', `/api/v1/listings/${listing.id}`, { ...s.host, body: { bedrooms: 7 } });
    const replies = await times(20, (at) => s.review(guests[at]!, stays[at]!, { rating: (at % 5) + 1 }));
    expect(tally(replies)).toEqual({ '201': 20 });
    ok(await rename);
    expect(await s.figures(listing)).toEqual({ rating_average: 3, review_count: 20 });
    const { items, total } = ok(await s.reviews(s.other, listing, { limit: 100 }));
    expect([total, items.length]).toEqual([20, 20]);
    const counts = await Promise.all(
      replies.map(({ body }) => s.eventsOf(s.deps.table, `REVIEW#${body.id}`)),
    );
    expect(
      counts.map(([event]) => event!.data['review_count']).toSorted((a, b) => Number(a) - Number(b)),
    ).toEqual(Array.from({ length: 20 }, (_, position) => position + 1));
  });

  it('is written once when a guest sends it ten times at once', async () => {
    const listing = await s.listing();
    const id = await s.over(s.guest, listing);
    const replies = await times(10, () => s.review(s.guest, id, { rating: 2 }));
    expect(tally(replies)).toEqual({ '201': 1, '409 INVALID_STATE_TRANSITION': 9 });
    expect(await s.figures(listing)).toEqual({ rating_average: 2, review_count: 1 });
  });

  it('is written once where another one comes between the reads of the stay and of the listing', async () => {
    const listing = await s.listing();
    const { caller } = await testUser(s.deps);
    const id = await s.over({ token: caller.subject }, listing);
    const table = meanwhile(() => createReview(testContext(s.deps, caller), id, { rating: 5 }));
    await expect(
      createReview(testContext({ ...s.deps, table }, caller), id, { rating: 1 }),
    ).rejects.toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
    });
    expect(await s.figures(listing)).toEqual({ rating_average: 5, review_count: 1 });
    expect(ok(await s.reviews(s.other, listing)).items).toHaveLength(1);
  });

  it('repeated with its Idempotency-Key after a lost reply is answered as it was written, and counts once', async () => {
    const listing = await s.listing();
    const id = await s.over(s.guest, listing);
    let lost = 0;
    const transact: Table['transact'] = async (writes) => {
      await s.deps.table.transact(writes);
      if (lost++ === 0) throw new ServiceError('SERVICE_UNAVAILABLE');
    };
    const { call } = await api({
      extra: (deps) => [
        {
          group: listingsRoutes,
          handler: listings(() => ({ ...deps, table: altered(deps.table, { transact }) })),
        },
      ],
    });
    const asked = { ...s.guest, body: { rating: 5 }, headers: { 'Idempotency-Key': `review-${id}` } };
    const path = `/api/v1/bookings/${id}/review`;
    expect((await call('POST', path, asked)).status).toBe(503);
    const again = await call('POST', path, asked);
    expect(again.status, again.text).toBe(201);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect((again.body as Review).rating).toBe(5);
    expect(await s.figures(listing)).toEqual({ rating_average: 5, review_count: 1 });
    expect(lost).toBe(1);
    const other = await call('POST', path, { ...asked, body: { rating: 1 } });
    expect(refusal(other).code).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it('neither hinders nor is hindered by bookings of the listing', async () => {
    const listing = await s.listing();
    const guests = await times(5, () => s.person());
    const stays: number[] = [];
    for (const guest of guests) stays.push(await s.over(guest, listing));
    const [reviews, bookings] = await Promise.all([
      times(5, (at) => s.review(guests[at]!, stays[at]!, { rating: 5 })),
      times(5, (at) => {
        const items = [
          stay(listing, { check_in_date: `2028-03-0${at + 1}`, check_out_date: `2028-03-0${at + 2}` }),
        ];
        return s.confirm(guests[at]!, { items, payment_method: 'CASH' });
      }),
    ]);
    expect(tally(reviews)).toEqual({ '201': 5 });
    expect(tally(bookings)).toEqual({ '201': 5 });
  });
});

describe('GET /api/v1/listings/{listing_id}/reviews (listReviews)', () => {
  it('shows pages, newest first, with the total of the listing and without counting', async () => {
    const listing = await s.listing();
    const written: number[] = [];
    for (let at = 0; at < 5; at++) {
      advanceMinutes(1);
      written.unshift(ok(await s.review(s.guest, await s.over(s.guest, listing), { rating: 5 }), 201).id);
    }
    const first = ok(await s.reviews(s.other, listing, { limit: 2 }));
    expect(idsOf(first as never)).toEqual(written.slice(0, 2));
    expect(first).toMatchObject({ total: 5, total_is_exact: true, page: 1, limit: 2, total_pages: 3 });
    const second = ok(await s.reviews(s.other, listing, { limit: 2, cursor: first.next_cursor! }));
    expect(idsOf(second as never)).toEqual(written.slice(2, 4));
    expect(second).toMatchObject({ total: 5, page: 2 });
    const third = ok(await s.reviews(s.other, listing, { limit: 2, page: 3 }));
    expect(idsOf(third as never)).toEqual(written.slice(4));
    expect(third.next_cursor).toBeNull();
    await s.deps.table.transact([
      change(ListingEntity, listing, { set: { review_count: 4000 } }, { when: present() }),
    ]);
    expect(ok(await s.reviews(s.other, listing))).toMatchObject({ total: 4000, total_is_exact: true });
  });

  it('reads a bounded number for a page: behind the first 1,000 a cursor continues', async () => {
    const listing = await s.listing();
    expect(ok(await s.reviews(s.other, listing, { limit: 100, page: 10 })).items).toEqual([]);
    const refused = refusal(await s.reviews(s.other, listing, { limit: 100, page: 11 }));
    expect(refused).toMatchObject({ code: 'VALIDATION_ERROR', paths: ['page'] });
    const foreign = refusal(await s.reviews(s.other, listing, { cursor: 'e30' }));
    expect(foreign).toMatchObject({ code: 'VALIDATION_ERROR', paths: ['cursor'] });
  });

  it('is readable by those who may read the listing; for others there is LISTING_NOT_FOUND', async () => {
    const listing = await s.listing();
    const staying = s.other;
    await s.booked(staying, listing);
    ok(await s.review(s.guest, await s.over(s.guest, listing), { rating: 5 }), 201);
    const set = (state: 'INACTIVE' | 'DRAFT') =>
      s.deps.table.transact([change(ListingEntity, listing, { set: { state } }, { when: present() })]);
    await set('INACTIVE');
    for (const who of [s.host, s.staff, staying])
      expect(ok(await s.reviews(who, listing)).items).toHaveLength(1);
    expect(refusal(await s.reviews(s.otherHost, listing)).code).toBe('LISTING_NOT_FOUND');
    await set('DRAFT');
    expect(refusal(await s.reviews(staying, listing)).code).toBe('LISTING_NOT_FOUND');
    expect(refusal(await s.reviews(s.other, { id: 5 })).code).toBe('LISTING_NOT_FOUND');
  });
});

describe('POST /api/v1/reviews/{review_id}/reply (replyToReview)', () => {
  const reviewed = async () => {
    const listing = await s.listing();
    const { id } = ok(await s.review(s.guest, await s.over(s.guest, listing), { rating: 2 }), 201);
    return { listing, id };
  };

  it.each(['OWNER', 'MANAGER'] as const)('is written once, by the %s of a team', async (role) => {
    const { listing, id } = await reviewed();
    const host = await s.person(role);
    advanceMinutes(5);
    const created_at = '2027-01-15T03:05:00.000Z';
    const answered = ok(await s.reply(host, id, { text: ' Xin lỗi bạn. ' }), 201);
    expect(answered).toMatchObject({ id, rating: 2, reply: { text: 'Xin lỗi bạn.', created_at } });
    expect(ok(await s.reviews(s.other, listing)).items).toEqual([answered]);
    expect(refusal(await s.reply(s.host, id, { text: 'Thêm.' }))).toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
      details: { replied_at: created_at },
    });
  });

  it('is the same for a repeated request with its Idempotency-Key', async () => {
    const { id } = await reviewed();
    const key = { 'Idempotency-Key': `reply-${id}` };
    const first = ok(await s.reply(s.host, id, { text: 'Cảm ơn!' }, key), 201);
    const again = await s.reply(s.host, id, { text: 'Cảm ơn!' }, key);
    expect(ok(again, 201)).toEqual(first);
    expect(again.headers['idempotent-replayed']).toBe('true');
  });

  it('is FORBIDDEN for STAFF and guests, and NOT_FOUND where the listing cannot be read', async () => {
    const { listing, id } = await reviewed();
    for (const who of [s.staff, s.guest, s.otherHost])
      expect(refusal(await s.reply(who, id, { text: 'x' })).code).toBe('FORBIDDEN');
    expect(refusal(await s.reply(s.host, 5, { text: 'x' })).code).toBe('NOT_FOUND');
    await s.deps.table.transact([
      change(ListingEntity, listing, { set: { state: 'INACTIVE' } }, { when: present() }),
    ]);
    expect(refusal(await s.reply(s.otherHost, id, { text: 'x' })).code).toBe('NOT_FOUND');
    expect(refusal(await s.reply(s.staff, id, { text: 'x' })).code).toBe('FORBIDDEN');
    ok(await s.reply(s.host, id, { text: 'x' }), 201);
  });

  it.each([
    ['an empty one', { text: '' }],
    ['blanks', { text: '   ' }],
    ['2,001 characters', { text: 'x'.repeat(2001) }],
    ['none', {}],
  ])('refuses %s', async (_, body) => {
    expect(refusal(await s.reply(s.host, 16, body))).toMatchObject({
      code: 'VALIDATION_ERROR',
      paths: ['text'],
    });
  });

  it('does not replace another one that comes between its reads and its write', async () => {
    const { listing, id } = await reviewed();
    const { caller } = await testUser(s.deps, {
      memberships: [{ team_id: s.a.team_id, role: 'MANAGER' }],
    });
    const table = meanwhile(() => replyToReview(testContext(s.deps, caller), id, { text: 'first' }));
    await expect(
      replyToReview(testContext({ ...s.deps, table }, caller), id, { text: 'second' }),
    ).rejects.toMatchObject({ code: 'INVALID_STATE_TRANSITION' });
    expect(ok(await s.reviews(s.other, listing)).items[0]?.reply?.text).toBe('first');
  });
});

describe('search', () => {
  it('orders by what was reviewed, as soon as the event has come', async () => {
    const { event_types = [] } = subscriptions.find(({ consumer }) => consumer === 'search-index') ?? {};
    expect(event_types).toContain('review.created');
    const spot = freshSpot();
    const [one, other] = [await s.home(spot), await s.home(spot)];
    const found = async () => (await s.found({ location: at(spot), sort: 'rating' })).items;
    const say = async (listing: { id: number }, rating: number) => {
      const { id } = ok(await s.review(s.guest, await s.over(s.guest, listing), { rating }), 201);
      await s.deliver(...(await s.eventsOf(s.deps.table, `REVIEW#${id}`)));
    };
    await say(one, 3);
    await say(other, 4);
    expect(await found()).toMatchObject([
      { id: other.id, rating_average: 4, review_count: 1 },
      { id: one.id, rating_average: 3, review_count: 1 },
    ]);
    for (const rating of [5, 5, 5]) await say(one, rating);
    expect(await found()).toMatchObject([
      { id: one.id, rating_average: 4.5, review_count: 4 },
      { id: other.id, rating_average: 4, review_count: 1 },
    ]);
  });
});

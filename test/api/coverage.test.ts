import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { routeGroups } from '../../functions/routes.ts';
import { ListingEntity } from '../../shared/domain/listing/listing.entity.ts';
import { followCalendar } from '../../shared/domain/ical/follow-calendar.ts';
import { type ErrorCode, ServiceError } from '../../shared/platform/errors.ts';
import { errorsOf, type Route } from '../../shared/platform/http/route.ts';
import { change, present } from '../../shared/platform/table/index.ts';
import type { Asked, Reply } from '../support/api.ts';
import { ok, stay, stopClock, useOrderScene } from '../support/order-scene.ts';
import { calendarWith } from '../support/calendars.ts';
import { adoption, sold } from '../support/platform-scene.ts';
import { testContext, testKey } from '../support/table.ts';

/**
 * Every row of the route table is called well, and every error it declares is provoked. The rows that sell time are driven
 * right here, from the table itself: one without a good request, or a declared code that nothing provokes, fails. Of all
 * other rows some test beside this one has to speak.
 */
const s = useOrderScene();
beforeEach(() => {
  s.deps.sandbox.fault = undefined;
  s.deps.sandbox.meanwhile = undefined;
});

interface Request extends Asked {
  path: string;
}
type Made = () => Promise<Request>;
interface Driven {
  /** A request that goes well, once, on things of its own. */
  good: Made;
  /** What provokes the codes of this row's own; those of every row are made from the good request. */
  errors?: Partial<Record<ErrorCode, Made>>;
}

const rows = routeGroups.flatMap(({ routes }) =>
  Object.entries(routes).map(([id, route]): { id: string; route: Route } => ({ id, route })),
);

const guest = () => ({ token: s.guest.token });
const host = () => ({ token: s.host.token });
const partner = async () => ({ key: (await s.partner()).key });
const cash = (items: object[]) => ({ items, payment_method: 'CASH' });
const taken = async () => {
  const listing = await s.listing();
  ok(await s.confirm(s.other, cash([stay(listing)])), 201);
  return listing;
};
/** Lets a listing take no short stays. */
const restrict = async (listing: { id: number }) => {
  const body = { default: { min_nights: 9 } };
  ok(await s.call('PUT', `/api/v1/listings/${listing.id}/stay-rules`, { token: s.host.token, body }));
  return listing;
};
const restricted = async () => restrict(await s.listing());
const booked = async () =>
  ok(await s.confirm(s.guest, cash([stay(await s.listing())])), 201).master_reservation_id;
const cancelled = async () => {
  const id = await booked();
  ok(await s.cancel(s.guest, id));
  return id;
};
/** A stay of a platform that a listing has imported. */
const imported = async (): Promise<number> => {
  const { id, team_id } = await s.listing();
  const user = {
    kind: 'user' as const,
    user_id: s.host.user_id,
    sub: '',
    memberships: [{ team_id, role: 'OWNER' as const }],
  };
  const body = Buffer.from(calendarWith(sold('a', '2027-02-04', '2027-02-07')));
  await followCalendar(
    testContext(s.deps, user as never),
    id,
    { url: `https://calendars.example.com/${id}.ics` },
    { fetchCalendar: async (url) => ({ status: 200, headers: {}, body, url }), apiUrl: '' },
  );
  const query = { from: '2027-02-01', to: '2027-02-28', limit: '100' };
  const { items } = ok(
    await s.get<{ items: { availability_id: number; listing_id: number }[] }>(
      s.host,
      '/api/v1/imported-stays',
      query,
    ),
  );
  return items.find(({ listing_id }) => listing_id === id)!.availability_id;
};
const adopt = (availability_id: number): Request => ({
  path: '/api/v1/bookings',
  ...host(),
  body: { availability_id, ...adoption },
});
const adopted = async () => {
  const asked = adopt(await imported());
  const { reservations } = ok<{ reservations: { id: number }[] }>(
    await s.call('POST', asked.path, asked),
    201,
  );
  return { asked, id: reservations[0]!.id };
};
const held = async () => ok(await s.hold(s.guest, { items: [stay(await s.listing())] }), 201).checkout_id;
const confirmed = async () => {
  const checkout_id = await held();
  ok(await s.confirm(s.guest, { checkout_id, payment_method: 'CASH' }), 201);
  return checkout_id;
};
const quoteOut = async (items: object[]) => ({
  path: '/api/v1/external/quotes',
  ...(await partner()),
  body: { items },
});
interface OutQuote {
  id: number;
  key: string;
}
const quotedOut = async (listing?: { id: number }): Promise<OutQuote> => {
  const { key } = await partner();
  const items = [stay(listing ?? (await s.listing()))];
  return { id: ok(await s.quote({ key }, { items }), 201).quote_id, key };
};
const heldOut = async (): Promise<OutQuote> => {
  const quote = await quotedOut();
  ok(await s.holdQuote(quote, quote.id), 201);
  return quote;
};
const atQuote = (verb: string, { id, key }: OutQuote) => ({
  path: `/api/v1/external/quotes/${id}/${verb}`,
  key,
});
const bookQuoted = (quote_id: number) => ({
  quote_id,
  payment_method: 'CASH',
  guest_info: { full_name: 'Trần Thị Bình', phone: '+84 912 345 678', email: 'binh@example.com' },
});
const bookQuoteOut = ({ id, key }: OutQuote) => ({
  path: '/api/v1/external/bookings',
  key,
  body: bookQuoted(id),
});
const lost = async () => {
  const listing = await s.listing();
  const { checkout_id } = ok(await s.hold(s.guest, { items: [stay(listing)] }), 201);
  stopClock('2027-01-15T03:15:00.000Z');
  ok(await s.hold(s.other, { items: [stay(listing)] }), 201);
  return checkout_id;
};
const calendar = (listing: { id: number }) => `/api/v1/listing-availability/listings/${listing.id}`;
const nowhere = { id: 5 };

const preview = (items: object[]): Request => ({
  path: '/api/v1/checkout/preview',
  ...guest(),
  body: { items },
});
const hold = (items: object[]): Request => ({ path: '/api/v1/checkout', ...guest(), body: { items } });
const confirm = (body: object, who: Asked = guest()): Request => ({
  path: '/api/v1/checkout/confirm',
  ...who,
  body: { payment_method: 'CASH', ...body },
});
const online = async (token?: string, listing?: { id: number }): Promise<Request> =>
  confirm({
    items: [stay(listing ?? (await s.listing()))],
    payment_method: 'ONLINE_GATEWAY',
    ...(token === undefined ? {} : { payment_gateway_token: token }),
  });
const report = async (given: Partial<Request> = {}): Promise<Request> => {
  const { path, body } = await online();
  const { master_reservation_id: id } = ok(await s.confirm(s.guest, body), 201);
  const { server, notificationOf } = s.deps.sandbox;
  const sent = notificationOf(server.find(id)!);
  return { path: path && sent.path, headers: sent.headers, body: sent.body, ...given };
};
const cancel = (id: number, who: Asked = guest()): Request => ({
  path: `/api/v1/bookings/${id}/cancel`,
  ...who,
});
const extend = (id: number): Request => ({ path: `/api/v1/checkout/${id}/extend`, ...guest() });
const release = (id: number): Request => ({ path: `/api/v1/checkout/${id}`, ...guest() });
const block = (listing: { id: number }): Request => ({
  path: `${calendar(listing)}/blocks`,
  ...host(),
  body: { block_date: '2027-02-11' },
});
const bookOut = async (listing: { id: number }, given: object = {}): Promise<Request> => ({
  path: '/api/v1/external/bookings',
  ...(await partner()),
  body: {
    ...stay(listing),
    nights: 2,
    guest_info: { full_name: 'Bình', phone: '+84 912 345 678', email: 'binh@example.com' },
    payment_method: 'CASH',
    ...given,
  },
});
const bookedOut = async () => {
  const request = await bookOut(await s.listing());
  const { id } = ok(await s.bookOut({ key: request.key! }, request.body), 201);
  return { id, key: request.key! };
};
const correct = (id: number): Request => ({
  path: `/api/v1/bookings/${id}`,
  ...guest(),
  body: { arrival_time: '21:30:00' },
});
const correctOut = (id: number, key: string): Request => ({
  path: `/api/v1/external/bookings/${id}`,
  key,
  body: { arrival_time: '21:30:00' },
});
const cancelOut = (id: number, key: string): Request => ({
  path: `/api/v1/external/bookings/${id}/cancel`,
  key,
});
const unverified = (isDown: boolean) => async () => {
  const { subject } = s.deps.provider.add({ email_verified: false });
  s.deps.provider.isDown = false;
  ok(await s.mine({ token: subject }));
  s.deps.provider.isDown = isDown;
  return confirm({ items: [stay(await s.listing())] }, { token: subject });
};

const bookFor = (listing: { id: number }, given: object = {}): Request => ({
  path: '/api/v1/bookings',
  ...host(),
  body: {
    items: [stay(listing)],
    guest_info: { full_name: 'Bình', phone: '+84 912 345 678', email: 'binh@example.com' },
    payment_method: 'CASH',
    ...given,
  },
});

const driven: Record<string, Driven> = {
  bookForGuest: {
    good: async () => bookFor(await s.listing()),
    errors: {
      NOT_FOUND: async () => adopt(5),
      INVALID_STATE_TRANSITION: async () => (await adopted()).asked,
      LISTING_NOT_FOUND: async () => bookFor(nowhere),
      LISTING_NOT_AVAILABLE: async () => bookFor(await taken()),
      STAY_NOT_ALLOWED: async () => bookFor(await restricted()),
      FORBIDDEN: async () => ({ ...bookFor(await s.listing()), token: s.staff.token }),
      PRICE_CHANGED: async () => bookFor(await s.listing(), { expected_total: 1 }),
      PAYMENT_GATEWAY_UNAVAILABLE: async () => {
        s.deps.sandbox.fault = () => 'before';
        return bookFor(await s.listing(), { payment_method: 'ONLINE_GATEWAY' });
      },
    },
  },
  previewCheckout: {
    good: async () => preview([stay(await s.listing())]),
    errors: {
      LISTING_NOT_FOUND: async () => preview([stay(nowhere)]),
      STAY_NOT_ALLOWED: async () => preview([stay(await restricted())]),
    },
  },
  createCheckout: {
    good: async () => hold([stay(await s.listing())]),
    errors: {
      LISTING_NOT_FOUND: async () => hold([stay(nowhere)]),
      LISTING_NOT_AVAILABLE: async () => hold([stay(await taken())]),
      STAY_NOT_ALLOWED: async () => hold([stay(await restricted())]),
    },
  },
  confirmCheckout: {
    good: async () => confirm({ items: [stay(await s.listing())] }),
    errors: {
      LISTING_NOT_FOUND: async () => confirm({ items: [stay(nowhere)] }),
      NOT_FOUND: async () => confirm({ checkout_id: 16 }),
      LISTING_NOT_AVAILABLE: async () => confirm({ items: [stay(await taken())] }),
      STAY_NOT_ALLOWED: async () => confirm({ items: [stay(await restricted())] }),
      PRICE_CHANGED: async () => confirm({ items: [stay(await s.listing())], expected_total: 1 }),
      TOO_MANY_UNPAID_BOOKINGS: async () => {
        const two = [stay(await s.listing()), stay(await s.listing())];
        process.env['UNPAID_STAY_LIMIT'] = '1';
        return confirm({ items: two });
      },
      INVALID_STATE_TRANSITION: async () => confirm({ checkout_id: await confirmed() }),
      CHECKOUT_EXPIRED: async () => confirm({ checkout_id: await lost() }),
      USER_NOT_VERIFIED: unverified(false),
      IDENTITY_PROVIDER_UNAVAILABLE: unverified(true),
      PAYMENT_DECLINED: async () => online('tok_declined'),
      PAYMENT_GATEWAY_UNAVAILABLE: async () => {
        s.deps.sandbox.fault = () => 'before';
        return online('tok_ok');
      },
      CHECKOUT_CREATE_BOOKING_FAILED: async () => {
        const listing = await s.listing();
        s.deps.sandbox.meanwhile = async (path) => {
          if (path !== '/charge') return;
          stopClock('2027-01-15T03:16:00.000Z');
          ok(await s.confirm(s.other, cash([stay(listing)])), 201);
        };
        return online('tok_ok', listing);
      },
    },
  },
  handlePaymentWebhook: {
    good: async () => report(),
    errors: {
      NOT_FOUND: async () => report({ path: '/api/v1/payments/webhook/stripe' }),
      VALIDATION_ERROR: async () => report({ path: `/api/v1/payments/webhook/${'x'.repeat(33)}` }),
      UNAUTHORIZED: async () => report({ headers: { 'X-Sandbox-Signature': 'ab' } }),
      PAYLOAD_TOO_LARGE: async () => report({ body: 'x'.repeat(300_000) }),
    },
  },
  extendCheckout: {
    good: async () => extend(await held()),
    errors: {
      NOT_FOUND: async () => extend(16),
      CHECKOUT_EXPIRED: async () => extend(await lost()),
      INVALID_STATE_TRANSITION: async () => extend(await confirmed()),
    },
  },
  releaseCheckout: {
    good: async () => release(await held()),
    errors: {
      NOT_FOUND: async () => release(16),
      INVALID_STATE_TRANSITION: async () => release(await confirmed()),
    },
  },
  listMyBookings: { good: async () => ({ path: '/api/v1/bookings/my', ...guest() }) },
  getBooking: {
    good: async () => ({ path: `/api/v1/bookings/${await booked()}`, ...guest() }),
    errors: { BOOKING_NOT_FOUND: async () => ({ path: '/api/v1/bookings/5', ...guest() }) },
  },
  cancelBooking: {
    good: async () => cancel(await booked()),
    errors: {
      BOOKING_NOT_FOUND: async () => cancel(5),
      FORBIDDEN: async () => cancel(await booked(), { token: s.staff.token }),
      INVALID_STATE_TRANSITION: async () => cancel(await cancelled()),
      MANAGED_BY_CHANNEL: async () => cancel((await adopted()).id, host()),
    },
  },
  readMonth: {
    good: async () => ({ path: `${calendar(await s.listing())}/calendar`, ...guest() }),
    errors: { LISTING_NOT_FOUND: async () => ({ path: `${calendar(nowhere)}/calendar`, ...guest() }) },
  },
  readRange: {
    good: async () => ({ path: calendar(await s.listing()), ...guest() }),
    errors: { LISTING_NOT_FOUND: async () => ({ path: calendar(nowhere), ...guest() }) },
  },
  listUnavailableHours: {
    good: async () => unavailable(await s.listing()),
    errors: { LISTING_NOT_FOUND: async () => unavailable(nowhere) },
  },
  blockTime: {
    good: async () => block(await s.listing()),
    errors: {
      LISTING_NOT_FOUND: async () => block(nowhere),
      LISTING_NOT_AVAILABLE: async () => block(await taken()),
    },
  },
  unblockTime: {
    good: async () => {
      const listing = await s.listing();
      const { id } = ok(await s.block(s.host, listing, { block_date: '2027-02-11' }), 201);
      return { path: `${calendar(listing)}/blocks/${id}`, ...host() };
    },
    errors: {
      LISTING_NOT_FOUND: async () => ({ path: `${calendar(nowhere)}/blocks/5`, ...host() }),
      NOT_FOUND: async () => ({ path: `${calendar(await s.listing())}/blocks/5`, ...host() }),
    },
  },
  readAvailability: {
    good: async () => ({ path: `/api/v1/listings/${(await s.listing()).id}/availability`, ...guest() }),
    errors: { LISTING_NOT_FOUND: async () => ({ path: '/api/v1/listings/5/availability', ...guest() }) },
  },
  listExternalListings: {
    good: async () => ({ path: '/api/v1/external/listings', ...(await partner()) }),
    errors: {
      EXTERNAL_INVALID_STATE: async () => outList('listings', { state: 'x' }),
      EXTERNAL_INVALID_REQUEST: async () => outList('listings', { team_ids: '1,2' }),
    },
  },
  getExternalListing: {
    good: async () => outListing(await s.listing()),
    errors: { EXTERNAL_LISTING_NOT_ACCESSIBLE: async () => outListing(nowhere) },
  },
  searchExternalListings: {
    good: async () => outList('search', { location: 'HN' }),
    errors: {
      EXTERNAL_INVALID_DATE_FORMAT: async () => outList('search', { location: 'HN', check_in: '2027-02-30' }),
      EXTERNAL_INVALID_REQUEST: async () => outList('search', { location: 'HN', team_ids: '1,2' }),
    },
  },
  readExternalAvailability: {
    good: async () => outAvailability(await s.listing()),
    errors: {
      EXTERNAL_LISTING_NOT_ACCESSIBLE: async () => outAvailability(nowhere),
      EXTERNAL_INVALID_DATE_FORMAT: async () =>
        outAvailability(await s.listing(), { start_date: '2027-02-30' }),
    },
  },
  createQuote: {
    good: async () => quoteOut([stay(await s.listing())]),
    errors: {
      EXTERNAL_LISTING_NOT_ACCESSIBLE: async () => quoteOut([stay(nowhere)]),
      STAY_NOT_ALLOWED: async () => quoteOut([stay(await restricted())]),
    },
  },
  holdQuote: {
    good: async () => atQuote('hold', await quotedOut()),
    errors: {
      NOT_FOUND: async () => atQuote('hold', { id: 5, ...(await partner()) }),
      EXTERNAL_LISTING_NOT_ACCESSIBLE: async () => {
        const listing = await s.listing();
        const quote = await quotedOut(listing);
        await s.deps.table.transact([
          change(ListingEntity, listing, { set: { state: 'INACTIVE' } }, { when: present() }),
        ]);
        return atQuote('hold', quote);
      },
      LISTING_NOT_AVAILABLE: async () => atQuote('hold', await quotedOut(await taken())),
      STAY_NOT_ALLOWED: async () => {
        const listing = await s.listing();
        const quote = await quotedOut(listing);
        await restrict(listing);
        return atQuote('hold', quote);
      },
      PRICE_CHANGED: async () => ({ ...atQuote('hold', await quotedOut()), body: { expected_total: 1 } }),
      INVALID_STATE_TRANSITION: async () => atQuote('hold', await heldOut()),
      CHECKOUT_EXPIRED: async () => {
        const quote = await quotedOut();
        stopClock('2027-01-15T03:30:00.000Z');
        return atQuote('hold', quote);
      },
    },
  },
  extendQuote: {
    good: async () => atQuote('hold/extend', await heldOut()),
    errors: {
      NOT_FOUND: async () => atQuote('hold/extend', await quotedOut()),
      INVALID_STATE_TRANSITION: async () => {
        const { id, key } = await heldOut();
        ok(await s.extendQuote({ key }, id));
        return atQuote('hold/extend', { id, key });
      },
      CHECKOUT_EXPIRED: async () => {
        const quote = await heldOut();
        stopClock('2027-01-15T03:15:00.000Z');
        return atQuote('hold/extend', quote);
      },
    },
  },
  releaseQuote: {
    good: async () => atQuote('hold', await heldOut()),
    errors: {
      NOT_FOUND: async () => atQuote('hold', await quotedOut()),
      INVALID_STATE_TRANSITION: async () => {
        const quote = await heldOut();
        ok(await s.bookOut(quote, bookQuoted(quote.id)), 201);
        return atQuote('hold', quote);
      },
    },
  },
  createExternalBooking: {
    good: async () => bookOut(await s.listing()),
    errors: {
      NOT_FOUND: async () => bookQuoteOut({ id: 5, ...(await partner()) }),
      INVALID_STATE_TRANSITION: async () => {
        const quote = await quotedOut();
        ok(await s.bookOut(quote, bookQuoted(quote.id)), 201);
        return bookQuoteOut(quote);
      },
      CHECKOUT_EXPIRED: async () => {
        const quote = await heldOut();
        stopClock('2027-01-15T03:15:00.000Z');
        return bookQuoteOut(quote);
      },
      EXTERNAL_BOOKING_ID_REQUIRED: async () => bookOut(await s.listing(), { external_system: 'pms' }),
      EXTERNAL_LISTING_NOT_ACCESSIBLE: async () => bookOut(nowhere),
      LISTING_NOT_AVAILABLE: async () => bookOut(await taken()),
      STAY_NOT_ALLOWED: async () => bookOut(await restricted()),
      PRICE_CHANGED: async () => bookOut(await s.listing(), { expected_total: 1 }),
      EXTERNAL_BOOKING_ID_CONFLICT: async () => {
        const reference = { external_system: 'pms', external_booking_id: 'A-7' };
        const first = await bookOut(await s.listing(), reference);
        ok(await s.bookOut({ key: first.key! }, first.body), 201);
        return { ...first, body: { ...(first.body as object), guest_number: 1 } };
      },
      PAYMENT_GATEWAY_UNAVAILABLE: async () => {
        s.deps.sandbox.fault = () => 'before';
        return bookOut(await s.listing(), { payment_method: 'ONLINE_GATEWAY' });
      },
    },
  },
  listExternalBookings: {
    good: async () => ({ path: '/api/v1/external/bookings', ...(await partner()) }),
    errors: {
      EXTERNAL_INVALID_STATE: async () => outList('bookings', { state: 'x' }),
      EXTERNAL_INVALID_REQUEST: async () => outList('bookings', { team_ids: '{}' }),
      EXTERNAL_INVALID_DATE_FORMAT: async () => outList('bookings', { check_in_from: 'soon' }),
    },
  },
  getExternalBooking: {
    good: async () => {
      const { id, key } = await bookedOut();
      return { path: `/api/v1/external/bookings/${id}`, key };
    },
    errors: {
      EXTERNAL_BOOKING_NOT_ACCESSIBLE: async () => ({
        path: '/api/v1/external/bookings/5',
        ...(await partner()),
      }),
    },
  },
  correctGuest: {
    good: async () => correct(await booked()),
    errors: {
      BOOKING_NOT_FOUND: async () => correct(5),
      INVALID_STATE_TRANSITION: async () => correct(await cancelled()),
    },
  },
  correctExternalGuest: {
    good: async () => {
      const { id, key } = await bookedOut();
      return correctOut(id, key);
    },
    errors: {
      EXTERNAL_BOOKING_NOT_ACCESSIBLE: async () => correctOut(5, (await partner()).key),
      INVALID_STATE_TRANSITION: async () => {
        const { id, key } = await bookedOut();
        ok(await s.cancelOut({ key }, id));
        return correctOut(id, key);
      },
    },
  },
  cancelExternalBooking: {
    good: async () => {
      const { id, key } = await bookedOut();
      return cancelOut(id, key);
    },
    errors: {
      EXTERNAL_BOOKING_NOT_ACCESSIBLE: async () => cancelOut(5, (await partner()).key),
      INVALID_STATE_TRANSITION: async () => {
        const { id, key } = await bookedOut();
        ok(await s.cancelOut({ key }, id));
        return cancelOut(id, key);
      },
    },
  },
  searchListings: {
    good: async () => ({ path: '/api/v1/search', ...guest(), query: { location: 'HN' } }),
  },
};

const unavailable = (listing: { id: number }): Request => ({
  path: `${calendar(listing)}/calendars/unavailable`,
  ...guest(),
  query: { start_time: '2027-02-10T0000', end_time: '2027-02-11T0000' },
});
const outList = async (what: string, query: Record<string, string>): Promise<Request> => ({
  path: `/api/v1/external/${what}`,
  ...(await partner()),
  query,
});
const outListing = async (listing: { id: number }): Promise<Request> => ({
  path: `/api/v1/external/listings/${listing.id}`,
  ...(await partner()),
});

const outAvailability = async (listing: { id: number }, query = {}): Promise<Request> => ({
  path: `/api/v1/external/listings/${listing.id}/availability`,
  ...(await partner()),
  query,
});

const send = (route: Route, { path, ...asked }: Request): Promise<Reply> => s.call(route.method, path, asked);
const keyed = (asked: Request, text: string): Request => ({ ...asked, headers: { 'Idempotency-Key': text } });

/** What provokes the codes that rows have by their kind. */
const byKind: Partial<Record<ErrorCode, (route: Route, good: Request) => Promise<Reply>>> = {
  VALIDATION_ERROR: (route, good) => {
    if (route.query) return send(route, { ...good, query: { ...good.query, nonsense: 1 } });
    if (route.body && !route.bodyOptional)
      return send(route, { ...good, body: { ...(good.body as object), nonsense: 1 } });
    if (route.params) return send(route, { ...good, path: good.path.replace(/\/\d+/, '/0') });
    return send(route, { ...good, headers: { 'X-Team-ID': 'mine' } });
  },
  PAYLOAD_TOO_LARGE: (route, good) => send(route, { ...good, body: { note: 'x'.repeat(300_000) } }),
  UNSUPPORTED_MEDIA_TYPE: (route, good) =>
    send(route, { ...good, body: '{}', headers: { 'Content-Type': 'text/plain' } }),
  IDEMPOTENCY_KEY_REUSED: async (route, good) => {
    const listing = await s.listing();
    const other = good.key === undefined ? hold([stay(listing)]) : await bookOut(listing);
    const { key, token } = good;
    const who = { ...(key === undefined ? {} : { key }), ...(token === undefined ? {} : { token }) };
    const headers = { 'Idempotency-Key': 'used' };
    ok(await s.call('POST', other.path, { ...who, body: other.body, headers }), 201);
    return send(route, keyed(good, 'used'));
  },
  UNAUTHORIZED: (route, { key: _, token: __, ...anonymous }) => send(route, anonymous),
  RATE_LIMIT_EXCEEDED: async (route, good) => {
    if (good.key !== undefined) {
      const { api_key } = await testKey(s.deps, { team_ids: [s.a.team_id], rate_limit: 1 });
      await send(route, { ...good, key: api_key });
      return send(route, { ...good, key: api_key });
    }
    process.env['RATE_LIMIT_USER'] = '1';
    try {
      await send(route, good);
      return await send(route, good);
    } finally {
      process.env['RATE_LIMIT_USER'] = 'off';
    }
  },
  FORBIDDEN: async (route, good) => {
    const { api_key } = await testKey(s.deps, { team_ids: [s.a.team_id], allow_ip: ['192.0.2.1/32'] });
    return send(route, { ...good, key: api_key });
  },
  MFA_REQUIRED: (route, good) => send(route, { ...good, claims: { amr: ['pwd'] } }),
  INTERNAL_ERROR: (route, good) => broken(route, good, new Error('a fault')),
  SERVICE_UNAVAILABLE: (route, good) => broken(route, good, new ServiceError('SERVICE_UNAVAILABLE')),
};

const broken = async (route: Route, good: Request, fault: Error): Promise<Reply> => {
  s.faults.table = fault;
  try {
    return await send(route, good);
  } finally {
    delete s.faults.table;
  }
};

/** A host row on a listing that every role may operate knows no weaker role: strangers get 404 there (D9). */
const cannotHappen = (route: Route, code: ErrorCode): boolean =>
  code === 'FORBIDDEN' &&
  route.access === 'host' &&
  route.permission !== 'manage' &&
  route.path.includes('{');

describe.each(rows.filter(({ id }) => id in driven))('$id', ({ id, route }) => {
  const { good, errors = {} } = driven[id]!;

  it('goes well', async () => {
    const reply = await send(route, await good());
    expect(reply.status, reply.text).toBe(route.status);
    expect(reply.headers['x-request-id']).toBeTruthy();
  });

  it.each(errorsOf(route).filter((code) => !cannotHappen(route, code)))('answers %s', async (code) => {
    const special = errors[code];
    const general = byKind[code];
    if (!special && !general) throw new Error(`nothing provokes ${code} of ${id}`);
    const reply = special ? await send(route, await special()) : await general!(route, await good());
    expect((reply.body as { code?: string }).code, reply.text).toBe(code);
    s.deps.provider.isDown = false;
    process.env['UNPAID_STAY_LIMIT'] = 'off';
  });
});

describe('the table of this test', () => {
  it('names only rows and codes that there are', () => {
    for (const [id, { errors = {} }] of Object.entries(driven)) {
      const row = rows.find((candidate) => candidate.id === id);
      expect(row, id).toBeDefined();
      for (const code of Object.keys(errors)) expect(errorsOf(row!.route), `${id} ${code}`).toContain(code);
    }
  });
});

const elsewhere = rows.filter(({ id }) => !(id in driven));
const tests = join(import.meta.dirname, '..');
const texts = readdirSync(tests, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts') && !/(coverage|matrix)\.test\.ts$/.test(name))
  .map((name) => readFileSync(join(tests, name), 'utf8'));

/** Whether a test calls the row: by its name, or by its path with any text in place of the ids. */
const speaksOf = (text: string, id: string, path: string): boolean => {
  const pattern = path.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{\w+\}/g, '[^/\'"`]+');
  return new RegExp(`\\b${id}\\b`).test(text) || new RegExp(`${pattern}['"\`?]`).test(text);
};

/** What no test calls or provokes so far, by row: `all`, or codes. The change that adds such a test deletes the entry. */
const notYet: Record<string, 'all' | readonly ErrorCode[]> = {
  followCalendar: ['LISTING_NOT_FOUND'],
  getDocsAsset: 'all',
  listFeeds: ['LISTING_NOT_FOUND'],
  listMessages: ['FORBIDDEN'],
  listThreads: ['FORBIDDEN'],
  resendVerification: ['NOT_FOUND'],
  rotateExportToken: 'all',
  sendMessage: ['FORBIDDEN'],
  unfollowCalendar: ['LISTING_NOT_FOUND'],
  updateListing: ['LISTING_NOT_AVAILABLE'],
};

describe.each(elsewhere.filter(({ id }) => notYet[id] !== 'all'))('$id', ({ id, route }) => {
  it('is spoken of by a test, with each code of its own', () => {
    const speaking = texts.filter((text) => speaksOf(text, id, route.path));
    expect(speaking.length, `no test calls ${route.method} ${route.path}`).toBeGreaterThan(0);
    const missing = route.errors
      .filter((code) => !speaking.some((text) => text.includes(code)))
      .filter((code) => !notYet[id]?.includes(code));
    expect(missing, `no test expects these of ${id}`).toEqual([]);
  });
});

import type { Request } from './handlers.ts';
import type { Intent, Wanted } from './history.ts';
import type { StayWish, Wish } from './plan.ts';
import { blocks, homes, hourSpan, preparationOf, slots, type Who } from './scene.ts';

/** The ids seen so far, for requests that need one. */
export interface Known {
  checkouts: { id: number; who: Who }[];
  bookings: { id: number; who: Who }[];
  blocks: { id: number; home: number }[];
}

const unknownId = 16;

/** The hours that a stay takes, with the preparation after it. */
const wanted = ({ home, slot }: StayWish): Wanted => {
  const { from, to } = hourSpan(slots[slot] ?? slots[0]!);
  return { home, from, to: to + preparationOf(home) };
};

const item = ({ home, slot }: StayWish) => ({
  listing_id: homes[home],
  ...(slots[slot] ?? slots[0]!).ask,
  guest_number: 2,
});

const pick = <Value>(values: readonly Value[], ref: number): Value | undefined =>
  values.length === 0 ? undefined : values[ref % values.length];

/** Picks mostly the caller's own, sometimes another caller's. */
const pickOwn = (all: Known['checkouts'], who: Who, ref: number): number => {
  const own = all.filter((one) => one.who === who);
  return pick(ref === 3 || own.length === 0 ? all : own, ref)?.id ?? unknownId;
};

interface Resolved {
  request: Request;
  intent: Intent;
}

/** Returns the HTTP request of a wish, and its meaning. */
export const requestOf = (wish: Wish, who: Who, known: Known, key: string | undefined): Resolved => {
  const { request, ...meaning } = meant(wish, who, known);
  const content = JSON.stringify([request.resource, request.params ?? {}, request.body ?? {}]);
  return {
    request: { ...request, ...(key === undefined ? {} : { key }) },
    intent: { who, verb: wish.verb, items: [], ...meaning, content, ...(key === undefined ? {} : { key }) },
  };
};

type Meant = { request: Request } & Partial<Pick<Intent, 'items' | 'target' | 'change' | 'external'>>;

const post = (resource: string, body?: object, params?: Record<string, number>): Request => ({
  method: 'POST',
  resource,
  ...(body ? { body } : {}),
  ...(params ? { params } : {}),
});

const meant = (wish: Wish, who: Who, known: Known): Meant => {
  switch (wish.verb) {
    case 'hold':
    case 'confirm':
      return ordering(wish.verb, wish.stays);
    case 'book':
      return booking(wish.stays[0] ?? { home: 'lone', slot: 0 }, wish.external);
    case 'confirmHeld':
    case 'extend':
    case 'release':
      return lockRequest(wish.verb, pickOwn(known.checkouts, who, wish.ref));
    case 'cancel':
    case 'cancelExternal': {
      const target = pickOwn(known.bookings, who, wish.ref);
      const root = wish.verb === 'cancel' ? '/api/v1/bookings' : '/api/v1/external/bookings';
      return { request: post(`${root}/{booking_id}/cancel`, undefined, { booking_id: target }), target };
    }
    case 'block':
      return blocking(wish.home, wish.slot);
    case 'unblock': {
      const block = pick(known.blocks, wish.ref);
      const params = { listing_id: block?.home ?? homes.lone, availability_id: block?.id ?? unknownId };
      const resource = '/api/v1/listing-availability/listings/{listing_id}/blocks/{availability_id}';
      return { request: { method: 'DELETE', resource, params }, target: params.availability_id };
    }
    case 'hours':
      return hoursRead(wish.home);
    case 'edit':
      return editing(wish.change);
  }
};

const ordering = (verb: 'hold' | 'confirm', stays: StayWish[]): Meant => {
  const items = stays.map(item);
  const request =
    verb === 'hold'
      ? post('/api/v1/checkout', { items })
      : post('/api/v1/checkout/confirm', { items, payment_method: 'CASH' });
  return { request, items: stays.map(wanted) };
};

const booking = (stay: StayWish, external: number | null): Meant => {
  const asked = item(stay);
  const nights = Math.round(
    (Date.parse(asked.check_out_date) - Date.parse(asked.check_in_date)) / 86_400_000,
  );
  const body = {
    ...asked,
    nights,
    guest_info: { full_name: 'Gió', phone: '+84906000000', email: 'gio@example.com' },
    payment_method: 'CASH',
    ...(external === null ? {} : { external_system: 'pms', external_booking_id: `X${external}` }),
  };
  return {
    request: post('/api/v1/external/bookings', body),
    items: [wanted(stay)],
    ...(external === null ? {} : { external: `X${external}` }),
  };
};

const lockRequest = (verb: 'confirmHeld' | 'extend' | 'release', target: number): Meant => {
  if (verb === 'confirmHeld') {
    const body = { checkout_id: target, payment_method: 'CASH' };
    return { request: post('/api/v1/checkout/confirm', body), target };
  }
  const params = { checkout_id: target };
  const request: Request =
    verb === 'extend'
      ? post('/api/v1/checkout/{checkout_id}/extend', undefined, params)
      : { method: 'DELETE', resource: '/api/v1/checkout/{checkout_id}', params };
  return { request, target };
};

const blocking = (home: keyof typeof homes, slot: number): Meant => {
  const block = blocks[slot] ?? blocks[0];
  const resource = '/api/v1/listing-availability/listings/{listing_id}/blocks';
  return {
    request: post(resource, block.body, { listing_id: homes[home] }),
    items: [{ home, ...hourSpan(block) }],
  };
};

const hoursRead = (home: keyof typeof homes): Meant => ({
  request: {
    method: 'GET',
    resource: '/api/v1/listing-availability/listings/{listing_id}/calendars/unavailable',
    params: { listing_id: homes[home] },
    query: { start_time: '2027-01-30T0000', end_time: '2027-02-01T0000' },
  },
  items: [{ home, ...hourSpan({ from: '2027-01-30T00:00', to: '2027-02-01T00:00' }) }],
});

const editing = (change: NonNullable<Intent['change']>): Meant => {
  const resource = '/api/v1/listings/{listing_id}';
  const params = { listing_id: homes.moved };
  if (change === 'archive') return { request: { method: 'DELETE', resource, params }, change };
  const body = {
    pause: { state: 'INACTIVE' },
    publish: { state: 'ACTIVE' },
    attach: { parent_listing_id: homes.parent },
    detach: { parent_listing_id: null },
  }[change];
  return { request: { method: 'PATCH', resource, params, body }, change };
};

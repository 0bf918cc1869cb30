import { bookExternally, bookForGuest, confirmCheckout } from '../../../shared/domain/checkout/index.ts';
import type { Listing } from '../../../shared/domain/listing/listing.entity.ts';
import { plainListing } from '../schedule/scene.ts';
import type { Ledger } from './ledger.ts';
import { priceOf, rounded, type Step } from './purse.ts';
import { pageUntil, transferUntil } from './time-to-pay.ts';
import type { World } from './world.ts';

const checkInDate = '2027-02-04';
/** 14:00 in Vietnam. */
const checkIn = Date.parse('2027-02-04T07:00:00.000Z');

/** The date so many nights after the check-in. */
export const dateAfter = (nights: number): string =>
  new Date(Date.parse(checkInDate) + nights * 86_400_000).toISOString().slice(0, 10);

/** The day of check-in. */
export const morning = Date.parse('2027-02-04T01:00:00.000Z');

/** When guests have come and may be missed. */
export const arrival = Date.parse('2027-02-04T18:00:00.000Z');

/** In Vietnam the month has turned, in UTC it has not. */
export const newMonth = Date.parse('2027-01-31T20:00:00.000Z');

const step = (until_hours_before: number, refund_percent: number, keep_nights = 0): Step => ({
  ...{ until_hours_before, refund_percent, keep_nights },
});

/** Terms of cancellation: of all kinds. */
const allTerms: readonly (readonly Step[])[] = [
  [step(0, 100)],
  [step(240, 100), step(48, 50)],
  [step(336, 80, 1), step(24, 30, 1)],
  [step(120, 100), step(0, 50, 1)],
  [step(1, 33, 2)],
];

/** Who books, how it is paid, and the terms. */
export interface Booked {
  by: 'guest' | 'partner' | 'host';
  method: 'CASH' | 'BANK_TRANSFER' | 'PAGE' | 'TOKEN';
  stays: 1 | 2;
  isInstant: boolean;
  terms: number;
  gateway: number;
  deposit: number;
  /** The percent that is due at booking, in ten-thousandths, and how long before check-in the rest is; 0: on arrival. */
  plan?: { tenThousandths: number; hours: number } | undefined;
}

const listingId = 700;

const listingOf = (booked: Booked, id: number): Listing => ({
  ...plainListing(id, 1, `home-${id}`),
  prices_by_week: {},
  last_minute_discount: 0,
  instant_book_enabled: booked.isInstant,
  security_deposit: booked.deposit,
  ...(booked.plan && {
    deposit_percent: booked.plan.tenThousandths / 10_000,
    balance_due: booked.plan.hours === 0 ? ('ON_ARRIVAL' as const) : { hours_before: booked.plan.hours },
  }),
  cancellation_terms: [...termsOf(booked)],
  refund_rule: 'By steps',
});

const termsOf = ({ terms }: Booked): readonly Step[] => allTerms[terms % allTerms.length] ?? [];

const guest_info = { full_name: 'Lê Thị Hoa', phone: '+84 912 345 670', email: 'hoa@example.com' };

/** Books, and opens the ledger of it. */
export const book = async (world: World, booked: Booked): Promise<Ledger> => {
  const listings = Array.from({ length: booked.stays }, (_, at) => listingOf(booked, listingId + at));
  await world.open(listings);
  const items = listings.map(({ id }) => ({
    ...{ listing_id: id, check_in_date: checkInDate, check_out_date: dateAfter(2), guest_number: 2 },
  }));
  const total = priceOf({ shift: 0, nights: 2, guests: 2, adjustments: [] });
  const { tenThousandths = 1_000_000, hours = 0 } = booked.plan ?? {};
  const first = rounded(total * tenThousandths, 1_000_000);
  const isToken =
    first > 0 && booked.method === 'TOKEN' && world.bank.gateway.takesTokens && booked.by === 'guest';
  const method = booked.method === 'TOKEN' || booked.method === 'PAGE' ? 'ONLINE_GATEWAY' : booked.method;
  const { order, ids } = await confirmed(world, booked, { items, method, isToken });
  const collected = booked.by === 'partner';
  const isAccepted = booked.isInstant || booked.by === 'host';
  const isAuthorised = isToken && !isAccepted;
  const asked = { shift: 0, nights: 2, guests: 2, adjustments: [] };
  const hasPlan = first < total && method !== 'CASH' && !collected;
  const isAllLater = hasPlan && first === 0;
  const now = hasPlan ? first : total;
  const charge = world.bank.charges.find(({ state }) => state === 'paid');
  const payment = collected ? { by: 'PARTNER' as const, method } : { by: 'GATEWAY' as const, payment: order };
  const isPaid = collected || charge !== undefined;
  const until = isAllLater || isPaid || !isAccepted ? undefined : payUntilOf(method, world.now);
  return {
    order,
    purses: ids.map((id, at) => ({
      ...{
        id,
        listing: listingId + at,
        method,
        isAuthorised,
        total,
        checkIn,
        firstCheckIn: checkIn,
        bookedAt: world.now,
      },
      state: isAccepted ? 'CONFIRMED' : 'PENDING',
      status: isPaid && now === total ? 'PAID' : 'PENDING',
      isApart: method === 'ONLINE_GATEWAY' && (!isAccepted || (isAllLater && !isPaid)),
      ...(hasPlan && { plan: { deposit: first, hours, isDue: false } }),
      ...(until !== undefined && { payUntil: until }),
      called: 0,
      asked: { ...asked },
      terms: termsOf(booked),
      deposit: booked.deposit,
      entries: isPaid ? [{ kind: 'payment', amount: now, at: world.now, ...payment, isFirst: true }] : [],
    })),
    roles: Object.fromEntries([
      [order, { of: 'order' }],
      ...ids.map((id) => [id, { of: 'stay', stay: id }]),
    ]) as Ledger['roles'],
    known: charge ? [charge.reference] : [],
    paid: charge ? { [order]: charge.reference } : {},
    strays: [],
    transfers: [],
    opened: [],
  };
};

const payUntilOf = (method: string, now: number): number | undefined => {
  if (method === 'BANK_TRANSFER') return transferUntil({ checkIn }, now);
  return method === 'ONLINE_GATEWAY' ? pageUntil(now, checkIn) : undefined;
};

const confirmed = async (
  world: World,
  { by }: Booked,
  { items, method, isToken }: { items: never[] | object[]; method: string; isToken: boolean },
): Promise<{ order: number; ids: number[] }> => {
  const request = { items, payment_method: method } as never;
  if (by === 'partner') {
    const { booking } = await bookExternally(world.asPartner(), {
      ...(request as object),
      guest_info,
    } as never);
    const { id, reservations } = booking as unknown as { id: number; reservations: { id: number }[] };
    return { order: id, ids: reservations.map((one) => one.id) };
  }
  const answer = await (by === 'host'
    ? bookForGuest(world.as('owner'), { ...(request as object), guest_info } as never)
    : confirmCheckout(world.as('guest'), {
        ...(request as object),
        ...(isToken ? { payment_gateway_token: 'tok_ok' } : {}),
      } as never));
  return { order: answer.master_reservation_id, ids: answer.reservations.map(({ id }) => id) };
};

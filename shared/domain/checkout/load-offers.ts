import { callerRef } from '../../platform/auth.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Context } from '../../platform/context.ts';
import { invalid, type ServiceError } from '../../platform/errors.ts';
import { type Read, readOf } from '../../platform/table/index.ts';
import { addDays, nightsBetween } from '../../platform/time/time.ts';
import { type Order, OrderEntity } from '../booking/model.ts';
import {
  CalendarDraft,
  calendarOf,
  type ListingTime,
  type MonthIds,
  monthsBetween,
  monthSpans,
  notAvailable,
  readMonths,
  overlaps,
  stayTime,
  wholeHours,
  writtenMonths,
} from '../calendar/model.ts';
import { isOpenToAll, type Listing } from '../listing/model.ts';
import {
  bookableDaysAhead,
  type CheckoutItem,
  type ItemQuote,
  maxStayNights,
  type OrderQuote,
  pricingReads,
  quoteOrder,
  type RateCard,
  rateCardOf,
} from '../pricing/model.ts';

/**
 * The most calendar months of one order, those of the parents of children included. With ten stays its confirmation and its
 * cancellation then fit into one transaction (97 and 96 of 100 writes). A larger order is refused before anything is
 * written.
 */
const maxMonths = 55;

/** A requested stay with its price and calendar. */
export interface Offer {
  listing: Listing;
  rateCard: RateCard;
  request: CheckoutItem;
  quote: ItemQuote;
  time: ListingTime;
}

export interface Offers<Extra extends object = object> {
  offers: Offer[];
  quote: OrderQuote;
  draft: CalendarDraft;
  /** Further items that the caller has requested, in their order. */
  extras: (Extra | undefined)[];
}

export interface OfferRequest<Extra extends object> {
  items: readonly CheckoutItem[];
  currency?: string | undefined;
  /** Whether the caller may book the listing; it must also be ACTIVE. Default: it is open to all. */
  accepts?: (listing: Listing) => boolean;
  /** Returns the error for a listing that the caller may not see. */
  missing: (listingId: number) => ServiceError;
  extras?: readonly Read<Extra>[];
}

/**
 * Reads everything an order needs in one round trip: listings, price parts and calendar months. A child of which the
 * parent is not known yet needs a second one. The listings' stay rules are not asked.
 */
export const loadOffers = async <Extra extends object>(
  ctx: Context,
  request: OfferRequest<Extra>,
): Promise<Offers<Extra>> => {
  const now = ctx.clock.now();
  const ids = request.items.map(({ listing_id }) => listing_id);
  const known = knownCalendars(ctx);
  const months = request.items.flatMap(monthsOf(now, known));
  requireFewMonths(months);
  const priced = ids.map(pricingReads);
  const [[listings, parts, extras], found] = await Promise.all([
    ctx.table.getGroups([
      priced.map(([listing]) => listing),
      priced.map(([, own]) => own),
      request.extras ?? [],
    ]),
    readMonths(ctx.table, months),
  ]);
  for (const listing of listings) if (listing) known.set(listing.id, calendarOf(listing));
  const accepts = request.accepts ?? isOpenToAll;
  const requests = request.items.map((item, position) => {
    const listing = listings[position];
    if (listing?.state !== 'ACTIVE' || !accepts(listing)) throw request.missing(item.listing_id);
    return { item, listing, rateCard: rateCardOf(listing, parts[position]) };
  });
  const quote = quoteOrder({ items: requests, currency: request.currency, now });
  const offers = requests.map((asked, position) => offerOf(asked, quote.items[position]));
  requireFewMonths(offers.flatMap(({ time }) => monthSpans(time).map(({ month }) => ({ ...time, month }))));
  const draft = new CalendarDraft(now);
  draft.add(months, found);
  await draft.complete(
    ctx.table,
    offers.map(({ time }) => time),
  );
  return { offers, quote, draft, extras };
};

/**
 * The calendars of listings as an instance has read them last, so that the months of a child are read with its listing. The
 * clock is what all requests of an instance share.
 */
const calendars = new WeakMap<Context['clock'], Map<number, number>>();
const mostCalendars = 10_000;

const knownCalendars = ({ clock }: Context): Map<number, number> => {
  const known = calendars.get(clock);
  if (known && known.size < mostCalendars) return known;
  const none = new Map<number, number>();
  calendars.set(clock, none);
  return none;
};

/** Throws VALIDATION_ERROR for an order that touches too many months. */
const requireFewMonths = (months: readonly MonthIds[]): void => {
  const touched = writtenMonths(months);
  if (touched <= maxMonths) return;
  throw invalid({
    path: 'items',
    message: `touch ${touched} months of calendars; one order takes at most ${maxMonths}`,
  });
};

/** Returns none for a stay that pricing will refuse: too long, or too far ahead. */
const monthsOf =
  (now: number, known: ReadonlyMap<number, number>) =>
  (item: CheckoutItem): MonthIds[] => {
    const { listing_id, check_in_date, check_out_date } = item;
    const nights = nightsBetween(check_in_date, check_out_date);
    const farthest = addDays(instantText(now).slice(0, 10), bookableDaysAhead + 1);
    if (nights < 0 || nights > maxStayNights || check_in_date > farthest) return [];
    return monthsBetween(check_in_date.slice(0, 7), check_out_date.slice(0, 7)).map((month) => ({
      calendar_id: known.get(listing_id) ?? listing_id,
      listing_id,
      month,
    }));
  };

interface AskedStay {
  item: CheckoutItem;
  listing: Listing;
  rateCard: RateCard;
}

const offerOf = ({ item, listing, rateCard }: AskedStay, quote: ItemQuote | undefined): Offer => {
  if (!quote) throw new Error(`listing ${listing.id} was not quoted`);
  return { listing, rateCard, request: item, quote, time: stayTime(listing, quote) };
};

/** Whether two stays of a listing share an hour. */
const overlap = (one: ListingTime, other: ListingTime): boolean =>
  one.listing_id === other.listing_id && overlaps(wholeHours(one), wholeHours(other));

/** Throws VALIDATION_ERROR for stays that overlap an earlier one of the same listing: no other guest takes their time. */
const requireApart = (stays: readonly ListingTime[]): void => {
  const issues = stays.flatMap((stay, position) => {
    const first = stays.findIndex((earlier) => overlap(earlier, stay));
    return first < position ? [{ path: `items[${position}]`, message: `overlaps items[${first}]` }] : [];
  });
  if (issues.length > 0) throw invalid(...issues);
};

/**
 * Takes or holds every stay of an order in the draft, or throws LISTING_NOT_AVAILABLE with all taken times, and
 * VALIDATION_ERROR for stays of one listing that overlap.
 */
const reserveAll = <Stay extends ListingTime>(
  stays: readonly Stay[],
  draft: CalendarDraft,
  reserve: (stay: Stay) => void,
): void => {
  requireApart(stays);
  const unavailable = stays.flatMap((stay) => {
    draft.requireCurrentCalendar(stay);
    const taken = draft.taken(stay);
    if (taken.length === 0) reserve(stay);
    return taken;
  });
  if (unavailable.length > 0) throw notAvailable(unavailable);
};

/** Returns the caller's own live checkouts that hold any of the requested time. */
export const ownOrdersOnTime = async (ctx: Context, { offers, draft }: Offers): Promise<Order[]> => {
  const holder = callerRef(ctx.caller);
  const ids = new Set(offers.flatMap(({ time }) => draft.ordersHeldBy(holder, time)));
  const orders = await ctx.table.getAll(
    [...ids].map((orderId) => readOf(OrderEntity, { order_id: orderId })),
  );
  return orders.filter((order) => order !== undefined);
};

/** Takes every stay of an order, for a holder if given. */
export const takeAll = ({ offers, draft }: Offers, holder?: string): void =>
  reserveAll(
    offers.map(({ time }) => time),
    draft,
    (time) => draft.take(time, holder),
  );

/** Holds every stay of an order under its soft lock. */
export const holdAll = (order: Order, draft: CalendarDraft): void => {
  const { order_id, holder, locked_until: until } = order;
  reserveAll(order.items, draft, (item) => draft.hold({ ...item, order_id, holder, until }));
};

import { callerRef } from '../../platform/auth.ts';
import { instantText } from '../../platform/clock.ts';
import type { Context } from '../../platform/context.ts';
import { invalid, type ServiceError } from '../../platform/errors.ts';
import { type Read, readOf } from '../../platform/table/index.ts';
import { addDays, nightsBetween } from '../../platform/time.ts';
import { type Order, OrderEntity } from '../booking/model.ts';
import {
  CalendarDraft,
  calendarOf,
  type ListingTime,
  monthRead,
  monthsBetween,
  notAvailable,
} from '../calendar/model.ts';
import { type Listing, listingRead } from '../listing/model.ts';
import {
  bookableDaysAhead,
  type CheckoutItem,
  type ItemQuote,
  maxStayNights,
  type OrderQuote,
  pricePartsRead,
  quoteOrder,
  rateCardOf,
} from '../pricing/model.ts';

/**
 * The months of calendars that one order may touch; a parent and its children share theirs. With ten stays its reads then fit one BatchGet, its confirmation and its
 * cancellation one transaction (97 and 96 of 100 writes): a larger one is refused before anything is read.
 */
const mostMonths = 55;

/** A stay that was asked for, priced, with the calendar that decides about it. */
export interface Offer {
  listing: Listing;
  request: CheckoutItem;
  quote: ItemQuote;
  time: ListingTime;
}

export interface Offers<Extra extends object = object> {
  offers: Offer[];
  quote: OrderQuote;
  draft: CalendarDraft;
  /** Further items the caller asked to have read along, in their order. */
  extras: (Extra | undefined)[];
}

interface Asked<Extra extends object> {
  items: readonly CheckoutItem[];
  currency?: string | undefined;
  /** Whether the caller may book the listing; ACTIVE ones only in any case. */
  accepts?: (listing: Listing) => boolean;
  /** The refusal of a listing that does not exist for the caller. */
  missing: (listingId: number) => ServiceError;
  extras?: readonly Read<Extra>[];
}

/**
 * Reads everything an order needs in one round trip: the listings, their price parts, and the calendar months, where a
 * listing is taken to have a calendar of its own; only for children of a family a second one follows.
 */
export const loadOffers = async <Extra extends object>(
  ctx: Context,
  asked: Asked<Extra>,
): Promise<Offers<Extra>> => {
  const now = ctx.clock.now();
  const ids = asked.items.map(({ listing_id }) => listing_id);
  const months = await monthsToRead(ctx, asked.items);
  const [listings, parts, found, extras] = await ctx.table.getGroups([
    ids.map(listingRead),
    ids.map(pricePartsRead),
    months.map(monthRead),
    asked.extras ?? [],
  ]);
  const requests = asked.items.map((item, position) => {
    const listing = listings[position];
    if (listing?.state !== 'ACTIVE' || asked.accepts?.(listing) === false)
      throw asked.missing(item.listing_id);
    return { item, listing, rateCard: rateCardOf(listing, parts[position]) };
  });
  const quote = quoteOrder({ items: requests, currency: asked.currency, now });
  const offers = requests.map(({ item, listing }, position) => offerOf(listing, item, quote.items[position]));
  const draft = new CalendarDraft(now);
  draft.add(months, found);
  await draft.complete(
    ctx.table,
    offers.map(({ time }) => time),
  );
  return { offers, quote, draft, extras };
};

interface MonthIds {
  calendar_id: number;
  month: string;
}

/** The months an order touches if each listing has a calendar of its own; of an order too large by that, those it really touches. */
const monthsToRead = async (ctx: Context, items: readonly CheckoutItem[]): Promise<MonthIds[]> => {
  const likely = items.flatMap(monthsOf(ctx.clock.now()));
  if (distinctOf(likely) <= mostMonths) return likely;
  const listings = await ctx.table.getAll(items.map(({ listing_id }) => listingRead(listing_id)));
  const homes = new Map(listings.flatMap((found) => (found ? [[found.id, calendarOf(found)]] : [])));
  const months = likely.map(({ calendar_id, month }) => ({
    calendar_id: homes.get(calendar_id) ?? calendar_id,
    month,
  }));
  const touched = distinctOf(months);
  if (touched <= mostMonths) return months;
  throw invalid({
    path: 'items',
    message: `touch ${touched} months of calendars; one order takes at most ${mostMonths}`,
  });
};

const distinctOf = (months: readonly MonthIds[]): number =>
  new Set(months.map(({ calendar_id, month }) => `${calendar_id} ${month}`)).size;

/** None for a stay that its price will refuse: too long, or further ahead than anything can be booked. */
const monthsOf =
  (now: number) =>
  (item: CheckoutItem): MonthIds[] => {
    const { listing_id, check_in_date, check_out_date } = item;
    const nights = nightsBetween(check_in_date, check_out_date);
    const farthest = addDays(instantText(now).slice(0, 10), bookableDaysAhead + 1);
    if (nights < 0 || nights > maxStayNights || check_in_date > farthest) return [];
    return monthsBetween(check_in_date.slice(0, 7), check_out_date.slice(0, 7)).map((month) => ({
      calendar_id: listing_id,
      month,
    }));
  };

const offerOf = (listing: Listing, request: CheckoutItem, quote: ItemQuote | undefined): Offer => {
  if (!quote) throw new Error(`listing ${listing.id} was not quoted`);
  const calendar_id = calendarOf(listing);
  return {
    listing,
    request,
    quote,
    time: { calendar_id, listing_id: listing.id, start_at: quote.start_at, end_at: quote.end_at },
  };
};

/** Claims every stay of an order in the draft, or throws LISTING_NOT_AVAILABLE with everything that is taken. */
const claimAll = <Stay extends ListingTime>(
  stays: readonly Stay[],
  draft: CalendarDraft,
  claim: (stay: Stay) => void,
): void => {
  const unavailable = stays.flatMap((stay) => {
    draft.requireCurrentCalendar(stay);
    const taken = draft.taken(stay);
    if (taken.length === 0) claim(stay);
    return taken;
  });
  if (unavailable.length > 0) throw notAvailable(unavailable);
};

/** The caller's own live checkouts that hold any of the wanted time. */
export const ordersInTheWay = async (ctx: Context, { offers, draft }: Offers): Promise<Order[]> => {
  const holder = callerRef(ctx.caller);
  const ids = new Set(offers.flatMap(({ time }) => draft.ordersHeldBy(holder, time)));
  const orders = await ctx.table.getAll([...ids].map((order_id) => readOf(OrderEntity, { order_id })));
  return orders.filter((order) => order !== undefined);
};

/** Takes every stay of an order for good, for a holder if any. */
export const takeAll = ({ offers, draft }: Offers, holder?: string): void =>
  claimAll(
    offers.map(({ time }) => time),
    draft,
    (time) => draft.take(time, holder),
  );

/** Holds every stay of an order under its soft lock. */
export const holdAll = (order: Order, draft: CalendarDraft): void => {
  const { order_id, holder, locked_until: until } = order;
  claimAll(order.items, draft, (item) => draft.hold({ ...item, order_id, holder, until }));
};

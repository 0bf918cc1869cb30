import { instantText } from '../../platform/time/clock.ts';
import type { Context } from '../../platform/context.ts';
import { invalid, type ServiceError } from '../../platform/errors.ts';
import type { Read } from '../../platform/table/index.ts';
import { addDays, nightsBetween } from '../../platform/time/time.ts';
import {
  CalendarDraft,
  calendarOf,
  type ListingTime,
  type MonthIds,
  monthsBetween,
  monthSpans,
  readMonths,
  stayTime,
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
  type StayRequest,
} from '../pricing/model.ts';
import { knownCalendars } from './known-calendars.ts';

/** A requested stay with its price and calendar. */
export interface Offer {
  listing: Listing;
  rateCard: RateCard;
  request: StayRequest;
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
  items: readonly StayRequest[];
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
  const months = request.items.flatMap(monthsOf(now, knownCalendars(ctx)));
  requireFewMonths(months);
  const { listings, parts, extras, found } = await readForOffers(ctx, request, months);
  const asked = request.items.map((item, at) => askedStay(request, item, listings[at], parts[at]));
  const quote = quoteOrder({ items: asked, currency: request.currency, now });
  const offers = asked.map((stay, at) => offerOf(stay, quote.items[at]));
  const times = offers.map(({ time }) => time);
  requireFewMonths(times.flatMap((time) => monthSpans(time).map(({ month }) => ({ ...time, month }))));
  const draft = new CalendarDraft(now);
  draft.add(months, found);
  await draft.complete(ctx.table, times);
  return { offers, quote, draft, extras };
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

/**
 * The most calendar months of one order, those of the parents of children included. With ten stays its confirmation and its
 * cancellation then fit into one transaction (97 and 96 of 100 writes). A larger order is refused before anything is
 * written.
 */
const maxMonths = 55;

/** Throws VALIDATION_ERROR for an order that touches too many months. */
const requireFewMonths = (months: readonly MonthIds[]): void => {
  const touched = writtenMonths(months);
  if (touched <= maxMonths) return;
  throw invalid({
    path: 'items',
    message: `touch ${touched} months of calendars; one order takes at most ${maxMonths}`,
  });
};

const readForOffers = async <Extra extends object>(
  ctx: Context,
  { items, extras: further = [] }: OfferRequest<Extra>,
  months: readonly MonthIds[],
) => {
  const priced = items.map(({ listing_id }) => pricingReads(listing_id));
  const [[listings, parts, extras], found] = await Promise.all([
    ctx.table.getGroups([priced.map(([listing]) => listing), priced.map(([, own]) => own), further]),
    readMonths(ctx.table, months),
  ]);
  const known = knownCalendars(ctx);
  for (const listing of listings) if (listing) known.set(listing.id, calendarOf(listing));
  return { listings, parts, extras, found };
};

interface AskedStay {
  item: StayRequest;
  listing: Listing;
  rateCard: RateCard;
}

const askedStay = <Extra extends object>(
  { accepts = isOpenToAll, missing }: OfferRequest<Extra>,
  item: StayRequest,
  listing: Listing | undefined,
  parts: Parameters<typeof rateCardOf>[1],
): AskedStay => {
  if (listing?.state !== 'ACTIVE' || !accepts(listing)) throw missing(item.listing_id);
  return { item, listing, rateCard: rateCardOf(listing, parts) };
};

const offerOf = ({ item, listing, rateCard }: AskedStay, quote: ItemQuote | undefined): Offer => {
  if (!quote) throw new Error(`listing ${listing.id} was not quoted`);
  return { listing, rateCard, request: item, quote, time: stayTime(listing, quote) };
};

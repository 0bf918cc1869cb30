import type { Context } from '../../platform/context.ts';
import type { ServiceError } from '../../platform/errors.ts';
import { CalendarDraft, calendarOf, type ListingTime, monthRead } from '../calendar/index.ts';
import { monthsBetween } from '../calendar/index.ts';
import { listingRead, type Listing } from '../listing/index.ts';
import {
  type CheckoutItem,
  type ItemQuote,
  longestStayNights,
  type OrderQuote,
  type PriceParts,
  pricePartsRead,
  quoteOrder,
  rateCardOf,
} from '../pricing/index.ts';
import { nightsBetween } from '../../platform/time.ts';
import type { TableKey } from '../../platform/table/index.ts';

/** A stay that was asked for, priced, with the calendar that decides about it. */
export interface Offer {
  listing: Listing;
  request: CheckoutItem;
  quote: ItemQuote;
  time: ListingTime;
}

export interface Offers {
  offers: Offer[];
  quote: OrderQuote;
  draft: CalendarDraft;
  /** Further items the caller asked to have read along, in their order. */
  extras: (object | undefined)[];
}

interface Asked {
  items: readonly CheckoutItem[];
  currency?: string | undefined;
  /** Whether the caller may book the listing; ACTIVE ones only in any case. */
  accepts?: (listing: Listing) => boolean;
  /** The refusal of a listing that does not exist for the caller. */
  missing: (listingId: number) => ServiceError;
  extras?: readonly TableKey[];
}

/**
 * Reads everything an order needs in one round trip: the listings, their price parts, and the calendar months, where a
 * listing is taken to have a calendar of its own; only for children of a family a second one follows.
 */
export const loadOffers = async (ctx: Context, asked: Asked): Promise<Offers> => {
  const now = ctx.clock.now();
  const ids = asked.items.map(({ listing_id }) => listing_id);
  const months = asked.items.flatMap(likelyMonths);
  const extras = asked.extras ?? [];
  const found = await ctx.table.getAll([
    ...ids.map(listingRead),
    ...ids.map(pricePartsRead),
    ...months.map(monthRead),
    ...extras.map((key) => ({ key })),
  ]);
  const requests = asked.items.map((item, position) => {
    const listing = found[position] as Listing | undefined;
    if (listing?.state !== 'ACTIVE' || asked.accepts?.(listing) === false)
      throw asked.missing(item.listing_id);
    return {
      item,
      listing,
      rateCard: rateCardOf(listing, found[ids.length + position] as PriceParts | undefined),
    };
  });
  const quote = quoteOrder({ items: requests, currency: asked.currency, now });
  const offers = requests.map(({ item, listing }, position) => offerOf(listing, item, quote.items[position]));
  const draft = new CalendarDraft(now);
  draft.add(months, found.slice(2 * ids.length, 2 * ids.length + months.length));
  await draft.complete(
    ctx.table,
    offers.map(({ time }) => time),
  );
  return { offers, quote, draft, extras: found.slice(2 * ids.length + months.length) };
};

const likelyMonths = ({ listing_id, check_in_date, check_out_date }: CheckoutItem) => {
  const nights = nightsBetween(check_in_date, check_out_date);
  if (nights < 0 || nights > longestStayNights) return [];
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

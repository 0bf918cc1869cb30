import { dueAtBooking, type Order, type OrderItem, thawQuote } from '../booking/model.ts';
import {
  type CheckoutItem,
  type OrderQuote,
  orderQuoteOf,
  type Preview,
  previewOf,
  withoutHostFigures,
} from '../pricing/model.ts';
import type { Offer, Offers } from './load-offers.ts';

/** A requested stay. Without `time`, omitted times match those of the held stay. */
interface RequestedStay {
  request: CheckoutItem;
  time?: { start_at: string; end_at: string };
}

/** Whether an order holds exactly the requested stays, in any order. */
export const holdsExactly = (order: Order, requested: readonly RequestedStay[]): boolean => {
  const left = [...order.items];
  for (const stay of requested) {
    const found = heldStay(left, stay);
    if (!found) return false;
    left.splice(left.indexOf(found), 1);
  }
  return left.length === 0;
};

/**
 * Returns the held stay that equals a requested one in listing, time, guests and extras, whether or not defaults are
 * spelled out (D45).
 */
const heldStay = (items: readonly OrderItem[], requested: RequestedStay): OrderItem | undefined =>
  items.find((item) => isSameRequest(item.request, requested.request)) ??
  items.find((item) => isSameStay(item, requested));

const isSameStay = (item: OrderItem, { request, time }: RequestedStay): boolean => {
  const held = item.request;
  const start = time?.start_at ?? localTime(request.check_in_date, request.check_in_time) ?? item.start_at;
  const end = time?.end_at ?? localTime(request.check_out_date, request.check_out_time) ?? item.end_at;
  return (
    held.listing_id === request.listing_id &&
    item.start_at === start &&
    item.end_at === end &&
    held.guest_number === request.guest_number &&
    (held.children_number ?? 0) === (request.children_number ?? 0) &&
    (held.rooms ?? 1) === (request.rooms ?? 1) &&
    (held.combo_id ?? null) === (request.combo_id ?? null) &&
    idsText(held.extra_service_ids) === idsText(request.extra_service_ids) &&
    (!timesDecidePrice(item) || namesSameTimes(held, request))
  );
};

const localTime = (date: string, time: string | null | undefined): string | undefined =>
  time ? `${date}T${time}` : undefined;

const idsText = (ids: readonly number[] | null | undefined): string => [...(ids ?? [])].sort().join();

/** Whether naming the times changes the price, although they equal the defaults (D33). */
const timesDecidePrice = ({ request, quote }: OrderItem): boolean =>
  request.check_in_date === request.check_out_date || thawQuote(quote).pricing_type === 'night_short';

const namesSameTimes = (one: CheckoutItem, other: CheckoutItem): boolean =>
  Boolean(one.check_in_time) === Boolean(other.check_in_time) &&
  Boolean(one.check_out_time) === Boolean(other.check_out_time);

const isSameRequest = (one: CheckoutItem, other: CheckoutItem): boolean =>
  canonicalText(one) === canonicalText(other);

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** Serialises a request without unset fields, in a fixed order. */
const canonicalText = (request: CheckoutItem): string =>
  JSON.stringify(
    Object.entries(request)
      .filter(([, value]) => value !== null && value !== undefined && !isEmptyList(value))
      .sort(([one], [other]) => one.localeCompare(other)),
  );

/** Returns the price that an order holds (D43). */
export const heldQuote = (order: Order): OrderQuote =>
  orderQuoteOf(
    order.items.map(({ quote }) => thawQuote(quote)),
    order.currency,
  );

/** Returns the held price as a preview, without host figures (D73). */
export const heldPreview = (order: Order): Preview =>
  withoutHostFigures(
    previewOf(
      heldQuote(order),
      order.items.map((item) => ({ available: true, ...dueAtBooking(thawQuote(item.quote).total, item) })),
    ),
  );

/** Returns the offers that no live order holds. */
export const notHeld = ({ offers }: Offers, live: readonly Order[]): Offer[] => {
  const held = live.flatMap(({ items }) => items);
  return offers.filter((offer) => heldStay(held, offer) === undefined);
};

/** Replaces present prices of offers by the prices that live orders hold for the same stays (D43). */
export const atHeldPrices = (loaded: Offers, live: readonly Order[]): Offers => {
  const { currency } = loaded.quote;
  const held = live.filter((order) => order.currency === currency).flatMap(({ items }) => items);
  if (held.length === 0) return loaded;
  const offers = loaded.offers.map((offer) => {
    const item = heldStay(held, offer);
    return item ? { ...offer, quote: thawQuote(item.quote) } : offer;
  });
  const quotes = offers.map(({ quote }) => quote);
  return { ...loaded, offers, quote: orderQuoteOf(quotes, currency) };
};

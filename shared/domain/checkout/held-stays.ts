import { type Order, type OrderItem, thawQuote } from '../booking/model.ts';
import {
  type CheckoutItem,
  type OrderQuote,
  orderQuoteOf,
  type Preview,
  previewOf,
  withoutHostFigures,
} from '../pricing/model.ts';
import type { Offers } from './load-offers.ts';

/** A stay that is asked for; where its hours are not known yet, what the words leave out is as it is held. */
interface AskedStay {
  request: CheckoutItem;
  time?: { start_at: string; end_at: string };
}

/** Whether an order holds what is asked for and nothing else, in any order of the items. */
export const holdsExactly = (order: Order, asked: readonly AskedStay[]): boolean => {
  const left = [...order.items];
  for (const stay of asked) {
    const found = heldStay(left, stay);
    if (!found) return false;
    left.splice(left.indexOf(found), 1);
  }
  return left.length === 0;
};

/** The held stay that is asked for: the same listing, time, guests and extras, whatever the words (D45). */
const heldStay = (items: readonly OrderItem[], asked: AskedStay): OrderItem | undefined =>
  items.find((item) => isSaidAlike(item.request, asked.request)) ?? items.find((item) => isSame(item, asked));

const isSame = (item: OrderItem, { request, time }: AskedStay): boolean => {
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
    (!timesDecidePrice(item) || namesTimesAs(held, request))
  );
};

const localTime = (date: string, time: string | null | undefined): string | undefined =>
  time ? `${date}T${time}` : undefined;

const idsText = (ids: readonly number[] | null | undefined): string => [...(ids ?? [])].sort().join();

/** Where a stay costs something else when its times are named than when they are left out, though they are the same (D33). */
const timesDecidePrice = ({ request, quote }: OrderItem): boolean =>
  request.check_in_date === request.check_out_date || thawQuote(quote).pricing_type === 'night_short';

const namesTimesAs = (one: CheckoutItem, other: CheckoutItem): boolean =>
  Boolean(one.check_in_time) === Boolean(other.check_in_time) &&
  Boolean(one.check_out_time) === Boolean(other.check_out_time);

const isSaidAlike = (one: CheckoutItem, other: CheckoutItem): boolean => saying(one) === saying(other);

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** A request with its unset fields left out and its fields in one order. */
const saying = (request: CheckoutItem): string =>
  JSON.stringify(
    Object.entries(request)
      .filter(([, value]) => value !== null && value !== undefined && !isEmptyList(value))
      .sort(([one], [other]) => one.localeCompare(other)),
  );

/** The price that an order holds (D43). */
export const heldQuote = (order: Order): OrderQuote =>
  orderQuoteOf(
    order.items.map(({ quote }) => thawQuote(quote)),
    order.currency,
  );

/** The held price as a preview; host figures are not for whoever pays (D73). */
export const heldPreview = (order: Order): Preview =>
  withoutHostFigures(
    previewOf(
      heldQuote(order),
      order.items.map(() => true),
    ),
  );

/** Offers with the price of this moment, and with the held one where live orders hold the stay (D43). */
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

import { type Order, thawQuote } from '../booking/index.ts';
import {
  orderQuoteOf,
  type OrderQuote,
  type Preview,
  previewOf,
  withoutHostFigures,
} from '../pricing/index.ts';
import { heldStay } from './held-stay.ts';
import type { Offers } from './load-offers.ts';

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

import { type Order, thawQuote } from '../booking/index.ts';
import {
  type CheckoutItem,
  orderQuoteOf,
  type OrderQuote,
  type Preview,
  previewOf,
  withoutHostFigures,
} from '../pricing/index.ts';

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

/** Whether an order holds exactly what is asked for, in any order of the items. */
export const holdsExactly = (order: Order, items: readonly CheckoutItem[]): boolean =>
  order.items.length === items.length &&
  sameTexts(
    order.items.map(({ request }) => requestText(request)),
    items.map(requestText),
  );

const sameTexts = (some: string[], others: string[]): boolean =>
  some.sort().join('\n') === others.sort().join('\n');

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** A request with its unset fields left out and its fields in one order. */
const requestText = (request: CheckoutItem): string =>
  JSON.stringify(
    Object.entries(request)
      .filter(([, value]) => value !== null && value !== undefined && !isEmptyList(value))
      .sort(([one], [other]) => one.localeCompare(other)),
  );

import { invalid, type Issue } from '../../platform/errors.ts';
import { isPayable, money, sum, toNumber } from '../../platform/money.ts';
import { tryQuoteItem } from './item-quote.ts';
import type { CheckoutItem, ItemQuote, OrderQuote, Preview } from './quote.schema.ts';
import type { RateCard } from './rate-card.ts';

export interface OrderRequest {
  items: readonly { rateCard: RateCard; item: CheckoutItem }[];
  /** The request's currency; absent: that of the first item's listing. */
  currency?: string | undefined;
  /** Epoch milliseconds. */
  now: number;
}

const currencyIssues = ({ listing }: RateCard, currency: string): Issue[] =>
  listing.currency === currency
    ? []
    : [{ path: 'listing_id', message: `is priced in ${listing.currency}, the request in ${currency}` }];

const totalOf = (items: readonly ItemQuote[], amount: (item: ItemQuote) => number | null): number =>
  toNumber(sum(items.map((item) => money(amount(item) ?? 0))));

/** The totals of items that are priced already (D41). */
export const orderQuoteOf = (items: ItemQuote[], currency: string): OrderQuote => ({
  items,
  total_nights: items.reduce((nights, item) => nights + item.nights, 0),
  total_earning: totalOf(items, ({ earning }) => earning),
  total_discount: totalOf(items, ({ total_discount }) => total_discount),
  total_extra_guest_fee: totalOf(items, ({ extra_guest_fee }) => extra_guest_fee),
  total_cleaning_fee: totalOf(items, ({ cleaning_fee }) => cleaning_fee),
  total_extra_services: totalOf(items, ({ extra_services_total }) => extra_services_total),
  total_deposit: totalOf(items, ({ deposit }) => deposit),
  currency,
  estimated_total: totalOf(items, ({ total }) => total),
});

/** Prices a whole order in one currency (D41, D42). Throws VALIDATION_ERROR with the problems of every item at once. */
export const quoteOrder = ({ items, currency: asked, now }: OrderRequest): OrderQuote => {
  const currency = asked ?? items[0]?.rateCard.listing.currency;
  if (currency === undefined) throw invalid({ path: 'items', message: 'must name at least one stay' });
  const quotes: ItemQuote[] = [];
  const issues: Issue[] = [];
  for (const [position, { rateCard, item }] of items.entries()) {
    const result = tryQuoteItem({ rateCard, item, now });
    if (result.quote) quotes.push(result.quote);
    for (const issue of [...currencyIssues(rateCard, currency), ...result.issues])
      issues.push({ ...issue, path: `items[${position}].${issue.path}` });
  }
  if (issues.length > 0) throw invalid(...issues);
  const gross = sum(
    quotes.map(({ total, total_discount, deposit }) => money(total).plus(total_discount).plus(deposit)),
  );
  if (!isPayable(gross, currency))
    throw invalid({ path: 'items', message: 'are too expensive to be written exactly' });
  return orderQuoteOf(quotes, currency);
};

/** The preview's answer: each priced item with whether its time is free, in the same order (D41). */
export const previewOf = (order: OrderQuote, available: readonly boolean[]): Preview => ({
  ...order,
  items: order.items.map((item, position) => ({ ...item, available: available[position] ?? false })),
});

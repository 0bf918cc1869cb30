import { invalid, type Issue } from '../../platform/errors.ts';
import { isPayable, money, sum, toNumber } from '../../platform/money.ts';
import type { StayRequest } from './adjustment.schema.ts';
import type { ItemQuote, OrderQuote, Preview, PreviewedStay } from './quote.schema.ts';
import { tryQuoteItem } from './quote-item.rules.ts';
import type { RateCard } from './rate-card.rules.ts';

interface OrderRequest {
  items: readonly { rateCard: RateCard; item: StayRequest }[];
  /** The request's currency; absent: that of the first listing. */
  currency?: string | undefined;
  /** Epoch milliseconds. */
  now: number;
}

/** Prices a whole order in one currency (D41, D42). Throws VALIDATION_ERROR with the problems of all items. */
export const quoteOrder = (request: OrderRequest): OrderQuote => {
  const { items, now } = request;
  const currency = request.currency ?? items[0]?.rateCard.listing.currency;
  if (currency === undefined) throw invalid({ path: 'items', message: 'must contain at least one stay' });
  const results = items.map(({ rateCard, item }) => tryQuoteItem({ rateCard, item, now }));
  const issues = [
    ...currencyIssues(request, currency),
    ...results.flatMap(({ issues: own }, position) =>
      own.map((issue) =>
        // Adjustments are sent for all stays.
        issue.path.startsWith('adjustments') ? issue : { ...issue, path: `items[${position}].${issue.path}` },
      ),
    ),
  ];
  if (issues.length > 0) throw invalid(...issues);
  const quotes = results.flatMap(({ quote }) => quote ?? []);
  const gross = sum(
    quotes.map(({ total, total_discount, deposit }) => money(total).plus(total_discount).plus(deposit)),
  );
  if (!isPayable(gross, currency))
    throw invalid({ path: 'items', message: 'are too large to be represented exactly' });
  return orderQuoteOf(quotes, currency);
};

/** Returns an issue of `currency` if the request gave one, else of each stay in another currency than the first. */
const currencyIssues = ({ items, currency: requested }: OrderRequest, currency: string): Issue[] =>
  items
    .flatMap(({ rateCard: { listing } }, position) => {
      if (listing.currency === currency) return [];
      const priced = `is priced in ${listing.currency}`;
      return requested === undefined
        ? {
            path: `items[${position}].listing_id`,
            message: `${priced}; one order has one currency, that of its first stay (${currency})`,
          }
        : { path: 'currency', message: `listing ${listing.id} ${priced}` };
    })
    .slice(0, requested === undefined ? items.length : 1);

/** Returns the totals of priced items (D41). */
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

const totalOf = (items: readonly ItemQuote[], amount: (item: ItemQuote) => number | null): number =>
  toNumber(sum(items.map((item) => money(amount(item) ?? 0))));

/** Returns the preview: each priced item with whether its time is free, and what of it is due when, in order (D41, D129). */
export const previewOf = (order: OrderQuote, stays: readonly PreviewedStay[]): Preview => ({
  ...order,
  items: order.items.map((item, position) => ({
    ...item,
    available: false,
    amount_due: item.total,
    balance_due_at: null,
    ...stays[position],
  })),
});

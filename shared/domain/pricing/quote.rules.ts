import { invalid, type Issue } from '../../platform/errors.ts';
import {
  type Amount,
  isPayable,
  isZero,
  larger,
  money,
  roundMoney,
  sum,
  toNumber,
  zero,
} from '../../platform/money.ts';
import { baseLines, stayRule } from './base-price.rules.ts';
import {
  amountOf,
  type ChosenService,
  chosenServices,
  type Fees,
  feesOf,
  type Line,
  quoteLine,
  serviceIssues,
  serviceLine,
  sumOf,
  withoutZeroLines,
} from './charges.rules.ts';
import { type Discounts, discountsOf } from './discounts.rules.ts';
import type { KeepPrice } from './kept-price.rules.ts';
import type { CheckoutItem, ItemQuote, OrderQuote, Preview } from './quote.schema.ts';
import type { RateCard } from './rate-card.rules.ts';
import { resolveStay } from './resolve-stay.rules.ts';
import type { KeptTimes, Stay } from './stay.rules.ts';

interface ItemRequest {
  rateCard: RateCard;
  item: CheckoutItem;
  /** Epoch milliseconds. */
  now: number;
  /** Of a change: keeps what the stay was sold at (D84). */
  keepPrice?: KeepPrice | undefined;
  kept?: KeptTimes | undefined;
}

type ItemResult = { quote: ItemQuote; issues: [] } | { quote: null; issues: Issue[] };

interface PricedItem {
  baseLines: Line[];
  base: Amount;
  discounts: Discounts;
  fees: Fees;
  services: ChosenService[];
  serviceLines: Line[];
}

const priceItem = ({ rateCard, item, now, keepPrice }: ItemRequest, stay: Stay): PricedItem => {
  const { listing } = rateCard;
  const rule = stayRule(rateCard, stay);
  const priced = baseLines(rateCard, stay, rule);
  const anew = { listing, stay, rule, base: sumOf(priced), now };
  const kept = keepPrice?.(priced, anew);
  const lines = kept?.lines ?? priced;
  const services = chosenServices(rateCard, item, stay.nights);
  return {
    baseLines: lines,
    base: sumOf(lines),
    discounts: kept?.discounts ?? discountsOf(anew),
    fees: feesOf(listing, item),
    services,
    serviceLines: services.map((chosen) => serviceLine(chosen, listing.currency)),
  };
};

const totalsOf = ({ base, discounts, fees, serviceLines }: PricedItem) => {
  const discount = sum([discounts.combo, discounts.nightShort, discounts.monthly, discounts.lastMinute]);
  const adults = amountOf(fees.adults);
  const children = amountOf(fees.children);
  const cleaning = amountOf(fees.cleaning);
  const services = sumOf(serviceLines);
  const guests = adults.plus(children);
  const total = larger(zero, base.minus(discount)).plus(guests).plus(cleaning).plus(services);
  return { base, discount, adults, children, guests, cleaning, services, total };
};

/** Returns the request and the derived stay, without prices. */
const stayFields = ({ rateCard: { listing }, item }: ItemRequest, stay: Stay) => ({
  listing_id: listing.id,
  listing_name: listing.name,
  check_in_date: stay.checkInDate,
  check_out_date: stay.checkOutDate,
  start_at: stay.start,
  end_at: stay.end,
  nights: stay.nights,
  hours: stay.hours,
  guest_number: item.guest_number,
  adult_number: item.adult_number ?? null,
  children_number: item.children_number ?? null,
  rooms: item.rooms ?? 1,
  pricing_type: stay.pricingType,
  combo_id: stay.combo?.id ?? null,
});

type Totals = ReturnType<typeof totalsOf>;

const itemQuoteOf = (request: ItemRequest, stay: Stay, priced: PricedItem, totals: Totals): ItemQuote => {
  const { listing } = request.rateCard;
  const { discounts, fees, serviceLines, services } = priced;
  const base = toNumber(totals.base);
  const commission = listing.commission_rate ?? 0;
  const extras = [fees.adults, fees.children, fees.cleaning, ...discounts.lines, ...serviceLines];
  return {
    ...stayFields(request, stay),
    base_price: base,
    combo_price: stay.combo ? toNumber(totals.base.minus(discounts.combo)) : null,
    hourly_price: stay.pricingType === 'hourly' ? base : null,
    daily_price: stay.pricingType === 'daily' ? base : null,
    night_short_discount: toNumber(discounts.nightShort),
    last_minute_discount: toNumber(discounts.lastMinute),
    monthly_discount: toNumber(discounts.monthly),
    total_discount: toNumber(totals.discount),
    extra_guest_fee: toNumber(totals.guests),
    extra_adult_fee: toNumber(totals.adults),
    extra_child_fee: toNumber(totals.children),
    cleaning_fee: toNumber(totals.cleaning),
    extra_services_total: toNumber(totals.services),
    extra_services: services.map(({ service, quantity }) => ({
      id: service.id,
      name: service.service_name,
      price: service.price,
      price_unit: service.price_unit,
      quantity,
    })),
    earning: toNumber(roundMoney(totals.total.times(money(1).minus(commission)), listing.currency)),
    commission_rate: commission,
    deposit: toNumber(roundMoney(listing.security_deposit ?? 0, listing.currency)),
    currency: listing.currency,
    total: toNumber(totals.total),
    lines: [...priced.baseLines, ...withoutZeroLines(extras)].map(quoteLine),
  };
};

/** A missing price is an error; a rule or combo with price 0 is intended. */
const missingPrice = (stay: Stay, { baseLines: lines }: PricedItem): string | undefined => {
  const free = lines.filter(({ source, unitPrice }) => isZero(unitPrice) && !/^(rule|combo):/.test(source));
  if (stay.pricingType === 'hourly') return free.length === lines.length ? 'has no hourly price' : undefined;
  const [first] = free;
  if (!first) return undefined;
  const more = free.length > 1 ? ` and ${free.length - 1} more` : '';
  return `has no price for the ${first.kind} of ${first.date ?? stay.checkInDate}${more}`;
};

type PriceResult = { stay: Stay; priced: PricedItem; totals: Totals } | { stay: null; issues: Issue[] };

const tryPriceItem = (request: ItemRequest): PriceResult => {
  const { stay, issues: stayProblems } = resolveStay(request);
  const issues = [...stayProblems, ...serviceIssues(request.rateCard, request.item)];
  if (stay === null || issues.length > 0) return { stay: null, issues };
  const priced = priceItem(request, stay);
  const missing = missingPrice(stay, priced);
  if (missing !== undefined) return { stay: null, issues: [{ path: 'listing_id', message: missing }] };
  const totals = totalsOf(priced);
  const { currency } = request.rateCard.listing;
  if (![totals.base.plus(totals.discount), totals.total].every((amount) => isPayable(amount, currency)))
    return {
      stay: null,
      issues: [{ path: 'listing_id', message: 'is too large to be represented exactly' }],
    };
  return { stay, priced, totals };
};

/** Prices one item, or returns every reason to refuse it; paths are relative to the item. */
export const tryQuoteItem = (request: ItemRequest): ItemResult => {
  const result = tryPriceItem(request);
  if (result.stay === null) return { quote: null, issues: result.issues };
  return { quote: itemQuoteOf(request, result.stay, result.priced, result.totals), issues: [] };
};

/** Returns the total of {@link tryQuoteItem} alone; null if it refuses. */
export const tryTotalOf = (request: ItemRequest): number | null => {
  const result = tryPriceItem(request);
  return result.stay === null ? null : toNumber(result.totals.total);
};

/** Prices one item (D33–D42). Throws VALIDATION_ERROR with every problem; `path` prefixes each, as in `items[0].`. */
export const quoteItem = ({ path = '', ...request }: ItemRequest & { path?: string }): ItemQuote => {
  const { quote, issues } = tryQuoteItem(request);
  if (quote) return quote;
  throw invalid(...issues.map((issue) => ({ ...issue, path: `${path}${issue.path}` })));
};

interface OrderRequest {
  items: readonly { rateCard: RateCard; item: CheckoutItem }[];
  /** The request's currency; absent: that of the first listing. */
  currency?: string | undefined;
  /** Epoch milliseconds. */
  now: number;
}

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

const totalOf = (items: readonly ItemQuote[], amount: (item: ItemQuote) => number | null): number =>
  toNumber(sum(items.map((item) => money(amount(item) ?? 0))));

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

/** Prices a whole order in one currency (D41, D42). Throws VALIDATION_ERROR with the problems of all items. */
export const quoteOrder = (request: OrderRequest): OrderQuote => {
  const { items, now } = request;
  const currency = request.currency ?? items[0]?.rateCard.listing.currency;
  if (currency === undefined) throw invalid({ path: 'items', message: 'must contain at least one stay' });
  const results = items.map(({ rateCard, item }) => tryQuoteItem({ rateCard, item, now }));
  const issues = [
    ...currencyIssues(request, currency),
    ...results.flatMap(({ issues: own }, position) =>
      own.map((issue) => ({ ...issue, path: `items[${position}].${issue.path}` })),
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

/** Returns the preview: each priced item with whether its time is free, in order (D41). */
export const previewOf = (order: OrderQuote, available: readonly boolean[]): Preview => ({
  ...order,
  items: order.items.map((item, position) => ({ ...item, available: available[position] ?? false })),
});

import { invalid, type Issue } from '../../platform/errors.ts';
import {
  type Amount,
  isPayable,
  isZero,
  larger,
  roundMoney,
  sum,
  toNumber,
  zero,
} from '../../platform/money.ts';
import type { StayRequest } from './adjustment.schema.ts';
import { withAdjustments } from './adjustments.rules.ts';
import { baseLines, stayRule } from './base-price.rules.ts';
import {
  amountOf,
  type ChosenService,
  chosenServices,
  earningOf,
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
import type { ItemQuote } from './quote.schema.ts';
import type { RateCard } from './rate-card.rules.ts';
import { resolveStay } from './resolve-stay.rules.ts';
import type { KeptTimes, Stay } from './stay.rules.ts';

interface ItemRequest {
  rateCard: RateCard;
  item: StayRequest;
  /** Epoch milliseconds. */
  now: number;
  /** Of a change: keeps what the stay was sold at (D84). */
  keepPrice?: KeepPrice | undefined;
  kept?: KeptTimes | undefined;
}

/** Prices one item (D33–D42). Throws VALIDATION_ERROR with every problem; `path` prefixes each, as in `items[0].`. */
export const quoteItem = ({ path = '', ...request }: ItemRequest & { path?: string }): ItemQuote => {
  const { quote, issues } = tryQuoteItem(request);
  if (quote) return quote;
  throw invalid(...issues.map((issue) => ({ ...issue, path: `${path}${issue.path}` })));
};

type ItemResult = { quote: ItemQuote; issues: [] } | { quote: null; issues: Issue[] };

/** Prices one item, or returns every reason to refuse it; paths are relative to the item. */
export const tryQuoteItem = (request: ItemRequest): ItemResult => {
  const result = tryPriceItem(request);
  if (result.stay === null) return { quote: null, issues: result.issues };
  const priced = itemQuoteOf(request, result.stay, result.priced, result.totals);
  const { quote, issues } = withAdjustments(priced, request.item.adjustments);
  return issues.length > 0 ? { quote: null, issues } : { quote, issues: [] };
};

/** Returns the total of {@link tryQuoteItem} alone; null if it refuses. */
export const tryTotalOf = (request: ItemRequest): number | null => {
  const result = tryPriceItem(request);
  return result.stay === null ? null : toNumber(result.totals.total);
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
    fees: feesOf(listing, item, stay),
    services,
    serviceLines: services.map((chosen) => serviceLine(chosen, listing.currency)),
  };
};

type Totals = ReturnType<typeof totalsOf>;

const totalsOf = ({ base, discounts, fees, serviceLines }: PricedItem) => {
  const discount = sum([discounts.combo, discounts.nightShort, discounts.monthly, discounts.lastMinute]);
  const adults = amountOf(fees.adults);
  const children = amountOf(fees.children);
  const cleaning = amountOf(fees.cleaning);
  const early = amountOf(fees.earlyCheckIn);
  const late = amountOf(fees.lateCheckOut);
  const services = sumOf(serviceLines);
  const guests = adults.plus(children);
  const total = sum([larger(zero, base.minus(discount)), guests, cleaning, early, late, services]);
  return { base, discount, adults, children, guests, cleaning, early, late, services, total };
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

const itemQuoteOf = (request: ItemRequest, stay: Stay, priced: PricedItem, totals: Totals): ItemQuote => {
  const { listing } = request.rateCard;
  const { discounts, fees, serviceLines, services } = priced;
  const base = toNumber(totals.base);
  const commission = listing.commission_rate ?? 0;
  const extras = [...Object.values<Line>({ ...fees }), ...discounts.lines, ...serviceLines];
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
    early_check_in_fee: toNumber(totals.early),
    late_check_out_fee: toNumber(totals.late),
    extra_services_total: toNumber(totals.services),
    extra_services: services.map(({ service, quantity }) => ({
      id: service.id,
      name: service.service_name,
      price: service.price,
      price_unit: service.price_unit,
      quantity,
    })),
    earning: earningOf(totals.total, commission, listing.currency),
    commission_rate: commission,
    deposit: toNumber(roundMoney(listing.security_deposit ?? 0, listing.currency)),
    currency: listing.currency,
    total: toNumber(totals.total),
    lines: [...priced.baseLines, ...withoutZeroLines(extras)].map(quoteLine),
  };
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

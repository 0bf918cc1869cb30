import { invalid, type Issue } from '../../platform/errors.ts';
import {
  isPayable,
  larger,
  money,
  roundMoney,
  sum,
  toNumber,
  zero,
  type Amount,
} from '../../platform/money.ts';
import { baseLines, stayRule } from './base-price.ts';
import { discountsOf, type Discounts } from './discounts.ts';
import { feesOf, type Fees } from './fees.ts';
import { amountOf, quoteLine, sumOf, withoutNothing, type Line } from './lines.ts';
import type { CheckoutItem, ItemQuote } from './quote.schema.ts';
import type { RateCard } from './rate-card.ts';
import { chosenServices, serviceIssues, serviceLine, type ChosenService } from './services.ts';
import { resolveStay, type Stay } from './stay.ts';

export interface ItemRequest {
  rateCard: RateCard;
  item: CheckoutItem;
  /** Epoch milliseconds. */
  now: number;
}

export type ItemResult = { quote: ItemQuote; issues: [] } | { quote: null; issues: Issue[] };

interface Priced {
  baseLines: Line[];
  base: Amount;
  discounts: Discounts;
  fees: Fees;
  services: ChosenService[];
  serviceLines: Line[];
}

const priceParts = ({ rateCard, item, now }: ItemRequest, stay: Stay): Priced => {
  const { listing } = rateCard;
  const rule = stayRule(rateCard, stay);
  const lines = baseLines(rateCard, stay, rule);
  const base = sumOf(lines);
  const services = chosenServices(rateCard, item, stay.nights);
  return {
    baseLines: lines,
    base,
    discounts: discountsOf({ listing, stay, rule, base, now }),
    fees: feesOf(listing, item),
    services,
    serviceLines: services.map((chosen) => serviceLine(chosen, listing.currency)),
  };
};

const totalsOf = ({ base, discounts, fees, serviceLines }: Priced) => {
  const discount = sum([discounts.combo, discounts.nightShort, discounts.monthly, discounts.lastMinute]);
  const adults = amountOf(fees.adults);
  const children = amountOf(fees.children);
  const cleaning = amountOf(fees.cleaning);
  const services = sumOf(serviceLines);
  const guests = adults.plus(children);
  const total = larger(zero, base.minus(discount)).plus(guests).plus(cleaning).plus(services);
  return { base, discount, adults, children, guests, cleaning, services, total };
};

/** What the guest asked for and what comes of it, before any money. */
const describe = ({ rateCard: { listing }, item }: ItemRequest, stay: Stay) => ({
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

const writeDown = (request: ItemRequest, stay: Stay, priced: Priced, totals: Totals): ItemQuote => {
  const { listing } = request.rateCard;
  const { discounts, fees, serviceLines, services } = priced;
  const base = toNumber(totals.base);
  const commission = listing.commission_rate ?? 0;
  const extras = [fees.adults, fees.children, fees.cleaning, ...discounts.lines, ...serviceLines];
  return {
    ...describe(request, stay),
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
    lines: [...priced.baseLines, ...withoutNothing(extras)].map(quoteLine),
  };
};

/** What the listing states no price for is not given away; a rule or a combo of 0 is meant so. */
const missingPrice = (stay: Stay, { baseLines: lines }: Priced): string | undefined => {
  const free = lines.filter(({ source, unitPrice }) => unitPrice.eq(0) && !/^(rule|combo):/.test(source));
  if (stay.pricingType === 'hourly') return free.length === lines.length ? 'has no hourly price' : undefined;
  const [first] = free;
  if (!first) return undefined;
  const more = free.length > 1 ? ` and ${free.length - 1} more` : '';
  return `has no price for the ${first.kind} of ${first.date ?? stay.checkInDate}${more}`;
};

/** Prices one item, or says every reason why not; paths are relative to the item. */
export const tryQuoteItem = (request: ItemRequest): ItemResult => {
  const { stay, issues: stayProblems } = resolveStay(request);
  const issues = [...stayProblems, ...serviceIssues(request.rateCard, request.item)];
  if (stay === null || issues.length > 0) return { quote: null, issues };
  const priced = priceParts(request, stay);
  const missing = missingPrice(stay, priced);
  if (missing !== undefined) return { quote: null, issues: [{ path: 'listing_id', message: missing }] };
  const totals = totalsOf(priced);
  const { currency } = request.rateCard.listing;
  if (![totals.base.plus(totals.discount), totals.total].every((amount) => isPayable(amount, currency)))
    return {
      quote: null,
      issues: [{ path: 'listing_id', message: 'is too expensive to be written exactly' }],
    };
  return { quote: writeDown(request, stay, priced, totals), issues: [] };
};

/** Prices one item (D33–D42). Throws VALIDATION_ERROR with every problem; `path` is put before each, as in `items[0].`. */
export const quoteItem = ({ path = '', ...request }: ItemRequest & { path?: string }): ItemQuote => {
  const { quote, issues } = tryQuoteItem(request);
  if (quote) return quote;
  throw invalid(...issues.map((issue) => ({ ...issue, path: `${path}${issue.path}` })));
};

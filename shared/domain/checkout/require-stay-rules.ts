import { callerRef } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { addDays, atTime } from '../../platform/time/time.ts';
import { CalendarDraft, type ListingTime, stayTime } from '../calendar/model.ts';
import type { Listing } from '../listing/model.ts';
import {
  type BrokenRule,
  brokenRules,
  type CheckoutItem,
  isStayAllowed,
  type ItemQuote,
  limitedStay,
  limitsOf,
  type NearestStay,
  type RateCard,
  type StayLimits,
  tryQuoteItem,
} from '../pricing/model.ts';
import { loadOffers, type OfferRequest, type Offers } from './load-offers.ts';

/** Stays are offered instead that begin up to so many days before and after a refused one. */
const nearestDays = 14;
const nearestStays = 3;

/** A requested stay with its price. */
interface Asked {
  listing: Listing;
  rateCard: RateCard;
  request: CheckoutItem;
  quote: ItemQuote;
  time: ListingTime;
}

interface Refused extends Asked {
  limits: StayLimits;
  reasons: BrokenRule[];
}

/** Returns the stays that the rules of their listings refuse (D78), with the reasons. */
export const refusedStays = <Stay extends Asked>(
  { clock }: Pick<Context, 'clock'>,
  stays: readonly Stay[],
): (Stay & Refused)[] =>
  stays.flatMap((stay) => {
    const { listing, stayRules } = stay.rateCard;
    if (stayRules === undefined) return [];
    const limits = limitsOf(stayRules);
    const limited = limitedStay(listing.timezone, stay.quote, clock.now());
    const reasons = brokenRules(listing.id, limits, limited);
    return reasons.length > 0 ? [{ ...stay, limits, reasons }] : [];
  });

/**
 * Throws STAY_NOT_ALLOWED if the rules of a listing refuse a stay (D78), with the reasons and, for each refused stay, up to 3
 * of the same length that are priced, allowed, and free beside the other stays of the order. Calendars are read only then.
 */
export const requireAllowed = async (ctx: Context, stays: readonly Asked[]): Promise<void> => {
  const refused = refusedStays(ctx, stays);
  if (refused.length === 0) return;
  const isRefused = new Set(refused.map(({ time }) => time));
  const others = stays.map(({ time }) => time).filter((time) => !isRefused.has(time));
  const draft = await CalendarDraft.load(ctx.table, [...others, ...refused.map(nearbyTime)], ctx.clock.now());
  for (const time of others) if (draft.taken(time).length === 0) draft.take(time);
  throw await notAllowed(ctx, refused, draft);
};

/** Returns STAY_NOT_ALLOWED for refused stays, with stays that are free in the draft. */
export const notAllowed = async (
  ctx: Context,
  refused: readonly Refused[],
  draft: CalendarDraft,
): Promise<ServiceError> => {
  await draft.complete(ctx.table, refused.map(nearbyTime));
  const nearest = refused.flatMap((stay) => nearestOf(ctx, stay, draft));
  return new ServiceError('STAY_NOT_ALLOWED', undefined, {
    reasons: refused.flatMap(({ reasons }) => reasons),
    // Two refused stays of one listing may have the same stay near.
    nearest: [...new Map(nearest.map((stay) => [Object.values(stay).join(), stay])).values()],
  });
};

/** Returns the time of all stays that may be offered. */
const nearbyTime = ({ time, request }: Asked): ListingTime => ({
  ...time,
  start_at: atTime(addDays(request.check_in_date, -nearestDays), '00:00:00'),
  end_at: atTime(addDays(request.check_out_date, nearestDays + 1), '00:00:00'),
});

/** The nearest first, the later one before the earlier. */
const offsets = Array.from({ length: nearestDays }, (_, at) => [at + 1, -at - 1]).flat();

const nearestOf = (ctx: Context, stay: Refused, draft: CalendarDraft): NearestStay[] => {
  const found: NearestStay[] = [];
  for (const days of offsets) {
    if (found.length === nearestStays) break;
    const quote = allowedQuote(stay, days, ctx.clock.now());
    if (!quote) continue;
    const { listing_id, check_in_date, check_out_date } = quote;
    if (draft.taken(stayTime(stay.listing, quote), ownHolder(ctx)).length > 0) continue;
    found.push({ listing_id, check_in_date, check_out_date });
  }
  return found;
};

/** A customer's own hold is replaced by the next one; a key holds for many guests. */
const ownHolder = ({ caller }: Context): string | undefined =>
  caller.kind === 'user' ? callerRef(caller) : undefined;

/** Returns the price of a stay some days later, if the rules take it. Rules of dates are cheaper to ask than a price. */
const allowedQuote = (
  { rateCard, limits, request, quote: asked }: Refused,
  days: number,
  now: number,
): ItemQuote | undefined => {
  const item = {
    ...request,
    check_in_date: addDays(request.check_in_date, days),
    check_out_date: addDays(request.check_out_date, days),
  };
  const { timezone } = rateCard.listing;
  const sameTime = asked.start_at.slice(10);
  const shifted = limitedStay(timezone, { ...item, start_at: item.check_in_date + sameTime }, now);
  if (!isStayAllowed(limits, { ...shifted, beginsIn: Infinity })) return undefined;
  const { quote } = tryQuoteItem({ rateCard, item, now });
  return quote && isStayAllowed(limits, limitedStay(timezone, quote, now)) ? quote : undefined;
};

/** The same as {@link loadOffers}. Throws STAY_NOT_ALLOWED for stays that the listings' rules refuse. */
export const loadAllowedOffers = async <Extra extends object>(
  ctx: Context,
  request: OfferRequest<Extra>,
): Promise<Offers<Extra>> => {
  const loaded = await loadOffers(ctx, request);
  await requireAllowed(ctx, loaded.offers);
  return loaded;
};

import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { addDays } from '../../platform/time.ts';
import { CalendarDraft, calendarOf, type ListingTime } from '../calendar/model.ts';
import type { Listing } from '../listing/model.ts';
import {
  type BrokenRule,
  brokenRules,
  type CheckoutItem,
  type ItemQuote,
  limitedStay,
  limitsOf,
  type NearestStay,
  type RateCard,
  tryQuoteItem,
} from '../pricing/model.ts';

/** What is looked at besides a refused stay: stays that begin up to so many days before and after it. */
const nearestDays = 14;
const nearestStays = 3;

/** A requested stay with its price. */
interface Asked {
  listing: Listing;
  rateCard: RateCard;
  request: CheckoutItem;
  quote: ItemQuote;
}

/**
 * Throws STAY_NOT_ALLOWED if the rules of a listing do not take a stay (D78), with the reasons and, for each refused stay,
 * up to 3 of the same length that are priced, allowed and free. Calendars are read only then.
 */
export const requireAllowed = async (ctx: Context, stays: readonly Asked[]): Promise<void> => {
  const now = ctx.clock.now();
  const reasons = stays.map(({ rateCard, quote }) => brokenBy(rateCard, quote, now));
  const refused = stays.filter((_, at) => (reasons[at] ?? []).length > 0);
  if (refused.length === 0) return;
  const candidates = refused.map((stay) => candidatesOf(stay, now));
  const draft = await CalendarDraft.load(ctx.table, candidates.flatMap(wholeTime), now);
  const nearest = candidates.flatMap((some) =>
    some.filter(({ time }) => draft.taken(time).length === 0).slice(0, nearestStays),
  );
  throw new ServiceError('STAY_NOT_ALLOWED', undefined, {
    reasons: reasons.flat(),
    nearest: nearest.map(({ stay }) => stay),
  });
};

const brokenBy = ({ listing, stayRules }: RateCard, quote: ItemQuote, now: number): BrokenRule[] =>
  stayRules === undefined
    ? []
    : brokenRules(listing.id, limitsOf(stayRules), limitedStay(listing.timezone, quote, now));

interface Candidate {
  stay: NearestStay;
  time: ListingTime;
}

/** Returns the stays of the same length that price and rules take, the nearest first, the later one before the earlier. */
const candidatesOf = ({ listing, rateCard, request }: Asked, now: number): Candidate[] =>
  offsets.flatMap((days) => {
    const item = shifted(request, days);
    const { quote } = tryQuoteItem({ rateCard, item, now });
    if (!quote || brokenBy(rateCard, quote, now).length > 0) return [];
    const { listing_id, check_in_date, check_out_date, start_at, end_at } = quote;
    const time = { calendar_id: calendarOf(listing), listing_id, start_at, end_at };
    return [{ stay: { listing_id, check_in_date, check_out_date }, time }];
  });

const offsets = Array.from({ length: nearestDays }, (_, at) => [at + 1, -at - 1]).flat();

const shifted = (item: CheckoutItem, days: number): CheckoutItem => ({
  ...item,
  check_in_date: addDays(item.check_in_date, days),
  check_out_date: addDays(item.check_out_date, days),
});

/** Returns the time from the first to the last of the candidates; none without candidates. */
const wholeTime = (candidates: readonly Candidate[]): ListingTime[] => {
  const [first] = candidates;
  if (!first) return [];
  const times = candidates.map(({ time }) => time);
  return [
    {
      ...first.time,
      start_at: times.map(({ start_at }) => start_at).reduce((one, other) => (other < one ? other : one)),
      end_at: times.map(({ end_at }) => end_at).reduce((one, other) => (other > one ? other : one)),
    },
  ];
};

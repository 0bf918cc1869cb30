import type { Context } from '../../platform/context.ts';
import { invalid, ServiceError } from '../../platform/errors.ts';
import { money, toNumber } from '../../platform/money.ts';
import { addDays, nightsBetween, today } from '../../platform/time/time.ts';
import { heldTimes, type Reservation } from '../booking/model.ts';
import { CalendarDraft, type ListingTime, stayTime } from '../calendar/model.ts';
import type { Listing } from '../listing/model.ts';
import {
  bookableDaysAhead,
  type CheckoutItem,
  limitsOf,
  maxStayNights,
  pricingReads,
  quoteItem,
  type RateCard,
  rateCardOf,
  soldAt,
  type StayRequest,
} from '../pricing/model.ts';
import type { ChangeRequest } from './change.schema.ts';
import { brokenByChange, changedRequest, keptTimes } from './change.rules.ts';
import { type FoundStay, isByHost, type StayAccess } from './find-changeable.ts';
import { atKeptPrice, withIds } from './plan-adjustment.ts';
import type { PlannedChange } from './planned-change.ts';
import { notAllowed } from './require-stay-rules.ts';

/** How a caller reaches bookings, and the listings to which they can be moved. */
export interface ChangeAccess extends StayAccess {
  /** Whether the caller may take new time at a listing of the stay's team. */
  mayBook: (listing: Listing) => boolean;
  listingMissing: () => ServiceError;
}

/**
 * Prices a change and reads the calendars that it needs, in one round trip, or two for another listing. Throws
 * VALIDATION_ERROR for a stay that the listing does not offer and STAY_NOT_ALLOWED for one that its rules refuse, unless
 * they are overridden.
 */
export const planChange = async (
  ctx: Context,
  stay: FoundStay,
  asked: ChangeRequest,
  access: ChangeAccess,
): Promise<PlannedChange> => {
  const { before, item, sold, pending } = stay;
  const held = pending ? heldTimes(pending) : [];
  const now = ctx.clock.now();
  const soldStay = { request: item.request, quote: sold };
  const changed = {
    ...changedRequest(soldStay, asked),
    ...(asked.adjustments ? { adjustments: withIds(ctx, stay, asked.adjustments) } : {}),
  };
  const draft = new CalendarDraft(now);
  const [[listing, parts]] = await Promise.all([
    ctx.table.getAll(pricingReads(changed.listing_id)),
    draft.complete(ctx.table, [before, ...held, ...likelyTime(before, changed, now)]),
  ]);
  if (listing?.team_id !== before.team_id) throw access.listingMissing();
  requireTerms(before, listing);
  const rateCard = rateCardOf(listing, parts);
  const isSame = listing.id === before.listing_id;
  const priced = (given: StayRequest) =>
    quoteItem({
      rateCard,
      item: given,
      now,
      ...(isSame ? { keepPrice: soldAt(sold), kept: keptTimes(soldStay, given, asked) } : {}),
    });
  const { request, quote } =
    asked.price === 'KEEP'
      ? atKeptPrice(ctx, changed, priced, sold)
      : { request: changed, quote: priced(changed) };
  const isPrepared = isSame && quote.end_at === before.end_at;
  // The preparation after an end that stays is as it was booked (D77).
  const time = stayTime(
    isPrepared ? { ...listing, preparation_hours: before.preparation_hours ?? 0 } : listing,
    quote,
  );
  const isWithin = isSame && quote.start_at >= before.start_at && quote.end_at <= before.end_at;
  if (!isWithin && !(listing.state === 'ACTIVE' && access.mayBook(listing))) throw access.listingMissing();
  requireAcceptance(ctx, before, listing);
  await draft.complete(ctx.table, [time]);
  for (const hold of held) draft.releaseHold(hold);
  const difference = toNumber(money(quote.total).minus(sold.total));
  const planned = { ...stay, home: listing, request, quote, time, difference, draft };
  if (asked.override_rules !== true) await requireAllowedChange(ctx, planned, { listing, rateCard });
  return planned;
};

/** Returns the time that is read before the price is known; none for dates that pricing refuses. */
const likelyTime = (
  { listing_id, calendar_id, timezone }: Reservation,
  request: CheckoutItem,
  now: number,
): ListingTime[] => {
  const { check_in_date: from, check_out_date: to } = request;
  const nights = nightsBetween(from, to);
  const farthest = addDays(today(now, timezone), bookableDaysAhead + 1);
  if (request.listing_id !== listing_id || nights < 0 || nights > maxStayNights || from > farthest) return [];
  return [{ calendar_id, listing_id, start_at: `${from}T00:00:00`, end_at: `${addDays(to, 1)}T00:00:00` }];
};

/** Throws VALIDATION_ERROR for another home that is not sold like the booking. */
const requireTerms = ({ listing_id, currency, payment_method }: Reservation, listing: Listing): void => {
  const path = 'listing_id';
  if (listing.currency !== currency)
    throw invalid({ path, message: `is priced in ${listing.currency}; the booking is in ${currency}` });
  if (listing.id === listing_id || (listing.payment_methods?.includes(payment_method) ?? true)) return;
  throw invalid({ path, message: `accepts ${listing.payment_methods?.join(', ')}; not ${payment_method}` });
};

/**
 * Throws INVALID_STATE_TRANSITION where a guest or partner moves a confirmed stay to a home whose host accepts each booking: that
 * host has not (D86). A stay that waits for its host waits there too.
 */
const requireAcceptance = (ctx: Context, before: Reservation, listing: Listing): void => {
  const isSame = listing.id === before.listing_id;
  if (isSame || listing.instant_book_enabled || before.state === 'PENDING' || isByHost(ctx, before)) return;
  throw new ServiceError(
    'INVALID_STATE_TRANSITION',
    'The host of this home accepts each booking: ask the host to move the stay.',
    { state: before.state },
  );
};

const requireAllowedChange = async (
  ctx: Context,
  planned: PlannedChange,
  offered: { listing: Listing; rateCard: RateCard },
): Promise<void> => {
  const { sold, quote, draft } = planned;
  const { rateCard } = offered;
  const reasons = brokenByChange(sold, quote, rateCard, ctx.clock.now());
  if (reasons.length === 0 || rateCard.stayRules === undefined) return;
  const refused = { ...planned, ...offered, limits: limitsOf(rateCard.stayRules), reasons };
  throw await notAllowed(ctx, [refused], draft);
};

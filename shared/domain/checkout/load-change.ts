import { hasPermission } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { invalid, ServiceError } from '../../platform/errors.ts';
import { isOrderId, orderIdOf } from '../../platform/ids.ts';
import { money, toNumber } from '../../platform/money.ts';
import { readOf } from '../../platform/table/index.ts';
import { addDays, nightsBetween, today } from '../../platform/time/time.ts';
import { heldOrder } from '../booking/index.ts';
import {
  cancellationDeadline,
  findOrder,
  type FoundOrder,
  freezeQuote,
  freezeTerms,
  heldTimes,
  type Order,
  OrderEntity,
  type OrderItem,
  type Reservation,
  termsOf,
  thawQuote,
} from '../booking/model.ts';
import { CalendarDraft, type ListingTime, preparationOf, stayTime } from '../calendar/model.ts';
import { notAllowed } from './require-stay-rules.ts';
import type { Listing } from '../listing/model.ts';
import { type Payment, PaymentEntity } from '../payment/model.ts';
import {
  adjusted,
  type Adjustment,
  bookableDaysAhead,
  type CheckoutItem,
  type ItemQuote,
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
import {
  brokenByChange,
  changedRequest,
  keptTimes,
  requireChangeable,
  requireChargeable,
  requireNoHostFields,
  requireOwnPrice,
} from './change.rules.ts';

/** How a caller reaches bookings. */
export interface StayAccess {
  sees: (stay: Reservation) => boolean;
  /** Whether the caller may change a stay that it sees. */
  mayChange: (stay: Reservation) => boolean;
  mayNotChange: () => ServiceError;
  bookingMissing: () => ServiceError;
}

/** How a caller reaches bookings, and the listings to which they can be moved. */
export interface ChangeAccess extends StayAccess {
  /** Whether the caller may take new time at a listing of the stay's team. */
  mayBook: (listing: Listing) => boolean;
  listingMissing: () => ServiceError;
}

/** An order that has stays. */
interface BookedOrder extends FoundOrder {
  order: Order;
}

/** A stay as it is booked. */
export interface FoundStay {
  found: BookedOrder;
  before: Reservation;
  item: OrderItem;
  sold: ItemQuote;
  /** The order of an earlier change that still waits for its payment; this one takes its place. */
  pending: Order | undefined;
  /** The payment of that. */
  pendingPayment: Payment | undefined;
}

/** A change of a stay, priced, with the calendars of its present and its new time. */
export interface PlannedChange extends FoundStay {
  home: Pick<Listing, 'id' | 'name' | 'timezone'>;
  request: StayRequest;
  quote: ItemQuote;
  time: ListingTime;
  /** What it costs more. */
  difference: number;
  /** As it is now, without what the earlier change holds. */
  draft: CalendarDraft;
}

/** Reads the stay of a booking id, which must be one that the caller may change now. */
export const findChangeable = async (
  ctx: Context,
  bookingId: number,
  asked: ChangeRequest,
  access: StayAccess,
): Promise<FoundStay> => {
  const { order, ...found } = await findOrder(ctx.table, orderIdOf(bookingId));
  const stays = found.reservations.filter(
    (stay) => (isOrderId(bookingId) || stay.reservation_id === bookingId) && access.sees(stay),
  );
  const [before] = stays;
  if (order?.state !== 'BOOKED' || !before) throw access.bookingMissing();
  if (!stays.every(access.mayChange)) throw access.mayNotChange();
  if (stays.length > 1)
    throw invalid({
      path: 'booking_id',
      message: `names an order of ${stays.length} stays; change each by its own id`,
    });
  requireChangeable(before, asked);
  requireChargeable(before, asked);
  requireOwnPrice(before, asked);
  if (!isByHost(ctx, before)) requireNoHostFields(asked);
  requireTime(ctx, before);
  const item = order.items.find(({ reservation_id }) => reservation_id === before.reservation_id);
  if (!item) throw new Error(`the order of ${before.reservation_id} does not have it`);
  const pending = await pendingOf(ctx, before);
  return { found: { ...found, order }, before, item, sold: thawQuote(item.quote), ...pending };
};

const pendingOf = async (
  ctx: Context,
  { pending_change: id }: Reservation,
): Promise<Pick<FoundStay, 'pending' | 'pendingPayment'>> => {
  if (id === undefined) return { pending: undefined, pendingPayment: undefined };
  const [[order], [payment]] = await ctx.table.getGroups([
    [readOf(OrderEntity, { order_id: id })],
    [readOf(PaymentEntity, { payment_id: id })],
  ]);
  return { pending: heldOrder(order), pendingPayment: payment };
};

/** Whether the caller changes a stay as its host. */
export const isByHost = ({ caller }: Pick<Context, 'caller'>, { team_id }: Reservation): boolean =>
  hasPermission(caller, 'manage', team_id);

/**
 * Throws INVALID_STATE_TRANSITION after the end of the payment window, which ends no stay in house, and for a guest or partner
 * after the deadline of a full refund: a change may not give more than a cancellation.
 */
const requireTime = (ctx: Context, before: Reservation): void => {
  const now = ctx.clock.now();
  const isUnpaid = before.payment_status === 'PENDING' && before.state !== 'CHECKED_IN';
  if (isUnpaid && (before.pay_until ?? Infinity) <= now)
    throw new ServiceError('INVALID_STATE_TRANSITION', 'The time to pay for the booking has ended.');
  if (isByHost(ctx, before)) return;
  const deadline = cancellationDeadline(before);
  if (deadline !== null && now <= Date.parse(deadline)) return;
  throw new ServiceError(
    'INVALID_STATE_TRANSITION',
    'A guest can change a booking until the end of its free cancellation; ask the host.',
    { state: before.state, cancellation_deadline: deadline },
  );
};

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
  const changed = changedRequest(soldStay, asked);
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
      ? atKeptPrice(changed, priced, sold)
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

/** Returns a request with its price, which is that of before by an adjustment, whatever the stay would cost (D121). */
const atKeptPrice = (
  { adjustments = [], ...changed }: StayRequest,
  priced: (request: StayRequest) => ItemQuote,
  sold: ItemQuote,
): Pick<PlannedChange, 'request' | 'quote'> => {
  const others = adjustments.filter(({ reason }) => reason !== 'RELOCATION');
  const quote = priced({ ...changed, adjustments: others });
  const amount = toNumber(money(sold.total).minus(quote.total));
  const kept = { label: 'Price kept', amount, reason: 'RELOCATION' as const };
  const request = { ...changed, adjustments: amount === 0 ? others : [...others, kept] };
  return { request, quote: adjusted(quote, request.adjustments) };
};

/** Returns a change of the price alone: the stay is neither priced nor taken anew, and no calendar is read (D121). */
export const planAdjustment = (
  { clock }: Context,
  stay: FoundStay,
  adjustments: Adjustment[],
): PlannedChange => {
  const { before, item, sold } = stay;
  const quote = adjusted(sold, adjustments);
  return {
    ...stay,
    home: { id: before.listing_id, name: before.listing_name, timezone: before.timezone },
    request: { ...item.request, adjustments },
    quote,
    time: before,
    difference: toNumber(money(quote.total).minus(sold.total)),
    draft: new CalendarDraft(clock.now()),
  };
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

/** Returns the stay in its order as it will be, by the terms that it was booked with. */
export const changedItem = ({ item, home, time, request, quote }: PlannedChange): OrderItem => {
  const { preparation_hours: _, ...unprepared } = item;
  return {
    ...unprepared,
    ...preparationOf(time),
    listing_id: home.id,
    listing_name: home.name,
    calendar_id: time.calendar_id,
    timezone: home.timezone,
    start_at: quote.start_at,
    end_at: quote.end_at,
    ...freezeTerms(termsOf(item), quote),
    request,
    quote: freezeQuote(quote),
  };
};

import { isDeepStrictEqual } from 'node:util';
import { invalid, ServiceError } from '../../platform/errors.ts';
import { datesBetween, dayNumber, nightsBetween } from '../../platform/time/time.ts';
import {
  adjustableStates,
  changeableStates,
  changeStateRefusal,
  type Reservation,
} from '../booking/model.ts';
import { type ListingTime, wholeHours } from '../calendar/model.ts';
import { isPaidToPartner, paidFor } from '../folio/model.ts';
import {
  type BrokenRule,
  brokenRules,
  type CheckoutItem,
  type ItemQuote,
  type KeptTimes,
  limitedStay,
  limitOn,
  limitsOf,
  type RateCard,
  type StayRequest,
} from '../pricing/model.ts';
import type { ChangeRequest } from './change.schema.ts';
import { requirePlatformPrice } from './platform-price.rules.ts';

const stayFields = [
  'check_in_date',
  'check_out_date',
  'check_in_time',
  'check_out_time',
  'listing_id',
  'guest_number',
  'adult_number',
  'children_number',
  'extra_service_ids',
] as const satisfies (keyof ChangeRequest)[];

const departureFields: readonly string[] = ['check_out_date', 'check_out_time'];

const fieldsNamed = (asked: ChangeRequest) => stayFields.filter((field) => asked[field] !== undefined);

/** Whether only the price is adjusted (D121), or is another at the platform (D120): the stay itself is as it was. */
export const isPriceAlone = (asked: ChangeRequest): boolean =>
  (asked.adjustments ?? asked.total_price) !== undefined && fieldsNamed(asked).length === 0;

/**
 * Throws INVALID_STATE_TRANSITION for a stay that does not allow the change: after check-in only the check-out may change, and
 * after the check-out only adjustments. Throws VALIDATION_ERROR for a request that changes nothing, or keeps a price that it
 * adjusts.
 */
export const requireChangeable = ({ state }: Pick<Reservation, 'state'>, asked: ChangeRequest): void => {
  const named = fieldsNamed(asked);
  if (named.length === 0 && !isPriceAlone(asked))
    throw invalid({ path: 'body', message: `must name what changes: one of ${stayFields.join(', ')}` });
  if (asked.price !== undefined && asked.adjustments !== undefined)
    throw invalid({ path: 'price', message: 'is not allowed with adjustments' });
  const states = isPriceAlone(asked) ? adjustableStates : changeableStates;
  const refusal = changeStateRefusal(state, states);
  if (refusal) throw refusal;
  if (state === 'CHECKED_IN' && named.some((field) => !departureFields.includes(field)))
    throw new ServiceError(
      'INVALID_STATE_TRANSITION',
      'Of a booking that is CHECKED_IN only the check-out can be changed; another home or arrival needs its check-in undone.',
      { state, allowed_from: states.filter((one) => one !== 'CHECKED_IN') },
    );
};

/** Throws VALIDATION_ERROR for a price of a platform that has not sold the stay, or beside another change. */
export const requirePlatforms = (
  { payment_method, currency }: Pick<Reservation, 'payment_method' | 'currency'>,
  asked: ChangeRequest,
): void => {
  const { total_price, adjustments, price } = asked;
  if (total_price === undefined) return;
  const path = 'total_price';
  if (payment_method !== 'PLATFORM')
    throw invalid({ path, message: 'is allowed only with payment_method PLATFORM' });
  if (fieldsNamed(asked).length > 0 || adjustments !== undefined || price !== undefined)
    throw invalid({ path, message: 'is not allowed with another change' });
  requirePlatformPrice(total_price, currency);
};

/** Throws VALIDATION_ERROR for a token that no gateway would be asked to charge. */
export const requireChargeable = (
  stay: Pick<Reservation, 'payment_method' | 'payment_status' | 'total' | 'postings'>,
  { payment_gateway_token: token, charge_later }: ChangeRequest,
): void => {
  if (token === undefined) return;
  const path = 'payment_gateway_token';
  if (stay.payment_method !== 'ONLINE_GATEWAY')
    throw invalid({ path, message: 'is allowed only with payment_method ONLINE_GATEWAY' });
  if (isPaidToPartner(stay))
    throw invalid({ path, message: 'is not allowed: the partner collects the price of the booking' });
  if (stay.payment_status !== 'PAID' && paidFor(stay) === 0)
    throw invalid({
      path,
      message: 'is not allowed: the booking is not paid yet, and its payment_url is for what it costs now',
    });
  if (charge_later) throw invalid({ path, message: 'is not allowed with charge_later' });
};

/** Throws INVALID_STATE_TRANSITION where a host asks for another price of a stay of which a partner collects it (D121). */
export const requireOwnPrice = (stay: Reservation, { adjustments, price }: ChangeRequest): void => {
  if ((adjustments !== undefined || price !== undefined) && isPaidToPartner(stay))
    throw new ServiceError('INVALID_STATE_TRANSITION', 'A partner has collected the price of the booking.', {
      state: stay.state,
    });
};

/** Throws VALIDATION_ERROR for what only a host may ask for. */
export const requireNoHostFields = (asked: ChangeRequest): void => {
  const issues = (
    ['charge_later', 'override_rules', 'adjustments', 'price', 'total_price', 'as_credit'] as const
  )
    .filter((field) => asked[field] !== undefined && asked[field] !== false)
    .map((path) => ({ path, message: 'can be sent by a host of the booking' }));
  if (issues.length > 0) throw invalid(...issues);
};

/** A booked stay: its request and its frozen price. */
interface SoldStay {
  request: StayRequest;
  quote: ItemQuote;
}

type Party = Pick<CheckoutItem, 'guest_number' | 'adult_number' | 'children_number'>;

/** Returns the party after a change; the adults are those guests who are not children, where their number is known. */
const partyOf = (request: Party, asked: ChangeRequest): Party => {
  const children = asked.children_number ?? request.children_number;
  const adultsBefore = request.adult_number ?? null;
  const adults = asked.adult_number ?? (asked.guest_number === undefined ? adultsBefore : null);
  const isCounted = asked.adult_number !== undefined || asked.children_number !== undefined;
  const guests =
    asked.guest_number ?? (isCounted && adults !== null ? adults + (children ?? 0) : request.guest_number);
  const others = guests - (children ?? 0);
  return {
    guest_number: guests,
    adult_number: adults ?? (adultsBefore === null || others < 0 ? null : others),
    children_number: children ?? null,
  };
};

/** Returns what a changed stay asks for: what the change does not name is as it was booked. */
export const changedRequest = ({ request }: SoldStay, asked: ChangeRequest): StayRequest => {
  const listingId = asked.listing_id ?? request.listing_id;
  const dates = {
    check_in_date: asked.check_in_date ?? request.check_in_date,
    check_out_date: asked.check_out_date ?? request.check_out_date,
  };
  const isSameListing = listingId === request.listing_id;
  const keepsTimes =
    isSameKind(request, dates) && (isSameListing || request.check_in_date === request.check_out_date);
  const timeOf = (wanted: string | null | undefined, booked: string | null | undefined) =>
    wanted === undefined && keepsTimes ? booked : (wanted ?? null);
  return {
    ...(request.adjustments === undefined ? {} : { adjustments: request.adjustments }),
    listing_id: listingId,
    ...dates,
    check_in_time: timeOf(asked.check_in_time, request.check_in_time),
    check_out_time: timeOf(asked.check_out_time, request.check_out_time),
    ...partyOf(request, asked),
    rooms: request.rooms,
    // Combos and services belong to their listing.
    combo_id: isSameListing ? request.combo_id : null,
    extra_service_ids: asked.extra_service_ids ?? (isSameListing ? request.extra_service_ids : null),
  };
};

/** Whether two requests ask for the same stay. */
export const isSameRequest = (one: StayRequest, other: StayRequest): boolean =>
  isDeepStrictEqual(one.adjustments ?? [], other.adjustments ?? []) &&
  stayFields.every((field) => textOf(one[field]) === textOf(other[field]));

const textOf = (value: unknown): string => JSON.stringify(value ?? null);

type Dates = Pick<CheckoutItem, 'check_in_date' | 'check_out_date'>;

/** Whether both are overnight, or both day use. */
const isSameKind = (one: Dates, other: Dates): boolean =>
  nightsBetween(one.check_in_date, one.check_out_date) > 0 ===
  nightsBetween(other.check_in_date, other.check_out_date) > 0;

/** Returns the times that stay as they were booked, although the listing's own may have changed since. */
export const keptTimes = ({ quote }: SoldStay, request: CheckoutItem, asked: ChangeRequest): KeptTimes => {
  if (quote.listing_id !== request.listing_id || !isSameKind(quote, request)) return {};
  const keepsStart = asked.check_in_time === undefined && quote.check_in_date === request.check_in_date;
  const keepsEnd = asked.check_out_time === undefined && quote.check_out_date === request.check_out_date;
  return {
    ...(keepsStart ? { start: quote.start_at } : {}),
    ...(keepsEnd ? { end: quote.end_at } : {}),
  };
};

const arrivalRules: readonly BrokenRule['rule'][] = [
  'closed_to_arrival',
  'min_notice_hours',
  'booking_window_days',
];

/**
 * Returns the stay rules that a changed stay breaks (D78). They bind what changes: another arrival, departure or length, and
 * nights that it did not have.
 */
export const brokenByChange = (
  sold: ItemQuote,
  quote: ItemQuote,
  { listing, stayRules }: RateCard,
  now: number,
): BrokenRule[] => {
  const isSame = sold.listing_id === quote.listing_id;
  const keepsArrival = isSame && sold.check_in_date === quote.check_in_date;
  const keepsDeparture = isSame && sold.check_out_date === quote.check_out_date;
  if (stayRules === undefined || (keepsArrival && keepsDeparture)) return [];
  const limits = limitsOf(stayRules);
  const isNew = (date: string): boolean =>
    !isSame || date < sold.check_in_date || date >= sold.check_out_date;
  const closed = datesBetween(quote.check_in_date, quote.check_out_date).find(
    (date) => isNew(date) && limitOn(limits, 'closed', dayNumber(date)) === 1,
  );
  const broken = brokenRules(listing.id, limits, limitedStay(listing.timezone, quote, now)).filter(
    ({ rule }) =>
      rule !== 'closed' &&
      !(keepsArrival && arrivalRules.includes(rule)) &&
      !(keepsDeparture && rule === 'closed_to_departure'),
  );
  return closed === undefined
    ? broken
    : [...broken, { listing_id: listing.id, rule: 'closed', date: closed, allowed: true }];
};

/** Returns the whole hours of a changed stay that it does not have yet: before it, after it, or all of them. */
export const hoursBeyond = (
  before: ListingTime,
  { calendar_id, listing_id, ...time }: ListingTime,
): ListingTime[] => {
  const has = wholeHours(before);
  const wanted = wholeHours(time);
  const isSame = before.calendar_id === calendar_id && before.listing_id === listing_id;
  const parts = isSame
    ? [
        { ...wanted, end_at: earlier(wanted.end_at, has.start_at) },
        { ...wanted, start_at: later(wanted.start_at, has.end_at) },
      ]
    : [wanted];
  return parts
    .filter(({ start_at, end_at }) => start_at < end_at)
    .map((part) => ({ calendar_id, listing_id, ...part }));
};

const earlier = (one: string, other: string): string => (one < other ? one : other);
const later = (one: string, other: string): string => (one < other ? other : one);

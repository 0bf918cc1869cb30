import { createHash } from 'node:crypto';
import type { PartnerCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { invalid, type Issue, ServiceError } from '../../platform/errors.ts';
import { ConflictError, create, retryOnConflict, type Write } from '../../platform/table/index.ts';
import { nightsBetween } from '../../platform/time.ts';
import { type BookingTerms, bookOrder, payUrlOf, presentBooking } from '../booking/index.ts';
import { type Booking, type ExternalBookingRequest, findBooking } from '../booking/model.ts';
import { createPayment } from '../payment/model.ts';
import { guestLanguage, type Language, teamRead } from '../people/model.ts';
import { type CheckoutItem, previewOf, withoutHostFigures } from '../pricing/model.ts';
import { type ExternalReference, ExternalReferenceEntity } from './checkout.store.ts';
import { draftOrder } from './draft-order.ts';
import { loadOffers, type Offers, takeAll } from './load-offers.ts';
import { sessionOf } from './pay-online.ts';
import { requireExpectedTotal, requireMethod } from './refusals.ts';

interface ExternallyBooked {
  booking: Booking;
  /** False if the same external id was booked before with the same content (D52). */
  created: boolean;
}

/**
 * Books a stay for a partner's guest (D52), priced and validated like a checkout item. The external id is unique for the
 * key: repeating the request returns the first booking, other content is EXTERNAL_BOOKING_ID_CONFLICT.
 */
export const bookExternally = (
  ctx: Context<PartnerCaller>,
  request: ExternalBookingRequest,
): Promise<ExternallyBooked> => {
  requireConsistent(request);
  const reference = referenceOf(ctx.caller, request);
  return retryOnConflict(async () => {
    const before = reference && (await ctx.table.get(ExternalReferenceEntity, reference));
    if (reference && before) return { booking: await bookedBefore(ctx, reference, before), created: false };
    try {
      return { booking: await book(ctx, request, reference), created: true };
    } catch (error) {
      // A concurrent repetition of this request may have taken the time.
      const concurrent = reference && (await ctx.table.get(ExternalReferenceEntity, reference));
      if (reference && concurrent && error instanceof ServiceError)
        throw new ConflictError('ExternalReference');
      throw error;
    }
  });
};

const book = async (
  ctx: Context<PartnerCaller>,
  request: ExternalBookingRequest,
  reference: Omit<ExternalReference, 'reservation_id'> | undefined,
): Promise<Booking> => {
  const { language, ...loaded } = await offerOf(ctx, request);
  takeAll(loaded);
  requireExpectedTotal(request.expected_total, () => withoutHostFigures(previewOf(loaded.quote, [true])));
  const held = draftOrder(ctx, loaded, ctx.clock.now());
  requireMethod(request.payment_method, held);
  const terms = termsOf(ctx.caller, request, language);
  const payment = isPaidHere(terms) ? await sessionOf(ctx, held) : undefined;
  const until = payment ? { pay_until: payment.ends_at } : {};
  const { reservations, writes } = bookOrder(ctx, held, { ...terms, ...until }, { isNew: true });
  const [reservation] = reservations;
  if (!reservation) throw new Error('an external booking must have one stay');
  const remembered: Write[] = reference
    ? [create(ExternalReferenceEntity, { ...reference, reservation_id: reservation.reservation_id })]
    : [];
  const payments = payment ? createPayment(ctx, payment) : [];
  return ctx.commit([...remembered, ...writes, ...payments, ...loaded.draft.writes()], {
    ...presentBooking(reservation),
    ...(payment ? { payment_url: payment.url } : {}),
  });
};

/** Whether the guest pays through our gateway: not if the partner has collected the money (D16). */
const isPaidHere = ({ payment_method, payment_status }: BookingTerms): boolean =>
  payment_method === 'ONLINE_GATEWAY' && payment_status === 'PENDING';

/**
 * Prices the stay and finds the language of its guest; issues use the field names of this request. Its team is not known
 * yet, so all teams of the key are read.
 */
const offerOf = async (
  ctx: Context<PartnerCaller>,
  request: ExternalBookingRequest,
): Promise<Offers & { language: Language }> => {
  const { language } = request.guest_info;
  const { team_ids } = ctx.caller;
  try {
    const loaded = await loadOffers(ctx, {
      items: [itemOf(request)],
      accepts: (listing) => team_ids.includes(listing.team_id),
      missing: () => new ServiceError('EXTERNAL_LISTING_NOT_ACCESSIBLE'),
      extras: language === undefined ? team_ids.map(teamRead) : [],
    });
    const position = team_ids.indexOf(loaded.offers[0]?.listing.team_id ?? 0);
    return {
      ...loaded,
      language: language ?? guestLanguage(loaded.extras[position]),
    };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'VALIDATION_ERROR') throw error;
    const issues = error.details['issues'] as Issue[];
    throw invalid(...issues.map(({ path, message }) => ({ path: path.replace('items[0].', ''), message })));
  }
};

const requireConsistent = (request: ExternalBookingRequest): void => {
  if (request.external_system !== undefined && request.external_booking_id === undefined) {
    throw new ServiceError('EXTERNAL_BOOKING_ID_REQUIRED');
  }
  const nights = nightsBetween(request.check_in_date, request.check_out_date);
  // Dates in the wrong order are refused by name, with the other problems of the stay.
  if (nights >= 0 && nights !== request.nights)
    throw invalid({ path: 'nights', message: `does not match the dates, which have ${nights} nights` });
};

const itemOf = ({
  listing_id,
  check_in_date,
  check_out_date,
  guest_number,
  ...rest
}: ExternalBookingRequest): CheckoutItem => ({
  listing_id,
  check_in_date,
  check_out_date,
  guest_number,
  check_in_time: rest.check_in_time,
  check_out_time: rest.check_out_time,
  adult_number: rest.adult_number,
  children_number: rest.children_number,
  combo_id: rest.combo_id,
  extra_service_ids: rest.extra_service_ids,
});

const termsOf = (
  caller: PartnerCaller,
  { guest_info, ...request }: ExternalBookingRequest,
  language: Language,
): BookingTerms => ({
  guest: {
    user_id: null,
    ...guest_info,
    language,
    note: request.note,
    arrival_time: request.arrival_time,
  },
  payment_method: request.payment_method,
  payment_status: caller.collects_payment ? 'PAID' : 'PENDING',
  external: {
    key_id: caller.key_id,
    external_system: request.external_system ?? null,
    external_booking_id: request.external_booking_id ?? null,
  },
});

const referenceOf = (
  { key_id }: PartnerCaller,
  { external_system, external_booking_id, ...content }: ExternalBookingRequest,
): Omit<ExternalReference, 'reservation_id'> | undefined => {
  if (external_booking_id === undefined) return undefined;
  const fingerprint = createHash('sha256').update(JSON.stringify(content)).digest('base64url');
  return { key_id, external_system: external_system ?? null, external_booking_id, fingerprint };
};

const bookedBefore = async (
  ctx: Context<PartnerCaller>,
  asked: Omit<ExternalReference, 'reservation_id'>,
  before: ExternalReference,
): Promise<Booking> => {
  const found = await findBooking(ctx.table, before.reservation_id);
  const reservation = found?.reservations[0];
  if (!reservation || before.fingerprint !== asked.fingerprint) {
    throw new ServiceError('EXTERNAL_BOOKING_ID_CONFLICT', undefined, { booking_id: before.reservation_id });
  }
  const paymentUrl = payUrlOf(ctx.clock, found, [reservation]);
  return { ...presentBooking(reservation), ...(paymentUrl === null ? {} : { payment_url: paymentUrl }) };
};

import { createHash } from 'node:crypto';
import type { PartnerCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { invalid, ServiceError } from '../../platform/errors.ts';
import { ConflictError, create, readOf, retryOnConflict, type Write } from '../../platform/table/index.ts';
import { nightsBetween } from '../../platform/time/time.ts';
import { type BookingTerms, bookOrder, openPageOf, presentBooking, presentOrder } from '../booking/index.ts';
import {
  type ExternalBookingRequest,
  type ExternallyBooked,
  ExternalStay,
  findBooking,
  namesOneStay,
  type Reservation,
} from '../booking/model.ts';
import { createPayment } from '../payment/model.ts';
import type { Language } from '../people/model.ts';
import { type ExternalReference, ExternalReferenceEntity } from './checkout.store.ts';
import { sessionOf } from './pay-online.ts';
import { quoteReads, requireQuote } from './quote.store.ts';
import { keyListings, requireFitting, requireMethod } from './refusals.ts';
import { languageReads, type TakenOrder, takeQuoted, takeStays } from './take-external-order.ts';

interface Outcome {
  booking: ExternallyBooked;
  /** False if the same external id was booked before with the same content (D52). */
  created: boolean;
}

/**
 * Books for a partner's guest (D52, D92): a single stay, an order of several, or what was quoted. Everything is priced and
 * validated like a checkout; a held quote is booked at its held price. The external id is unique for the key: repeating
 * the request returns the first booking, other content is EXTERNAL_BOOKING_ID_CONFLICT.
 */
export const bookExternally = (
  ctx: Context<PartnerCaller>,
  request: ExternalBookingRequest,
): Promise<Outcome> => {
  requireConsistent(request);
  const reference = referenceOf(ctx.caller, request);
  return retryOnConflict(async () => {
    const { before, take } = await readFirst(ctx, request, reference);
    if (reference && before)
      return { booking: await bookedBefore(ctx, request, reference, before), created: false };
    try {
      return { booking: await book(ctx, request, await take(), reference), created: true };
    } catch (error) {
      // A concurrent repetition of this request may have taken the time.
      const concurrent = reference && (await ctx.table.get(ExternalReferenceEntity, reference));
      if (reference && concurrent && error instanceof ServiceError)
        throw new ConflictError('ExternalReference');
      throw error;
    }
  });
};

/** An external id with the request that it stands beside. */
type Reference = Omit<ExternalReference, 'reservation_id'>;

interface First {
  /** What was booked before under the external id. */
  before: ExternalReference | undefined;
  take: () => Promise<TakenOrder>;
}

/** Reads what was booked under the external id; of a quote everything else too, in the same round trip. */
const readFirst = async (
  ctx: Context<PartnerCaller>,
  request: ExternalBookingRequest,
  reference: Reference | undefined,
): Promise<First> => {
  if (request.quote_id === undefined) {
    const before = reference && (await ctx.table.get(ExternalReferenceEntity, reference));
    return { before, take: () => takeStays(ctx, request) };
  }
  const [quotes, orders, [before], teams] = await ctx.table.getGroups([
    ...quoteReads(request.quote_id),
    reference ? [readOf(ExternalReferenceEntity, reference)] : [],
    languageReads(ctx.caller, request),
  ]);
  return {
    before,
    take: () => takeQuoted(ctx, request, requireQuote(ctx.caller, quotes, orders), teams),
  };
};

const book = async (
  ctx: Context<PartnerCaller>,
  request: ExternalBookingRequest,
  { order: held, isNew, calendar, language }: TakenOrder,
  reference: Reference | undefined,
): Promise<ExternallyBooked> => {
  requireMethod(request.payment_method, held);
  const terms = termsOf(ctx.caller, request, language);
  const payment = isPaidHere(terms) ? await sessionOf(ctx, held) : undefined;
  const until = payment ? { pay_until: payment.ends_at } : {};
  const { reservations, writes } = bookOrder(ctx, held, { ...terms, ...until }, { isNew });
  const booked = present(request, reservations, payment?.url ?? null);
  const remembered: Write[] = reference
    ? [create(ExternalReferenceEntity, { ...reference, reservation_id: booked.id })]
    : [];
  const payments = payment ? createPayment(ctx, payment) : [];
  return ctx.commit(requireFitting([...remembered, ...writes, ...payments, ...calendar]), booked);
};

/** Returns a single stay as a booking, anything else as an order. */
const present = (
  request: ExternalBookingRequest,
  reservations: readonly Reservation[],
  payUrl: string | null,
): ExternallyBooked => {
  const [first] = reservations;
  if (!first) throw new Error('an external booking must have a stay');
  const url = payUrl === null ? {} : { payment_url: payUrl };
  return namesOneStay(request)
    ? { ...presentBooking(first), ...url }
    : { ...presentOrder(first, reservations), ...url };
};

/** Whether the guest pays through our gateway: not if the partner has collected the money (D16). */
const isPaidHere = ({ payment_method, payment_status }: BookingTerms): boolean =>
  payment_method === 'ONLINE_GATEWAY' && payment_status === 'PENDING';

const requireConsistent = (request: ExternalBookingRequest): void => {
  if (request.external_system !== undefined && request.external_booking_id === undefined) {
    throw new ServiceError('EXTERNAL_BOOKING_ID_REQUIRED');
  }
  if (!namesOneStay(request)) return;
  const stay = ExternalStay.parse(request);
  const nights = nightsBetween(stay.check_in_date, stay.check_out_date);
  // Dates in the wrong order are refused by name, with the other problems of the stay.
  if (nights >= 0 && nights !== stay.nights)
    throw invalid({ path: 'nights', message: `does not match the dates, which have ${nights} nights` });
};

const termsOf = (
  caller: PartnerCaller,
  { guest_info, ...request }: ExternalBookingRequest,
  language: Language,
): BookingTerms => ({
  guest: {
    user_id: null,
    ...guest_info,
    email: guest_info.email ?? '',
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
    ...(caller.guest_links === false ? { guest_links: false } : {}),
  },
});

const referenceOf = (
  { key_id }: PartnerCaller,
  { external_system, external_booking_id, ...content }: ExternalBookingRequest,
): Reference | undefined => {
  if (external_booking_id === undefined) return undefined;
  const fingerprint = createHash('sha256').update(JSON.stringify(content)).digest('base64url');
  return { key_id, external_system: external_system ?? null, external_booking_id, fingerprint };
};

const bookedBefore = async (
  ctx: Context<PartnerCaller>,
  request: ExternalBookingRequest,
  asked: Reference,
  before: ExternalReference,
): Promise<ExternallyBooked> => {
  const found = await findBooking(ctx.table, before.reservation_id);
  if (!found || before.fingerprint !== asked.fingerprint) {
    throw new ServiceError('EXTERNAL_BOOKING_ID_CONFLICT', undefined, { booking_id: before.reservation_id });
  }
  const { accepts, missing } = keyListings(ctx.caller);
  if (!found.reservations.every(accepts)) throw missing();
  return present(
    request,
    found.reservations,
    openPageOf(ctx.clock.now(), found, found.reservations)?.url ?? null,
  );
};

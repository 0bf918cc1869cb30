import { instantText } from '../../platform/time/clock.ts';
import type { PartnerCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { orderPartition } from '../../platform/ids.ts';
import { all, change, equals, present, retryOnConflict, type Write } from '../../platform/table/index.ts';
import { recordEvent } from '../../record-event.ts';
import type { BookingDetail } from './booking.schema.ts';
import { bookingEventData, type FoundBooking, requireOneTransaction } from './booking.store.ts';
import { accessibleBooking, otherKeyRefusal } from './external-bookings.ts';
import { sameLink } from './guest-link.ts';
import {
  correctedGuest,
  correctedLink,
  type Corrector,
  correctionRefusal,
  correctorOf,
  fieldRefusal,
  givenOf,
} from './guest-correction.rules.ts';
import type { GuestCorrection, GuestField } from './guest-correction.schema.ts';
import { OrderEntity } from './order.entity.ts';
import { presentDetail } from './present-booking.ts';
import { visibleBooking } from './read-bookings.ts';
import { type Reservation, ReservationEntity } from './reservation.entity.ts';

/**
 * Corrects the guest of a booking, or of every stay of a master, by a host or the guest (D146). Only what is given and differs is
 * written; of two at once each has the fields that it gives, the later one of the same field.
 */
export const correctGuest = (
  ctx: Context,
  bookingId: number,
  request: GuestCorrection,
): Promise<BookingDetail> =>
  retryOnConflict(async () => {
    const found = await visibleBooking(ctx, bookingId);
    return correct(ctx, bookingId, found, request, correctorOf(ctx.caller, found.reservations));
  });

/** Corrects the guest of a booking that the caller's own key made. */
export const correctExternalGuest = (
  ctx: Context<PartnerCaller>,
  bookingId: number,
  request: GuestCorrection,
): Promise<BookingDetail> =>
  retryOnConflict(async () => {
    const found = await accessibleBooking(ctx, bookingId);
    const refusal = otherKeyRefusal(ctx, found, 'correct it; a host can correct it too');
    if (refusal) throw refusal;
    return correct(ctx, bookingId, found, request, 'key');
  });

const correct = async (
  ctx: Context,
  bookingId: number,
  { reservations, ...rest }: FoundBooking,
  request: GuestCorrection,
  by: Corrector,
): Promise<BookingDetail> => {
  const given = givenOf(request);
  const refusal =
    correctionRefusal(reservations, by, ctx.clock.now()) ?? fieldRefusal(given, reservations, by);
  if (refusal) throw refusal;
  const corrected = reservations.map((stay) => correctedStay(ctx, stay, given));
  const found = { ...rest, reservations: corrected.map(({ after }) => after) };
  const writes = [...corrected.flatMap((one) => one.writes), ...orderWrites(rest.order, corrected)];
  return ctx.commit(requireOneTransaction(writes, 'correct'), await presentDetail(ctx, bookingId, found));
};

interface CorrectedStay {
  after: Reservation;
  writes: Write[];
}

const correctedStay = (
  ctx: Context,
  before: Reservation,
  given: ReturnType<typeof givenOf>,
): CorrectedStay => {
  const { guest, fields } = correctedGuest(before.guest, given);
  if (fields.length === 0) return { after: before, writes: [] };
  const link = correctedLink(before, fields);
  const set = {
    guest,
    ...(link === undefined ? {} : { guest_link: link }),
    updated_at: instantText(ctx.clock.now()),
  };
  const after: Reservation = { ...before, ...set };
  const when = all(equals('state', before.state), equals('guest', before.guest), sameLink(before));
  return {
    after,
    writes: [change(ReservationEntity, before, { set }, { when }), correctedEvent(ctx, after, fields)],
  };
};

const correctedEvent = (ctx: Context, stay: Reservation, fields: GuestField[]): Write =>
  recordEvent(ctx, {
    subject: orderPartition(stay.order_id),
    event_type: 'booking.guest_updated',
    team_id: stay.team_id,
    data: { ...bookingEventData(stay), fields },
  });

/** An order has the guest of its first stay, by which a person is found who has no account. */
const orderWrites = (order: FoundBooking['order'], corrected: readonly CorrectedStay[]): Write[] => {
  const [first] = order.items;
  const stay = corrected.find(({ after }) => after.reservation_id === first?.reservation_id);
  if (!stay || stay.writes.length === 0) return [];
  return [change(OrderEntity, order, { set: { guest: stay.after.guest } }, { when: present() })];
};

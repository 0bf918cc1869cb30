import { callerRef, roleRefused } from '../../platform/auth.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Context } from '../../platform/context.ts';
import { toInstant } from '../../platform/time/time.ts';
import { all, change, equals, put, remove, retryOnConflict, type Write } from '../../platform/table/index.ts';
import { type AvailabilityEntry, AvailabilityEntryEntity, CalendarDraft } from '../calendar/model.ts';
import { scheduleReconciliation, scheduleRefunds } from '../payment/model.ts';
import { listingRead } from '../listing/model.ts';
import { accessOf, accessOpens } from './access-info.rules.ts';
import { type Reservation, ReservationEntity } from './reservation.entity.ts';
import {
  announcedRefund,
  endedFields,
  type PostedRefund,
  postRefunds,
  refundAt,
  refundOf,
} from './refund.rules.ts';
import {
  bookingMoves,
  isAuthorised,
  isOfPlatform,
  managedElsewhere,
  mayMove,
  type Refusal,
  unchangedSince,
} from './booking.rules.ts';
import { timeEvent } from './change-reservation.ts';
import type { CancelledBooking, Refund } from './booking.schema.ts';
import { emitBookingEvent, type FoundBooking, postedBy, requireOneTransaction } from './booking.store.ts';
import { reschedule } from './due-booking.store.ts';
import { releasedHold, releaseHoldWrites } from './post-deposit.ts';
import { presentDetail } from './present-booking.ts';
import { emitRefundElsewhere } from './refund-elsewhere.ts';
import { isGuestOf } from './guest-link.rules.ts';
import { visibleBooking } from './read-bookings.ts';
import { mayEnd, moveRefusal } from './stay-refusals.rules.ts';

/** A reservation before and after its cancellation, with the refund. */
interface Cancellation extends PostedRefund {
  changed: Partial<Reservation>;
  after: Reservation;
}

/**
 * Cancels a booking, or every open stay of a master (D48, D49), and frees its time in the same transaction. A guest is
 * refunded by the frozen terms; a cancellation by the host refunds in full. Throws INVALID_STATE_TRANSITION if no stay is
 * open.
 */
export const cancelBooking = (ctx: Context, bookingId: number, reason?: string): Promise<CancelledBooking> =>
  retryOnConflict(async () => {
    const found = await visibleBooking(ctx, bookingId);
    const refusal = cancelRefusal(ctx, found);
    if (refusal) throw refusal;
    const { writes, cancelled, refund } = await cancelReservations(ctx, found, reason);
    const detail = await presentDetail(ctx, bookingId, cancelled);
    // Partners have no event of such a stay itself.
    const freed = found.reservations.filter((stay) => isOfPlatform(stay) && mayMove(stay.state, 'cancel'));
    const events = freed.map((stay) => timeEvent(ctx, stay, callerRef(ctx.caller)));
    return ctx.commit(requireOneTransaction([...writes, ...events], 'cancel'), { ...detail, refund });
  });

/** Returns the stays that a cancellation would end. */
export const cancellableStays = ({ reservations }: FoundBooking): Reservation[] =>
  reservations.filter(({ state }) => mayMove(state, 'cancel'));

/** Returns the error that the caller gets who is neither the guest nor a manager of each team, and for stays that others lead. */
export const cancelRefusal = ({ caller }: Pick<Context, 'caller'>, { reservations }: FoundBooking): Refusal =>
  reservations.every((stay) => mayEnd(caller, stay)) ? managedElsewhere(reservations) : roleRefused();

/** How bookings are cancelled. */
type Cancelling = 'cancel' | 'decline';

type Deps = Pick<Context, 'table' | 'clock' | 'caller'>;

/**
 * Returns the writes that cancel or decline the open reservations, and the booking afterwards; `isLapse`: because they were not paid
 * in time, refunded as if the guest had cancelled; a transfer that comes late may restore them (D130). With `block` the time of a single stay is not free: its entry becomes this block of the followed calendar (D120).
 */
export const cancelReservations = async (
  ctx: Deps,
  found: FoundBooking,
  reason: string | undefined,
  {
    move = 'cancel',
    isLapse = false,
    block,
  }: { move?: Cancelling; isLapse?: boolean; block?: AvailabilityEntry } = {},
): Promise<{ writes: Write[]; cancelled: FoundBooking; refund: Refund }> => {
  const { reservations } = found;
  const open = reservations.filter(({ state }) => mayMove(state, move));
  const refusal = moveRefusal(reservations, move, ctx.clock.now());
  if (refusal) throw refusal;
  const refunds = open.map((before) => ({
    before,
    // Who declines does so as the host.
    refund: refundAt(before, ctx.clock.now(), isLapse || (move === 'cancel' && isByGuest(ctx, before))),
  }));
  const { posted, requests } = postRefunds(refunds, { kind: 'cancel', reason, posted: postedBy(ctx) });
  const cancellations = posted.map((refund) => cancellationOf(ctx, refund, { reason, move, isLapse }));
  const shown = await shownAccess(ctx, open);
  const freed = block ? [] : open;
  const draft = await CalendarDraft.load(ctx.table, freed, ctx.clock.now());
  for (const reservation of freed) draft.free(reservation);
  const after = new Map(
    cancellations.map((cancellation) => [cancellation.before.reservation_id, cancellation.after]),
  );
  return {
    writes: [
      ...cancellations.flatMap((cancellation) =>
        cancelWrites(ctx, cancellation, {
          ...{ reason, move, block },
          isShown: shown.has(cancellation.before),
        }),
      ),
      ...draft.writes(),
      // Their events follow when the gateway has made them (D48).
      ...scheduleRefunds(ctx, requests),
      ...voidAuthorisationWrites(ctx, open),
    ],
    cancelled: { ...found, reservations: reservations.map((stay) => after.get(stay.reservation_id) ?? stay) },
    refund: refundOf(cancellations),
  };
};

/** Returns the stays whose guests could read Wi-Fi and door code (D109). Reads only where the time for it has come. */
const shownAccess = async (ctx: Deps, stays: readonly Reservation[]): Promise<Set<Reservation>> => {
  const now = ctx.clock.now();
  const opened = stays.filter((stay) => now >= accessOpens(stay));
  if (opened.length === 0) return new Set();
  const listings = await ctx.table.getAll(opened.map(({ listing_id }) => listingRead(listing_id)));
  return new Set(
    opened.filter((stay, at) => {
      const listing = listings[at];
      return listing !== undefined && accessOf(listing, stay, now)?.state === 'SHOWN';
    }),
  );
};

const cancellationOf = (
  ctx: Deps,
  refund: PostedRefund,
  { reason, move, isLapse }: { reason: string | undefined; move: Cancelling; isLapse: boolean },
): Cancellation => {
  const { before } = refund;
  const { state, payment_method, start_at, timezone } = before;
  const isAwaited = isLapse && state === 'CONFIRMED' && payment_method === 'BANK_TRANSFER';
  const checkIn = toInstant(start_at, timezone);
  const changed = {
    state: bookingMoves[move].to,
    ...endedFields(refund),
    // A guest who cancels later may have been there.
    ...(isLapse || ctx.clock.now() < checkIn ? releasedHold(before) : {}),
    updated_at: instantText(ctx.clock.now()),
    ...(reason === undefined ? {} : { cancel_reason: reason }),
    ...(isAwaited ? { lapsed_at: ctx.clock.now() } : {}),
  };
  return { ...refund, changed, after: { ...before, ...changed } };
};

/** Whether the caller cancels on behalf of the guest: the guest or the partner. */
export const isByGuest = (ctx: Pick<Context, 'caller'>, stay: Reservation): boolean =>
  isGuestOf(ctx, stay) || ctx.caller.kind === 'partner';

/** Returns the writes that have the authorisations of cancelled stays released at the gateway (D86), those of deposits too. */
const voidAuthorisationWrites = ({ clock }: Deps, open: readonly Reservation[]): Write[] => [
  ...open
    .filter(isAuthorised)
    .map(({ reservation_id }) => scheduleReconciliation(reservation_id, clock.now())),
  ...open.flatMap((stay) => releaseHoldWrites({ clock }, stay)),
];

const cancelWrites = (
  ctx: Deps,
  { before, changed, after, ...stay }: Cancellation,
  {
    reason,
    move,
    block,
    isShown,
  }: { reason: string | undefined; move: Cancelling; block: AvailabilityEntry | undefined; isShown: boolean },
): Write[] => {
  const refund = { before, ...stay };
  const eventData = { reason: reason ?? null, refund: announcedRefund(refund) };
  return [
    change(
      ReservationEntity,
      before,
      { set: changed },
      {
        when: all(
          // An acceptance by the host meanwhile would change the due time.
          unchangedSince(before),
          // The hours are freed in the calendar that was read; the listing may have moved to another one.
          equals('calendar_id', before.calendar_id),
        ),
      },
    ),
    block ? put(AvailabilityEntryEntity, block) : remove(AvailabilityEntryEntity, before),
    ...reschedule(before, after),
    emitBookingEvent(ctx, after, bookingMoves[move].event, {
      ...eventData,
      ...(isShown ? { access_shown: true } : {}),
    }),
    ...emitRefundElsewhere(ctx, refund, after, eventData.reason),
  ];
};

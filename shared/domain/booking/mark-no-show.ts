import { instantText } from '../../platform/time/clock.ts';
import type { Context } from '../../platform/context.ts';
import { retryOnConflict } from '../../platform/table/index.ts';
import { listingRead } from '../listing/model.ts';
import { scheduleRefunds } from '../payment/model.ts';
import { needs } from './allowed-actions.rules.ts';
import { bookingMoves } from './booking.rules.ts';
import type { CancelledBooking } from './booking.schema.ts';
import { emitBookingEvent, postedBy, requireOneTransaction } from './booking.store.ts';
import { hostedBooking } from './move-booking.ts';
import { type MovedStay, movedStay } from './move-reservation.ts';
import { mayBeNoShow, noShowRefunds, noShowRefusal } from './no-show.rules.ts';
import { releasedHold, releaseHoldWrites } from './post-deposit.ts';
import { presentDetail } from './present-booking.ts';
import { emitRefundElsewhere } from './refund-elsewhere.ts';
import { announcedRefund, endedFields, type PostedRefund, postRefunds, refundOf } from './refund.rules.ts';
import { releaseUnusedHours } from './release-unused-hours.ts';

/**
 * Records for the host that the guest of a booking, or of every stay of a master that allows it, did not come (D83). The
 * remaining time is free in the same transaction. The guest is refunded by the frozen terms, or `refundAmount` if that is
 * more. Throws INVALID_STATE_TRANSITION in another state, before the check-in cut-off and 30 days after it.
 */
export const markNoShow = (
  ctx: Context,
  bookingId: number,
  refundAmount?: number,
): Promise<CancelledBooking> =>
  retryOnConflict(async () => {
    const found = await hostedBooking(ctx, bookingId, needs.NO_SHOW);
    const missed = found.reservations.filter(mayBeNoShow);
    const listings = await ctx.table.getAll(missed.map(({ listing_id }) => listingRead(listing_id)));
    const refusal = noShowRefusal(found, (stay) => listings[missed.indexOf(stay)], ctx.clock.now());
    if (refusal) throw refusal;
    const refunds = noShowRefunds(missed, ctx.clock.now(), refundAmount);
    const { posted, requests } = postRefunds(refunds, { kind: 'no-show', posted: postedBy(ctx) });
    const moved = posted.map((stay) => noShowOf(ctx, stay));
    const after = new Map(moved.map((stay) => [stay.before.reservation_id, stay.after]));
    const reservations = found.reservations.map((stay) => after.get(stay.reservation_id) ?? stay);
    const released = await releaseUnusedHours(ctx, missed, { isMissed: true });
    return ctx.commit(
      requireOneTransaction(
        [...moved.flatMap(({ writes }) => writes), ...scheduleRefunds(ctx, requests), ...released],
        'mark as no-show',
      ),
      {
        ...(await presentDetail(ctx, bookingId, { ...found, reservations })),
        refund: refundOf(refunds),
      },
    );
  });

/**
 * Returns the NO_SHOW of one stay; `reason` explains an automatic one. A refund through the gateway is scheduled beside it,
 * and its event follows; any other is made by the host.
 */
export const noShowOf = (ctx: Context, posted: PostedRefund, reason: string | null = null): MovedStay => {
  const { before } = posted;
  const fields = {
    state: bookingMoves.no_show.to,
    ...endedFields(posted),
    ...releasedHold(before),
    no_show_at: instantText(ctx.clock.now()),
  };
  return movedStay(ctx, before, fields, (after) => [
    emitBookingEvent(ctx, after, bookingMoves.no_show.event, { reason, refund: announcedRefund(posted) }),
    ...emitRefundElsewhere(ctx, posted, after, reason),
    ...releaseHoldWrites(ctx, before),
  ]);
};

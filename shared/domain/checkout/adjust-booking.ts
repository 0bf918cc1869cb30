import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { retryOnConflict } from '../../platform/table/index.ts';
import { readDetailSources } from '../booking/index.ts';
import type { StayAdjustment } from '../pricing/model.ts';
import { userStays } from './change-booking.ts';
import { moneyOf } from './change-money.ts';
import type { AdjustRequest, ChangedBooking } from './change.schema.ts';
import { findChangeable, isByHost, type StayAccess } from './find-changeable.ts';
import { planAdjustment, withIds } from './plan-adjustment.ts';
import { requireNoCharge, settleChange } from './settle-change.ts';

/**
 * Adds an adjustment to the price of a stay for its host (D121): a change of the price alone. Throws VALIDATION_ERROR for an
 * eleventh, and for a price below 0.
 */
export const addAdjustment = (
  ctx: Context,
  bookingId: number,
  { charge_later, as_credit, ...adjustment }: AdjustRequest,
): Promise<ChangedBooking> =>
  adjust(ctx, bookingId, { charge_later, as_credit }, (now) => [...now, adjustment]);

/** Takes an adjustment out, by its id. Throws NOT_FOUND if the stay has no such adjustment. */
export const removeAdjustment = (
  ctx: Context,
  bookingId: number,
  adjustmentId: number,
): Promise<ChangedBooking> =>
  adjust(ctx, bookingId, {}, (now) => {
    const others = now.filter(({ id }) => id !== adjustmentId);
    if (others.length === now.length)
      throw new ServiceError('NOT_FOUND', 'The booking has no such adjustment.');
    return others;
  });

/** A guest reads the booking, and may not adjust it. */
const hostStays = (ctx: Context): StayAccess => ({
  ...userStays(ctx),
  mayChange: (stay) => isByHost(ctx, stay),
});

const adjust = (
  ctx: Context,
  bookingId: number,
  { charge_later, as_credit }: Pick<AdjustRequest, 'charge_later' | 'as_credit'>,
  adjusting: (now: readonly StayAdjustment[]) => Parameters<typeof withIds>[2],
): Promise<ChangedBooking> =>
  retryOnConflict(async () => {
    const stay = await findChangeable(ctx, bookingId, { adjustments: [] }, hostStays(ctx));
    requireNoCharge(stay);
    const planned = await planAdjustment(
      ctx,
      stay,
      withIds(ctx, stay, adjusting(stay.item.request.adjustments ?? [])),
    );
    const sources = await readDetailSources(ctx, { reservations: [stay.before] });
    return settleChange(ctx, bookingId, planned, moneyOf(ctx, planned, as_credit), { charge_later, sources });
  });

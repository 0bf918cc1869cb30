import { callerRef } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { invalid, ServiceError } from '../../platform/errors.ts';
import { orderPartition } from '../../platform/ids.ts';
import { fitsMinorUnit } from '../../platform/money.ts';
import { retryOnConflict } from '../../platform/table/index.ts';
import { recordEvent } from '../../record-event.ts';
import { depositKinds, mostOfDeposit, type Posting, post } from '../folio/model.ts';
import type { BookingState } from './booking-state.schema.ts';
import { bookingEventData, onlyStay, postedBy } from './booking.store.ts';
import type { DepositRequest, Folio } from './folio.schema.ts';
import { commitFolio } from './get-folio.ts';
import { hostedBooking } from './move-booking.ts';
import { type MovedStay, movedStay } from './move-reservation.ts';
import type { Reservation } from './reservation.entity.ts';
import { frozenDeposit } from './security-deposit.rules.ts';

/** The states in which a security deposit can be taken; what is held is returned or kept in any. */
const takingStates: readonly BookingState[] = ['CONFIRMED', 'CHECKED_IN', 'CHECKED_OUT'];

/**
 * Takes, returns or keeps the security deposit of a stay, or a part of it (D131). Throws FORBIDDEN where STAFF keeps,
 * INVALID_STATE_TRANSITION for taking it before the stay was accepted, after its completion and once it fell through, and
 * VALIDATION_ERROR for more than is left to take or is held.
 */
export const changeDeposit = (ctx: Context, bookingId: number, given: DepositRequest): Promise<Folio> =>
  retryOnConflict(async () => {
    const { action } = given;
    const found = await hostedBooking(ctx, bookingId, action === 'KEEP' ? 'manage' : 'operate');
    const before = onlyStay(found);
    requireHow(given);
    if (action === 'TAKE' && !takingStates.includes(before.state))
      throw new ServiceError(
        'INVALID_STATE_TRANSITION',
        'A security deposit is taken of a booking that was accepted and is not completed.',
        { state: before.state },
      );
    requireFitting(given, mostOfDeposit(before, action, frozenDeposit(found.order, before)), before.currency);
    return commitFolio(ctx, bookingId, found, [withDeposit(ctx, before, given)]);
  });

const requireHow = ({ action, method, note }: DepositRequest): void => {
  const isKept = action === 'KEEP';
  if (isKept && note === undefined)
    throw invalid({ path: 'note', message: 'is required: the guest reads why' });
  if (isKept !== (method === undefined))
    throw invalid({ path: 'method', message: isKept ? 'must not be given where it is kept' : 'is required' });
};

const requireFitting = ({ action, amount }: DepositRequest, most: number, currency: string): void => {
  const path = 'amount';
  if (!fitsMinorUnit(amount, currency))
    throw invalid({ path, message: `has more decimals than ${currency}` });
  const why = action === 'TAKE' ? 'is left of the security deposit' : 'is held';
  if (amount > most) throw invalid({ path, message: `must be at most ${most} ${currency}, which ${why}` });
};

const withDeposit = (ctx: Context, before: Reservation, given: DepositRequest): MovedStay => {
  const { action, amount, method, note = null } = given;
  const how = method === undefined ? {} : { method };
  const posting: Posting = { kind: depositKinds[action], amount, ...postedBy(ctx), ...how };
  return movedStay(ctx, before, post(before, [posting]), (after) => [
    recordEvent(ctx, {
      actor: callerRef(ctx.caller),
      subject: orderPartition(after.order_id),
      team_id: after.team_id,
      event_type: 'booking.deposit_changed',
      data: { ...bookingEventData(after), action, amount, reason: note },
    }),
  ]);
};

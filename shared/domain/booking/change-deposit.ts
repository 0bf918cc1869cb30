import type { Context } from '../../platform/context.ts';
import { invalid } from '../../platform/errors.ts';
import { fitsMinorUnit } from '../../platform/money.ts';
import { retryOnConflict } from '../../platform/table/index.ts';
import { isByGateway, mostOfDeposit } from '../folio/model.ts';
import { needs } from './allowed-actions.rules.ts';
import { type FoundBooking, onlyStay } from './booking.store.ts';
import type { DepositRequest, Folio } from './folio.schema.ts';
import { commitFolio } from './get-folio.ts';
import { hostedBooking } from './move-booking.ts';
import { depositRefusal } from './money-refusals.rules.ts';
import { postDeposit } from './post-deposit.ts';
import type { Reservation } from './reservation.entity.ts';
import { frozenDeposit } from './security-deposit.rules.ts';

/**
 * Takes, returns or keeps the security deposit of a stay, or a part of it, at the desk (D131). Throws as {@link depositedStay}.
 */
export const changeDeposit = (ctx: Context, bookingId: number, given: DepositRequest): Promise<Folio> =>
  retryOnConflict(async () => {
    const { found, stay } = await depositedStay(ctx, bookingId, given);
    requireDeposit(found, stay, given);
    const { action, amount, method, note: reason } = given;
    const change = { action, amount, reason, ...(method === undefined ? {} : { method }) };
    return commitFolio(ctx, bookingId, found, [postDeposit(ctx, stay, [change], {})]);
  });

/** Reads the stay of a deposit. Throws FORBIDDEN where STAFF keeps, and VALIDATION_ERROR for a wrong `method` or `note`. */
export const depositedStay = async (
  ctx: Context,
  bookingId: number,
  given: DepositRequest,
): Promise<{ found: FoundBooking; stay: Reservation }> => {
  const found = await hostedBooking(ctx, bookingId, needs[`${given.action}_DEPOSIT`]);
  const stay = onlyStay(found);
  requireHow(given);
  return { found, stay };
};

/**
 * Throws INVALID_STATE_TRANSITION for taking it before the stay was accepted, after its completion and once it fell through, and
 * where nothing of it is left or held, and VALIDATION_ERROR for more than is left to take or is held in that way. Returns the most that it could be.
 */
export const requireDeposit = (
  { order }: Pick<FoundBooking, 'order'>,
  stay: Reservation,
  { action, amount, ...how }: DepositRequest,
): number => {
  const refusal = depositRefusal(order, stay, action);
  if (refusal) throw refusal;
  const path = 'amount';
  const { currency } = stay;
  if (!fitsMinorUnit(amount, currency))
    throw invalid({ path, message: `has more decimals than ${currency}` });
  const byGateway = isByGateway(how);
  const most = mostOfDeposit(stay, action, frozenDeposit(order, stay), byGateway);
  const held = byGateway ? 'is authorised' : 'is held';
  const why = action === 'TAKE' ? 'is left of the security deposit' : held;
  if (amount > most) throw invalid({ path, message: `must be at most ${most} ${currency}, which ${why}` });
  return most;
};

const requireHow = ({ action, method, note }: DepositRequest): void => {
  const isKept = action === 'KEEP';
  if (isKept && note === undefined)
    throw invalid({ path: 'note', message: 'is required: the guest reads why' });
  if (isByGateway({ method })) return;
  if (isKept !== (method === undefined))
    throw invalid({ path: 'method', message: isKept ? 'must not be given where it is kept' : 'is required' });
};

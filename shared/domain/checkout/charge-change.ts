import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { Paid } from '../../platform/payment/index.ts';
import { ConflictError, retryOnConflict } from '../../platform/table/index.ts';
import { type DetailSources, presentDetail, refundOf } from '../booking/index.ts';
import { type FoundBooking, findPaid, type FoundOrder, requireOneTransaction } from '../booking/model.ts';
import { conflictWhenTaken } from '../calendar/index.ts';
import { chargesOf } from '../folio/model.ts';
import { chargeToken, paidWrites, reconcileSoon, settlePayment } from '../payment/index.ts';
import { openCharge, type Payment } from '../payment/model.ts';
import type { ChangedBooking } from './change.schema.ts';
import { dueOfChange, heldChange, holdWrites } from './hold-change.ts';
import type { PlannedChange } from './planned-change.ts';

/**
 * Charges a token for what a change costs more, and makes the change. The new time is held and the payment stored before the
 * gateway is called, so that after any failure the money is either a changed stay or refunded. Throws PAYMENT_DECLINED, which
 * frees the new time, or PAYMENT_GATEWAY_UNAVAILABLE while the gateway does not respond, after which the schedule decides.
 */
export const chargeAndChange = async (
  ctx: Context,
  bookingId: number,
  planned: PlannedChange,
  { due, token, sources }: { due: number; token: string; sources: DetailSources },
): Promise<ChangedBooking> => {
  const held = heldChange(ctx, planned, due, 'CHARGING');
  const payment = await openCharge(ctx, dueOfChange(held), held.locked_until, 'payment_gateway_token');
  const writes = requireOneTransaction(holdWrites(ctx, planned, held, payment), 'change');
  await ctx.recordStart(writes, held.order_id);
  return charge(ctx, bookingId, payment, { token, isRepeated: false, sources });
};

/** Continues a change whose charge was started by an earlier attempt of the same request. */
export const resumeChange = async (
  ctx: Context,
  bookingId: number,
  token: string,
  orderId: number,
): Promise<ChangedBooking> => {
  const found = await findPaid(ctx.table, orderId);
  const { payment } = found;
  if (!payment) throw new ConflictError('Payment');
  if (payment.state === 'CHARGING') return charge(ctx, bookingId, payment, { token, isRepeated: true });
  return presentSettled(ctx, bookingId, found, payment);
};

const charge = async (
  ctx: Context,
  bookingId: number,
  payment: Payment,
  { token, isRepeated, sources }: { token: string; isRepeated: boolean; sources?: DetailSources },
): Promise<ChangedBooking> => {
  const outcome = await chargeToken(ctx, payment, token, { isRepeated });
  if (outcome.state === 'authorised')
    throw new Error(`payment ${payment.payment_id} was not to be captured later`);
  if (outcome.state === 'paid') return commitPaid(ctx, bookingId, payment, outcome, sources);
  await settlePayment(ctx, { ...payment, outcome: { ...outcome, final: true } });
  throw declined({ reason: outcome.reason });
};

const declined = (details: Record<string, unknown> = {}): ServiceError =>
  new ServiceError(
    'PAYMENT_DECLINED',
    'The gateway declined the payment: nothing was charged, and the booking is as it was.',
    details,
  );

/** Makes the change that was charged. Meanwhile another writer may have made or refused it. */
const commitPaid = async (
  ctx: Context,
  bookingId: number,
  { payment_id, reference }: Payment,
  paid: Paid,
  sources?: DetailSources,
): Promise<ChangedBooking> => {
  const answer = await retryOnConflict(async () => {
    const found = await findPaid(ctx.table, payment_id);
    const { writes, changed } = await paidWrites(ctx, found, { payment_id, reference, paid });
    if (!changed || !found.changed) {
      await ctx.table.transact(writes);
      return undefined;
    }
    const booking = { ...found.changed, order: changed.orderAfter, reservations: [changed.after] };
    const shown = await presentPaid(ctx, bookingId, booking, changedBy(found), sources);
    return conflictWhenTaken(() => ctx.commit(writes, shown));
  });
  if (answer) return answer;
  const found = await findPaid(ctx.table, payment_id);
  if (!found.payment) throw new ConflictError('Payment');
  return presentSettled(ctx, bookingId, found, found.payment);
};

/** Returns the changed stay, or throws why it was not changed; what was charged is refunded at once if the gateway responds. */
const presentSettled = async (
  ctx: Context,
  bookingId: number,
  found: FoundOrder,
  { payment_id, state }: Payment,
): Promise<ChangedBooking> => {
  const { changed } = found;
  const stay = changed?.reservations.find(
    ({ reservation_id }) => reservation_id === found.payment?.change_of,
  );
  if (changed?.order && stay && chargesOf(stay).some((paid) => paid.payment_id === payment_id)) {
    const booking = { ...changed, order: changed.order, reservations: [stay] };
    return ctx.commit([], await presentPaid(ctx, bookingId, booking, changedBy(found)));
  }
  if (state === 'FAILED') throw declined();
  await reconcileSoon(ctx, payment_id);
  throw new ServiceError(
    'INVALID_STATE_TRANSITION',
    'The booking was changed or cancelled while the change was paid; the payment is refunded.',
    { state: stay?.state ?? null },
  );
};

/** The order of a change is deleted a day after it was made; its payment stays. */
const changedBy = ({ order, payment }: FoundOrder): number =>
  order?.change?.difference ?? payment?.amount ?? 0;

const presentPaid = async (
  ctx: Context,
  bookingId: number,
  booking: FoundBooking,
  difference: number,
  sources?: DetailSources,
): Promise<ChangedBooking> => ({
  ...(await presentDetail(ctx, bookingId, booking, sources)),
  change: { difference, refund: refundOf([]), amount_due: 0 },
});

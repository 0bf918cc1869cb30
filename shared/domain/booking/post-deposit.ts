import { callerRef } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { orderPartition } from '../../platform/ids.ts';
import type { Write } from '../../platform/table/index.ts';
import { recordEvent } from '../../record-event.ts';
import { depositKinds, type Posting, post } from '../folio/model.ts';
import { scheduleReconciliation } from '../payment/model.ts';
import { bookingEventData } from './booking.store.ts';
import type { DepositChange } from './folio.schema.ts';
import { type MovedStay, movedStay } from './move-reservation.ts';
import type { Reservation } from './reservation.entity.ts';

/** What becomes of a security deposit, with the reason for it. */
export interface PostedDeposit extends Pick<Posting, 'method' | 'payment_id' | 'reference'> {
  action: DepositChange;
  amount: number;
  reason?: string | undefined;
}

/** Returns a stay after changes of its security deposit, each with its posting and event; `hold` is its authorisation from then on. */
export const postDeposit = (
  ctx: Context,
  before: Reservation,
  changes: readonly PostedDeposit[],
  {
    actor = callerRef(ctx.caller),
    ...fields
  }: { actor?: string; deposit_hold?: Reservation['deposit_hold'] | undefined },
): MovedStay => {
  const postings = changes.flatMap(({ action, amount, reason: _, ...how }): Posting[] =>
    action === 'FAIL' ? [] : [{ kind: depositKinds[action], amount, at: ctx.clock.now(), actor, ...how }],
  );
  // A writer that has read another hold conflicts.
  const version = { folio_version: (before.folio_version ?? 0) + 1 };
  return movedStay(ctx, before, { ...fields, ...post(before, postings), ...version }, (after) =>
    changes.map(({ action, amount, reason = null }) =>
      recordEvent(ctx, {
        actor,
        subject: orderPartition(after.order_id),
        team_id: after.team_id,
        event_type: 'booking.deposit_changed',
        data: { ...bookingEventData(after), action, amount, reason },
      }),
    ),
  );
};

/** Returns the field of a stay that falls through without its guest: its deposit is released (D131). */
export const releasedHold = ({ deposit_hold: hold }: Reservation): Pick<Reservation, 'deposit_hold'> =>
  hold ? { deposit_hold: { ...hold, is_released: true } } : {};

/** Returns the write that has the deposit of a stay that falls through looked at: released, and its page closed (D131). */
export const releaseHoldWrites = (
  { clock }: Pick<Context, 'clock'>,
  { deposit_hold: hold }: Reservation,
): Write[] => (hold ? [scheduleReconciliation(hold.payment_id, clock.now())] : []);

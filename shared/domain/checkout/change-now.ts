import { callerRef } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { change, present, type Write } from '../../platform/table/index.ts';
import {
  changedReservation,
  type ChangedStay,
  changeReservation,
  type DetailSources,
  presentDetail,
} from '../booking/index.ts';
import { type FoundBooking, requireOneTransaction, ReservationEntity } from '../booking/model.ts';
import type { ChangedBooking } from './change.schema.ts';
import { type ChangedMoney, changeOf, changeRefunds, refundsElsewhere, replacePage } from './change-money.ts';
import { giveUpPending } from './hold-change.ts';
import { changedItem, type PlannedChange } from './planned-change.ts';
import { isUnchanged, moveInDraft } from './new-time.ts';

/** Returns the records of a stay and its order after a change. Writes nothing. */
export const draftedChange = (ctx: Context, planned: PlannedChange, { payment }: ChangedMoney): ChangedStay =>
  changedReservation(ctx, {
    order: planned.found.order,
    before: planned.before,
    item: changedItem(planned),
    payment,
  });

/** Makes a change that nothing is to be paid for first; a change to what the stay is already only gives up one that waits. */
export const changeNow = async (
  ctx: Context,
  id: number,
  planned: PlannedChange,
  changed: ChangedMoney,
  sources: DetailSources,
): Promise<ChangedBooking> => {
  const { found, before, draft } = planned;
  const answer = async (booking: FoundBooking): Promise<ChangedBooking> => ({
    ...(await presentDetail(ctx, id, booking, sources)),
    change: changeOf(planned, changed),
  });
  if (isUnchanged(planned)) {
    const writes = [...withoutPending(ctx, planned), ...draft.writes()];
    return ctx.commit(writes, await answer({ ...found, reservations: [before] }));
  }
  const drafted = draftedChange(ctx, planned, changed);
  const { writes, payments } = await replacePage(ctx, planned, drafted.after);
  moveInDraft(planned);
  return ctx.commit(
    requireOneTransaction(
      [
        ...changeReservation(ctx, drafted, callerRef(ctx.caller)),
        ...refundsElsewhere(ctx, planned, drafted.after, changed),
        ...changeRefunds(ctx, changed),
        ...giveUpPending(ctx, planned),
        ...writes,
        ...draft.writes(),
      ],
      'change',
    ),
    await answer({ ...payments, order: drafted.orderAfter, reservations: [drafted.after] }),
  );
};

/** Returns the writes that give up a change which waits, of a stay that is not changed otherwise. */
const withoutPending = (ctx: Context, planned: PlannedChange): Write[] => {
  const { before, pending } = planned;
  if (!pending) return [];
  return [
    change(ReservationEntity, before, { set: { pending_change: undefined } }, { when: present() }),
    ...giveUpPending(ctx, planned),
  ];
};

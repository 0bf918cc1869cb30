import type { Context } from '../../platform/context.ts';
import { put, type Write } from '../../platform/table/index.ts';
import { instantText } from '../../platform/time/clock.ts';
import { type DetailSources, presentDetail, refundOf } from '../booking/index.ts';
import { chargedChangeRefusal, requireOneTransaction } from '../booking/model.ts';
import { DueMailEntity } from '../notification/model.ts';
import { openSession } from '../payment/model.ts';
import { type ChangedMoney, isPaidFirst } from './change-money.ts';
import { changeNow } from './change-now.ts';
import type { ChangedBooking, ChangeRequest } from './change.schema.ts';
import { dueOfChange, heldChange, holdWrites, samePage } from './hold-change.ts';
import { type FoundStay, isByHost } from './find-changeable.ts';
import type { PlannedChange } from './planned-change.ts';

/** Throws INVALID_STATE_TRANSITION while another change of the stay is being charged. */
export const requireNoCharge = ({ pending, before }: FoundStay): void => {
  const refusal = chargedChangeRefusal(pending, before);
  if (refusal) throw refusal;
};

/** Makes a change, or holds it until what it costs more is paid on the gateway's page. */
export const settleChange = (
  ctx: Context,
  bookingId: number,
  planned: PlannedChange,
  changed: ChangedMoney,
  { charge_later, sources }: Pick<ChangeRequest, 'charge_later'> & { sources: DetailSources },
): Promise<ChangedBooking> =>
  isPaidFirst(planned, changed, charge_later)
    ? holdUntilPaid(ctx, bookingId, planned, changed.due, sources)
    : changeNow(ctx, bookingId, planned, changed, sources);

/**
 * Holds a change until what it costs more is paid on the gateway's page; the stay is as it was meanwhile. Asked for again, it
 * has the same page.
 */
const holdUntilPaid = async (
  ctx: Context,
  id: number,
  planned: PlannedChange,
  due: number,
  sources: DetailSources,
): Promise<ChangedBooking> => {
  const { found, before, home, difference } = planned;
  const waiting = samePage(ctx, planned, due);
  const { payment, writes } = waiting ? { payment: waiting, writes: [] } : await newPage(ctx, planned, due);
  // They are of the new home.
  const ofPresent = home.id === before.listing_id ? sources : undefined;
  return ctx.commit(writes, {
    ...(await presentDetail(ctx, id, { ...found, reservations: [before] }, ofPresent)),
    change: {
      difference,
      refund: refundOf([]),
      amount_due: due,
      payment_url: payment.url,
      payment_expires_at: instantText(payment.ends_at),
    },
  });
};

const newPage = async (ctx: Context, planned: PlannedChange, due: number) => {
  const held = heldChange(ctx, planned, due, 'HELD');
  const payment = await openSession(ctx, dueOfChange(held), held.locked_until, '');
  const writes = [...holdWrites(ctx, planned, held, payment), ...mailToGuest(ctx, planned)];
  return { payment, writes: requireOneTransaction(writes, 'change') };
};

/** A guest has not seen the page of a change that the host asks for. */
const mailToGuest = (ctx: Context, { before }: PlannedChange): Write[] => {
  if (!isByHost(ctx, before)) return [];
  const due = { kind: 'change_to_pay' as const, id: before.reservation_id, due_at: ctx.clock.now() };
  return [put(DueMailEntity, due)];
};

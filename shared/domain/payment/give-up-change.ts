import { callerRef } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { larger, money, toNumber, zero } from '../../platform/money.ts';
import type { Write } from '../../platform/table/index.ts';
import { toInstant } from '../../platform/time/time.ts';
import {
  changedReservation,
  changeReservation,
  emitRefundElsewhere,
  movedStay,
  movesHours,
  postRefunds,
} from '../booking/index.ts';
import {
  changeKept,
  changeUnpaid,
  emitBookingEvent,
  type FoundBooking,
  type OrderItem,
  postedBy,
  type Reservation,
  thawQuote,
} from '../booking/model.ts';
import { CalendarDraft, calendarOf } from '../calendar/model.ts';
import { balanceOf, dueFor, post, unpaidFor } from '../folio/model.ts';
import { listingRead } from '../listing/model.ts';
import { takeIfCurrent } from './book-charged.ts';
import { scheduleRefunds } from './payment.store.ts';

/**
 * Returns the writes by which a stay whose change was not paid in time becomes what it was before (D147): time, home, party, extras
 * and price, all at once; what was paid above that goes back. Where the time before is taken by now, or past, the stay is kept as it
 * is, without a time to pay the rest.
 */
export const giveUpChange = async (
  ctx: Context,
  { order }: FoundBooking,
  before: Reservation,
): Promise<Write[]> => {
  const item = await atHomeOf(ctx, before);
  if (!item) return keepChange(ctx, before);
  const isMoved = movesHours(before, item);
  const draft = await CalendarDraft.load(ctx.table, isMoved ? [before, item] : [], ctx.clock.now());
  if (isMoved) {
    draft.free(before);
    if (draft.taken(item).length > 0 || !takeIfCurrent(draft, item)) return keepChange(ctx, before);
  }
  const { total } = thawQuote(item.quote);
  const refund = toNumber(larger(zero, money(-balanceOf({ ...before, total }))));
  const posted = postedBy(ctx);
  const difference = toNumber(money(total).minus(before.total));
  const back = postRefunds([{ before, refund }], {
    ...{ kind: 'change' as const, reason: changeUnpaid, posted },
    first: [{ kind: 'change', amount: difference, ...posted }],
  });
  const postings = back.posted.flatMap((one) => one.postings);
  const isPaid = unpaidFor({ ...before, total, ...post(before, postings) }) === 0;
  const changed = changedReservation(ctx, {
    ...{ order, before, item, reason: changeUnpaid },
    payment: { payment_status: isPaid ? 'PAID' : 'PENDING', pay_until: undefined, postings },
  });
  return [
    ...changeReservation(ctx, changed, callerRef(ctx.caller)),
    ...emitRefundElsewhere(ctx, { before, refund }, changed.after, changeUnpaid),
    ...scheduleRefunds(ctx, back.requests),
    ...draft.writes(),
  ];
};

/** Returns the stay before its change, in the calendar that its home has now; undefined: it is past. */
const atHomeOf = async (ctx: Context, before: Reservation): Promise<OrderItem | undefined> => {
  const item = before.unpaid_change?.item;
  if (!item) return undefined;
  const { listing_id, calendar_id } = before;
  const [begins, ends] = [item.start_at, item.end_at].map((time) => toInstant(time, item.timezone));
  const now = ctx.clock.now();
  const isSame = item.listing_id === listing_id;
  const keepsStart = isSame && item.start_at === before.start_at;
  if (now >= (ends ?? 0) || (!keepsStart && now >= (begins ?? 0))) return undefined;
  if (isSame) return { ...item, calendar_id };
  // The calendar refuses a home that is archived, or has another time zone by now.
  const [home] = await ctx.table.getAll([listingRead(item.listing_id)]);
  return home && { ...item, calendar_id: calendarOf(home) };
};

/** The guest keeps what was changed, and pays the rest on arrival: neither time may be lost for it. */
const keepChange = (ctx: Context, before: Reservation): Write[] => {
  const { unpaid_change: change, folio_version = 0 } = before;
  const fields = {
    pay_until: undefined,
    unpaid_change: change && { total: change.total },
    // Another run conflicts.
    folio_version: folio_version + 1,
  };
  return movedStay(ctx, before, fields, (after) => [
    emitBookingEvent(ctx, after, 'payment.failed', {
      reason: changeKept,
      amount: dueFor(after),
      charge: null,
    }),
  ]).writes;
};

import type { GuestCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { newOrderId } from '../../platform/ids.ts';
import {
  all,
  change,
  type Condition,
  equals,
  lacks,
  put,
  retryOnConflict,
  type Write,
} from '../../platform/table/index.ts';
import { instantText } from '../../platform/time/clock.ts';
import { hostedBooking, visibleBooking } from '../booking/index.ts';
import {
  duePageOf,
  duePageRefusal,
  type FoundBooking,
  guestPageRefusal,
  mayMove,
  needs,
  onlyStay,
  ownPageOf,
  type Reservation,
  ReservationEntity,
  unchangedSince,
  withDuePages,
} from '../booking/model.ts';
import { dueFor } from '../folio/model.ts';
import { DueMailEntity } from '../notification/model.ts';
import type { DuePage } from './due-page.schema.ts';
import type { Payment } from './payment.entity.ts';
import { callGateway, openSession } from './payment-session.store.ts';
import { createPayment } from './payment.store.ts';
import { paymentWindowEnd } from './payment-window.rules.ts';
import { openNextPage, replaceBy } from './settle-payment.ts';

/**
 * Opens a page of the gateway for what is due of a stay (D127), for as long as the payment window, and mails it to the guest.
 * While a page of the same amount is open, it is that one; one of another amount is replaced. Throws INVALID_STATE_TRANSITION
 * where nothing is due or the host has not accepted the stay, and while the page of the booking itself is open.
 */
export const openDuePage = (ctx: Context, bookingId: number): Promise<DuePage> =>
  retryOnConflict(async () => {
    const found = await withDuePages(ctx.table, await hostedBooking(ctx, bookingId, needs.OPEN_PAYMENT_PAGE));
    const stay = onlyStay(found);
    const refusal = duePageRefusal(found, stay);
    if (refusal) throw refusal;
    const due = { kind: 'due_to_pay' as const, id: stay.reservation_id, due_at: ctx.clock.now() };
    return duePage(ctx, found, [put(DueMailEntity, due)]);
  });

/**
 * Returns the page on which the guest of a link pays what is due (D122): the one that is open, or a new one, which no mail is about.
 * Throws INVALID_STATE_TRANSITION where {@link openDuePage} does, and where the home takes no payments online.
 */
export const openGuestPage = (ctx: Context<GuestCaller>): Promise<DuePage> =>
  retryOnConflict(async () => {
    const found = await withDuePages(ctx.table, await visibleBooking(ctx, ctx.caller.reservation_id));
    const stay = onlyStay(found);
    const refusal = guestPageRefusal(found, stay, ctx.clock.now());
    if (refusal) throw refusal;
    const page = ownPageOf(found, stay, ctx.clock.now());
    return page ? ctx.commit([], present(page)) : duePage(ctx, found, []);
  });

/** Opens the page unless one of the same amount is open; `beside` is written with a new one. */
const duePage = async (ctx: Context, found: FoundBooking, beside: readonly Write[]): Promise<DuePage> => {
  const stay = onlyStay(found);
  const now = ctx.clock.now();
  const open = duePageOf(found, stay);
  const isCurrent = open?.state === 'OPEN' && open.amount === dueFor(stay) && now < open.ends_at;
  if (isCurrent) return ctx.commit([], present(open));
  // A time that has ended ends no stay in house.
  const until = mayMove(stay.state, 'cancel') ? stay.pay_until : undefined;
  const { payment, writes } = await openPageFor(ctx, stay, open, until ?? paymentWindowEnd(now, []));
  const set = { due_page: payment.payment_id, updated_at: instantText(now) };
  const when = all(unchangedSince(stay), sameDuePage(stay));
  const naming = change(ReservationEntity, stay, { set }, { when });
  return ctx.commit([...writes, naming, ...beside], present(payment));
};

/**
 * Opens a page for what is due of a stay, in place of one that is open; the writes are of the payment alone, the caller writes
 * `due_page` on condition of {@link sameDuePage}.
 */
export const openPageFor = async (
  ctx: Context,
  stay: Reservation,
  before: Payment | undefined,
  endsAt: number,
): Promise<{ payment: Payment; writes: readonly Write[] }> => {
  if (before?.state === 'OPEN') {
    const page = await callGateway(() => openNextPage(ctx, before, [stay], endsAt), '');
    const { write, opened } = replaceBy(ctx, before, page, { may_be_paid: true });
    return { payment: opened, writes: [write] };
  }
  const due = { payment_id: newOrderId(ctx.clock), amount: dueFor(stay), currency: stay.currency };
  const payment = { ...(await openSession(ctx, due, endsAt, '')), due_of: stay.reservation_id };
  return { payment, writes: createPayment(ctx, payment) };
};

/** The condition that no other page was opened since the stay was read. */
export const sameDuePage = ({ due_page }: Reservation): Condition =>
  due_page === undefined ? lacks('due_page') : equals('due_page', due_page);

const present = ({ payment_id, url, amount, currency, ends_at }: Payment): DuePage => ({
  payment_id,
  payment_url: url ?? '',
  payment_expires_at: instantText(ends_at),
  amount,
  currency,
});

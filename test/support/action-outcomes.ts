import { dryRunTable } from '../../infra/operator/dry-run-table.ts';
import {
  addCharge,
  cancelBooking,
  correctGuest,
  changeDeposit,
  declineBooking,
  extendPayment,
  getBooking,
  getFolio,
  getGuestBooking,
  markNoShow,
  markPaid,
  moveBooking,
  refundBooking,
  returnRefund,
  releaseAccess,
  rotateGuestLink,
  takePayment,
} from '../../shared/domain/booking/index.ts';
import { BookingAction } from '../../shared/domain/booking/booking-action.schema.ts';
import type { ReadBooking } from '../../shared/domain/booking/booking.schema.ts';
import { changeBooking } from '../../shared/domain/checkout/index.ts';
import { createReview } from '../../shared/domain/listing/index.ts';
import { acceptBooking, changeHold, openDuePage } from '../../shared/domain/payment/index.ts';
import { openGuestPage } from '../../shared/domain/payment/open-due-page.ts';
import type { GuestCaller, UserCaller } from '../../shared/platform/auth.ts';
import type { Context } from '../../shared/platform/context.ts';
import { ServiceError } from '../../shared/platform/errors.ts';
import { addDays, dateOf, toLocal } from '../../shared/platform/time/time.ts';
import { testGateway } from './sandbox.ts';
import { testContext, type TestDependencies } from './table.ts';

type Reader = UserCaller | GuestCaller;
type Deps = Omit<TestDependencies, 'clock'> & Pick<Context, 'clock'>;

const pages = 'https://api.example.com';
const method = 'CASH' as const;
const card = { method: 'ONLINE_GATEWAY' } as const;

/** The request of each action with the plainest body that fits the booking. */
const requests = (
  ctx: Context,
  id: number,
  { security_deposit: { held, authorised }, ...shown }: Omit<ReadBooking, 'guest_info'>,
): Record<BookingAction, () => Promise<unknown>> => {
  const isAtDesk = held > authorised;
  const today = dateOf(toLocal(ctx.clock.now(), shown.timezone));
  const [until = ''] = [shown.check_out_date, today].sort().reverse();
  const longer = { check_out_date: addDays(until, 1) };
  // No other price can be charged to a payment that is authorised.
  const moved = { check_in_date: addDays(until, 1), check_out_date: addDays(until, 1 + shown.nights) };
  const back = { action: 'RETURN', amount: isAtDesk ? 1 : authorised || 1 } as const;
  const kept = { action: 'KEEP', amount: 1, note: 'A broken lamp' } as const;
  return {
    CONFIRM: () => acceptBooking(ctx, id),
    DECLINE: () => declineBooking(ctx, id),
    CHECK_IN: () => moveBooking(ctx, id, 'check_in'),
    UNDO_CHECK_IN: () => moveBooking(ctx, id, 'undo_check_in'),
    CHECK_OUT: () => moveBooking(ctx, id, 'check_out'),
    COMPLETE: () => moveBooking(ctx, id, 'complete'),
    NO_SHOW: () => markNoShow(ctx, id),
    CANCEL: () => cancelBooking(ctx, id),
    CHANGE: () => changeBooking(ctx, id, shown.state === 'PENDING' ? moved : longer),
    RELEASE_ACCESS: () => releaseAccess(ctx, id),
    MARK_PAID: () => markPaid(ctx, id),
    TAKE_PAYMENT: () => takePayment(ctx, id, { amount: 1, method }),
    OPEN_PAYMENT_PAGE: () =>
      ctx.caller.kind === 'guest' ? openGuestPage(ctx as Context<GuestCaller>) : openDuePage(ctx, id),
    ADD_CHARGE: () => addCharge(ctx, id, { label: 'Minibar', amount: 1 }),
    REFUND: () => refundBooking(ctx, id, { amount: 1, reason: 'Goodwill' }),
    RETURN_REFUND: async () => {
      const refunds = (await getFolio(ctx, id)).postings.filter(({ kind }) => kind === 'refund');
      const refund = refunds.find(({ to_return }) => to_return) ?? refunds[0];
      if (!refund) throw new ServiceError('INVALID_STATE_TRANSITION');
      return returnRefund(ctx, id, refund.id);
    },
    EXTEND_PAYMENT: () => extendPayment(ctx, id, 1),
    TAKE_DEPOSIT: () => changeDeposit(ctx, id, { action: 'TAKE', amount: 1, method }),
    RETURN_DEPOSIT: () =>
      isAtDesk ? changeDeposit(ctx, id, { ...back, method }) : changeHold(ctx, id, { ...back, ...card }),
    KEEP_DEPOSIT: () => (isAtDesk ? changeDeposit(ctx, id, kept) : changeHold(ctx, id, { ...kept, ...card })),
    ROTATE_GUEST_LINK: () => rotateGuestLink(ctx, id, pages),
    CORRECT_GUEST: () =>
      ctx.caller.kind === 'guest'
        ? Promise.reject(new ServiceError('FORBIDDEN'))
        : correctGuest(ctx, id, { arrival_time: '21:30:00' }),
    REVIEW: () => createReview(ctx as Context<Reader>, id, { rating: 5, comment: 'Quiet' }),
  };
};

const refusals: readonly string[] = ['FORBIDDEN', 'INVALID_STATE_TRANSITION', 'MANAGED_BY_CHANNEL'];
/** Of an order of several stays each is named; a stay has so many charges at most. */
const alwaysInvalid: readonly unknown[] = ['booking_id', 'label'];

/** Whether a verb goes on; it may fail at a gateway that knows none of the payments. */
const goesOn = async (request: () => Promise<unknown>): Promise<boolean> => {
  try {
    await request();
    return true;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const [issue] = (error.details as { issues?: { path: string }[] }).issues ?? [];
    if (refusals.includes(error.code) || alwaysInvalid.includes(issue?.path)) return false;
    if (error.code === 'PAYMENT_GATEWAY_UNAVAILABLE') return true;
    throw error;
  }
};

/**
 * Returns the actions that a booking offers to a caller, and those whose verbs go on when they are called at once, each over a table
 * that keeps nothing and a gateway of its own.
 */
export const actionOutcomes = async (
  deps: Deps,
  caller: Reader,
  id: number,
): Promise<Record<'offered' | 'possible', BookingAction[]>> => {
  const asked = testContext(deps, caller);
  const shown =
    caller.kind === 'guest'
      ? await getGuestBooking(asked as Context<GuestCaller>)
      : await getBooking(asked, id, pages);
  const possible: BookingAction[] = [];
  for (const action of BookingAction.options) {
    const { table } = dryRunTable(deps.table);
    const { gateway } = testGateway(deps.clock);
    const ctx: Context = testContext({ ...deps, table, payments: () => gateway }, caller);
    if (await goesOn(requests(ctx, id, shown)[action])) possible.push(action);
  }
  return { offered: shown.allowed_actions, possible };
};

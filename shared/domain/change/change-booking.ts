import type { PartnerCaller } from '../../platform/auth.ts';
import { hasPermission, isHostOf } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { isOrderId } from '../../platform/ids.ts';
import { retryOnConflict } from '../../platform/table/index.ts';
import { cancellationDeadline, isGuestOf, presentDetail, readDetailSources } from '../booking/index.ts';
import { type FoundBooking, requireOneTransaction } from '../booking/model.ts';
import { isOpenToAll } from '../listing/model.ts';
import { orderQuoteOf, previewOf, withoutHostFigures } from '../pricing/model.ts';
import type { ChangedBooking, ChangePreview, ChangeRequest } from './change.schema.ts';
import { changeOf, changeRefunds, moneyOf, replacePage } from './change-money.ts';
import { changeWrites, draftChange } from './change-writes.ts';
import {
  type ChangeAccess,
  findChangeable,
  isByHost,
  isMoved,
  isUnchanged,
  type PlannedChange,
  planChange,
  takeNewTime,
} from './load-change.ts';

const userAccess = (ctx: Context): ChangeAccess => {
  const isHost = ({ team_id }: { team_id: number }) => hasPermission(ctx.caller, 'manage', team_id);
  return {
    sees: (stay) => isGuestOf(ctx, stay) || isHostOf(ctx.caller, stay.team_id),
    mayChange: (stay) => isGuestOf(ctx, stay) || isHost(stay),
    mayBook: (listing) => isHost(listing) || isOpenToAll(listing),
    bookingMissing: () => new ServiceError('BOOKING_NOT_FOUND'),
    listingMissing: () => new ServiceError('LISTING_NOT_FOUND'),
  };
};

const partnerAccess = ({ caller }: Context<PartnerCaller>): ChangeAccess => ({
  sees: ({ team_id }) => caller.team_ids.includes(team_id),
  mayChange: ({ key_id }) => key_id === caller.key_id,
  mayBook: () => true,
  bookingMissing: () => new ServiceError('EXTERNAL_BOOKING_NOT_ACCESSIBLE'),
  listingMissing: () => new ServiceError('EXTERNAL_LISTING_NOT_ACCESSIBLE'),
});

/** Returns what a change of a stay by its guest or host costs, and whether its time is free (D84). Changes nothing. */
export const previewChange = (
  ctx: Context,
  bookingId: number,
  asked: ChangeRequest,
): Promise<ChangePreview> => preview(ctx, bookingId, asked, userAccess(ctx));

/** The same, for the key that made the booking. */
export const previewExternalChange = (
  ctx: Context<PartnerCaller>,
  bookingId: number,
  asked: ChangeRequest,
): Promise<ChangePreview> => preview(ctx, bookingId, asked, partnerAccess(ctx));

/**
 * Gives a stay another time, home, party or other extras (D84), all in one transaction: the new time is taken and the
 * present one freed, and what it costs less is refunded. If the new time is taken first, the stay is unchanged. A change to
 * what the stay is already writes nothing.
 */
export const changeBooking = (
  ctx: Context,
  bookingId: number,
  asked: ChangeRequest,
): Promise<ChangedBooking> => changeStay(ctx, bookingId, asked, userAccess(ctx));

/** The same, for the key that made the booking. */
export const changeExternalBooking = (
  ctx: Context<PartnerCaller>,
  bookingId: number,
  asked: ChangeRequest,
): Promise<ChangedBooking> => changeStay(ctx, bookingId, asked, partnerAccess(ctx));

const preview = async (
  ctx: Context,
  bookingId: number,
  asked: ChangeRequest,
  access: ChangeAccess,
): Promise<ChangePreview> => {
  const planned = await planChange(ctx, await findChangeable(ctx, bookingId, asked, access), asked, access);
  const { before, sold, quote, draft, time } = planned;
  const changed = moneyOf(ctx, planned, asked.charge_later ?? false);
  // A host can still decide to charge it later.
  if (!isByHost(ctx, before)) requirePaidLater(planned, changed.due, asked);
  const { after } = draftChange(ctx, planned, changed);
  return {
    booking_id: before.reservation_id,
    ...changeOf(planned, changed),
    currency: before.currency,
    was: shown(ctx, planned, sold),
    now: shown(ctx, planned, quote),
    available: !isMoved(planned) || draft.taken(time).length === 0,
    cancellation_deadline: cancellationDeadline(after),
  };
};

/** Host figures are for hosts. */
const shown = (
  ctx: Context,
  { before }: PlannedChange,
  quote: PlannedChange['quote'],
): PlannedChange['quote'] =>
  isHostOf(ctx.caller, before.team_id) ? quote : { ...quote, earning: null, commission_rate: null };

const changeStay = (
  ctx: Context,
  bookingId: number,
  asked: ChangeRequest,
  access: ChangeAccess,
): Promise<ChangedBooking> =>
  retryOnConflict(async () => {
    const stay = await findChangeable(ctx, bookingId, asked, access);
    const listingId = asked.listing_id ?? stay.before.listing_id;
    const [planned, sources] = await Promise.all([
      planChange(ctx, stay, asked, access),
      readDetailSources(ctx, { reservations: [{ ...stay.before, listing_id: listingId }] }),
    ]);
    if (isMoved(planned)) takeNewTime(planned);
    requireExpected(ctx, planned, asked.expected_difference);
    const changed = moneyOf(ctx, planned, asked.charge_later ?? false);
    requirePaidLater(planned, changed.due, asked);
    const id = isOrderId(bookingId) ? bookingId : planned.before.reservation_id;
    const answer = async (booking: FoundBooking): Promise<ChangedBooking> => ({
      ...(await presentDetail(ctx, id, booking, sources)),
      change: changeOf(planned, changed),
    });
    if (isUnchanged(planned))
      return ctx.commit([], await answer({ ...planned.found, reservations: [planned.before] }));
    const drafted = draftChange(ctx, planned, changed);
    const { writes, payments } = await replacePage(ctx, planned, drafted.after);
    return ctx.commit(
      requireOneTransaction(
        [...changeWrites(ctx, drafted), ...changeRefunds(ctx, planned, changed), ...writes],
        'change',
      ),
      await answer({ ...payments, order: drafted.orderAfter, reservations: [drafted.after] }),
    );
  });

/** Throws PRICE_CHANGED if the caller expects another difference. */
const requireExpected = (ctx: Context, planned: PlannedChange, expected: number | undefined): void => {
  const { difference, quote, before } = planned;
  if (expected === undefined || expected === difference) return;
  const order = previewOf(orderQuoteOf([quote], before.currency), [true]);
  const message = 'The difference is not `expected_difference`; `details.preview` holds the new price.';
  throw new ServiceError('PRICE_CHANGED', message, {
    preview: isHostOf(ctx.caller, before.team_id) ? order : withoutHostFigures(order),
    changes: [{ field: 'difference', was: expected, now: difference }],
  });
};

/**
 * Throws INVALID_STATE_TRANSITION for a booking that was paid online, in part or in full, and would cost more, unless a host
 * charges it later.
 */
const requirePaidLater = ({ before, difference }: PlannedChange, due: number, asked: ChangeRequest): void => {
  const isPaid = before.payment_status === 'PAID' || before.paid_before !== undefined;
  const isPaidOnline = isPaid && before.payment_method === 'ONLINE_GATEWAY';
  if (due === 0 || difference <= 0 || !isPaidOnline || asked.charge_later) return;
  throw new ServiceError(
    'INVALID_STATE_TRANSITION',
    'The booking is paid and the change costs more. A host can make the change with charge_later.',
    { state: before.state },
  );
};

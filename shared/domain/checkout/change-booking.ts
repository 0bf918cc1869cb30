import { hasPermission, isHostOf, type PartnerCaller, roleRefused } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { instantText } from '../../platform/time/clock.ts';
import { isOrderId } from '../../platform/ids.ts';
import { put, retryOnConflict, type Write } from '../../platform/table/index.ts';
import {
  type DetailSources,
  isGuestOf,
  presentDetail,
  readDetailSources,
  refundOf,
} from '../booking/index.ts';
import { cancellationDeadline, type Reservation, requireOneTransaction } from '../booking/model.ts';
import { isOpenToAll } from '../listing/model.ts';
import { DueMailEntity } from '../notification/model.ts';
import { orderQuoteOf, previewOf, withoutHostFigures } from '../pricing/model.ts';
import type { ChangedBooking, ChangePreview, ChangeRequest } from './change.schema.ts';
import { changeOf, isPaidFirst, moneyOf } from './change-money.ts';
import { changeNow, draftedChange } from './change-now.ts';
import { chargeAndChange, resumeChange } from './charge-change.ts';
import { dueOfChange, heldChange, holdWrites, samePage } from './hold-change.ts';
import {
  type ChangeAccess,
  findChangeable,
  isByHost,
  type PlannedChange,
  planChange,
} from './load-change.ts';
import { requireNewTime, takenByOthers } from './new-time.ts';
import { openSession } from '../payment/model.ts';

const userAccess = (ctx: Context): ChangeAccess => {
  const isHost = ({ team_id }: { team_id: number }) => hasPermission(ctx.caller, 'manage', team_id);
  return {
    sees: (stay) => isGuestOf(ctx, stay) || isHostOf(ctx.caller, stay.team_id),
    mayChange: (stay) => isGuestOf(ctx, stay) || isHost(stay),
    mayNotChange: roleRefused,
    mayBook: (listing) => isHost(listing) || isOpenToAll(listing),
    bookingMissing: () => new ServiceError('BOOKING_NOT_FOUND'),
    listingMissing: () => new ServiceError('LISTING_NOT_FOUND'),
  };
};

const partnerAccess = ({ caller }: Context<PartnerCaller>): ChangeAccess => ({
  sees: ({ team_id }) => caller.team_ids.includes(team_id),
  mayChange: ({ key_id }) => key_id === caller.key_id,
  mayNotChange: () =>
    new ServiceError(
      'FORBIDDEN',
      'Only the key that made the booking may change it; its guest or a host can change it too.',
    ),
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
 * present one freed, and what it costs less is refunded. What it costs more than was paid online is charged first, to a
 * token, or on a page while the new time is held. If the new time is taken first, the stay is unchanged. A change gives up
 * an earlier one that waits for its payment.
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
  const { before, sold, quote } = planned;
  const changed = moneyOf(ctx, planned);
  const { after } = draftedChange(ctx, planned, changed);
  return {
    booking_id: before.reservation_id,
    ...changeOf(planned, changed),
    currency: before.currency,
    was: shown(ctx, planned, sold),
    now: shown(ctx, planned, quote),
    available: takenByOthers(planned).length === 0,
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
    const { payment_gateway_token: token, charge_later: chargeLater = false } = asked;
    const startedId = token === undefined ? undefined : await ctx.startedId();
    if (token !== undefined && startedId !== undefined) return resumeChange(ctx, bookingId, token, startedId);
    const stay = await findChangeable(ctx, bookingId, asked, access);
    if (stay.pending?.state === 'CHARGING') throw paymentInProgress(stay.before);
    const listingId = asked.listing_id ?? stay.before.listing_id;
    const [planned, sources] = await Promise.all([
      planChange(ctx, stay, asked, access),
      readDetailSources(ctx, { reservations: [{ ...stay.before, listing_id: listingId }] }),
    ]);
    await requireNewTime(ctx, planned);
    requireExpected(ctx, planned, asked.expected_difference);
    const changed = moneyOf(ctx, planned);
    const id = isOrderId(bookingId) ? bookingId : planned.before.reservation_id;
    if (!isPaidFirst(planned, changed, chargeLater)) return changeNow(ctx, id, planned, changed, sources);
    const { due } = changed;
    return token === undefined
      ? holdUntilPaid(ctx, id, planned, due, sources)
      : chargeAndChange(ctx, id, planned, { due, token, sources });
  });

const paymentInProgress = ({ state }: Reservation): ServiceError =>
  new ServiceError(
    'INVALID_STATE_TRANSITION',
    'Another change of the booking is being paid; its outcome is not known yet.',
    { state },
  );

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
  const { found, before, listing, difference } = planned;
  const waiting = samePage(ctx, planned, due);
  const { payment, writes } = waiting ? { payment: waiting, writes: [] } : await newPage(ctx, planned, due);
  // They are of the new home.
  const ofPresent = listing.id === before.listing_id ? sources : undefined;
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

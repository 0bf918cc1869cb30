import { hasPermission, isHostOf, type PartnerCaller, roleRefused } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { retryOnConflict } from '../../platform/table/index.ts';
import { isGuestOf, readDetailSources } from '../booking/index.ts';
import { cancellationDeadline, isOfPlatform, mayEnd } from '../booking/model.ts';
import { isOpenToAll } from '../listing/model.ts';
import { orderQuoteOf, previewOf, withoutHostFigures } from '../pricing/model.ts';
import type { ChangedBooking, ChangePreview, ChangeRequest } from './change.schema.ts';
import { changeOf, isPaidFirst, moneyOf } from './change-money.ts';
import { draftedChange } from './change-now.ts';
import { isPriceAlone } from './change.rules.ts';
import { chargeAndChange, resumeChange } from './charge-change.ts';
import { findChangeable, type FoundStay, type StayAccess } from './find-changeable.ts';
import { planAdjustment, planPlatformPrice, withIds } from './plan-adjustment.ts';
import { type ChangeAccess, planChange } from './plan-change.ts';
import type { PlannedChange } from './planned-change.ts';
import { requireNewTime, takenByOthers } from './new-time.ts';
import { requireNoCharge, settleChange } from './settle-change.ts';

const mayHost = ({ caller }: Context, { team_id }: { team_id: number }): boolean =>
  hasPermission(caller, 'manage', team_id);

/** How a guest or host reaches bookings. */
export const userStays = (ctx: Context): StayAccess => ({
  sees: (stay) => isGuestOf(ctx, stay) || isHostOf(ctx.caller, stay.team_id),
  mayChange: (stay) => mayEnd(ctx.caller, stay),
  mayNotChange: roleRefused,
  bookingMissing: () => new ServiceError('BOOKING_NOT_FOUND'),
});

const userAccess = (ctx: Context): ChangeAccess => ({
  ...userStays(ctx),
  mayBook: (listing) => mayHost(ctx, listing) || isOpenToAll(listing),
  listingMissing: () => new ServiceError('LISTING_NOT_FOUND'),
});

const partnerAccess = ({ caller }: Context<PartnerCaller>): ChangeAccess => ({
  sees: (stay) => caller.team_ids.includes(stay.team_id) && !isOfPlatform(stay),
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
  const stay = await findChangeable(ctx, bookingId, asked, access);
  const planned = await planAsked(ctx, stay, asked, access);
  const { before, sold, quote } = planned;
  const changed = moneyOf(ctx, planned, asked.as_credit);
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

const planAsked = async (
  ctx: Context,
  stay: FoundStay,
  asked: ChangeRequest,
  access: ChangeAccess,
): Promise<PlannedChange> =>
  isPriceAlone(asked) ? planPrice(ctx, stay, asked) : planChange(ctx, stay, asked, access);

const planPrice = (ctx: Context, stay: FoundStay, asked: ChangeRequest): Promise<PlannedChange> =>
  asked.total_price === undefined
    ? planAdjustment(ctx, stay, withIds(ctx, stay, asked.adjustments ?? []))
    : planPlatformPrice(ctx, stay, asked.total_price);

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
    const { payment_gateway_token: token } = asked;
    const startedId = token === undefined ? undefined : await ctx.startedId();
    if (token !== undefined && startedId !== undefined) return resumeChange(ctx, bookingId, token, startedId);
    const stay = await findChangeable(ctx, bookingId, asked, access);
    requireNoCharge(stay);
    const listingId = asked.listing_id ?? stay.before.listing_id;
    const [planned, sources] = await Promise.all([
      planAsked(ctx, stay, asked, access),
      readDetailSources(ctx, { reservations: [{ ...stay.before, listing_id: listingId }] }),
    ]);
    await requireNewTime(ctx, planned);
    requireExpected(ctx, planned, asked.expected_difference);
    const changed = moneyOf(ctx, planned, asked.as_credit);
    const { due } = changed;
    return token !== undefined && isPaidFirst(planned, changed, asked.charge_later)
      ? chargeAndChange(ctx, bookingId, planned, { due, token, sources })
      : settleChange(ctx, bookingId, planned, changed, { ...asked, sources });
  });

/** Throws PRICE_CHANGED if the caller expects another difference. */
const requireExpected = (ctx: Context, planned: PlannedChange, expected: number | undefined): void => {
  const { difference, quote, before } = planned;
  if (expected === undefined || expected === difference) return;
  const order = previewOf(orderQuoteOf([quote], before.currency), [{ available: true }]);
  const message = 'The difference is not `expected_difference`; `details.preview` holds the new price.';
  throw new ServiceError('PRICE_CHANGED', message, {
    preview: isHostOf(ctx.caller, before.team_id) ? order : withoutHostFigures(order),
    changes: [{ field: 'difference', was: expected, now: difference }],
  });
};

import { actingTeam, type UserCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { invalid } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { retryOnConflict } from '../../platform/table/index.ts';
import type { Guest, Order } from '../booking/model.ts';
import { guestLanguage, type Team, teamRead } from '../people/model.ts';
import { adjustmentsOf, type StayRequest } from '../pricing/model.ts';
import { bookPendingOrder, type PendingOrder } from './book-pending-order.ts';
import type { Confirmation, GuestBookingRequest } from './checkout.schema.ts';
import { draftOrder } from './draft-order.ts';
import { loadOffers } from './load-offers.ts';
import { presentAvailable } from './preview-checkout.ts';
import { takeAll } from './reserve-stays.ts';
import { bookUnpaid } from './pay-online.ts';
import { listingNotFound, requireExpectedTotal, requireMethod } from './refusals.ts';
import { loadAllowedOffers } from './require-stay-rules.ts';

/**
 * Books for a guest on behalf of the acting team; the guest needs no account (D82). One order of the team's own listings,
 * all or nothing, confirmed at once. Throws LISTING_NOT_FOUND for a listing of another team, LISTING_NOT_AVAILABLE for
 * taken time, STAY_NOT_ALLOWED for a stay that the rules refuse unless they are overridden (D78).
 */
export const bookForGuest = (
  ctx: Context<UserCaller>,
  request: GuestBookingRequest,
): Promise<Confirmation> => {
  const teamId = actingTeam(ctx.caller, ctx.teamHeader, 'manage');
  requireOfOneStay(request);
  return retryOnConflict(async () => {
    const load = request.override_rules === true ? loadOffers : loadAllowedOffers;
    const loaded = await load(ctx, {
      items: request.items.map((item) => ({ ...item, ...adjustmentsFor(ctx, request) })),
      currency: request.currency,
      accepts: (listing) => listing.team_id === teamId,
      missing: listingNotFound,
      extras: [teamRead(teamId)],
    });
    takeAll(loaded);
    requireExpectedTotal(request.expected_total, () => presentAvailable(ctx, loaded));
    const order = acceptedByHost(draftOrder(ctx, loaded, ctx.clock.now()));
    const pending: PendingOrder = { order, isNew: true, calendar: loaded.draft.writes() };
    const guest = guestOf(request, loaded.extras[0]);
    const { payment_method } = request;
    requireMethod(payment_method, order);
    return payment_method === 'ONLINE_GATEWAY'
      ? bookUnpaid(ctx, pending, { guest })
      : bookPendingOrder(ctx, pending, { guest, payment_method, payment_status: 'PENDING' });
  });
};

const adjustmentsFor = (
  { clock }: Pick<Context, 'clock'>,
  { adjustments }: GuestBookingRequest,
): Pick<StayRequest, 'adjustments'> =>
  adjustments === undefined ? {} : { adjustments: adjustmentsOf(adjustments, [], () => newId(clock)) };

const requireOfOneStay = ({ items, adjustments = [] }: GuestBookingRequest): void => {
  const at = adjustments.findIndex(({ amount }) => amount !== undefined);
  if (items.length > 1 && at >= 0)
    throw invalid({
      path: `adjustments[${at}].amount`,
      message: 'is of a single stay; adjust each by its own id',
    });
};

/** A booking by the host counts as accepted, also where bookings must be accepted. */
const acceptedByHost = (order: Order): Order => ({
  ...order,
  items: order.items.map((item) => ({ ...item, instant_book: true })),
});

const guestOf = ({ guest_info, note, arrival_time }: GuestBookingRequest, team: Team | undefined): Guest => ({
  user_id: null,
  ...guest_info,
  email: guest_info.email ?? '',
  language: guest_info.language ?? guestLanguage(team),
  note,
  arrival_time,
});

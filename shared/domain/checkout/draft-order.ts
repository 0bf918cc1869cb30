import { instantText } from '../../platform/clock.ts';
import type { Context } from '../../platform/context.ts';
import { callerRef } from '../../platform/auth.ts';
import { newId, newOrderId, reservationIdOf } from '../../platform/ids.ts';
import { freezeQuote, type Order, type OrderItem } from '../booking/index.ts';
import { refundNoticeHours } from '../listing/index.ts';
import type { Offer, Offers } from './load-offers.ts';

/** An order made of priced offers, with new ids unless it keeps its own; nothing is written yet. */
export const draftOrder = (
  ctx: Context,
  { offers, quote }: Offers,
  lockedUntil: number,
  orderId = newOrderId(ctx.clock),
): Order => {
  return {
    order_id: orderId,
    state: 'HELD',
    holder: callerRef(ctx.caller),
    locked_until: lockedUntil,
    extended: false,
    items: offers.map((offer, position) => itemOf(ctx, offer, reservationIdOf(orderId, position))),
    currency: quote.currency,
    estimated_total: quote.estimated_total,
    guest: null,
    created_at: instantText(ctx.clock.now()),
  };
};

const itemOf = (
  ctx: Context,
  { listing, request, quote, time }: Offer,
  reservation_id: number,
): OrderItem => ({
  reservation_id,
  availability_id: newId(ctx.clock),
  team_id: listing.team_id,
  listing_name: listing.name,
  timezone: listing.timezone,
  instant_book: listing.instant_book_enabled,
  refund_notice_hours: refundNoticeHours(listing.refund_rule),
  ...time,
  request,
  quote: freezeQuote(quote),
});

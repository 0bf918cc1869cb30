import { callerRef } from '../../platform/auth.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Context } from '../../platform/context.ts';
import { toInstant } from '../../platform/time/time.ts';
import { newId, newOrderId, reservationIdOf } from '../../platform/ids.ts';
import { freezePlan, freezeQuote, freezeTerms, type Order, type OrderItem } from '../booking/model.ts';
import { type Listing, defaultTransferHours, termsOfListing } from '../listing/model.ts';
import { payableMethods } from '../payment/model.ts';
import type { Offer, Offers } from './load-offers.ts';

/** Returns an order made of priced offers, with a new id unless one is given. Writes nothing. */
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
  reservationId: number,
): OrderItem => ({
  reservation_id: reservationId,
  availability_id: newId(ctx.clock),
  team_id: listing.team_id,
  listing_name: listing.name,
  timezone: listing.timezone,
  instant_book: listing.instant_book_enabled,
  ...freezeTerms(termsOfListing(listing), quote),
  ...paymentTermsOf(listing),
  ...freezePlan(listing, quote, toInstant(time.start_at, listing.timezone), ctx.clock.now()),
  ...time,
  request,
  quote: freezeQuote(quote),
});

/** Default values are not stored: most listings accept every method. */
const paymentTermsOf = ({
  payment_methods: methods,
  transfer_window_hours: hours,
}: Listing): Pick<OrderItem, 'payment_methods' | 'transfer_window_hours'> => ({
  ...(methods && methods.length < payableMethods.length ? { payment_methods: methods } : {}),
  ...(hours === undefined || hours === defaultTransferHours ? {} : { transfer_window_hours: hours }),
});

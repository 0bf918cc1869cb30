import { actingTeam, callerRef, type UserCaller } from '../../platform/auth.ts';
import type { Context } from '../../platform/context.ts';
import { ServiceError } from '../../platform/errors.ts';
import { newOrderId, reservationIdOf } from '../../platform/ids.ts';
import { readOf, retryOnConflict } from '../../platform/table/index.ts';
import { instantText } from '../../platform/time/clock.ts';
import { dateOf, nightsBetween, today } from '../../platform/time/time.ts';
import { bookOrder } from '../booking/index.ts';
import { freezeQuote, type Order, teamStayRows } from '../booking/model.ts';
import {
  type AvailabilityEntry,
  AvailabilityEntryEntity,
  findImportedStay,
  type ImportedStay,
} from '../calendar/model.ts';
import { eventKeyAt, FeedContentsEntity, feedsOf, isBlockText } from '../ical/model.ts';
import { type Listing, listingRead } from '../listing/model.ts';
import { guestLanguage, teamRead } from '../people/model.ts';
import type { ItemQuote } from '../pricing/model.ts';
import { presentConfirmation } from './book-pending-order.ts';
import type { AdoptRequest, Confirmation } from './checkout.schema.ts';
import { platformPrice, requirePlatformPrice } from './platform-price.rules.ts';

/** An imported stay, with the listing and the event that it is. */
interface Found {
  entry: AvailabilityEntry & { feed_id: number };
  imported: ImportedStay;
  listing: Listing;
  event_key: string | undefined;
}

/**
 * Makes a booking of a stay that another platform has sold and its calendar has brought (D120). The block becomes the stay in one
 * write, on condition that it is one still, so its hours are taken all the while. It is paid: the platform has collected. Throws
 * NOT_FOUND for what is no imported stay of the team, and INVALID_STATE_TRANSITION for one that is a booking already.
 */
export const adoptStay = (ctx: Context<UserCaller>, request: AdoptRequest): Promise<Confirmation> => {
  const teamId = actingTeam(ctx.caller, ctx.teamHeader, 'manage');
  return retryOnConflict(async () => {
    const found = await findAdoptable(ctx, teamId, request.availability_id);
    requirePlatformPrice(request.total_price, found.listing.currency);
    const { guest_info, external_booking_id, note, arrival_time } = request;
    const team = await ctx.table.getAll([teamRead(teamId)]);
    const { order, reservations, writes } = bookOrder(
      ctx,
      orderOf(ctx, found, request),
      {
        guest: {
          ...{ user_id: null, full_name: guest_info.full_name },
          ...{ phone: guest_info.phone ?? '', email: guest_info.email ?? '' },
          language: guestLanguage(team[0]),
          ...{ note, arrival_time },
        },
        ...{ payment_method: 'PLATFORM', payment_status: 'PAID' },
        external: {
          key_id: null,
          external_system: found.imported.label,
          external_booking_id: external_booking_id ?? null,
          // A link would change and cancel what the platform leads.
          guest_links: false,
        },
        led_by: {
          feed_id: found.entry.feed_id,
          ...(found.event_key === undefined ? {} : { event_key: found.event_key }),
          ...(isBlockText(found.imported.summary) ? {} : { by_text: true as const }),
        },
      },
      { isNew: true },
    );
    return ctx.commit(writes, presentConfirmation(order, reservations));
  });
};

const findAdoptable = async (ctx: Context, teamId: number, availabilityId: number): Promise<Found> => {
  const seen = await findImportedStay(ctx.table, teamId, availabilityId);
  if (!seen) throw await refusalOf(ctx, teamId, availabilityId);
  const [[entry], [listing], feeds] = await Promise.all([
    ctx.table.getAll([readOf(AvailabilityEntryEntity, seen)]),
    ctx.table.getAll([listingRead(seen.listing_id)]),
    feedsOf(ctx.table, seen.listing_id),
  ]);
  const feed = feeds.find(({ feed_id, state }) => feed_id === seen.feed_id && state === 'FOLLOWING');
  if (entry?.state === 'BOOKED') throw adopted(entry.reservation_id);
  if (!entry?.imported || !listing || !feed) throw await refusalOf(ctx, teamId, availabilityId);
  const contents = await ctx.table.get(FeedContentsEntity, feed);
  return {
    entry: { ...entry, feed_id: feed.feed_id },
    imported: entry.imported,
    listing,
    event_key: contents && eventKeyAt(contents, entry),
  };
};

/** Returns why an id names no imported stay: it may be that of a stay by now. */
const refusalOf = async (ctx: Context, teamId: number, availabilityId: number): Promise<ServiceError> => {
  const rows = await teamStayRows(ctx, teamId, today(ctx.clock.now(), 'Etc/GMT+12'), () => true, {
    further: ['shown'],
  });
  const stay = rows.find(({ entry }) => entry === availabilityId);
  return stay
    ? adopted(stay.id)
    : new ServiceError('NOT_FOUND', 'The team has no imported stay with this availability_id.');
};

const adopted = (bookingId: number | null): ServiceError =>
  new ServiceError(
    'INVALID_STATE_TRANSITION',
    `The imported stay is the booking ${bookingId ?? ''} already.`,
  );

const orderOf = (ctx: Context, { entry, imported, listing }: Found, request: AdoptRequest): Order => {
  const orderId = newOrderId(ctx.clock);
  const quote = quoteOf(entry, imported, listing, request);
  const { listing_id, check_in_date, check_out_date, guest_number } = quote;
  return {
    order_id: orderId,
    state: 'HELD',
    holder: callerRef(ctx.caller),
    locked_until: ctx.clock.now(),
    extended: false,
    items: [
      {
        reservation_id: reservationIdOf(orderId, 0),
        availability_id: entry.availability_id,
        listing_id,
        listing_name: listing.name,
        team_id: listing.team_id,
        calendar_id: entry.calendar_id,
        timezone: listing.timezone,
        start_at: entry.start_at,
        end_at: entry.end_at,
        instant_book: true,
        // What goes back is between the guest and the platform.
        refund_notice_hours: null,
        request: { listing_id, check_in_date, check_out_date, guest_number },
        quote: freezeQuote(quote),
      },
    ],
    currency: quote.currency,
    estimated_total: quote.total,
    guest: null,
    created_at: instantText(ctx.clock.now()),
  };
};

const quoteOf = (
  entry: AvailabilityEntry,
  { label, commission_rate = 0 }: ImportedStay,
  { id, name, currency }: Listing,
  { total_price: total, guest_number = 1 }: AdoptRequest,
): ItemQuote => {
  const [checkIn, checkOut] = [dateOf(entry.start_at), dateOf(entry.end_at)];
  const nights = nightsBetween(checkIn, checkOut);
  return {
    ...{ listing_id: id, listing_name: name, check_in_date: checkIn, check_out_date: checkOut },
    ...{ start_at: entry.start_at, end_at: entry.end_at, nights, hours: null },
    ...{ guest_number, adult_number: null, children_number: null, rooms: 1 },
    ...{ pricing_type: nights > 0 ? 'nightly' : 'daily', combo_id: null },
    ...platformPrice(label, total, { nights, commission_rate, currency }),
    ...{ commission_rate, deposit: 0, currency },
  };
};

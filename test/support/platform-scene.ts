import { availability } from '../../functions/availability/index.ts';
import { availabilityRoutes } from '../../functions/availability/routes.ts';
import { bookings } from '../../functions/bookings/index.ts';
import { bookingRoutes } from '../../functions/bookings/routes.ts';
import { changes } from '../../functions/changes/index.ts';
import { changesRoutes } from '../../functions/changes/routes.ts';
import { checkout } from '../../functions/checkout/index.ts';
import { checkoutRoutes } from '../../functions/checkout/routes.ts';
import { feeds } from '../../functions/feeds/index.ts';
import { feedsRoutes } from '../../functions/feeds/routes.ts';
import { auditBooking, auditListing } from '../../shared/domain/audit/index.ts';
import type { Listing } from '../../shared/domain/listing/listing.entity.ts';
import { event } from './calendars.ts';
import { groupCalls } from './group-calls.ts';
import { importScene, url } from './import-scene.ts';

const dateLine = (name: string, date: string): string => `${name};VALUE=DATE:${date.replaceAll('-', '')}`;

/** Nights as a platform writes them, with its text. */
export const sold = (uid: string, from: string, to: string, summary = 'Reserved'): string[] =>
  event(`UID:${uid}`, dateLine('DTSTART', from), dateLine('DTEND', to), `SUMMARY:${summary}`);

/** What consumers do, which do not run here. */
export const ofConsumers = ['event-not-in-feed', 'due-booking-missing', 'work-late'];

export const adoption = { total_price: 3_000_000, guest_info: { full_name: 'Maria Schmidt' } };

/** An import scene with the calls of its desk. */
export const platformScene = async (given: Partial<Listing> = {}) => {
  const s = await importScene(given);
  const owner = s.owner.caller;
  const desk = groupCalls(
    bookings(() => s.deps),
    bookingRoutes,
  );
  const sales = groupCalls(
    checkout(() => s.deps),
    checkoutRoutes,
  );
  const stayChanges = groupCalls(
    changes(() => s.deps),
    changesRoutes,
  );
  const calendars = groupCalls(
    availability(() => s.deps),
    availabilityRoutes,
  );
  const calendarFeeds = groupCalls(feeds(() => s.deps, s.fetchCalendar) as never, feedsRoutes);
  const params = { listing_id: s.listing.id };
  const range = { from: '2027-01-01', to: '2027-12-31' };
  return {
    ...s,
    desk,
    calendars,
    calendarFeeds,
    sales,
    stayChanges,
    host: owner,
    followAs: (settings: object, address = url) =>
      calendarFeeds.ok(owner, 'followCalendar', { params, body: { url: address, ...settings } }),
    imported: (query: Record<string, string> = range) => desk.ok(owner, 'listImportedStays', { query }),
    /** Adopts the imported stay that arrives first. */
    adopt: async (given: object = {}) => {
      const { items } = await desk.ok(owner, 'listImportedStays', { query: range });
      const body = { availability_id: items[0]!.availability_id, ...adoption, ...given };
      const { reservations } = await sales.ok(owner, 'bookForGuest', { body });
      return reservations[0]!.id;
    },
    /** What has happened to a booking, as `type by`. */
    historyOf: async (id: number) => {
      const { items } = await desk.ok(owner, 'listBookingHistory', { params: { booking_id: id } });
      return items.map(({ event_type, who }) => `${event_type} by ${who.kind}`);
    },
    /** The entries of the listing's calendar that it holds itself. */
    held: async () => {
      const query = { start_date: '2027-01-14', end_date: '2027-03-14' };
      const entries = await calendars.ok(owner, 'readRange', { params, query });
      return entries
        .filter(({ kind }) => kind !== 'FAMILY')
        .map(({ kind, start_at, end_at }) => `${kind} ${start_at.slice(5, 13)} ${end_at.slice(5, 13)}`);
    },
    /** What the audit finds wrong in the calendar and in each booking. */
    audited: async () => {
      const { items } = await desk.ok(owner, 'listTeamBookings', { query: { limit: '100' } });
      const audits = await Promise.all([
        auditListing(s.deps, s.listing.id),
        ...items.map(({ id }) => auditBooking(s.deps, id)),
      ]);
      return audits.flatMap(({ findings }) => findings).filter(({ rule }) => !ofConsumers.includes(rule));
    },
    booking: (id: number) => desk.ok(owner, 'getBooking', { params: { booking_id: id } }),
    today: () => desk.ok(owner, 'readToday'),
  };
};

import { beforeAll, describe, expect, it } from 'vitest';
import { refundCancelled } from '../../functions/workers/refunds/index.ts';
import { ExternalBookingRequest } from '../../shared/domain/booking/external-booking.schema.ts';
import { cancelBooking } from '../../shared/domain/booking/cancel-booking.ts';
import { scheduleEnds } from '../../shared/domain/booking/due-booking.store.ts';
import {
  type AvailabilityEntry,
  AvailabilityEntryEntity,
} from '../../shared/domain/calendar/calendar.store.ts';
import { bookExternally } from '../../shared/domain/checkout/book-externally.ts';
import { openThreads } from '../../shared/domain/chat/threads.ts';
import { markFeedsChanged } from '../../shared/domain/ical/mark-feeds-changed.ts';
import { notify } from '../../shared/domain/notification/notify.ts';
import { type Membership, MembershipEntity } from '../../shared/domain/people/user.store.ts';
import type { EventOf } from '../../shared/events.ts';
import { instantText } from '../../shared/platform/time/clock.ts';
import { orderIdOf } from '../../shared/platform/ids.ts';
import { stored } from '../../shared/platform/table/stored-item.ts';
import { addDays } from '../../shared/platform/time/time.ts';
import { countsUnits, measuredTable } from '../support/costs.ts';
import { bookStay, eventScene, eventsOf } from '../support/events.ts';
import { manyStays, storeStays, writeMany } from '../support/many-stays.ts';
import { freshId, testContext, testKey } from '../support/table.ts';

const hourMs = 3_600_000;
const stay = { check_in_date: '2027-03-04', check_out_date: '2027-03-07' };
const newestStay = { check_in_date: '2027-03-12', check_out_date: '2027-03-13' };
const laterStay = { check_in_date: '2027-03-08', check_out_date: '2027-03-10' };

/** A booking, and a cancelled one, of a team with many bookings and customers, at a listing that was booked as often. */
const scene = async (count: number) => {
  const s = await eventScene();
  const { deps, team_id, listing } = s;
  const now = deps.clock.now();
  const created_at = instantText(now - hourMs);
  const first = freshId();
  const entry = (at: number): AvailabilityEntry => ({
    ...{ calendar_id: listing.id, availability_id: first + at, listing_id: listing.id, state: 'BOOKED' },
    ...{ reservation_id: first + at, order_id: first, locked_until: null, note: null, created_at },
    start_at: `${addDays('2027-01-14', -at)}T14:00:00`,
    end_at: `${addDays('2027-01-15', -at)}T12:00:00`,
  });
  const customer = (at: number): Membership => ({
    ...{ user_id: first + at, team_id, role: 'CUSTOMER', state: 'ACTIVE', created_at },
  });
  const all = Array.from({ length: count }, (_, at) => at);
  await storeStays(manyStays({ team_id, count, until: now - hourMs, seed: count }));
  await writeMany(all.map((at) => stored(AvailabilityEntryEntity, entry(at))));
  await writeMany(all.map((at) => stored(MembershipEntity, customer(at))));
  const { created } = await bookStay(s.asGuest, { listing_id: listing.id, ...stay });
  const { booking_id } = await bookStay(s.asGuest, { listing_id: listing.id, ...laterStay });
  await cancelBooking(s.asGuest, booking_id, 'Changed plans');
  const { caller } = await testKey(deps, { team_ids: [team_id] });
  const external = await bookExternally(
    testContext(deps, caller),
    ExternalBookingRequest.parse({
      ...{ listing_id: listing.id, ...newestStay, nights: 1, guest_number: 1, payment_method: 'CASH' },
      guest_info: {
        full_name: 'Mai',
        phone: '+84 901 234 567',
        email: `mai-${count}@sec.example`,
        language: 'vi',
      },
    }),
  );
  const [byKey] = await eventsOf(deps.table, `ORDER#${orderIdOf(external.booking.id)}`);
  const events = await eventsOf(deps.table, `ORDER#${orderIdOf(booking_id)}`);
  const cancelled = events.find(({ event_type }) => event_type === 'booking.cancelled');
  const { table, cost } = measuredTable(deps.table);
  const sent: unknown[] = [];
  const mailer = { send: async (mail: unknown) => void sent.push(mail) };
  return {
    deps: { ...deps, table, mailer },
    cost,
    sent,
    created: created as EventOf<'booking.created'>,
    byKey: byKey as EventOf<'booking.created'>,
    cancelled: cancelled as EventOf<'booking.cancelled'>,
  };
};
type Scene = Awaited<ReturnType<typeof scene>>;

/** Sends the mails of an event to the guest and the owner. */
const mailsOf = async ({ deps, sent }: Scene, event: Parameters<typeof notify>[1]): Promise<void> => {
  sent.length = 0;
  await notify(deps, event);
  expect(sent).toHaveLength(2);
};

/** What handles an event, and the round trips, read and write units that it may take, however much the team has sold. */
const consumers: [
  what: string,
  trips: number,
  rcu: number,
  wcu: number,
  work: (s: Scene) => Promise<unknown>,
][] = [
  ['the thread of a new booking', 2, 1, 3, (s) => openThreads(s.deps, [s.created])],
  ['the end of a new booking in the due list', 2, 1, 1, (s) => scheduleEnds(s.deps, [s.created.data.id])],
  ['the mails of a new booking', 13, 7, 5, (s) => mailsOf(s, s.created)],
  ['the mails of a booking by a key, of which the guest’s counts', 15, 10, 11, (s) => mailsOf(s, s.byKey)],
  ['the calendar export after a new booking', 4, 3, 1, (s) => markFeedsChanged(s.deps, [s.created])],
  ['the mails of a cancelled booking', 12, 7, 4, (s) => mailsOf(s, s.cancelled)],
  ['the refund of a booking without payment', 2, 2, 0, (s) => refundCancelled(s.deps, s.cancelled)],
];

describe.runIf(countsUnits).each([1000, 10_000])('with %i bookings and customers', (count) => {
  let s: Scene;
  beforeAll(async () => {
    s = await scene(count);
  }, 240_000);

  it.each(consumers)(
    '%s takes at most %i round trips, %i RCU and %i WCU',
    async (_, trips, rcu, wcu, work) => {
      const spent = await s.cost(() => work(s));
      expect(spent.trips).toBeLessThanOrEqual(trips);
      expect(spent.rcu).toBeLessThanOrEqual(rcu);
      expect(spent.wcu).toBeLessThanOrEqual(wcu);
    },
  );
});

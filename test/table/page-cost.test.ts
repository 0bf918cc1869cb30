import { beforeAll, describe, expect, it } from 'vitest';
import {
  type AvailabilityEntry,
  AvailabilityEntryEntity,
} from '../../shared/domain/calendar/calendar.store.ts';
import { readMonth } from '../../shared/domain/calendar/read-calendar.ts';
import {
  type Message,
  MessageEntity,
  type Thread,
  ThreadEntity,
} from '../../shared/domain/chat/chat.store.ts';
import { listMessages } from '../../shared/domain/chat/messages.ts';
import { listThreads } from '../../shared/domain/chat/threads.ts';
import { listCustomers } from '../../shared/domain/people/customers.ts';
import { type Membership, MembershipEntity, UserEntity } from '../../shared/domain/people/user.store.ts';
import { type StoredReview, ReviewEntity } from '../../shared/domain/listing/review.store.ts';
import { listReviews } from '../../shared/domain/listing/reviews.ts';
import { listDeliveries } from '../../shared/domain/webhook/deliveries.ts';
import { type Delivery, DeliveryEntity } from '../../shared/domain/webhook/delivery.store.ts';
import { type Webhook, WebhookEntity } from '../../shared/domain/webhook/webhook.store.ts';
import { instantText } from '../../shared/platform/time/clock.ts';
import { newEventId } from '../../shared/platform/ids.ts';
import { put } from '../../shared/platform/table/index.ts';
import { stored } from '../../shared/platform/table/stored-item.ts';
import { addDays } from '../../shared/platform/time/time.ts';
import { countsUnits, measuredTable } from '../support/costs.ts';
import { testListing } from '../support/listings.ts';
import { writeMany } from '../support/many-stays.ts';
import { freshId, testContext, testDependencies, testKey, testTeam, testUser } from '../support/table.ts';

const from = (first: number, count: number) => Array.from({ length: count }, (_, at) => first + at);

/** A team with many of everything that is listed by pages, and a thread, listing and webhook with many. */
const scene = async (count: number) => {
  const deps = await testDependencies();
  const { team_id } = await testTeam(deps);
  const { caller: host, user } = await testUser(deps, { memberships: [{ team_id, role: 'OWNER' }] });
  const { caller: guest } = await testUser(deps);
  const { caller: partner, key } = await testKey(deps, { team_ids: [team_id] });
  const listing = await testListing(deps, { team_id, review_count: count });
  const now = deps.clock.now();
  const at = (position: number) => instantText(now - (count - position) * 60_000);
  const first = freshId();

  const thread = (thread_id: number): Thread => ({
    ...{ thread_id, booking_id: thread_id, master_reservation_id: thread_id - 1, team_id, version: 1 },
    ...{ listing_id: listing.id, listing_name: listing.name, created_at: at(thread_id - first) },
    guest: { user_id: guest.user_id, full_name: guest.full_name },
    last_message: { sender_type: 'GUEST', text: 'x'.repeat(200), created_at: at(thread_id - first) },
  });
  const message = (message_id: number): Message => ({
    ...{ thread_id: first, message_id, sender_type: 'GUEST', sender_id: guest.user_id },
    ...{ sender_name: guest.full_name, text: 'x'.repeat(200), created_at: at(message_id - first) },
  });
  const review = (review_id: number): StoredReview => ({
    ...{ review_id, listing_id: listing.id, team_id, reservation_id: review_id, user_id: guest.user_id },
    ...{ guest_name: 'An', rating: 5, comment: 'x'.repeat(200), created_at: at(review_id - first) },
  });
  const webhook: Webhook = {
    ...{ webhook_id: first, key_id: key.partner_key_id, team_ids: [team_id], url: 'https://example.com' },
    ...{ description: null, event_types: ['booking.created'], state: 'ACTIVE', problem: null, version: 1 },
    ...{
      secrets: [],
      troubled_since: null,
      busy_until: 0,
      notified_at: 0,
      created_at: at(0),
      updated_at: at(0),
    },
  };
  const delivery = (position: number): Delivery => ({
    ...{ webhook_id: first, event_id: newEventId({ now: () => now - (count - position) * 60_000 }) },
    ...{ key_id: key.partner_key_id, event_type: 'booking.created', team_id, occurred_at: at(position) },
    ...{ data: JSON.stringify({ id: position, text: 'x'.repeat(300) }), state: 'DELIVERED', tries: 1 },
    attempts: [{ at: at(position), kind: 'retry', response_code: 200, error: null, duration_ms: 20 }],
    ...{ due_at: null, shard: 0, claimed_until: 0, version: 2, claim: 'x', created_at: at(position) },
  });
  // A house whose rooms are booked every night, until today.
  const lastNight = '2027-02-28';
  const entry = (position: number): AvailabilityEntry => ({
    ...{ calendar_id: listing.id, availability_id: first + position, listing_id: first + (position % 40) },
    ...{ state: 'BOOKED', reservation_id: first + position, order_id: first, locked_until: null, note: null },
    start_at: `${addDays(lastNight, -Math.floor(position / 40))}T14:00:00`,
    end_at: `${addDays(lastNight, 1 - Math.floor(position / 40))}T12:00:00`,
    created_at: at(position),
  });
  const member = (user_id: number): Membership => ({
    ...{ user_id, team_id, role: 'CUSTOMER', state: 'ACTIVE', created_at: at(0) },
  });

  const all = from(0, count);
  const ids = from(first, count);
  await writeMany([
    ...ids.map((id) => stored(ThreadEntity, thread(id))),
    ...ids.map((id) => stored(MessageEntity, message(id))),
    ...ids.map((id) => stored(ReviewEntity, review(id))),
    ...ids.map((user_id) => stored(MembershipEntity, member(user_id))),
    // Those that are shown.
    ...ids
      .slice(-60)
      .map((user_id) => stored(UserEntity, { ...user, user_id, email: `guest${user_id}@example.com` })),
    ...all.map((position) => stored(DeliveryEntity, delivery(position))),
    ...all.map((position) => stored(AvailabilityEntryEntity, entry(position))),
  ]);
  await deps.table.transact([put(WebhookEntity, webhook)]);
  const { table, cost } = measuredTable(deps.table);
  const measured = { ...deps, table };
  const [asHost, asGuest] = [testContext(measured, host), testContext(measured, guest)];
  return { team_id, listing, first, cost, asHost, asGuest, asPartner: testContext(measured, partner) };
};
type Scene = Awaited<ReturnType<typeof scene>>;

interface Page {
  items: readonly unknown[];
  next_cursor: string | null;
}
type Read = (s: Scene, paging: { page: number; limit: number; cursor?: string }) => Promise<Page>;

/**
 * The lists, and the read units that their first page of 20 may cost, and a further one by its cursor. A first page counts up
 * to 1,000 entries where they have no total of their own; a customer is read with the teams.
 */
const lists: [what: string, first: number, further: number, read: Read][] = [
  ['the threads of a team', 90, 2, (s, paging) => listThreads(s.asHost, { ...paging, as: 'host' })],
  ['the threads of a guest', 90, 2, (s, paging) => listThreads(s.asGuest, { ...paging, as: 'guest' })],
  [
    'the messages of a thread',
    103,
    5,
    (s, paging) => listMessages(s.asGuest, s.first, { ...paging, sort_order: 'asc' }),
  ],
  [
    'the customers of a team',
    48,
    21,
    (s, paging) => listCustomers(s.asPartner, { team_ids: [s.team_id] }, paging),
  ],
  ['the reviews of a listing', 3, 3, (s, paging) => listReviews(s.asGuest, s.listing.id, paging)],
  [
    'the deliveries of a webhook',
    6,
    6,
    (s, { limit, cursor }) => listDeliveries(s.asPartner, s.first, { limit, ...(cursor ? { cursor } : {}) }),
  ],
];

describe.runIf(countsUnits).each([1000, 10_000])('of %i', (count) => {
  let s: Scene;
  beforeAll(async () => {
    s = await scene(count);
  }, 240_000);

  it.each(lists)(
    '%s cost at most %i read units a page, and %i by its cursor',
    async (_, first, further, read) => {
      let cursor: string | null = null;
      for (let page = 1; page <= 3; page++) {
        let found: Page | undefined;
        const paging = { page: 1, limit: 20, ...(cursor === null ? {} : { cursor }) };
        const { rcu } = await s.cost(async () => (found = await read(s, paging)));
        expect(found!.items).toHaveLength(20);
        expect(rcu).toBeLessThanOrEqual(page === 1 ? first : further);
        cursor = found!.next_cursor;
        expect(cursor).not.toBeNull();
      }
    },
  );

  it('entries, a month of a house’s calendar costs at most a unit for each six that it shows', async () => {
    let shown: readonly unknown[] = [];
    const { rcu } = await s.cost(
      async () => (shown = await readMonth(s.asHost, s.listing.id, { year: 2027, month: 2 })),
    );
    expect(shown.length).toBeGreaterThanOrEqual(1000);
    expect(rcu).toBeLessThanOrEqual(shown.length / 6);
  });
});

import { sampleWorld } from '../../../infra/samples/sample-world.ts';
import { freezeQuote } from '../../../shared/domain/booking/frozen-quote.rules.ts';
import { type Order, OrderEntity, type OrderItem } from '../../../shared/domain/booking/order.entity.ts';
import { type Reservation, ReservationEntity } from '../../../shared/domain/booking/reservation.entity.ts';
import { openThreads } from '../../../shared/domain/chat/threads.ts';
import { type FollowedFeed, FollowedFeedEntity } from '../../../shared/domain/ical/ical.store.ts';
import { createListing } from '../../../shared/domain/listing/create-listing.ts';
import { ListingCreate } from '../../../shared/domain/listing/listing-input.schema.ts';
import { ListingEntity } from '../../../shared/domain/listing/listing.entity.ts';
import { readListing } from '../../../shared/domain/listing/listing.store.ts';
import { type Payment, PaymentEntity } from '../../../shared/domain/payment/payment.entity.ts';
import { quoteExample } from '../../../shared/domain/pricing/quote-example.schema.ts';
import {
  InvitationEntity,
  invitationEnd,
  InvitationSecretEntity,
  secretHash,
} from '../../../shared/domain/people/invitation.store.ts';
import { keyHash } from '../../../shared/domain/people/key.store.ts';
import { type Delivery, DeliveryEntity } from '../../../shared/domain/webhook/delivery.store.ts';
import {
  SubscriberEntity,
  type Webhook,
  WebhookEntity,
} from '../../../shared/domain/webhook/webhook.store.ts';
import { put } from '../../../shared/platform/table/index.ts';
import { testPublishableKey } from '../../support/builders.ts';
import {
  freshId,
  testContext,
  type TestDependencies,
  testDependencies,
  testKey,
  testStart,
  testTeam,
  testUser,
} from '../../support/table.ts';

const { team_id, guest_id, host_id, listing_id, order_id } = sampleWorld;

const invitation = {
  ...{ team_id, email: 'minh@example.com', secret_hash: secretHash(sampleWorld.invitation) },
  valid_until: invitationEnd(Date.parse('2999-01-01T00:00:00.000Z')),
};

const guest = {
  user_id: guest_id,
  full_name: 'Nguyễn Văn An',
  phone: '+84901234567',
  email: 'an@example.com',
  language: 'vi',
} as const;

const reservation = (position: number): Reservation => ({
  reservation_id: order_id + position,
  order_id,
  availability_id: order_id + position,
  listing_id,
  listing_name: 'Căn hộ nhìn ra Hồ Tây',
  calendar_id: listing_id,
  team_id,
  state: 'CONFIRMED',
  payment_method: 'CASH',
  payment_status: 'PENDING',
  check_in_date: '2027-02-11',
  check_out_date: '2027-02-14',
  start_at: '2027-02-11T14:00:00',
  end_at: '2027-02-14T12:00:00',
  timezone: 'Asia/Ho_Chi_Minh',
  nights: 3,
  guest_number: 2,
  total: 3_000_000,
  currency: 'VND',
  refund_notice_hours: 168,
  guest,
  key_id: null,
  external_system: null,
  external_booking_id: null,
  created_at: testStart,
  updated_at: testStart,
});

const item = (position: number): OrderItem => {
  const { reservation_id, availability_id, listing_name, calendar_id, ...stay } = reservation(position);
  const { check_in_date, check_out_date, start_at, end_at, timezone, refund_notice_hours, total } = stay;
  const request = { listing_id, check_in_date, check_out_date, guest_number: 2 };
  const times = { start_at, end_at };
  return {
    ...{
      reservation_id,
      availability_id,
      listing_id,
      listing_name,
      team_id,
      calendar_id,
      timezone,
      ...times,
    },
    instant_book: true,
    refund_notice_hours,
    request,
    quote: freezeQuote({ ...quoteExample, ...request, ...times, listing_name, total }),
  };
};

const order: Order = {
  order_id,
  state: 'BOOKED',
  holder: `user:${guest_id}`,
  locked_until: Date.parse(testStart),
  extended: false,
  items: [item(1), item(2)],
  currency: 'VND',
  estimated_total: 6_000_000,
  guest,
  created_at: testStart,
};

/** Its payment at VNPay, which the sample of the webhook reports. */
const payment: Payment = {
  payment_id: order_id,
  provider: 'vnpay',
  amount: 6_000_000,
  currency: 'VND',
  state: 'OPEN',
  reference: `${order_id}-1`,
  url: 'https://sandbox.vnpayment.vn/paymentv2/vpcpay.html?vnp_TxnRef=sample',
  attempt: 1,
  opened_at: Date.parse(testStart),
  ends_at: Date.parse(testStart) + 86_400_000,
  transaction_id: null,
  refunded: 0,
  version: 1,
  created_at: testStart,
  updated_at: testStart,
};

const feed: FollowedFeed = {
  listing_id,
  feed_id: 0,
  team_id,
  url_hash: 'x2Sample000000000000000',
  url: 'https://www.airbnb.com/calendar/ical/4711.ics',
  state: 'FOLLOWING',
  version: 1,
  shard: 3,
  next_sync_at: Date.parse(testStart) - 1000,
  lease_until: 0,
  last_synced_at: null,
  failures: 0,
  problem: null,
  etag: null,
  last_modified: null,
  settled: true,
  read_as: '',
  imported: 0,
  conflicts: [],
  shared: false,
  quarantined: 0,
  created_at: testStart,
};

const webhook: Webhook = {
  webhook_id: sampleWorld.webhook_id,
  key_id: 9,
  team_ids: [team_id],
  url: 'https://93.184.215.14/hooks',
  description: null,
  event_types: ['booking.created'],
  state: 'ACTIVE',
  problem: null,
  secrets: [{ text: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', signs_until: null }],
  version: 1,
  troubled_since: null,
  busy_until: 0,
  notified_at: 0,
  created_at: testStart,
  updated_at: testStart,
};

/** One whose key has ended: nothing is sent. */
const orphan: Webhook = { ...webhook, ...sampleWorld.ended_webhook };

const delivery = (number: number, given: Partial<Delivery> = {}): Delivery => ({
  webhook_id: orphan.webhook_id,
  event_id: `evt_sample0000000000000000${number}`,
  key_id: orphan.key_id,
  team_id,
  event_type: 'booking.created',
  body: '{}',
  occurred_at: testStart,
  state: 'PENDING',
  attempts: [],
  tries: 0,
  due_at: Date.parse(testStart),
  shard: 0,
  claimed_until: 0,
  version: 1,
  claim: 'new',
  created_at: testStart,
  ...given,
});

/** Fills the table with the people, the listing and the bookings that the sample events speak of. */
export const fillWorld = async (): Promise<TestDependencies> => {
  const deps = await testDependencies();
  await testTeam(deps, { team_id });
  await deps.table.transact([
    put(InvitationEntity, {
      ...invitation,
      ...{ invitation_id: freshId(), role: 'STAFF', invited_by: host_id, state: 'OPEN' },
      ...{ api_url: 'https://api.example.com', created_at: testStart },
    }),
    put(InvitationSecretEntity, invitation),
  ]);
  await testUser(deps, {
    ...guest,
    auth0_id: 'auth0|65a1f0c2',
    memberships: [{ team_id, role: 'CUSTOMER' }],
  });
  const host = await testUser(deps, {
    user_id: host_id,
    email: 'linh@example.com',
    full_name: 'Trần Thị Linh',
    auth0_id: 'auth0|64b0e1d3',
    memberships: [{ team_id, role: 'OWNER' }],
  });
  await testKey(deps, { team_ids: [team_id], hash: keyHash(sampleWorld.api_key) });
  await testPublishableKey(deps, team_id, { hash: keyHash(sampleWorld.publishable_key) });
  const body = ListingCreate().parse({
    name: 'Căn hộ nhìn ra Hồ Tây',
    listing_type: 'ENTIRE_PLACE',
    property_type: 'APARTMENT',
    address: '1 Thanh Niên',
    province_code: 'HN',
    capacity: 4,
    full_rate: 1_000_000,
    state: 'ACTIVE',
  });
  const made = await createListing(testContext(deps, host.caller), body);
  const listing = await readListing(deps.table, made.id);
  if (!listing) throw new Error('The listing was not made.');
  await deps.table.transact([
    put(ListingEntity, { ...listing, id: listing_id }),
    put(OrderEntity, order),
    put(ReservationEntity, reservation(1)),
    put(ReservationEntity, reservation(2)),
    put(PaymentEntity, payment),
  ]);
  await deps.table.transact([
    put(FollowedFeedEntity, { ...feed, url_hash: 'x1Sample000000000000000', feed_id: order_id - 1000 }),
    put(FollowedFeedEntity, {
      ...feed,
      feed_id: sampleWorld.followed_feed_id,
      next_sync_at: deps.clock.now() + 60_000,
    }),
  ]);
  await deps.table.transact([
    put(WebhookEntity, webhook),
    put(WebhookEntity, orphan),
    put(SubscriberEntity, { ...webhook, team_id }),
    put(DeliveryEntity, delivery(3)),
    put(DeliveryEntity, delivery(4)),
    put(DeliveryEntity, delivery(5, { tries: 1, due_at: Date.parse(testStart) - 1000 })),
  ]);
  await openThreads(deps, [
    {
      id: 'evt_sample00000000000000000',
      event_type: 'booking.created',
      occurred_at: testStart,
      team_id,
      actor: `user:${guest_id}`,
      data: { id: order_id + 1 },
    },
  ]);
  return deps;
};

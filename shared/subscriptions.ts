import { bookingEvents } from './domain/booking/booking.events.ts';
import { listingEvents } from './domain/listing/listing.events.ts';
import { reviewEvents } from './domain/listing/review.events.ts';
import { type EventType, publicEventTypes } from './events.ts';

/** A consumer of events. Rules, queues, dead-letter queues, alarms and the local bus are derived from it. */
export interface Subscription {
  /** The folder below `functions/workers/` and the name of the queue. */
  consumer: string;
  event_types: readonly EventType[];
  /** What users notice when it does not run: the text of its alarm. */
  impact: string;
  batchSize: number;
  /** How long messages are collected for a batch; required for more than ten. */
  batchWindowSeconds?: number;
  /** The most batches at once, where workers would write the same items; fewer if the stage has fewer. */
  concurrency?: number;
  timeoutSeconds: number;
  /** Deliveries of a message before it moves to the dead-letter queue, which must come before the alarm `queues-late`. */
  maxReceives: number;
}

type TypeIn<Rows> = Rows extends unknown ? keyof Rows & EventType : never;

/** Returns every event type that the nouns declare. */
const allOf = <Rows extends object>(...nouns: Rows[]) => nouns.flatMap(Object.keys) as TypeIn<Rows>[];

// A constant each, so that the bundle of a worker contains its own and no event type of another.
export const notificationSubscription = {
  consumer: 'notification',
  event_types: [
    'booking.created',
    'booking.confirmed',
    'booking.declined',
    'booking.changed',
    'booking.cancelled',
    'booking.restored',
    'booking.completed',
    'booking.no_show',
    'booking.access_released',
    'booking.deposit_changed',
    'booking.guest_updated',
    'payment.paid',
    'payment.extended',
    'payment.failed',
    'payment.refunded',
    'chat.message_created',
    'webhook.failing',
    'calendar.conflict',
    'calendar.quarantined',
    'calendar.read_in_part',
    'calendar.stale',
    'team.member_invited',
    'team.member_joined',
    'team.member_role_changed',
    'team.member_removed',
    'team.key_created',
    'team.bank_account_changed',
    'team.transfer_reports_changed',
    'team.key_rotated',
  ],
  impact: 'Guests and hosts get no mail about their bookings and payments, and invited people no link.',
  batchSize: 25,
  batchWindowSeconds: 1,
  timeoutSeconds: 30,
  maxReceives: 5,
} as const satisfies Subscription;

export const chatSubscription = {
  consumer: 'chat',
  event_types: ['booking.created', 'booking.changed', 'booking.guest_updated'],
  impact:
    'New bookings have no chat thread between guest and host; of changed ones it names the home or the guest of before.',
  batchSize: 25,
  batchWindowSeconds: 1,
  timeoutSeconds: 30,
  maxReceives: 5,
} as const satisfies Subscription;

export const refundsSubscription = {
  consumer: 'refunds',
  event_types: ['booking.cancelled', 'booking.declined', 'booking.changed', 'booking.no_show'],
  impact: 'Refunds of online payments wait for the schedule, up to 5 minutes.',
  batchSize: 10,
  timeoutSeconds: 30,
  maxReceives: 5,
} as const satisfies Subscription;

export const icalSubscription = {
  consumer: 'ical',
  event_types: [
    'booking.created',
    'booking.declined',
    'booking.changed',
    'booking.cancelled',
    'booking.restored',
    'availability.changed',
  ],
  impact: 'The calendar feeds that other platforms subscribe to show old availability.',
  batchSize: 25,
  batchWindowSeconds: 1,
  timeoutSeconds: 30,
  maxReceives: 5,
} as const satisfies Subscription;

export const webhookSubscription = {
  consumer: 'webhook',
  event_types: publicEventTypes,
  impact: 'Partners receive no events: neither by webhook nor in the feed of events.',
  batchSize: 10,
  concurrency: 5,
  timeoutSeconds: 30,
  maxReceives: 5,
} as const satisfies Subscription;

export const searchIndexSubscription = {
  consumer: 'search-index',
  event_types: [
    'listing.created',
    'listing.updated',
    'listing.archived',
    'availability.changed',
    'booking.created',
    'booking.declined',
    'booking.changed',
    'booking.cancelled',
    'booking.restored',
    'review.created',
  ],
  impact: 'Search does not know new listings, prices and bookings, and finds what can no longer be booked.',
  batchSize: 100,
  batchWindowSeconds: 1,
  concurrency: 2,
  timeoutSeconds: 45,
  maxReceives: 4,
} as const satisfies Subscription;

export const listIndexSubscription = {
  consumer: 'list-index',
  event_types: /* @__PURE__ */ allOf<typeof bookingEvents | typeof listingEvents | typeof reviewEvents>(
    bookingEvents,
    listingEvents,
    reviewEvents,
  ),
  impact:
    'Lists of bookings and of a team’s listings stay right but cost more to read, the longer the more; that of the open listings of the platform gets old; new stays without a check-in are not closed after their end.',
  batchSize: 100,
  batchWindowSeconds: 1,
  concurrency: 6,
  timeoutSeconds: 45,
  maxReceives: 4,
} as const satisfies Subscription;

const rows = [
  notificationSubscription,
  chatSubscription,
  refundsSubscription,
  icalSubscription,
  webhookSubscription,
  searchIndexSubscription,
  listIndexSubscription,
] as const;

export type Consumer = (typeof rows)[number]['consumer'];

export const subscriptions: readonly (Subscription & { consumer: Consumer })[] = rows;

/** The event types that a consumer subscribes to. */
export type Subscribed<Name extends Consumer> = Extract<
  (typeof rows)[number],
  { consumer: Name }
>['event_types'][number];

export const typesOf = (consumer: Consumer): readonly EventType[] =>
  subscriptions.filter((row) => row.consumer === consumer).flatMap(({ event_types }) => event_types);

import { describe, expect, it } from 'vitest';
import { entities } from '../../shared/entities.ts';
import { type IndexName, tableIndexes } from '../../shared/platform/table/entity.ts';

/** Items with the keys under which they are stored. Never to be changed: stored data is found by these keys alone. */
const cases: readonly [entity: string, item: object, keys: Record<string, string>][] = [
  [
    'Listing',
    { id: 7001, team_id: 31, state: 'ACTIVE', updated_at: '2027-01-15T03:00:00.000Z' },
    {
      pk: 'LISTING#7001',
      sk: 'LISTING',
      team_pk: 'TEAM#31#LISTINGS',
      team_sk: 'AT#2027-01-15T03:00:00.000Z',
      audience_pk: 'OPEN_LISTINGS',
      audience_sk: 'AT#2027-01-15T03:00:00.000Z',
    },
  ],
  [
    'Listing',
    { id: 7001, team_id: 31, state: 'DRAFT', updated_at: '2027-01-15T03:00:00.000Z' },
    {
      pk: 'LISTING#7001',
      sk: 'LISTING',
      team_pk: 'TEAM#31#LISTINGS',
      team_sk: 'AT#2027-01-15T03:00:00.000Z',
    },
  ],
  ['ListingSlug', { team_id: 1, slug: 'villa' }, { pk: 'TEAM#1', sk: 'SLUG#villa' }],
  ['ListingViews', { listing_id: 1 }, { pk: 'LISTING#1', sk: 'VIEWS' }],
  [
    'ListingChange',
    { listing_id: 7001, changed_at: '2027-01-15T03:00:00.000Z', change_id: 161 },
    { pk: 'LISTING_CHANGES#7001', sk: '2027-01-15T03:00:00.000Z#0000000000000161' },
  ],
  ['PriceParts', { listing_id: 1 }, { pk: 'LISTING#1', sk: 'PRICE_PARTS' }],
  [
    'PriceParts',
    { listing_id: 7001, team_id: 31 },
    {
      pk: 'LISTING#7001',
      sk: 'PRICE_PARTS',
      team_pk: 'TEAM#31#PRICE_PARTS',
      team_sk: 'LISTING#0000000000007001',
    },
  ],
  ['PricePartOwner', { kind: 'combos', part_id: 1 }, { pk: 'PRICE_PART#combos#1', sk: 'OWNER' }],
  ['ParkingRules', { listing_id: 1 }, { pk: 'LISTING#1', sk: 'PARKING_RULES' }],
  ['HouseRules', { listing_id: 1 }, { pk: 'LISTING#1', sk: 'POLICIES' }],
  [
    'CalendarMonth',
    { calendar_id: 1, listing_id: 1, month: '2027-02' },
    { pk: 'CALENDAR#1', sk: 'MONTH#2027-02' },
  ],
  [
    'CalendarMonth',
    { calendar_id: 1, listing_id: 2, month: '2027-02' },
    { pk: 'CALENDAR#1', sk: 'MONTH#2027-02#2' },
  ],
  [
    'AvailabilityEntry',
    { calendar_id: 7001, availability_id: 5, start_at: '2027-02-04T14:00:00', end_at: '2027-02-07T12:00:00' },
    { pk: 'CALENDAR#7001', sk: 'ENTRY#2027-02-04T14:00:00#5' },
  ],
  [
    'AvailabilityEntry',
    { calendar_id: 7001, availability_id: 5, start_at: '2027-02-04T14:00:00', end_at: '2027-04-07T12:00:00' },
    { pk: 'CALENDAR#7001', sk: 'LONG_ENTRY#2027-02-04T14:00:00#5' },
  ],
  [
    'AvailabilityEntry',
    {
      ...{ calendar_id: 7001, availability_id: 5, start_at: '2027-02-04T14:00:00' },
      ...{ end_at: '2027-02-07T12:00:00', imported: { team_id: 71 } },
    },
    {
      ...{ pk: 'CALENDAR#7001', sk: 'ENTRY#2027-02-04T14:00:00#5' },
      ...{ team_pk: 'TEAM#71#IMPORTED', team_sk: '2027-02-04T14:00:00#5' },
      ...{ audience_pk: 'TEAM#71#IMPORTED_ENDS', audience_sk: '2027-02-07T12:00:00#5' },
    },
  ],
  ['BulkChange', { bulk_id: 161 }, { pk: 'BULK#161', sk: 'CHANGE' }],
  ['BulkResult', { bulk_id: 161, listing_id: 7001 }, { pk: 'BULK#161', sk: 'LISTING#7001' }],
  ['CallerCheckouts', { holder: 'user:1' }, { pk: 'CHECKOUTS#user:1', sk: 'CHECKOUTS' }],
  ['UnpaidStays', { user_id: 1 }, { pk: 'UNPAID#1', sk: 'UNPAID' }],
  [
    'CartItem',
    { user_id: 1, listing_id: 2, check_in_date: '2027-02-04', check_out_date: '2027-02-07' },
    { pk: 'CART#1', sk: '0000000000000002#2027-02-04#2027-02-07' },
  ],
  ['CartAddition', { user_id: 1 }, { pk: 'CART#1#ADDITION', sk: 'ADDITION' }],
  ['Order', { order_id: 16 }, { pk: 'ORDER#16', sk: 'ORDER' }],
  [
    'Reservation',
    {
      order_id: 160,
      reservation_id: 161,
      team_id: 31,
      guest: { user_id: 5 },
      updated_at: '2027-01-15T03:00:00.000Z',
    },
    {
      pk: 'ORDER#160',
      sk: 'RESERVATION#0000000000000161',
      team_pk: 'TEAM#31#RESERVATIONS',
      team_sk: 'AT#2027-01-15T03:00:00.000Z',
      audience_pk: 'GUEST#5',
      audience_sk: 'AT#2027-01-15T03:00:00.000Z',
    },
  ],
  [
    'Reservation',
    {
      order_id: 160,
      reservation_id: 162,
      team_id: 31,
      guest: { user_id: null },
      updated_at: '2027-01-15T03:00:00.000Z',
    },
    {
      pk: 'ORDER#160',
      sk: 'RESERVATION#0000000000000162',
      team_pk: 'TEAM#31#RESERVATIONS',
      team_sk: 'AT#2027-01-15T03:00:00.000Z',
    },
  ],
  [
    'DueBooking',
    { reservation_id: 161, due_at: 1800000000000 },
    { pk: 'DUE_BOOKINGS#11', sk: '0001800000000000#161' },
  ],
  [
    'DueBooking',
    { reservation_id: 162, due_at: 1800000000000 },
    { pk: 'DUE_BOOKINGS#9', sk: '0001800000000000#162' },
  ],
  [
    'DueBooking',
    { reservation_id: 4711, due_at: 1800000000000 },
    { pk: 'DUE_BOOKINGS#14', sk: '0001800000000000#4711' },
  ],
  [
    'ExternalReference',
    { key_id: 12, external_system: 'pms', external_booking_id: 'A-7' },
    { pk: 'EXTERNAL#12#3#pms#A-7', sk: 'REFERENCE' },
  ],
  [
    'ExternalReference',
    { key_id: 12, external_system: null, external_booking_id: 'A-7' },
    { pk: 'EXTERNAL#12#0##A-7', sk: 'REFERENCE' },
  ],
  ['Quote', { quote_id: 160 }, { pk: 'QUOTE#160', sk: 'QUOTE' }],
  ['Payment', { payment_id: 160 }, { pk: 'ORDER#160', sk: 'PAYMENT' }],
  ['Payment', { payment_id: 161 }, { pk: 'ORDER#160', sk: 'PAYMENT#161' }],
  [
    'PaymentRefund',
    { payment_id: 161, refund_id: 'cancel-161' },
    { pk: 'ORDER#160', sk: 'REFUND#cancel-161' },
  ],
  [
    'DuePayment',
    { payment_id: 160, due_at: 1800000000000 },
    { pk: 'DUE_PAYMENTS#5', sk: '0001800000000000#160' },
  ],
  [
    'DuePayment',
    { payment_id: 161, due_at: 1800000000000 },
    { pk: 'DUE_PAYMENTS#11', sk: '0001800000000000#161' },
  ],
  ['Event', { subject: 'ORDER#16', id: 'evt_1' }, { pk: 'ORDER#16', sk: 'EVENT#evt_1' }],
  [
    'HandledEvent',
    { consumer: 'chat', event_id: 'evt_1', recipient: 'user:5' },
    { pk: 'HANDLED#evt_1', sk: 'chat#user:5' },
  ],
  [
    'HandledEvent',
    { consumer: 'chat', event_id: 'evt_1', recipient: null },
    { pk: 'HANDLED#evt_1', sk: 'chat#' },
  ],
  [
    'ChatThread',
    {
      thread_id: 161,
      team_id: 31,
      guest: { user_id: 5 },
      last_message: { created_at: '2027-01-15T03:00:00.000Z' },
    },
    {
      pk: 'CHAT#161',
      sk: 'THREAD',
      team_pk: 'TEAM#31#CHATS',
      team_sk: '2027-01-15T03:00:00.000Z#0000000000000161',
      audience_pk: 'GUEST#5#CHATS',
      audience_sk: '2027-01-15T03:00:00.000Z#0000000000000161',
    },
  ],
  [
    'ChatThread',
    {
      thread_id: 161,
      team_id: 31,
      guest: { user_id: null },
      last_message: { created_at: '2027-01-15T03:00:00.000Z' },
    },
    {
      pk: 'CHAT#161',
      sk: 'THREAD',
      team_pk: 'TEAM#31#CHATS',
      team_sk: '2027-01-15T03:00:00.000Z#0000000000000161',
    },
  ],
  ['ChatMessage', { thread_id: 17, message_id: 99 }, { pk: 'CHAT#17', sk: 'MESSAGE#0000000000000099' }],
  ['ChatMark', { thread_id: 17, reader: 'user:5', what: 'READ' }, { pk: 'CHAT#17', sk: 'MARK#READ#user:5' }],
  [
    'DueMail',
    { id: 161, kind: 'reminder', due_at: 1800000000000 },
    { pk: 'DUE_MAILS#11', sk: '0001800000000000#161#reminder' },
  ],
  [
    'DueMail',
    { id: 162, kind: 'messages', due_at: 9 },
    { pk: 'DUE_MAILS#9', sk: '0000000000000009#162#messages' },
  ],
  ['TeamMail', { team_id: 1, name: 'booked', language: 'vi' }, { pk: 'TEAM#1', sk: 'MAIL#booked#vi' }],
  ['FeedToken', { listing_id: 1 }, { pk: 'FEED#1', sk: 'TOKEN' }],
  ['FeedRevision', { calendar_id: 1 }, { pk: 'FEED#1', sk: 'REVISION' }],
  ['FeedConflicts', { team_id: 31, feed_id: 6 }, { pk: 'TEAM#31#CONFLICTS', sk: '6' }],
  [
    'Outage',
    { team_id: 31, host: 'calendars.example.com', due_at: 1_800_000_000_000 },
    { pk: 'OUTAGES#31', sk: 'calendars.example.com#0001800000000000' },
  ],
  ['FeedExport', { listing_id: 1, feed_id: 6 }, { pk: 'FEED#1', sk: 'EXPORT#6' }],
  [
    'FollowedFeed',
    { listing_id: 7001, url_hash: 'a1b2c3', shard: 3, next_sync_at: 1800000000000, feed_id: 44 },
    {
      pk: 'FEED#7001',
      sk: 'FOLLOWED#a1b2c3',
      audience_pk: 'DUE_FEEDS#3',
      audience_sk: '0001800000000000#44',
    },
  ],
  ['FeedContents', { listing_id: 1, url_hash: 'a1b2c3' }, { pk: 'FEED#1', sk: 'CONTENTS#a1b2c3' }],
  [
    'Review',
    { review_id: 55, listing_id: 7001 },
    { pk: 'REVIEW#55', sk: 'REVIEW', audience_pk: 'LISTING#7001#REVIEWS', audience_sk: '0000000000000055' },
  ],
  ['SearchCell', { cell: '444-1068' }, { pk: 'SEARCH_CELL#444-1068', sk: 'CELL' }],
  [
    'SearchPlane',
    { cell: '444-1068', chunk: 0, plane: 'place' },
    { pk: 'SEARCH_CELL#444-1068#0', sk: 'PLANE#place' },
  ],
  ['SearchEntry', { listing_id: 1 }, { pk: 'SEARCH_LISTING#1', sk: 'ENTRY' }],
  [
    'SearchTerm',
    { sign: 'TEXT#dalat', cell: '407-1105' },
    { pk: 'SEARCH_SIGN#TEXT#dalat', sk: 'CELL#407-1105' },
  ],
  [
    'Team',
    { team_id: 31 },
    { pk: 'TEAM#31', sk: 'TEAM', audience_pk: 'TEAMS', audience_sk: '0000000000000031' },
  ],
  [
    'BankTransfer',
    { team_id: 31, transfer_id: 'k3J', state: 'OPEN', received_at: '2027-02-03T04:12:00.000Z' },
    {
      ...{ pk: 'BANK_TRANSFERS#31', sk: 'k3J' },
      ...{ team_pk: 'TEAM#31#TRANSFERS#OPEN', team_sk: '2027-02-03T04:12:00.000Z#k3J' },
    },
  ],
  ['ReportKey', { team_id: 31, provider: 'sepay' }, { pk: 'TEAM#31', sk: 'REPORT_KEY#sepay' }],
  ['TeamAccounts', { team_id: 31 }, { pk: 'TEAM#31', sk: 'BANK_ACCOUNTS' }],
  ['User', { user_id: 1 }, { pk: 'USER#1', sk: 'USER' }],
  ['Subject', { subject: 'auth0|1' }, { pk: 'SUBJECT#auth0|1', sk: 'SUBJECT' }],
  ['EmailOwner', { email: 'an@example.com' }, { pk: 'EMAIL#an@example.com', sk: 'EMAIL' }],
  [
    'Membership',
    { user_id: 5, team_id: 31, role: 'CUSTOMER' },
    {
      pk: 'USER#5',
      sk: 'MEMBER#0000000000000031',
      team_pk: 'TEAM#31#MEMBERS',
      team_sk: 'CUSTOMER#0000000000000005',
    },
  ],
  [
    'Membership',
    { user_id: 5, team_id: 31, role: 'OWNER' },
    {
      pk: 'USER#5',
      sk: 'MEMBER#0000000000000031',
      team_pk: 'TEAM#31#MEMBERS',
      team_sk: 'HOST#0000000000000005',
    },
  ],
  ['FirstPassword', { email: 'an@example.com' }, { pk: 'EMAIL#an@example.com', sk: 'FIRST_PASSWORD' }],
  [
    'Invitation',
    { team_id: 31, email: 'an@example.com' },
    { pk: 'TEAM#31#INVITATIONS', sk: 'INVITATION#an@example.com' },
  ],
  [
    'Invitation',
    { team_id: null, email: 'an@example.com' },
    { pk: 'TEAM##INVITATIONS', sk: 'INVITATION#an@example.com' },
  ],
  [
    'InvitationSecret',
    { secret_hash: '9f86d081884c7d65' },
    { pk: 'INVITATION#9f86d081884c7d65', sk: 'INVITATION' },
  ],
  [
    'InvitationMails',
    { team_id: 31, kind: 'PASSWORD', address: 'jtTGHD8sZRUZEbN7gXwbYgjUBnPqUSRUoTW8dBKlTUM' },
    { pk: 'TEAM#31#INVITATION_MAILS', sk: 'PASSWORD#jtTGHD8sZRUZEbN7gXwbYgjUBnPqUSRUoTW8dBKlTUM' },
  ],
  ['VerificationMails', { user_id: 1 }, { pk: 'USER#1', sk: 'VERIFICATION_MAILS' }],
  [
    'PasswordMails',
    { key_id: 3, address: 'jtTGHD8sZRUZEbN7gXwbYgjUBnPqUSRUoTW8dBKlTUM' },
    { pk: 'KEY#3#PASSWORD_MAILS', sk: 'jtTGHD8sZRUZEbN7gXwbYgjUBnPqUSRUoTW8dBKlTUM' },
  ],
  [
    'LoginFailures',
    { address: 'jtTGHD8sZRUZEbN7gXwbYgjUBnPqUSRUoTW8dBKlTUM', by: 'key:3' },
    { pk: 'LOGIN#jtTGHD8sZRUZEbN7gXwbYgjUBnPqUSRUoTW8dBKlTUM', sk: 'key:3' },
  ],
  [
    'MailTurns',
    { address: 'jtTGHD8sZRUZEbN7gXwbYgjUBnPqUSRUoTW8dBKlTUM', by: 'key:3' },
    { pk: 'MAILS#jtTGHD8sZRUZEbN7gXwbYgjUBnPqUSRUoTW8dBKlTUM', sk: 'key:3' },
  ],
  ['KeyMails', { key_id: 3 }, { pk: 'KEY#3#MAILS', sk: 'HOURS' }],
  [
    'SignedOutToken',
    { user_id: 1, token_hash: '9f86d081884c7d65' },
    { pk: 'USER#1', sk: 'SIGNED_OUT#9f86d081884c7d65' },
  ],
  [
    'ApiKey',
    { hash: '9f86d081884c7d65', key_id: 12, partner_key_id: 11 },
    {
      pk: 'KEY#9f86d081884c7d65',
      sk: 'KEY',
      audience_pk: 'KEYS',
      audience_sk: '0000000000000012',
      team_pk: 'PARTNER#11#KEYS',
      team_sk: '0000000000000012',
    },
  ],
  ['ApiKeyId', { key_id: 1 }, { pk: 'KEY_ID#1', sk: 'KEY_ID' }],
  ['PartnerKey', { partner_key_id: 1, key_id: 1 }, { pk: 'PARTNER#1#KEYS', sk: 'KEY#0000000000000001' }],
  ['TeamKey', { team_id: 1, key_id: 1 }, { pk: 'TEAM#1#KEYS', sk: 'KEY#0000000000000001' }],
  ['Webhook', { key_id: 1, webhook_id: 2 }, { pk: 'PARTNER#1#WEBHOOKS', sk: 'WEBHOOK#0000000000000002' }],
  ['WebhookCount', { key_id: 1 }, { pk: 'PARTNER#1#WEBHOOKS', sk: 'COUNT' }],
  ['SubscriptionCount', { team_id: 1 }, { pk: 'TEAM#1#WEBHOOKS', sk: 'COUNT' }],
  [
    'WebhookSubscriber',
    { team_id: 1, webhook_id: 2 },
    { pk: 'TEAM#1#EVENTS', sk: 'SUBSCRIBER#0000000000000002' },
  ],
  ['EventPage', { team_id: 1, number: 1 }, { pk: 'TEAM#1#EVENTS', sk: 'PAGE#0000000000000001' }],
  [
    'WebhookDelivery',
    { webhook_id: 2, event_id: 'evt_1', due_at: null, shard: 3 },
    { pk: 'WEBHOOK#2', sk: 'DELIVERY#evt_1' },
  ],
  [
    'WebhookDelivery',
    { webhook_id: 2, event_id: 'evt_1', due_at: 1800000000000, shard: 3 },
    {
      pk: 'WEBHOOK#2',
      sk: 'DELIVERY#evt_1',
      audience_pk: 'DUE_DELIVERIES#3',
      audience_sk: '0001800000000000#evt_1#2',
    },
  ],
  [
    'WebhookDelivery',
    { webhook_id: 2, event_id: 'evt_1', due_at: 1800000000000, look_at: 1800000900000, shard: 3 },
    {
      pk: 'WEBHOOK#2',
      sk: 'DELIVERY#evt_1',
      audience_pk: 'DUE_DELIVERIES#3',
      audience_sk: '0001800000900000#evt_1#2',
    },
  ],
  ['ListHead', { list: 'STAYROWS-T1' }, { pk: 'LIST#STAYROWS-T1#main', sk: '~' }],
  [
    'ListChunk',
    { list: 'STAYROWS-T1', plane: 'main', first: 0 },
    { pk: 'LIST#STAYROWS-T1#main', sk: 'CHUNK#0000000000000000' },
  ],
  [
    'OperatorChange',
    { month: '2027-01', at: '2027-01-15T03:00:00.000Z', change_id: 161 },
    { pk: 'OPERATOR_CHANGES#2027-01', sk: '2027-01-15T03:00:00.000Z#0000000000000161' },
  ],
  ['AuditRound', { name: 'bookings' }, { pk: 'AUDIT#bookings', sk: 'ROUND' }],
  ['IdempotencyRecord', { scope: 'key:1#order-77' }, { pk: 'IDEMPOTENCY#key:1#order-77', sk: 'RECORD' }],
  ['RateWindow', { counted: 'key:1', minute: 30000000 }, { pk: 'RATE#key:1#30000000', sk: 'WINDOW' }],
];

const named = new Map(entities.map((entity) => [entity.name, entity] as const));

describe('the stored keys', () => {
  it('are those of every entity', () => {
    expect(new Set(cases.map(([name]) => name))).toEqual(new Set(named.keys()));
  });

  it.each(cases)('of %s %j', (name, item, keys) => {
    const entity = named.get(name)!;
    const indexes = Object.entries(entity.indexes(item as never)).flatMap(([index, { pk, sk }]) => {
      const attributes = tableIndexes[index as IndexName];
      return [
        [attributes.pk, pk],
        [attributes.sk, sk],
      ];
    });
    expect({ ...entity.key(item as never), ...Object.fromEntries(indexes) }).toEqual(keys);
  });
});

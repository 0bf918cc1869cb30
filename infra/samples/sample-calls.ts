import { vnpayHash, vnpayText } from '../../shared/platform/payment/vnpay-signature.ts';
import type { SampleCall } from './gateway-sample.ts';
import { guest, host, partner, sampleWorld } from './sample-world.ts';

const { listing_id, order_id, guest_id, webhook_id, followed_feed_id, invitation, vnpay } = sampleWorld;
const listing = { listing_id: String(listing_id) };
const booking = { booking_id: String(order_id + 1) };
const thread = { thread_id: String(order_id + 1) };
const march = { start_date: '2027-03-01', end_date: '2027-03-31' };

/** Returns nights of the sample listing, different in each sample, so that all samples can be run over one table. */
const nights = (check_in_date: string, check_out_date: string) => ({
  items: [{ listing_id, check_in_date, check_out_date, guest_number: 2 }],
});

/** Returns a VNPay notification, signed with the secret of the sample stage. */
const vnpayReport = (): Record<string, string> => {
  const fields = {
    vnp_Amount: '600000000',
    vnp_BankCode: 'NCB',
    vnp_BankTranNo: 'VNP14226112',
    vnp_CardType: 'ATM',
    vnp_OrderInfo: `Nightlatch ${order_id}`,
    vnp_PayDate: '20270115100000',
    vnp_ResponseCode: '00',
    vnp_TmnCode: vnpay.tmn_code,
    vnp_TransactionNo: '14226112',
    vnp_TransactionStatus: '00',
    vnp_TxnRef: `${order_id}-1`,
  };
  return { ...fields, vnp_SecureHash: vnpayHash(vnpay.secret, vnpayText(fields)) };
};

/** The calls of the samples, by file: `<group>.<what>`. */
export const sampleCalls: Record<string, SampleCall> = {
  'account.logout': {
    operation: 'logOut',
    as: guest,
    headers: {
      Authorization: `Bearer ${[{ alg: 'RS256' }, { sub: 'auth0|65a1f0c2', exp: 1_800_068_400 }]
        .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
        .join('.')}.sample`,
    },
  },
  'account.me': { operation: 'getMe', as: guest },
  'account.update': { operation: 'updateMe', as: guest },
  'availability.block': {
    operation: 'blockTime',
    as: host,
    params: listing,
    body: { block_date: '2027-04-10' },
  },
  'availability.days': { operation: 'readAvailability', as: guest, params: listing, query: march },
  'availability.range': { operation: 'readRange', as: guest, params: listing, query: march },
  'bookings.cancellation': { operation: 'getCancellation', as: guest, params: booking },
  'bookings.get': { operation: 'getBooking', as: guest, params: booking },
  'bookings.history': { operation: 'listBookingHistory', as: host, params: booking },
  'bookings.my': { operation: 'listMyBookings', as: guest },
  'bookings.team': { operation: 'listTeamBookings', as: host },
  'changes.preview': {
    operation: 'previewChange',
    as: host,
    params: booking,
    body: { check_out_date: '2027-02-15' },
  },
  'cart.add': {
    operation: 'addToCart',
    as: guest,
    body: { check_in: '2027-03-01T14:00:00', check_out: '2027-03-03T12:00:00' },
  },
  'cart.list': { operation: 'listCart', as: guest },
  'chats.messages': { operation: 'listMessages', as: guest, params: thread },
  'chats.send': { operation: 'sendMessage', as: guest, params: thread },
  'chats.threads': { operation: 'listThreads', as: guest },
  'checkout.confirm': {
    operation: 'confirmCheckout',
    as: guest,
    body: { ...nights('2027-03-15', '2027-03-18'), expected_total: undefined },
  },
  'checkout.hold': { operation: 'createCheckout', as: guest, body: nights('2027-03-08', '2027-03-11') },
  'checkout.preview': { operation: 'previewCheckout', as: guest, body: nights('2027-03-01', '2027-03-04') },
  'customers.get': { operation: 'getCustomer', as: partner, params: { user_id: String(guest_id) } },
  'customers.list': { operation: 'listCustomers', as: partner, query: { team_ids: '[71]', limit: '20' } },
  'customers.update': { operation: 'updateCustomer', as: partner, params: { user_id: String(guest_id) } },
  'external.book': {
    operation: 'createExternalBooking',
    as: partner,
    body: { check_in_date: '2027-03-22', check_out_date: '2027-03-25', guest_number: 2 },
  },
  'external.bookings': { operation: 'listExternalBookings', as: partner },
  'external.history': { operation: 'listExternalHistory', as: partner, params: booking },
  'external.listing': { operation: 'getExternalListing', as: partner, params: listing },
  'external.listings': { operation: 'listExternalListings', as: partner },
  'feeds.list': { operation: 'listFeeds', as: host, params: listing },
  'feeds.rotate-token': { operation: 'rotateExportToken', as: host, params: listing },
  'feeds.unfollow': {
    operation: 'unfollowCalendar',
    as: host,
    params: { ...listing, feed_id: String(followed_feed_id) },
  },
  'invitations.get': { operation: 'getInvitation', as: null, params: { token: invitation } },
  'listings.create': { operation: 'createListing', as: host },
  'listings.get': { operation: 'getListing', as: guest, params: listing },
  'listings.list': { operation: 'listListings', as: guest },
  'payments.vnpay-ipn': {
    operation: 'handlePaymentIpn',
    as: null,
    params: { provider: 'vnpay' },
    query: vnpayReport(),
  },
  'prices.rule': { operation: 'createPricingRule', as: host, params: listing },
  'prices.rules': { operation: 'listPricingRules', as: guest, params: listing },
  'prices.weekly': { operation: 'updateWeeklyPrices', as: host, params: listing },
  'bulk.prices': {
    operation: 'bulkPrices',
    as: host,
    body: { listing_ids: [4711] },
  },
  'prices.changes': { operation: 'listListingChanges', as: host, params: listing },
  'prices.stay-rules': { operation: 'putStayRules', as: host, params: listing },
  'search.stays': {
    operation: 'searchListings',
    as: guest,
    query: { location: 'Hồ Tây', check_in: '2027-02-18', check_out: '2027-02-21', guests: '2' },
  },
  'search.external': {
    operation: 'searchExternalListings',
    as: partner,
    query: { location: 'Hồ Tây', check_in: '2027-02-18', check_out: '2027-02-21', guests: '2' },
  },
  'system.health': { operation: 'getHealth', as: null },
  'system.openapi': { operation: 'getOpenApiDocument', as: null },
  'team.create-key': { operation: 'createTeamKey', as: host },
  'team.keys': { operation: 'listTeamKeys', as: host },
  'team.members': { operation: 'listTeamMembers', as: host },
  'webhooks.create': {
    operation: 'createWebhook',
    as: partner,
    // An IP address, so that the sample needs no DNS.
    body: { url: 'https://93.184.215.14/hooks' },
  },
  'webhooks.deliveries': {
    operation: 'listWebhookDeliveries',
    as: partner,
    params: { webhook_id: String(webhook_id) },
  },
  'webhooks.events': { operation: 'readEvents', as: partner, query: { limit: '20' } },
  'webhooks.list': { operation: 'listWebhooks', as: partner },
};

/** The authorizer request of a call with an API key. */
export const authorizedCall: SampleCall = {
  operation: 'listExternalListings',
  as: null,
  headers: { 'X-API-Key': sampleWorld.api_key },
};

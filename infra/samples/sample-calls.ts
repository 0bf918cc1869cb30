import { vnpayHash, vnpayText } from '../../shared/platform/payment/vnpay-signature.ts';
import type { SampleCall } from './gateway-sample.ts';
import { host, sampleWorld } from './sample-world.ts';

const { listing_id, order_id, vnpay } = sampleWorld;
const booking = { booking_id: order_id + 1 };

const onPage = { headers: { 'X-API-Key': sampleWorld.publishable_key } };

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
    headers: {
      Authorization: `Bearer ${[{ alg: 'RS256' }, { sub: 'auth0|65a1f0c2', exp: 1_800_068_400 }]
        .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
        .join('.')}.sample`,
    },
  },
  'account.me': { operation: 'getMe' },
  'account.update': { operation: 'updateMe' },
  'availability.block': { operation: 'blockTime', body: { block_date: '2027-04-10' } },
  'availability.days': { operation: 'readAvailability' },
  'availability.range': { operation: 'readRange' },
  'bookings.cancellation': { operation: 'getCancellation' },
  'bookings.get': { operation: 'getBooking' },
  'bookings.history': { operation: 'listBookingHistory' },
  'bookings.my': { operation: 'listMyBookings' },
  'bookings.team': { operation: 'listTeamBookings' },
  'changes.preview': {
    operation: 'previewChange',
    as: host,
    params: booking,
    body: { check_out_date: '2027-02-15' },
  },
  'cart.add': {
    operation: 'addToCart',
    body: { check_in: '2027-03-01T14:00:00', check_out: '2027-03-03T12:00:00' },
  },
  'cart.list': { operation: 'listCart' },
  'chats.messages': { operation: 'listMessages' },
  'chats.send': { operation: 'sendMessage' },
  'chats.threads': { operation: 'listThreads' },
  'checkout.confirm': {
    operation: 'confirmCheckout',
    body: { ...nights('2027-03-15', '2027-03-18'), expected_total: undefined },
  },
  'checkout.hold': { operation: 'createCheckout', body: nights('2027-03-08', '2027-03-11') },
  'checkout.preview': { operation: 'previewCheckout', body: nights('2027-03-01', '2027-03-04') },
  'customers.get': { operation: 'getCustomer' },
  'customers.list': { operation: 'listCustomers' },
  'customers.update': { operation: 'updateCustomer' },
  'external.book': {
    operation: 'createExternalBooking',
    body: { check_in_date: '2027-03-22', check_out_date: '2027-03-25', guest_number: 2 },
  },
  'external.bookings': { operation: 'listExternalBookings' },
  'external.history': { operation: 'listExternalHistory', params: booking },
  'external.listing': { operation: 'getExternalListing' },
  'external.listings': { operation: 'listExternalListings' },
  'feeds.list': { operation: 'listFeeds' },
  'feeds.rotate-token': { operation: 'rotateExportToken', params: { listing_id } },
  'feeds.unfollow': { operation: 'unfollowCalendar' },
  'guest.page': { operation: 'getGuestPage' },
  'invitations.get': { operation: 'getInvitation' },
  'listings.create': { operation: 'createListing' },
  'listings.get': { operation: 'getListing' },
  'listings.list': { operation: 'listListings' },
  'payments.vnpay-ipn': {
    operation: 'handlePaymentIpn',
    params: { provider: 'vnpay' },
    query: vnpayReport(),
  },
  'prices.rule': { operation: 'createPricingRule' },
  'prices.rules': { operation: 'listPricingRules' },
  'prices.weekly': { operation: 'updateWeeklyPrices' },
  'bulk.prices': { operation: 'bulkPrices', body: { listing_ids: [4711] } },
  'prices.changes': { operation: 'listListingChanges' },
  'prices.stay-rules': { operation: 'putStayRules' },
  'search.stays': { operation: 'searchListings' },
  'search.external': { operation: 'searchExternalListings' },
  'stay.listing': { operation: 'getStayListing', ...onPage },
  'stay.quote': { operation: 'quoteStay', ...onPage, body: nights('2027-03-01', '2027-03-04') },
  'stay.search': { operation: 'searchStays', ...onPage },
  'stay.team': { operation: 'getStayTeam', ...onPage },
  'system.health': { operation: 'getHealth' },
  'system.openapi': { operation: 'getOpenApiDocument' },
  'team.create-key': { operation: 'createTeamKey' },
  'team.keys': { operation: 'listTeamKeys' },
  'team.members': { operation: 'listTeamMembers' },
  'webhooks.create': {
    operation: 'createWebhook',
    // An IP address, so that the sample needs no DNS.
    body: { url: 'https://93.184.215.14/hooks' },
  },
  'webhooks.deliveries': { operation: 'listWebhookDeliveries' },
  'webhooks.events': { operation: 'readEvents' },
  'webhooks.list': { operation: 'listWebhooks' },
};

/** The authorizer request of a call with an API key. */
export const authorizedCall: SampleCall = {
  operation: 'listExternalListings',
  as: null,
  headers: { 'X-API-Key': sampleWorld.api_key },
};

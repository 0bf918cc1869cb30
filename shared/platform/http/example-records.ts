/** The order ids of the examples' bookings; a booking's id is one more. */
const order = (position: number): number => 369_435_906_932_736 + 16 * position;
const booking = (position: number): number => order(position) + 1;

/**
 * The records that examples name. `npm start` seeds them, so that an operation works as the documentation shows it; a booking
 * or another record that an operation uses up is that operation's own.
 */
export const exampleIds = {
  team: 71,
  otherTeam: 72,
  host: 4100,
  guest: 5312,
  /** A customer who has not verified the e-mail address. */
  unverified: 5313,
  member: 5318,
  memberToRemove: 5319,
  invitation: 369_435_906_933_501,
  teamKey: 369_435_906_933_201,
  teamKeyToRevoke: 369_435_906_933_202,
  publishableKey: 369_435_906_933_204,
  listing: 4711,
  /** A listing whose host accepts each booking. */
  lakeHouse: 4712,
  /** A listing without stays. */
  draft: 4713,
  booking: booking(0),
  toCancel: booking(1),
  toAccept: booking(2),
  toCheckIn: booking(3),
  toCheckOut: booking(4),
  toComplete: booking(5),
  toPay: booking(6),
  toReview: booking(7),
  reviewed: booking(8),
  ofPartner: booking(9),
  ofPartnerToCancel: booking(10),
  checkout: order(11),
  checkoutToRelease: order(12),
  quote: order(13),
  quoteToExtend: order(14),
  quoteToRelease: order(15),
  toDecline: booking(16),
  missed: booking(17),
  toUndo: booking(18),
  toChange: booking(19),
  ofPartnerToChange: booking(20),
  toPayInPart: booking(21),
  paidByMistake: booking(22),
  toCharge: booking(23),
  chargedByMistake: booking(24),
  toRefund: booking(25),
  toReturn: booking(26),
  toAdjust: booking(27),
  adjusted: booking(28),
  toPayOnline: booking(29),
  adjustment: 369_435_906_933_601,
  withDeposit: booking(30),
  toTransfer: booking(31),
  /** The stay of the example link of a guest. */
  ofLink: booking(40),
  ofRotatedLink: booking(41),
  toReviewByLink: booking(42),
  toCorrect: booking(43),
  transfer: 'VLva7244ISaG3b7Fwe2M9W',
  transferToReturn: '6ToxXYTRqj4ZWqdDmVJMwN',
  review: 369_435_906_933_101,
  block: 369_435_906_932_801,
  feed: 369_435_906_932_802,
  webhook: 369_435_906_932_803,
  webhookToDelete: 369_435_906_932_804,
  delivery: 'evt_mjx0d2k9c000a1b2c3d4e5f6a',
  cartItem: 402_295_829_343_091,
  parkingRule: 31,
  parkingRuleToDelete: 32,
  combo: 51,
  comboToDelete: 52,
  service: 81,
  serviceToDelete: 82,
  pricingRule: 91,
  pricingRuleToDelete: 92,
  stayRule: 93,
  bulk: 369_435_906_933_401,
} as const;

/** The stay whose link an operation of guests is tried with; all others take that of `ofLink`. */
export const exampleLinkStays: Readonly<Record<string, number>> = {
  reviewGuestBooking: exampleIds.toReviewByLink,
  getGuestTransferCode: exampleIds.toTransfer,
};

/** The token of the example listing's own calendar. */
export const exampleExportToken = '3q2-7wAAAABkZWFkYmVlZmNhZmU';

/** The secrets of the example invitations; on a laptop they are open. */
export const exampleInvitations = {
  toRead: 'Zm9yLXRoZS1sYXB0b3AtYWxvbmUtMDE',
  toAccept: 'Zm9yLXRoZS1sYXB0b3AtYWxvbmUtMDI',
  toReset: 'Zm9yLXRoZS1sYXB0b3AtYWxvbmUtMDM',
} as const;

/** The example of each path parameter, unless a row names another one. */
export const examplePath: Readonly<Record<string, string | number>> = {
  team_id: exampleIds.team,
  user_id: exampleIds.guest,
  listing_id: exampleIds.listing,
  booking_id: exampleIds.booking,
  thread_id: exampleIds.booking,
  checkout_id: exampleIds.checkout,
  quote_id: exampleIds.quote,
  review_id: exampleIds.review,
  availability_id: exampleIds.block,
  feed_id: exampleIds.feed,
  webhook_id: exampleIds.webhook,
  delivery_id: exampleIds.delivery,
  item_id: exampleIds.cartItem,
  key_id: exampleIds.teamKey,
  combo_id: exampleIds.combo,
  service_id: exampleIds.service,
};

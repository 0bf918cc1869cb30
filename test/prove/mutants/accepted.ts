/** A mutant that may survive, and why no test can or should notice it. */
interface Accepted {
  /** Its id, as the report prints it. */
  site: string;
  reason: string;
}

export const accepted: readonly Accepted[] = [
  {
    site: 'shared/platform/money.ts roundMoney: decimalsOf(exact) <= digits as <',
    reason: 'An amount with as many decimals as its currency is rounded to itself.',
  },
  {
    site: 'shared/platform/money.ts larger: one.gte as gt',
    reason: 'Of two equal amounts either is the larger one.',
  },
  {
    site: 'shared/platform/money.ts smaller: one.lte as lt',
    reason: 'Of two equal amounts either is the smaller one.',
  },
  {
    site: 'shared/domain/pricing/stay.rules.ts earlier: other < one as <=',
    reason: 'Of two equal times either is the earlier one.',
  },
  {
    site: 'shared/domain/pricing/stay.rules.ts later: other > one as >=',
    reason: 'Of two equal times either is the later one.',
  },
  {
    site: 'shared/domain/pricing/rate-card.rules.ts nightStart: checkIn < hour as <=',
    reason: 'Of two equal times either is the start.',
  },
  {
    site: 'shared/domain/pricing/price-layer.rules.ts withNights.placed: rule.id > ruleId as >=',
    reason: 'No rule of the host has the id of one that a bulk change has made.',
  },
  {
    site: 'shared/domain/checkout/time-to-pay.ts earlierTime: checkIn >= pay_until as >',
    reason:
      'Of a window that ends at the new check-in, the end that is worked out anew is the same, or later, which does not count.',
  },
  {
    site: 'shared/domain/statement/statement.rules.ts monthOfPosting: at < created_at as <=',
    reason: 'Of two equal times either is the later one.',
  },
  {
    site: 'shared/domain/statement/statement.rules.ts statementRows: one.currency < other.currency as <=',
    reason: 'It sorts rows of one listing, of which no two have the same currency.',
  },
  {
    site: 'shared/domain/statement/statement.rules.ts nightsAvailable: created > first as >=',
    reason: 'Of two equal dates either is the later one.',
  },
  {
    site: 'shared/platform/payment/vnpay-signature.ts vnpayText: one < other as <=',
    reason: 'It sorts the names of the fields of one object, of which no two are equal.',
  },
  {
    site: 'shared/domain/chat/messages.ts advanceMark: mark.until → - 1',
    reason: 'A mark that is already where it would be moved to is written again as it is.',
  },
  {
    site: "shared/domain/listing/reviews.ts createReview: lacks('review_id') → always",
    reason:
      'Another review of the stay has changed the version of its listing, which the same transaction requires.',
  },
  {
    site: 'shared/domain/calendar/replace-months.store.ts replacingWrites: create(CalendarMonthEntity, { ...monthOf(id, hours), changes: counts(1), child_c… → overwrites',
    reason:
      'The same transaction requires that the month of the parent is of version 1. Beside one there is no month with hours of a child, as these are written together with a parent of version 2; only while functions of both versions run, one without hours that an archived child has left.',
  },
];

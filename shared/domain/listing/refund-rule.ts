const noRefund = /non[\s-]?refundable|no refund|không hoàn/iu;
const notice = /(\d+)\s*(days?|ngày|hours?|giờ|tiếng)(?![\p{L}])/iu;

/**
 * The cancellation terms in a listing's refund rule (D48, D74): the hours before check-in until which a cancellation is
 * refunded in full. The first number that stands before a unit counts; no number: until check-in; "non-refundable": null.
 */
export const refundNoticeHours = (refundRule: string): number | null => {
  const found = notice.exec(refundRule);
  if (!found) return noRefund.test(refundRule) ? null : 0;
  const hours = /^(hours?|giờ|tiếng)$/iu.test(found[2] ?? '') ? 1 : 24;
  return Number(found[1]) * hours;
};

const noRefund = /non[\s-]?refundable|no refund|không hoàn/iu;
const notice = /(\d+(?:[.,]\d+)?)[\s-]*(days?|ngày|hours?|hrs?|h|giờ|tiếng|weeks?|tuần)(?!\p{L})/iu;
const hoursPer = { day: 24, hour: 1, week: 168 };

/**
 * The cancellation terms in a listing's refund rule (D48, D74): the hours before check-in until which a cancellation is
 * refunded in full. The first number that stands before a unit counts; no number: until check-in; "non-refundable": null.
 */
export const refundNoticeHours = (refundRule: string): number | null => {
  const text = refundRule.normalize('NFC');
  const found = notice.exec(text);
  if (!found) return noRefund.test(text) ? null : 0;
  const [, amount = '0', unit = ''] = found;
  return Math.ceil(Number(amount.replace(',', '.')) * hoursPer[kindOf(unit)]);
};

const kindOf = (unit: string): keyof typeof hoursPer => {
  if (/^(day|ngày)/iu.test(unit)) return 'day';
  return /^(week|tuần)/iu.test(unit) ? 'week' : 'hour';
};

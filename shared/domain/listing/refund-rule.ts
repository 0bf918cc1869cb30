import type { Issue } from '../../platform/errors.ts';

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

const percentage = /(\d+(?:[.,]\d+)?)\s*(?:%|percent|phần trăm)/giu;
const halves = /\bhalf\b|một nửa|phân nửa/iu;
const anyNumber = /\d+(?:[.,:]\d+)*/g;

/**
 * What keeps a new text from being read exactly (D87): a share other than 100 %, or a second number beside it. Texts from
 * before this rule stay, and are read as they were.
 */
export const refundRuleIssues = (refundRule: string): Issue[] => {
  const text = refundRule.normalize('NFC');
  const shares = [...text.matchAll(percentage)].map(([, share = '']) => Number(share.replace(',', '.')));
  const others = text.replaceAll(percentage, '').match(anyNumber) ?? [];
  if (!halves.test(text) && shares.every((share) => share === 100) && others.length < 2) return [];
  const message =
    `cannot be read exactly: ${readingOf(refundNoticeHours(refundRule))} would be all that counts. ` +
    'Name one deadline for a full refund, such as "Full refund until 7 days before check-in", or "Non-refundable".';
  return [{ path: 'refund_rule', message }];
};

const readingOf = (hours: number | null): string => {
  if (hours === null) return '"no refund"';
  return hours === 0 ? '"full refund until check-in"' : `"full refund until ${hours} hours before check-in"`;
};

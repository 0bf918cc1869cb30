import type { Issue } from '../../platform/errors.ts';
import { readExactly } from './refund-words.ts';

const noRefund =
  /non[\s-]?refundable|not\s+(?:be\s+)?refund(?:able|ed)|(?:no|never)\s+refund|^\s*never\P{L}*$|không\s+(?:được\s+|thể\s+)?hoàn/iu;
const notice = /(\d+(?:[.,]\d+)?)[\s-]*(days?|ngày|hours?|hrs?|h|giờ|tiếng|weeks?|tuần)(?!\p{L})/iu;
const hoursPer = { day: 24, hour: 1, week: 168 };

/**
 * The cancellation terms in a listing's refund rule (D48, D74): the hours before check-in until which a cancellation is
 * refunded in full. The first number that stands before a unit counts; no number: until check-in; "non-refundable": null.
 */
export const refundNoticeHours = (refundRule: string): number | null => {
  const text = refundRule.normalize('NFC');
  const exact = readExactly(text);
  if (exact !== undefined) return exact;
  const found = notice.exec(text);
  if (!found) return noRefund.test(text) ? null : 0;
  const [, amount = '0', unit = ''] = found;
  return Math.ceil(Number(amount.replace(',', '.')) * hoursPer[kindOf(unit)]);
};

const kindOf = (unit: string): keyof typeof hoursPer => {
  if (/^(day|ngày)/iu.test(unit)) return 'day';
  return /^(week|tuần)/iu.test(unit) ? 'week' : 'hour';
};

/**
 * Refuses a new text that is not one of those that can be read exactly (D87). Texts from before this rule stay, and are read as
 * they were.
 */
export const refundRuleIssues = (refundRule: string): Issue[] => {
  if (readExactly(refundRule.normalize('NFC')) !== undefined) return [];
  const message =
    `cannot be read exactly: ${readingOf(refundNoticeHours(refundRule))} would be all that counts. ` +
    'Name one deadline for a full refund, such as "Full refund until 7 days before check-in" or ' +
    '"Hoàn tiền 100% nếu hủy trước 7 ngày", or write "Non-refundable".';
  return [{ path: 'refund_rule', message }];
};

const readingOf = (hours: number | null): string => {
  if (hours === null) return '"no refund"';
  return hours === 0 ? '"full refund until check-in"' : `"full refund until ${hours} hours before check-in"`;
};

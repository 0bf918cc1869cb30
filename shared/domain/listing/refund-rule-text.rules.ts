import type { Issue } from '../../platform/errors.ts';

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '));

const refundWords = setOf(
  'refund refunds refunded refundable nonrefundable back free flexible hoàn phí hoạt',
);
const noWords = setOf('no not non none never nonrefundable không');
/** They invert a deadline, unless they follow a "no". */
const lateWords = setOf('within after afterwards later less under vòng dưới sau');
const deadlineWords = setOf('up before prior until till notice advance ahead trước');
const arrivalWords = setOf('check checkin in arrival arrive arriving nhận phòng đến tới');
const otherWords = setOf(
  'full fully money cancel cancels canceled cancelled canceling cancelling cancellation cancellations ' +
    'to at least more than if when you your the guest guests is are be will for of on any time a an then that this ' +
    'booking stay stays it all and or required need needed please by date only circumstances ' +
    'tiền lại được thể toàn bộ đầy đủ nếu khi hủy huỷ miễn cho khách ít nhất tối thiểu hơn linh trong với so và thì sẽ ' +
    'này mọi trường hợp là ngày giờ đó',
);
const known = [refundWords, noWords, lateWords, deadlineWords, arrivalWords, otherWords];

const hoursPer: Record<string, number> = {
  ...Object.fromEntries(['day', 'days', 'ngày'].map((unit) => [unit, 24])),
  ...Object.fromEntries(['week', 'weeks', 'tuần'].map((unit) => [unit, 168])),
  ...Object.fromEntries(['hour', 'hours', 'hr', 'hrs', 'h', 'giờ', 'tiếng'].map((unit) => [unit, 1])),
};
/** Stays begin at most 730 days ahead, so a longer notice is taken for a mistake. */
const maxNoticeHours = 730 * 24;

const allBack = /(?<![\d.,])100\s*(?:%|percent\b|phần trăm)/giu;
const amount = /(?<![\d.,:/\p{L}]|(?<!\p{L})[-−–]\s*)(\d{1,5}(?:[.,]\d{1,2})?)[\s-]*(\p{L}+)/iu;
const punctuation = /[-–.,;:!()'’"“”]/g;

/**
 * Returns the meaning of a refund rule if every word of it is known: the hours before check-in until which a cancellation
 * is refunded in full, null for no refund. Returns undefined if the meaning is uncertain. Takes NFC text.
 */
const readExactly = (text: string): number | null | undefined => {
  if (text.trim() === '') return 0;
  const plain = text.toLowerCase().replaceAll(allBack, ' ');
  const found = amount.exec(plain);
  if (!found) return readWords(wordsOf(plain));
  const [whole, number = '', unit = ''] = found;
  const hours = Number(number.replace(',', '.')) * (hoursPer[unit] ?? NaN);
  if (!Number.isInteger(hours) || hours > maxNoticeHours) return undefined;
  const before = wordsOf(plain.slice(0, found.index));
  const after = wordsOf(plain.slice(found.index + whole.length));
  return before && after && isDeadline(before, after) ? hours : undefined;
};

/** Returns undefined if a word is unknown. */
const wordsOf = (text: string): string[] | undefined => {
  const words = text.replace(punctuation, ' ').split(/\s+/u).filter(Boolean);
  return words.every((word) => known.some((some) => some.has(word))) ? words : undefined;
};

const has = (words: readonly string[], some: ReadonlySet<string>): boolean =>
  words.some((word) => some.has(word));

/** Without a number: no refund at any time, or a full one until check-in. */
const readWords = (words: readonly string[] | undefined): number | null | undefined => {
  if (!words || has(words, lateWords)) return undefined;
  if (!has(words, noWords)) return has(words, refundWords) && !isOfDays(words) ? 0 : undefined;
  if (words.filter((word) => noWords.has(word)).length > 1 || has(words, deadlineWords)) return undefined;
  if (words.includes('never') && words.length === 1) return null;
  const subject = words.filter((word) => /^(?:non)?refund|^back$|^hoàn$/u.test(word));
  return subject.length === 1 && !has(words, setOf('free flexible more than only')) ? null : undefined;
};

/** "Until the day of check-in" names no hour. */
const isOfDays = (words: readonly string[]): boolean => has(words, setOf('date ngày giờ'));

/** Whether the words around the one number mean "all until so long before" or "nothing within so long". */
const isDeadline = (before: readonly string[], after: readonly string[]): boolean => {
  const nos = [...before, ...after].filter((word) => noWords.has(word)).length;
  if (nos > 1) return false;
  if (has(before, noWords))
    return (
      has(before, refundWords) && has(before, setOf('within under less vòng dưới')) && !has(after, lateWords)
    );
  if (has(before, lateWords)) return false;
  if (nos === 1) return has(before, refundWords) && (has(after, refundWords) || after.includes('none'));
  if (has(after, lateWords)) return false;
  return before.length + after.length === 0 || has([...before, ...after], deadlineWords);
};

const noRefund =
  /non[\s-]?refundable|not\s+(?:be\s+)?refund(?:able|ed)|(?:no|never)\s+refund|^\s*never\P{L}*$|không\s+(?:được\s+|thể\s+)?hoàn/iu;
const notice = /(\d+(?:[.,]\d+)?)[\s-]*(days?|ngày|hours?|hrs?|h|giờ|tiếng|weeks?|tuần)(?!\p{L})/iu;
const hoursPerKind = { day: 24, hour: 1, week: 168 };

/**
 * Returns the cancellation terms of a listing's refund rule (D48, D74): the hours before check-in until which a
 * cancellation is refunded in full. The first number before a unit counts; without a number: until check-in;
 * "non-refundable": null.
 */
export const refundNoticeHours = (refundRule: string): number | null => {
  const text = refundRule.normalize('NFC');
  const exact = readExactly(text);
  if (exact !== undefined) return exact;
  const found = notice.exec(text);
  if (!found) return noRefund.test(text) ? null : 0;
  const [, amount = '0', unit = ''] = found;
  return Math.ceil(Number(amount.replace(',', '.')) * hoursPerKind[kindOf(unit)]);
};

const kindOf = (unit: string): keyof typeof hoursPerKind => {
  if (/^(day|ngày)/iu.test(unit)) return 'day';
  return /^(week|tuần)/iu.test(unit) ? 'week' : 'hour';
};

/** Returns an issue for a new text that cannot be read exactly (D87). Texts that were stored before this rule stay valid. */
export const refundRuleIssues = (refundRule: string): Issue[] => {
  if (readExactly(refundRule.normalize('NFC')) !== undefined) return [];
  const message =
    `cannot be read exactly: it would be read as ${readingOf(refundNoticeHours(refundRule))}. ` +
    'Name one deadline for a full refund, such as "Full refund until 7 days before check-in" or ' +
    '"Hoàn tiền 100% nếu hủy trước 7 ngày", write "Non-refundable", or give `cancellation_terms`.';
  return [{ path: 'refund_rule', message }];
};

const readingOf = (hours: number | null): string => {
  if (hours === null) return '"no refund"';
  return hours === 0 ? '"full refund until check-in"' : `"full refund until ${hours} hours before check-in"`;
};

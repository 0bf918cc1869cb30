import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  refundNoticeHours,
  refundRuleIssues,
} from '../../../shared/domain/listing/refund-rule-text.rules.ts';

it.each<[string, number | null]>([
  ['', 0],
  ['Flexible', 0],
  ['Full refund until 3 days before check-in.', 72],
  ['1 day', 24],
  ['7-day notice required', 168],
  ['Hoàn tiền 100% nếu hủy trước 5 ngày.', 120],
  ['Hoàn tiền nếu hủy trước 5 ngày.'.normalize('NFD'), 120],
  ['24 hours before check-in', 24],
  ['24h before check-in', 24],
  ['48hrs', 48],
  ['trước 12 giờ', 12],
  ['2 weeks before', 336],
  ['trước 1 tuần', 168],
  ['1.5 days', 36],
  ['100% back within 2 days, 50% within 1 day', 48],
  ['Non-refundable', null],
  ['Không hoàn tiền', null],
  ['Không hoàn tiền'.normalize('NFD'), null],
  ['No refund within 3 days of check-in', 72],
  ['3 daylight rooms', 0],
  ['Not refundable', null],
  ['This booking is not refundable.', null],
  ['Không được hoàn tiền', null],
  ['Never', null],
  ['No refunds!', null],
  ['Full refund until 7 days before check-in, no refund after that.', 168],
])('%s: %s hours', (rule, hours) => {
  expect(refundNoticeHours(rule)).toBe(hours);
});

describe('a new text', () => {
  it.each([
    '',
    'Flexible',
    'Non-refundable',
    'Full refund until 3 days before check-in.',
    'Hoàn tiền 100% nếu hủy trước 5 ngày.',
    '100 % back until 1.5 days before',
    '100 percent back until 2 weeks before',
    'No refund within 3 days of check-in',
    'Full refund until 14 days before check-in, none later.',
    'Not refundable',
    'Không được hoàn tiền',
    'Không hoàn tiền trong mọi trường hợp',
    'Never',
    '7-day notice required',
    '24h before check-in',
    'Full refund until check-in',
    'Linh hoạt',
    'Hoàn tiền 100% nếu hủy trước ngày nhận phòng 5 ngày',
    'Full refund until 7 days before check-in, no refund after that.',
  ])('is taken when it names one deadline or none: %s', (rule) => {
    expect(refundRuleIssues(rule)).toEqual([]);
  });

  it.each([
    ['Hoàn 50% trước 7 ngày', '168 hours'],
    ['Hoàn 50% trước 7 ngày'.normalize('NFD'), '168 hours'],
    ['50 percent until 2 days before', '48 hours'],
    ['Hoàn tám mươi, 80 phần trăm', 'until check-in'],
    ['Hoàn một nửa trước 7 ngày', '168 hours'],
    ['Half back until 3 days before', '72 hours'],
    ['7 days, or 3 days in winter', '168 hours'],
    ['100% back within 2 days, 50% within 1 day', '48 hours'],
    ['Non-refundable after 14 days, fee 200000', '336 hours'],
    ['Non-refundable after 14 days', '336 hours'],
    ['seven days', 'until check-in'],
    ['một tuần', 'until check-in'],
    ['1 month before', 'until check-in'],
    ['-5 days', '120 hours'],
    ['Full refund until -5 days before check-in', '120 hours'],
    ['999999 days', '23999976 hours'],
    ['731 days before', '17544 hours'],
    ['1,000 hours before', '1 hours'],
    ['.5 days before', '120 hours'],
    ['1.3 days before', '32 hours'],
    ['Free until check-in at 14:00', 'until check-in'],
    ['Strict', 'until check-in'],
    ['Refund within 3 days', '72 hours'],
    ['Full refund within 24 hours of the purchase', '24 hours'],
    ['No refund until 3 days before check-in', '72 hours'],
    ['No refund after check-in', '"no refund"'],
    ['Refund until the check-in date', 'until check-in'],
    ['Full refund until 5 days before, then the first night is charged', '120 hours'],
    ['not non-refundable', '"no refund"'],
    ['5 days before check-in notice not required', '120 hours'],
  ])('is refused when it says more than one full refund, with how it would be read: %s', (rule, reading) => {
    expect(refundRuleIssues(rule)).toEqual([
      { path: 'refund_rule', message: expect.stringContaining(reading) as string },
    ]);
  });
});

describe('whatever new text is taken', () => {
  const amounts = fc.tuple(
    fc.integer({ min: 0, max: 2000 }),
    fc.constantFrom('days', 'day', 'hours', 'h', 'weeks', 'ngày', 'giờ', 'tuần'),
  );
  const hoursOf = ([count, unit]: [number, string]) =>
    count * (/^(day|ngày)/.test(unit) ? 24 : /^(week|tuần)/.test(unit) ? 168 : 1);
  const longest = 730 * 24;

  it('reads every way of naming one deadline as that many hours', () => {
    const sentences = fc.constantFrom(
      (text: string) => text,
      (text: string) => `Full refund until ${text} before check-in.`,
      (text: string) => `100% back if you cancel at least ${text} before arrival`,
      (text: string) => `FREE CANCELLATION UP TO ${text.toUpperCase()} PRIOR TO CHECK-IN`,
      (text: string) => `No refund within ${text} of check-in`,
      (text: string) => `Hoàn tiền 100% nếu hủy trước ${text}`,
      (text: string) => `Không hoàn tiền trong vòng ${text} trước khi nhận phòng`,
    );
    fc.assert(
      fc.property(amounts, sentences, fc.constantFrom('NFC', 'NFD'), ([count, unit], say, form) => {
        const rule = say(`${count} ${unit}`).normalize(form);
        const hours = hoursOf([count, unit]);
        expect(refundRuleIssues(rule)).toHaveLength(hours > longest ? 1 : 0);
        expect(refundNoticeHours(rule)).toBe(hours);
      }),
    );
  });

  const words = fc.constantFrom(
    ...'full refund no not never non-refundable until before within after check-in 3 7 50% half seven days hours month -2 0.5 1,000 first night fee hoàn tiền không trước ngày'.split(
      ' ',
    ),
  );

  it('has no number but the one that is read, which a unit of time follows', () => {
    fc.assert(
      fc.property(fc.array(words, { maxLength: 9 }), (some) => {
        const rule = some.join(' ');
        if (refundRuleIssues(rule).length > 0) return;
        const numbers = some.filter((word) => /\d/.test(word));
        const hours = refundNoticeHours(rule);
        if (hours === null) {
          expect(rule).toMatch(/\b(no|not|never|non-refundable)\b|không/);
          expect(numbers).toEqual([]);
          return;
        }
        expect(rule).not.toMatch(/half|seven|month|first|night|fee|%|-2|1,000/);
        expect(numbers.length).toBeLessThan(2);
        const [number] = numbers;
        const unit = number === undefined ? undefined : some[some.indexOf(number) + 1];
        expect(hours).toBe(number === undefined ? 0 : hoursOf([Number(number), unit!]));
        // "Refund within 3 days" or "no refund until 3 days" would be the opposite.
        const before = number === undefined ? some : some.slice(0, some.indexOf(number));
        const isNo = before.some((word) => /^(no|not|never|non-refundable|không)$/.test(word));
        expect(before.some((word) => word === 'within')).toBe(isNo);
      }),
      { numRuns: 20_000 },
    );
  });
});

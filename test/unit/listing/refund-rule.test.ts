import { describe, expect, it } from 'vitest';
import { refundNoticeHours, refundRuleIssues } from '../../../shared/domain/listing/refund-rule.ts';

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
    'Free until check-in at 14:00',
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
  ])('is refused when it says more than one full refund, with how it would be read: %s', (rule, reading) => {
    expect(refundRuleIssues(rule)).toEqual([
      { path: 'refund_rule', message: expect.stringContaining(reading) as string },
    ]);
  });
});

import { expect, it } from 'vitest';
import { refundNoticeHours } from '../../../shared/domain/listing/refund-rule.ts';

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

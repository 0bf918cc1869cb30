import { expect, test } from 'vitest';
import type { Reservation } from '../../../shared/domain/booking/reservation.entity.ts';
import type { Posting } from '../../../shared/domain/folio/model.ts';
import { refundOf } from '../../../shared/domain/booking/refund.rules.ts';

const paid = { kind: 'payment', amount: 9, at: 0 } as const;
const paidBy = (refund: number, payment: Posting) => ({
  before: { total: 9, postings: [payment] } as unknown as Reservation,
  refund,
});
const stay = (refund: number) => paidBy(refund, { ...paid, collected_by: 'HOST' });
const online = (refund: number) => paidBy(refund, { ...paid, payment_id: 16, reference: 'txn_1' });

test.each([
  ['nothing is NONE', [], 0, 'NONE'],
  ['nothing of a stay is NONE', [online(0), stay(0)], 0, 'NONE'],
  ['the smallest amount paid online is PENDING', [online(0.01)], 0.01, 'PENDING'],
  ['the smallest amount paid otherwise is REFUNDED', [stay(1)], 1, 'REFUNDED'],
  ['one of both waits for the gateway', [online(1), stay(1)], 2, 'PENDING'],
  ['nothing of the one paid online waits for no gateway', [online(0), stay(1)], 1, 'REFUNDED'],
  ['three amounts are added exactly', [stay(0.1), stay(0.2), stay(0.3)], 0.6, 'REFUNDED'],
])('a refund: %s', (_, stays, amount, status) => {
  expect(refundOf(stays)).toEqual({ amount, status });
});

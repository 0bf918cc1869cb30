import { expect, it } from 'vitest';
import { mayMovePayment } from '../../../shared/domain/payment/payment.rules.ts';

const unfinished = ['OPEN', 'CHARGING', 'AUTHORISED', 'CAPTURING'] as const;
const final = ['PAID', 'FAILED', 'EXPIRED', 'VOIDED', 'REFUNDED'] as const;
const states = [...unfinished, ...final];

it.each([
  ['pay', [...unfinished, 'FAILED', 'EXPIRED', 'VOIDED']],
  ['authorise', ['OPEN', 'CHARGING']],
  ['capture', ['AUTHORISED']],
  ['void', ['AUTHORISED', 'CAPTURING']],
  ['decline', ['CHARGING']],
  ['expire', ['OPEN']],
  ['refund', ['PAID']],
] as const)('the move %s of a payment is allowed from %j, and from no other state', (move, from) => {
  expect(states.filter((state) => mayMovePayment(state, move))).toEqual(from);
});

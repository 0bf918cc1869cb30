import { expect, it } from 'vitest';
import type { Attempt, Payment } from '../../../shared/domain/payment/payment.entity.ts';
import { isAmbiguous } from '../../../shared/domain/payment/payment.store.ts';

const page = (reference: string, amount: number): Attempt => ({
  ...{ reference, amount, opened_at: 0, ends_at: 1 },
});

it.each([
  ['names its page', [page('cs_1', 500)], 'cs_2', false],
  ['has the amount of one page', [page('cs_1', 400)], 'pi_2', false],
  ['has the amount of two pages', [page('cs_1', 500)], 'pi_2', true],
  ['has the amount of none', [page('cs_1', 400)], 'pi_2', false],
])('of a charge that %s the page is known, or not', (_, earlier, reference, ambiguous) => {
  const payment = { ...page('cs_2', 500), earlier } as Payment;
  const amount = _ === 'has the amount of none' ? 300 : 500;
  expect(isAmbiguous(payment, { reference, amount })).toBe(ambiguous);
});

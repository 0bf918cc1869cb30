import { describe, expect, it } from 'vitest';
import { balanceDueAt, dueAtBooking, freezePlan } from '../../../shared/domain/booking/payment-plan.rules.ts';
import type { Reservation } from '../../../shared/domain/booking/reservation.entity.ts';
import {
  type Account,
  dueFor,
  dueLaterFor,
  isDepositPaid,
  type Posting,
  unpaidFor,
} from '../../../shared/domain/folio/model.ts';

const hour = 3_600_000;
const startsAt = Date.parse('2027-02-04T07:00:00.000Z');
const vnd = { total: 2_200_000, currency: 'VND' };
const frozen = (given: Parameters<typeof freezePlan>[0], price = vnd, now = 0) =>
  freezePlan(given, price, startsAt, now).plan;

describe('the plan of a stay', () => {
  it('is of the listing: a percentage of the price, rounded half-up, and hours before check-in', () => {
    expect(frozen({ deposit_percent: 30 })).toEqual({ deposit: 660_000, hours_before: 72 });
    expect(frozen({ deposit_percent: 30, balance_due: 'ON_ARRIVAL' })).toMatchObject({ hours_before: 0 });
    expect(frozen({ deposit_percent: 30, balance_due: { hours_before: 24 } })).toMatchObject({
      hours_before: 24,
    });
    expect(frozen({ deposit_percent: 50 }, { total: 10.01, currency: 'USD' })).toMatchObject({
      deposit: 5.01,
    });
    expect(frozen({ deposit_percent: 0 })).toMatchObject({ deposit: 0 });
  });

  it.each([
    ['the deposit is all of it', { deposit_percent: 100 }, vnd, 0],
    ['the listing says nothing', {}, vnd, 0],
    ['the deposit rounds to all of it', { deposit_percent: 99.9999 }, { total: 100, currency: 'VND' }, 0],
    ['it costs nothing', { deposit_percent: 30 }, { total: 0, currency: 'VND' }, 0],
    ['the balance is due already', { deposit_percent: 30 }, vnd, startsAt - 72 * hour],
    [
      'the guest is to have arrived',
      { deposit_percent: 30, balance_due: 'ON_ARRIVAL' as const },
      vnd,
      startsAt,
    ],
  ])('is none where %s', (_, given, price, now) => {
    expect(frozen(given, price, now)).toBeUndefined();
  });

  it('is there until the last millisecond before the balance is due', () => {
    expect(frozen({ deposit_percent: 30 }, vnd, startsAt - 72 * hour - 1)).toBeDefined();
  });

  it('says what is due at booking, and when the rest is', () => {
    const item = { start_at: '2027-02-04T14:00:00', timezone: 'Asia/Ho_Chi_Minh' };
    expect(dueAtBooking(2_200_000, { ...item, plan: { deposit: 660_000, hours_before: 72 } })).toEqual({
      amount_due: 660_000,
      balance_due_at: '2027-02-01T07:00:00.000Z',
    });
    expect(dueAtBooking(2_200_000, item)).toEqual({ amount_due: 2_200_000, balance_due_at: null });
  });
});

const paid = (amount: number): Posting => ({ kind: 'payment', amount, at: 0 });
const account = (given: Partial<Account>): Account => ({
  total: 1_000,
  plan: { deposit: 300, hours_before: 72 },
  ...given,
});
const charge: Posting = { kind: 'charge', amount: 60, at: 0 };

describe('what is due of a stay with a plan', () => {
  it.each([
    ['nothing is paid', {}, [300, 700, 1_000]],
    ['a part of the deposit is paid', { postings: [paid(100)] }, [200, 700, 900]],
    ['the deposit is paid', { postings: [paid(300)] }, [0, 700, 700]],
    ['more is paid', { postings: [paid(500)] }, [0, 500, 500]],
    ['all is paid', { postings: [paid(1_000)] }, [0, 0, 0]],
    ['more than all is paid', { postings: [paid(1_100)] }, [0, 0, 0]],
    ['something is charged beside it', { postings: [paid(300), charge] }, [60, 700, 760]],
    ['something is charged and more is paid', { postings: [paid(500), charge] }, [60, 500, 560]],
    ['something is charged and the price is paid', { postings: [paid(1_000), charge] }, [60, 0, 60]],
    ['what is charged is paid too', { postings: [paid(300), charge, paid(60)] }, [0, 700, 700]],
    ['both are paid at once', { postings: [charge, paid(360)] }, [0, 700, 700]],
    ['more is paid than both', { postings: [charge, paid(500)] }, [0, 560, 560]],
    ['a part of what is charged is paid', { postings: [charge, paid(310)] }, [50, 700, 750]],
    [
      'that payment was taken out',
      { postings: [paid(500), charge, paid(60), { kind: 'correction' as const, amount: -60, at: 0, of: 3 }] },
      [60, 500, 560],
    ],
    [
      'what was charged and paid was taken out',
      { postings: [charge, paid(360), { kind: 'charge' as const, amount: -60, at: 0, of: 1 }] },
      [0, 640, 640],
    ],
    ['all is paid and then something charged', { postings: [paid(1_100), charge] }, [0, 0, 0]],
    ['the price has fallen below the deposit', { total: 200, postings: [charge, paid(60)] }, [200, 0, 200]],
    [
      'the balance is due',
      { plan: { deposit: 300, hours_before: 72, is_due: true as const }, postings: [paid(300)] },
      [700, 0, 700],
    ],
    ['it costs less than the deposit', { total: 200 }, [200, 0, 200]],
    ['it fell through', { postings: [paid(300), { kind: 'fee' as const, amount: 300, at: 0 }] }, [0, 0, 0]],
    [
      'the fee is above what was paid',
      { postings: [paid(300), { kind: 'fee' as const, amount: 400, at: 0 }] },
      [100, 0, 100],
    ],
  ])('when %s', (_, given: Partial<Account>, [now, later, unpaid]) => {
    const stay = account(given);
    expect([dueFor(stay), dueLaterFor(stay), unpaidFor(stay)]).toEqual([now, later, unpaid]);
  });

  it('and whether its deposit is paid: some money, and all of it', () => {
    expect(isDepositPaid(account({ postings: [paid(299)] }))).toBe(false);
    expect(isDepositPaid(account({ postings: [paid(300)] }))).toBe(true);
    expect(isDepositPaid(account({ total: 200, postings: [paid(200)] }))).toBe(true);
    const free = { deposit: 0, hours_before: 72 };
    expect(isDepositPaid(account({ plan: free }))).toBe(false);
    expect(isDepositPaid(account({ plan: free, postings: [paid(1)] }))).toBe(true);
    expect(isDepositPaid({ total: 0 })).toBe(true);
    expect(isDepositPaid({ total: 1 })).toBe(false);
  });

  it('and when the balance falls due: while there is one', () => {
    const stay = (given: Partial<Account>) =>
      ({ ...account(given), start_at: '2027-02-04T14:00:00', timezone: 'Asia/Ho_Chi_Minh' }) as Reservation;
    expect(balanceDueAt(stay({}))).toBe(startsAt - 72 * hour);
    expect(balanceDueAt(stay({ postings: [paid(1_000)] }))).toBeUndefined();
    expect(balanceDueAt(stay({ plan: { deposit: 300, hours_before: 72, is_due: true } }))).toBeUndefined();
  });
});

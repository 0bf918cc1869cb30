import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { adjusted } from '../../../shared/domain/pricing/adjustments.rules.ts';
import { noShowRefunds } from '../../../shared/domain/booking/no-show.rules.ts';
import type { FrozenTerm } from '../../../shared/domain/booking/order.entity.ts';
import { refundAt } from '../../../shared/domain/booking/refund.rules.ts';
import type { Reservation } from '../../../shared/domain/booking/reservation.entity.ts';
import {
  cancellationDeadline,
  cancellationFee,
  endingTerms,
  freezeTerms,
  shownTerms,
  termsOf,
} from '../../../shared/domain/booking/terms.rules.ts';
import type { Posting } from '../../../shared/domain/folio/model.ts';
import { randomTerms } from '../../support/random-terms.ts';
import { combo, quote, rule } from '../pricing/cards.ts';

const hour = 3_600_000;
const checkIn = Date.parse('2027-02-04T14:00:00+07:00');

const step = (until_hours_before: number, refund_percent: number, keep_nights = 0): FrozenTerm => ({
  until_hours_before,
  refund_percent,
  keep_nights,
});
const paid = (amount: number): Posting[] => [{ kind: 'payment', amount, at: 0, collected_by: 'HOST' }];

const stay = (given: Partial<Reservation> = {}) =>
  ({
    start_at: '2027-02-04T14:00:00',
    timezone: 'Asia/Ho_Chi_Minh',
    total: 3_000_000,
    currency: 'VND',
    postings: paid(3_000_000),
    refund_notice_hours: 168,
    ...given,
  }) as Reservation;

/** 3,000,000 for three nights, of which the first costs 900,000. */
const stepped = (given: Partial<Reservation> = {}) =>
  stay({
    cancellation_terms: [step(168, 100), step(72, 50), { ...step(24, 20, 1), kept_price: 900_000 }],
    ...given,
  });
const feeAt = (one: Reservation, hoursBefore: number, ms = 0) =>
  cancellationFee(one, checkIn - hoursBefore * hour + ms).toFixed();
const refund = (one: Reservation, hoursBefore: number, ms = 0) =>
  refundAt(one, checkIn - hoursBefore * hour + ms, true);

describe('the terms of a stay', () => {
  it.each([
    [72, [step(72, 100)]],
    [0, [step(0, 100)]],
    [null, []],
  ])('from before, with a notice of %s hours, are one full refund or none', (refund_notice_hours, terms) => {
    expect(termsOf(stay({ refund_notice_hours }))).toEqual(terms);
  });

  it('are its steps where it has them', () => {
    expect(termsOf(stepped()).map(({ refund_percent }) => refund_percent)).toEqual([100, 50, 20]);
  });

  it('cost nothing, a part or the price, each to the last millisecond of its step', () => {
    const one = stepped();
    expect([feeAt(one, 2000), feeAt(one, 168), feeAt(one, 168, 1)]).toEqual(['0', '0', '1500000']);
    expect([feeAt(one, 72), feeAt(one, 72, 1)]).toEqual(['1500000', '2580000']);
    expect([feeAt(one, 24), feeAt(one, 24, 1), feeAt(one, -100)]).toEqual(['2580000', '3000000', '3000000']);
  });

  it('have a deadline only where a step refunds everything', () => {
    expect(cancellationDeadline(stepped())).toBe('2027-01-28T07:00:00.000Z');
    const first = (term: FrozenTerm) => cancellationDeadline(stay({ cancellation_terms: [term] }));
    expect([first(step(24, 99)), first(step(24, 100, 1)), first(step(24, 100))]).toEqual([
      null,
      null,
      '2027-02-03T07:00:00.000Z',
    ]);
    expect(cancellationDeadline(stay({ refund_notice_hours: null }))).toBeNull();
  });

  it('end in 1970 where a notice reaches before', () => {
    expect(cancellationDeadline(stay({ refund_notice_hours: 9_999_999 }))).toBe('1970-01-01T00:00:00.000Z');
  });

  it.each([
    ['VND', 1001, 50, '501'],
    ['VND', 1001, 49.95, '501'],
    ['VND', 999, 66.6667, '333'],
    ['USD', 0.01, 50, '0.01'],
    ['USD', 100.03, 50, '50.02'],
    ['KWD', 10.001, 50, '5.001'],
    ['USD', 0.1, 100, '0'],
    ['USD', 0.1, 0, '0.1'],
  ])('cost in %s of %s less %s %%, rounded half-up once, %s', (currency, total, percent, fee) => {
    const one = stay({ currency, total, cancellation_terms: [step(0, percent)] });
    expect(feeAt(one, 1)).toBe(fee);
  });

  it('cost no more than the price, whatever the kept nights did', () => {
    const dear = { ...step(0, 100, 2), kept_price: 5_000_000 };
    expect(feeAt(stay({ cancellation_terms: [dear] }), 1)).toBe('3000000');
  });
});

describe('the refund of a stay', () => {
  it.each([
    ['nothing paid', 0, 0],
    ['less than the fee', 400_000, 0],
    ['the fee', 1_500_000, 0],
    ['a little more', 1_500_001, 1],
    ['the price', 3_000_000, 1_500_000],
    ['more than the price', 3_200_000, 1_700_000],
  ])('is what was paid less the fee: %s', (_, amount, back) => {
    expect(refund(stepped({ postings: paid(amount) }), 100)).toBe(back);
  });

  it('has all parts paid, less what has gone back', () => {
    const postings: Posting[] = [
      ...paid(1_000_000),
      { kind: 'payment', amount: 2_000_000, at: 0, payment_id: 16, reference: 'txn_1' },
      { kind: 'refund', amount: 200_000, at: 0, of: 1 },
    ];
    expect(refund(stepped({ postings }), 100)).toBe(1_300_000);
  });

  it('after the last step is what was paid above the price, and by the host all', () => {
    const one = stepped({ postings: paid(3_200_000) });
    expect(refund(one, 0)).toBe(200_000);
    expect(refundAt(one, checkIn, false)).toBe(3_200_000);
  });

  it('of a no-show is that of its moment', () => {
    const back = (instant: number) => noShowRefunds([stepped()], instant, undefined)[0]?.refund;
    expect([back(checkIn), back(checkIn - 100 * hour)]).toEqual([0, 1_500_000]);
  });
});

describe('terms that are frozen', () => {
  const keptPrice = (keep: number, priced: ReturnType<typeof quote>) =>
    freezeTerms([step(24, 50, keep)], priced).cancellation_terms?.[0]?.kept_price;

  it('are the hours alone where they are one full refund or none', () => {
    expect(freezeTerms([step(72, 100)], quote())).toEqual({ refund_notice_hours: 72 });
    expect(freezeTerms([], quote())).toEqual({ refund_notice_hours: null });
  });

  it('have their steps otherwise, and the hours of a full refund if there is one', () => {
    const half = [step(24, 50)];
    expect(freezeTerms(half, quote())).toEqual({ refund_notice_hours: null, cancellation_terms: half });
    const both = [step(72, 100), step(24, 50)];
    expect(freezeTerms(both, quote())).toEqual({ refund_notice_hours: 72, cancellation_terms: both });
    expect(freezeTerms([step(72, 100, 1)], quote()).refund_notice_hours).toBeNull();
  });

  it('say what the first nights cost, of each its own price', () => {
    const priced = quote({
      listing: { cleaning_fee: 200_000 },
      rules: [
        rule({ date_type: 'DATE_RANGE', date_from: '2027-03-01', date_to: '2027-03-01', price: 1_500_000 }),
      ],
    });
    expect(priced.total).toBe(2_700_000);
    expect([0, 1, 2, 3].map((keep) => keptPrice(keep, priced))).toEqual([
      undefined,
      1_500_000,
      2_500_000,
      2_500_000,
    ]);
  });

  it('say it with the share of the discounts, rounded once', () => {
    const month = { check_in_date: '2027-03-01', check_out_date: '2027-03-31' };
    const priced = quote({ listing: { monthly_price: 10_000_000 } }, month);
    expect([priced.total, keptPrice(1, priced), keptPrice(30, priced)]).toEqual([
      10_000_000, 333_333, 10_000_000,
    ]);
  });

  it('say it with the share of the adjustments, which lower the whole stay', () => {
    const half = { id: 7, label: 'Friend', percent: -50, reason: 'DISCOUNT' as const };
    const free = { ...half, percent: -100 };
    const priced = quote({ listing: { cleaning_fee: 200_000 } });
    const [all, adjustedBy] = [keptPrice(1, priced)!, (one: typeof half) => adjusted(priced, [one])];
    expect(all).toBe(1_000_000);
    expect(keptPrice(1, adjustedBy(half))).toBe(500_000);
    expect(keptPrice(1, adjustedBy(free))).toBe(0);
  });

  it('keep of a stay without a price by the night its share, and all of it if it has no more nights', () => {
    const flat = quote({ rules: [rule({ charge_unit: 'PACKAGE', price: 1_000_001 })] });
    expect([flat.lines[0]?.kind, keptPrice(1, flat), keptPrice(2, flat), keptPrice(9, flat)]).toEqual([
      'package',
      500_001,
      1_000_001,
      1_000_001,
    ]);
    const packed = quote({ combos: [combo()] }, { combo_id: 50 });
    expect([packed.lines[0]?.kind, packed.total, keptPrice(1, packed)]).toEqual([
      'combo',
      1_500_000,
      750_000,
    ]);
    const day = quote({}, { check_out_date: '2027-03-01' });
    expect([day.nights, keptPrice(1, day)]).toEqual([0, day.total]);
  });

  it('price the kept nights anew after a change', () => {
    const before = freezeTerms([step(24, 50, 1)], quote());
    const after = freezeTerms(termsOf(before), quote({ listing: { full_rate: 700_000 } }));
    expect(after.cancellation_terms).toEqual([{ ...step(24, 50, 1), kept_price: 700_000 }]);
  });
});

describe('the steps of a stay that was moved', () => {
  const moved = (start_at: string) => stepped({ start_at, refund_until: endingTerms(stepped())[0]!.end });
  const ends = (one: Reservation) => endingTerms(one).map(({ end }) => end);

  it('to a later time end when they did, and are shown in hours before the new check-in', () => {
    const later = moved('2027-02-14T14:30:00');
    expect(ends(later)).toEqual(ends(stepped()));
    expect(shownTerms(later)).toEqual([step(168 + 241, 100), step(72 + 241, 50), step(24 + 241, 20, 1)]);
  });

  it('to an earlier time end earlier, by the same hours', () => {
    const earlier = moved('2027-02-01T14:00:00');
    expect(ends(earlier)).toEqual(ends(stepped()).map((end) => end - 72 * hour));
    expect(shownTerms(earlier)).toEqual([step(168, 100), step(72, 50), step(24, 20, 1)]);
  });

  it('from before are one, that ended when it did', () => {
    const refund_until = checkIn - 200 * hour;
    expect(cancellationDeadline(stay({ refund_until }))).toBe('2027-01-26T23:00:00.000Z');
    expect(shownTerms(stay({ refund_until }))).toEqual([step(200, 100)]);
  });
});

describe('whatever the terms and the payments', () => {
  const prices = fc.array(fc.integer({ min: 1, max: 3_000_001 }), { minLength: 1, maxLength: 6 });

  it('a refund is from 0 to what was paid, never rises with time, and leaves no more than the price', () => {
    fc.assert(
      fc.property(
        randomTerms,
        prices,
        fc.integer({ min: 0, max: 20_000_000 }),
        fc.array(fc.integer({ min: -10, max: 900 * hour }), { minLength: 2, maxLength: 8 }),
        (given, nights, amount, before) => {
          const lines = nights.map((price) => ({ kind: 'night', amount: price }));
          const total = nights.reduce((sum, price) => sum + price, 0);
          const priced = { ...quote(), lines, total, nights: nights.length } as ReturnType<typeof quote>;
          const one = stay({ ...freezeTerms(given, priced), total, postings: paid(amount) });
          const instants = [
            ...before.map((ms) => checkIn - ms),
            ...endingTerms(one).flatMap(({ end }) => [end, end + 1]),
          ].toSorted((first, other) => first - other);
          const refunds = instants.map((instant) => refundAt(one, instant, true));
          expect(refunds).toEqual(refunds.toSorted((first, other) => other - first));
          for (const back of refunds) {
            expect(back).toBeGreaterThanOrEqual(Math.max(0, amount - total));
            expect(back).toBeLessThanOrEqual(amount);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

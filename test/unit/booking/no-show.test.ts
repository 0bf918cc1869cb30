import { describe, expect, it } from 'vitest';
import type { Reservation } from '../../../shared/domain/booking/reservation.entity.ts';
import { mayBeNoShow, noShowRefunds, noShowWindow } from '../../../shared/domain/booking/no-show.rules.ts';
import { listingExample } from '../../../shared/domain/listing/listing-example.schema.ts';

const paid = (amount: number) => [{ kind: 'payment' as const, amount, at: 0, actor: 'user:1' }];

const stay = (given: Partial<Reservation> = {}) =>
  ({
    check_in_date: '2027-02-04',
    check_out_date: '2027-02-06',
    start_at: '2027-02-04T14:00:00',
    end_at: '2027-02-06T12:00:00',
    nights: 2,
    timezone: 'Asia/Ho_Chi_Minh',
    state: 'CONFIRMED',
    payment_status: 'PAID',
    total: 1000,
    postings: paid(1000),
    currency: 'VND',
    refund_notice_hours: 72,
    ...given,
  }) as Reservation;

const nightly = { pricing_type: 'nightly', combo_id: null } as const;
const local = (text: string, zone = '+07:00') => Date.parse(`${text}${zone}`);

describe('the time in which a guest may be missed', () => {
  const opens = (
    no_checkin_after_hour: string | null,
    given: Partial<Reservation> = {},
    quote: Parameters<typeof noShowWindow>[2] = nightly,
    rates: object = {},
  ) => noShowWindow(stay(given), { ...listingExample, no_checkin_after_hour, ...rates }, quote).from;

  it.each([
    ['the midnight after check-in without a cut-off', null, '2027-02-05T00:00:00'],
    ['the cut-off of the evening', '22:00:00', '2027-02-04T22:00:00'],
    ['a cut-off after midnight, on the next day', '01:00:00', '2027-02-05T01:00:00'],
  ])('begins at %s', (_, cutOff, from) => {
    expect(opens(cutOff)).toBe(local(from));
  });

  it('begins no earlier than the stay, whose cut-off the host may have changed since', () => {
    const dayUse = { nights: 0, check_out_date: '2027-02-04', start_at: '2027-02-04T15:00:00' };
    expect(opens('10:00:00', dayUse)).toBe(local('2027-02-04T15:00:00'));
  });

  it('goes by the opening of the kind of stay: by that of its combo, of a night, of the day', () => {
    const late = { start_at: '2027-02-04T20:00:00' };
    const combo = { pricing_type: 'combo', combo_id: 5 } as const;
    expect(opens('18:00:00', late, combo)).toBe(local('2027-02-05T18:00:00'));
    expect(opens('18:00:00', late)).toBe(local('2027-02-04T20:00:00'));
    const short = { pricing_type: 'night_short', combo_id: null } as const;
    const rates = { checkin_night_short_hour: '19:00:00' };
    expect(opens('18:00:00', late, short, rates)).toBe(local('2027-02-05T18:00:00'));
  });

  it('is that of the stay’s zone, without a listing from midnight, and lasts 30 days by the local clock', () => {
    const zone = {
      timezone: 'America/New_York',
      check_in_date: '2027-03-01',
      start_at: '2027-03-01T14:00:00',
    };
    expect(noShowWindow(stay(zone), undefined, nightly)).toEqual({
      from: local('2027-03-02T00:00:00', '-05:00'),
      until: local('2027-04-01T00:00:00', '-04:00'),
    });
  });
});

describe('a stay', () => {
  it.each([
    [stay(), true],
    [stay({ state: 'COMPLETED', unattended: true }), true],
    [stay({ state: 'COMPLETED' }), false],
    [stay({ state: 'CHECKED_IN' }), false],
    [stay({ state: 'NO_SHOW', unattended: true }), false],
  ])('%#: may be a no-show if its guest was never checked in', (one, may) => {
    expect(mayBeNoShow(one)).toBe(may);
  });
});

describe('the refund of guests who did not come', () => {
  const late = local('2027-02-05T00:00:00');
  const refunds = (stays: Reservation[], amount?: number, at = late) =>
    noShowRefunds(stays, at, amount).map(({ refund }) => refund);
  const issue = (message: string) =>
    expect.objectContaining({
      code: 'VALIDATION_ERROR',
      details: { issues: [{ path: 'refund_amount', message }] },
    }) as Error;

  it('is what the frozen terms say', () => {
    expect(refunds([stay(), stay({ payment_status: 'PENDING', postings: [] })])).toEqual([0, 0]);
    expect(refunds([stay({ refund_notice_hours: -24 })])).toEqual([1000]);
  });

  it('may be more, up to what was paid: the first stays get the difference first', () => {
    const three = [
      stay(),
      stay({ payment_status: 'PENDING', postings: [] }),
      stay({ total: 500, postings: paid(500) }),
    ];
    expect(refunds(three, 0)).toEqual([0, 0, 0]);
    expect(refunds(three, 700)).toEqual([700, 0, 0]);
    expect(refunds(three, 1200)).toEqual([1000, 0, 200]);
    expect(refunds(three, 1500)).toEqual([1000, 0, 500]);
    expect(() => refunds(three, 1501)).toThrow(issue('must be from 0 to 1500 VND'));
    expect(() => refunds([stay({ refund_notice_hours: -24 })], 999)).toThrow(
      issue('must be from 1000 to 1000 VND'),
    );
  });

  it('has no more decimals than its currency', () => {
    expect(() => refunds([stay()], 0.5)).toThrow(issue('has more decimals than VND'));
    expect(refunds([stay({ currency: 'USD', total: 0.3, postings: paid(0.3) })], 0.1)).toEqual([0.1]);
  });
});

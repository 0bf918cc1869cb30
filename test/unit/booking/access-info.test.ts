import { describe, expect, it } from 'vitest';
import { accessOf, accessTo } from '../../../shared/domain/booking/access-info.rules.ts';
import type { Reservation } from '../../../shared/domain/booking/reservation.entity.ts';

const stay = (given: Partial<Reservation> = {}) =>
  ({
    ...{ start_at: '2027-02-04T14:00:00', end_at: '2027-02-06T12:00:00', timezone: 'Asia/Ho_Chi_Minh' },
    ...{ state: 'CONFIRMED', payment_status: 'PENDING', payment_method: 'CASH', total: 900 },
    ...given,
  }) as Reservation;

const opens = '2027-02-03T07:00:00.000Z';
const within = Date.parse('2027-02-03T08:00:00Z');
const codes = { wifi_name: 'Pines', wifi_password: 'rung-thong', door_code: { gate: '4711' } };
const paid = { payment_status: 'PAID' } as const;
const released = { access_released_at: '2027-02-01T00:00:00.000Z' };

describe('who may read how to enter', () => {
  it.each([
    ['unpaid, in cash', {}, 'SECURED', 'WAITS_FOR_HOST'],
    ['an unpaid transfer', { payment_method: 'BANK_TRANSFER' }, 'SECURED', 'WAITS_FOR_PAYMENT'],
    ['an unpaid page', { payment_method: 'ONLINE_GATEWAY' }, 'SECURED', 'WAITS_FOR_PAYMENT'],
    ['paid', paid, 'SECURED', 'SHOWN'],
    ['paid, of a listing from before the field', paid, undefined, 'SHOWN'],
    ['authorised, not accepted', { authorised: true, state: 'PENDING' }, 'SECURED', 'WAITS_FOR_HOST'],
    [
      'captured at its acceptance, and changed for more since',
      { authorised: true, payment_method: 'ONLINE_GATEWAY' },
      'SECURED',
      'WAITS_FOR_PAYMENT',
    ],
    ['refunded', { payment_status: 'REFUNDED' }, 'SECURED', 'WAITS_FOR_HOST'],
    ['released', released, 'SECURED', 'SHOWN'],
    ['checked in', { state: 'CHECKED_IN' }, 'SECURED', 'SHOWN'],
    ['paid where the host releases', paid, 'HOST', 'WAITS_FOR_HOST'],
    ['unpaid where the host releases', { payment_method: 'BANK_TRANSFER' }, 'HOST', 'WAITS_FOR_HOST'],
    ['released where the host releases', released, 'HOST', 'SHOWN'],
    ['checked in where the host releases', { state: 'CHECKED_IN' }, 'HOST', 'SHOWN'],
    ['not accepted, although paid', { ...paid, state: 'PENDING' }, 'SECURED', 'WAITS_FOR_HOST'],
    ['not accepted, although released', { ...released, state: 'PENDING' }, 'SECURED', 'WAITS_FOR_HOST'],
    ['cancelled', { ...paid, state: 'CANCELLED' }, 'SECURED', undefined],
    ['no-show', { ...paid, state: 'NO_SHOW' }, 'SECURED', undefined],
    ['checked out', { ...paid, state: 'CHECKED_OUT' }, 'SECURED', undefined],
    ['completed', { ...released, state: 'COMPLETED' }, 'SECURED', undefined],
  ] as const)('%s', (_, given, access_release, expected) => {
    const listing = { ...codes, ...(access_release && { access_release }) };
    const access = accessOf(listing, stay(given), within);
    expect(access?.state).toBe(expected);
    expect(access?.at).toBe(expected === undefined ? undefined : expected === 'SHOWN' ? opens : null);
    expect(accessTo(listing, stay(given), within)).toEqual(expected === 'SHOWN' ? codes : null);
  });

  it('opens 24 hours before check-in, and ends with the stay', () => {
    const at = (instant: string) => accessOf({ access_release: 'SECURED' }, stay(paid), Date.parse(instant));
    expect(at('2027-02-03T06:59:59.999Z')).toEqual({ state: 'AT', at: opens });
    expect(at('2027-02-03T07:00:00.000Z')).toEqual({ state: 'SHOWN', at: opens });
    expect(at('2027-02-06T04:59:59.999Z')).toEqual({ state: 'SHOWN', at: opens });
    expect(at('2027-02-06T05:00:00.000Z')).toBeNull();
  });
});

import { expect, test } from 'vitest';
import { hasPartPrice } from '../../../shared/domain/pricing/price-parts.store.ts';
import { fixedClock } from '../../../shared/platform/time/clock.ts';
import { combo, rule } from './cards.ts';

/** 2027-03-02 00:30 in Ho Chi Minh City, still 03-01 in UTC. */
const clock = fixedClock('2027-03-01T17:30:00Z');

test.each([
  ['a rule', { rules: [rule({ price: 1 })] }, true],
  ['a rule of 0', { rules: [rule({ price: 0 })] }, false],
  ['an inactive rule', { rules: [rule({ is_active: false })] }, false],
  ['a range until today', { rules: [rule({ date_from: '2027-02-01', date_to: '2027-03-02' })] }, true],
  ['a range until yesterday', { rules: [rule({ date_from: '2027-02-01', date_to: '2027-03-01' })] }, false],
  ['the date of today', { rules: [rule({ date_from: '2027-03-02' })] }, true],
  ['the date of yesterday', { rules: [rule({ date_from: '2027-03-01' })] }, false],
  ['a combo', { combos: [combo({ discounted_price: 1 })] }, true],
  ['a combo of 0', { combos: [combo({ discounted_price: 0 })] }, false],
  ['an inactive combo', { combos: [combo({ is_active: false })] }, false],
  ['nothing', {}, false],
])('%s prices a stay that can still be booked', (_, parts, expected) => {
  const all = { listing_id: 1, version: 1, combos: [], services: [], rules: [], ...parts };
  expect(hasPartPrice({ clock }, { timezone: 'Asia/Ho_Chi_Minh' }, all)).toBe(expected);
});

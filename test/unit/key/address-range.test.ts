import { describe, expect, test } from 'vitest';
import { isAddressRange, isInRanges } from '../../../shared/domain/people/address-range.rules.ts';

describe('an address range', () => {
  test.each(['203.0.113.7', '203.0.113.0/24', '0.0.0.0/0', '2001:db8::/32', '::1', '::ffff:10.0.0.0/104'])(
    'is %s',
    (text) => expect(isAddressRange(text)).toBe(true),
  );

  test.each([
    '',
    'example.com',
    '203.0.113.0/33',
    '2001:db8::/129',
    '10.1/8',
    '0x7f.0.0.1',
    '010.0.0.1',
    '203.0.113.0/24/8',
    '203.0.113.0/',
    '203.0.113.0/-1',
    '::ffff:10.0.0.0/95',
    '2130706433',
  ])('is not %o', (text) => expect(isAddressRange(text)).toBe(false));
});

describe('an allow list', () => {
  test.each([
    ['203.0.113.7', ['203.0.113.0/24'], true],
    ['203.0.114.7', ['203.0.113.0/24'], false],
    ['203.0.113.7', ['203.0.113.7'], true],
    ['203.0.113.8', ['203.0.113.7'], false],
    ['198.51.100.1', ['203.0.113.0/24', '198.51.100.0/30'], true],
    ['2001:db8:1::5', ['2001:db8::/32'], true],
    ['2001:db9::5', ['2001:db8::/32'], false],
    ['2001:DB8:0:0::5', ['2001:db8::5'], true],
    ['::ffff:203.0.113.7', ['203.0.113.0/24'], true],
    ['::ffff:cb00:7107', ['203.0.113.0/24'], true],
    ['10.1.2.3', ['::ffff:10.0.0.0/104'], true],
    ['10.1.2.3', ['::/0'], false],
    ['2001:db8::1', ['0.0.0.0/0'], false],
    ['203.0.113.7', [], false],
    ['unknown', ['0.0.0.0/0', '::/0'], false],
    ['', ['0.0.0.0/0', '::/0'], false],
    ['203.0.113.7, 10.0.0.1', ['0.0.0.0/0'], false],
  ])('%s in %o: %o', (address, ranges, expected) => {
    expect(isInRanges(address, ranges)).toBe(expected);
  });
});

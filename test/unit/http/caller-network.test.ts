import { expect, it } from 'vitest';
import { networkOf } from '../../../shared/platform/http/caller-network.ts';

const isSame = (one: string, other: string) => networkOf(one) === networkOf(other);

it.each([
  ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff'],
  ['2001:db8::1', '2001:db8:0:0:5:6:7:8'],
  ['2001:0DB8:0001::', '2001:db8:1::9'],
  ['::1', '::2'],
  ['1:2:3:4::', '1:2:3:4:5:6:7::'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
])('%s and %s are of one network', (one, other) => expect(isSame(one, other)).toBe(true));

it.each([
  ['203.0.113.7', '203.0.113.8'],
  ['2001:db8:1:2::1', '2001:db8:1:3::1'],
  ['2001:db8::1', '2001:db8:0:1::1'],
  ['::1:2:3:4:5', '::2:2:3:4:5'],
  ['::ffff:203.0.113.7', '::ffff:203.0.113.8'],
])('%s and %s are not', (one, other) => expect(isSame(one, other)).toBe(false));

it('says nothing of the address', () => {
  expect(networkOf('203.0.113.7')).toMatch(/^[\w-]{22}$/);
});

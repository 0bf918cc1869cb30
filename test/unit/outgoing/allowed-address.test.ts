import { describe, expect, it } from 'vitest';
import { isAllowedAddress } from '../../../shared/platform/outgoing/index.ts';

const allowed = [
  '8.8.8.8',
  '1.1.1.1',
  '172.15.255.255',
  '172.32.0.1',
  '2606:4700:4700::1111',
  '2a00:1450::5',
];

const refused = [
  ['private', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fd12:3456::1'],
  ['link-local and metadata', '169.254.169.254', '169.254.170.2', 'fe80::1', 'fe80::1%eth0', 'fd00:ec2::254'],
  ['metadata at public-looking addresses', '168.63.129.16', '100.100.100.200', '192.0.0.192'],
  ['CGNAT', '100.64.0.1', '100.127.255.255'],
  ['v4 within v6', '::ffff:10.0.0.1', '::ffff:8.8.8.8', '::ffff:7f00:1', '::10.0.0.1', '::ffff:0:10.0.0.1'],
  ['NAT64 and tunnels', '64:ff9b::a00:1', '64:ff9b:1::a00:1', '2002:a00:1::', '2001::1', '2001:10::1'],
  ['nowhere', '0.0.0.0', '0.1.2.3', '::', '255.255.255.255', '224.0.0.1', 'ff02::1', '240.0.0.1'],
  [
    'documentation and tests',
    '192.0.2.1',
    '198.51.100.1',
    '203.0.113.1',
    '198.18.0.1',
    '2001:db8::1',
    '3fff::1',
  ],
  ['not assigned', '100::1', '5f00::1', '4000::1', 'fec0::1', '192.88.99.1'],
  ['no address', '', 'localhost', '300.1.1.1', '1.2.3.4.5'],
].flatMap(([kind, ...addresses]) => addresses.map((address) => ({ kind, address })));

const loopback = ['127.0.0.1', '127.255.255.254', '::1'];

describe('an outgoing call', () => {
  it.each(allowed)('may go to %s', (address) => {
    expect(isAllowedAddress(address, { local: false })).toBe(true);
    expect(isAllowedAddress(address, { local: true })).toBe(true);
  });

  it.each(refused)('never goes to $address ($kind)', ({ address }) => {
    expect(isAllowedAddress(address, { local: false })).toBe(false);
    expect(isAllowedAddress(address, { local: true })).toBe(false);
  });

  it.each(loopback)('goes to %s in local mode alone', (address) => {
    expect(isAllowedAddress(address, { local: false })).toBe(false);
    expect(isAllowedAddress(address, { local: true })).toBe(true);
  });
});

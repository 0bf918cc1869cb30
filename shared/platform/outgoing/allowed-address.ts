import ipaddr from 'ipaddr.js';

/** Public addresses that are not: Azure's host agent answers here. */
const reservedHere = new Set(['168.63.129.16']);

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');
const protocolAssignments = ipaddr.IPv6.parseCIDR('2001::/23');

const isGlobal = (address: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  address instanceof ipaddr.IPv4 || (address.match(globalUnicast) && !address.match(protocolAssignments));

/**
 * Returns whether outgoing calls to an address are allowed (D63): public unicast only. Private, link-local (metadata),
 * loopback, CGNAT, multicast, reserved, and IPv6 addresses that embed an IPv4 one are refused. Loopback is allowed in local
 * mode.
 */
export const isAllowedAddress = (text: string, { local }: { local: boolean }): boolean => {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() === 'loopback') return local;
  return address.range() === 'unicast' && isGlobal(address) && !reservedHere.has(address.toString());
};

/** Returns whether an address is loopback. */
export const isLoopback = (text: string): boolean =>
  ipaddr.isValid(text) && ipaddr.parse(text).range() === 'loopback';

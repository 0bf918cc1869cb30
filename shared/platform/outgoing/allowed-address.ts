import ipaddr from 'ipaddr.js';

/** Addresses that look public and are not: the host's own agent on Azure answers here. */
const reservedHere = new Set(['168.63.129.16']);

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');
const protocolAssignments = ipaddr.IPv6.parseCIDR('2001::/23');

const isGlobal = (address: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  address instanceof ipaddr.IPv4 || (address.match(globalUnicast) && !address.match(protocolAssignments));

/**
 * Whether an outgoing call may go to an address (D63): a public unicast one. Private, link-local (metadata), loopback, CGNAT,
 * multicast, reserved, and v6 addresses that carry a v4 one are refused; loopback is allowed where the service is local.
 */
export const isAllowedAddress = (text: string, { local }: { local: boolean }): boolean => {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() === 'loopback') return local;
  return address.range() === 'unicast' && isGlobal(address) && !reservedHere.has(address.toString());
};

/** Whether an address is this machine's own. */
export const isLoopback = (text: string): boolean =>
  ipaddr.isValid(text) && ipaddr.parse(text).range() === 'loopback';

import { createHash } from 'node:crypto';
import ipaddr from 'ipaddr.js';

/** The half of an IPv6 address that names a network: the other half is its user's to choose. */
const networkParts = 4;

/** Returns the network of an address by which its requests are counted, as a hash: an address is data of a person. */
export const networkOf = (address: string): string => {
  const read = ipaddr.isValid(address) ? ipaddr.process(address) : undefined;
  const network = read instanceof ipaddr.IPv6 ? read.parts.slice(0, networkParts).join(':') : address;
  return createHash('sha256').update(network).digest('base64url').slice(0, 22);
};

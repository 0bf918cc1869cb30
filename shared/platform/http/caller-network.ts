import { createHash } from 'node:crypto';

/** The groups of an IPv6 address, and those that name its network: the others are its user's to choose. */
const groups = 8;
const networkGroups = 4;

const groupsOf = (text: string): string[] =>
  text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16).toString(16));

/** Returns the first 64 bits of an IPv6 address; an IPv4 one, also within IPv6, as it is. */
const network = (address: string): string => {
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? [];
  if (mapped !== undefined || !address.includes(':')) return mapped ?? address;
  const [head = '', tail = ''] = address.split('::');
  const [first, last] = [groupsOf(head), groupsOf(tail)];
  const zeros = Array.from({ length: Math.max(0, groups - first.length - last.length) }, () => '0');
  return [...first, ...zeros, ...last].slice(0, networkGroups).join(':');
};

/** Returns the network of an address by which its requests are counted, as a hash: an address is data of a person. */
export const networkOf = (address: string): string =>
  createHash('sha256').update(network(address)).digest('base64url').slice(0, 22);

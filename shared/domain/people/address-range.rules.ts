import ipaddr from 'ipaddr.js';

interface Range {
  address: ipaddr.IPv4 | ipaddr.IPv6;
  bits: number;
}

const mappedPrefixBits = 96;

/** Parses an address in standard notation, a v4-mapped v6 address as v4. Octal, hex and short v4 forms are refused. */
const parseAddress = (text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined => {
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !(text.includes(':') && ipaddr.IPv6.isValid(text)))
    return undefined;
  return ipaddr.process(text);
};

/** Parses a range in CIDR notation; a bare address is a range of one. */
const parseRange = (text: string): Range | undefined => {
  const [addressText = '', bitsText, ...rest] = text.split('/');
  const address = parseAddress(addressText);
  if (!address || rest.length > 0) return undefined;
  const width = address.kind() === 'ipv4' ? 32 : 128;
  if (bitsText === undefined) return { address, bits: width };
  if (!/^\d{1,3}$/.test(bitsText)) return undefined;
  const isMapped = width === 32 && addressText.includes(':');
  const bits = Number(bitsText) - (isMapped ? mappedPrefixBits : 0);
  return bits >= 0 && bits <= width ? { address, bits } : undefined;
};

export const isAddressRange = (text: string): boolean => parseRange(text) !== undefined;

/** Whether an address is in one of the ranges (D16); false for a text that is not an address. */
export const isInRanges = (addressText: string, ranges: readonly string[]): boolean => {
  const address = parseAddress(addressText);
  if (!address) return false;
  return ranges.some((text) => {
    const range = parseRange(text);
    return range?.address.kind() === address.kind() && address.match(range.address, range.bits);
  });
};

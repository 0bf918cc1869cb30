import ipaddr from 'ipaddr.js';
import * as z from 'zod';
import { Id, Instant } from '../../platform/schema.ts';

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

const AddressRange = z
  .string()
  .trim()
  .refine(isAddressRange, 'must be an address or a range such as 203.0.113.0/24 or 2001:db8::/32');

/** The settings of a key (D16). */
export const KeySettings = z.strictObject({
  team_ids: z.array(Id).min(1).max(50),
  name: z.string().trim().min(1).max(255).nullable().default(null),
  expires_at: Instant.nullable().default(null),
  allow_ip: z.array(AddressRange).max(50).default([]),
  /** Requests a minute; null: the default (D10). */
  rate_limit: z.int().min(1).max(1_000_000).nullable().default(null),
  collects_payment: z.boolean().default(false),
});
export type KeySettings = z.infer<typeof KeySettings>;

/** A key as the operator sees it, without its text. */
export const KeyRecord = z.object({
  ...KeySettings.shape,
  key_id: Id,
  /** The first key of its rotations: the partner's id in bookings, limits and history. */
  partner_key_id: Id,
  /** The first characters, to distinguish keys. */
  hint: z.string(),
  state: z.enum(['ACTIVE', 'REVOKED']),
  created_at: Instant,
  revoked_at: Instant.nullable(),
  /** Accurate to ten minutes. */
  last_used: Instant.nullable(),
});
export type KeyRecord = z.infer<typeof KeyRecord>;

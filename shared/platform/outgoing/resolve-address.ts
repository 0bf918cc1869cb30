import { lookup as dnsLookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { isAllowedAddress, isLoopback } from './allowed-address.ts';
import { OutgoingFailure, RefusedAddress } from './refused-address.ts';

/** Returns every address of a host, as the system resolves it. */
export type Resolve = (hostname: string) => Promise<LookupAddress[]>;

export interface OutgoingSettings {
  /** Local mode: loopback addresses may be called, also without TLS. */
  local: boolean;
  resolve?: Resolve;
}

const systemResolve: Resolve = (hostname) =>
  new Promise((resolve, reject) => {
    dnsLookup(hostname, { all: true, order: 'verbatim' }, (error, addresses) =>
      error ? reject(new OutgoingFailure(`${hostname} cannot be found`, error)) : resolve(addresses),
    );
  });

/** Returns the URL of an outgoing call. Throws unless it is https without a password, or http to loopback in local mode. */
export const outgoingUrl = (text: string, { local }: OutgoingSettings): URL => {
  if (!URL.canParse(text))
    throw new RefusedAddress('must be an address such as https://example.com/calendar.ics');
  const url = new URL(text);
  if (url.username !== '' || url.password !== '')
    throw new RefusedAddress('must not carry a user name or password');
  if (url.protocol === 'https:' || (local && url.protocol === 'http:')) return url;
  throw new RefusedAddress('must begin with https://');
};

/**
 * Returns the addresses of a URL's host. Throws if one of them is not allowed (D63). The connection uses only these addresses,
 * so a later DNS change has no effect.
 */
export const checkedAddresses = async (url: URL, settings: OutgoingSettings): Promise<LookupAddress[]> => {
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  const found = ipaddr.isValid(hostname)
    ? [{ address: hostname, family: ipaddr.parse(hostname).kind() === 'ipv4' ? 4 : 6 }]
    : await (settings.resolve ?? systemResolve)(hostname);
  if (found.length === 0) throw new OutgoingFailure(`${hostname} cannot be found`);
  if (!found.every(({ address }) => isAllowedAddress(address, settings)))
    throw new RefusedAddress('must not point into a private network');
  if (url.protocol === 'http:' && !found.every(({ address }) => isLoopback(address)))
    throw new RefusedAddress('must begin with https://');
  return found;
};

/** Returns a resolver for one connection that knows only the checked addresses. */
export const pinned =
  (addresses: readonly LookupAddress[]): LookupFunction =>
  (_hostname, options, callback) => {
    const wanted = options.family === 4 || options.family === 6 ? options.family : undefined;
    const usable = addresses.filter(({ family }) => wanted === undefined || family === wanted);
    const [first] = usable;
    if (!first) callback(new OutgoingFailure('has no address of that kind'), '', 0);
    else if (options.all) callback(null, usable);
    else callback(null, first.address, first.family);
  };

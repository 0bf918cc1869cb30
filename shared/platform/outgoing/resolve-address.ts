import { lookup as dnsLookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { isAllowedAddress, isLoopback } from './allowed-address.ts';
import { OutgoingFailure, RefusedAddress } from './refused-address.ts';

/** Every address of a host, as the system resolves it. */
export type Resolve = (hostname: string) => Promise<LookupAddress[]>;

export interface OutgoingSettings {
  /** The service runs on a laptop: its own machine may be called, also without TLS. */
  local: boolean;
  resolve?: Resolve;
}

const systemResolve: Resolve = (hostname) =>
  new Promise((resolve, reject) => {
    dnsLookup(hostname, { all: true, order: 'verbatim' }, (error, addresses) =>
      error ? reject(new OutgoingFailure(`${hostname} cannot be found`, error)) : resolve(addresses),
    );
  });

/** The URL of an outgoing call, when its form is allowed: https without a password, http for the own machine in local mode. */
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
 * The addresses of a URL's host, each of them checked (D63): one that is not allowed refuses them all. The call goes to the
 * addresses found here and to no others, so that a name which points elsewhere a moment later changes nothing.
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

/** A resolver for one connection, which knows the checked addresses alone. */
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

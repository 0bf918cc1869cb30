import { invalid } from '../errors.ts';
import { checkedAddresses, type OutgoingSettings, outgoingUrl } from './resolve-address.ts';
import { OutgoingFailure, RefusedAddress } from './refused-address.ts';

/** Throws VALIDATION_ERROR at the field if an address is refused or does not resolve (D63): the check at registration. */
export const requireOutgoing = async (
  text: string,
  settings: OutgoingSettings,
  path = 'url',
): Promise<URL> => {
  try {
    const url = outgoingUrl(text, settings);
    await checkedAddresses(url, settings);
    return url;
  } catch (error) {
    throw refusalAt(path, error);
  }
};

/** Returns an address error as VALIDATION_ERROR at its field; any other error unchanged. */
export const refusalAt = (path: string, error: unknown): unknown =>
  error instanceof RefusedAddress || error instanceof OutgoingFailure
    ? invalid({ path, message: `${path} ${error.message}` })
    : error;

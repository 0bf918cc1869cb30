import { createHmac, timingSafeEqual } from 'node:crypto';

type VnpayFields = Readonly<Record<string, string | number>>;

/** Encodes a value as VNPay signs it: percent-encoded, a space as `+`. */
const encoded = (value: string | number): string => encodeURIComponent(value).replaceAll('%20', '+');

/** Returns the fields sorted by name as `name=value&name=value`: the signed text and the query string. */
export const vnpayText = (fields: VnpayFields): string =>
  Object.entries(fields)
    .filter(([, value]) => value !== '')
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .join('&');

/** Returns HMAC-SHA512 as lower-case hex. */
export const vnpayHash = (secret: string, text: string): string =>
  createHmac('sha512', secret).update(text).digest('hex');

/** Returns whether a notification's signature is valid, over every `vnp_` field except the signature's. */
export const isSignedByVnpay = (
  secret: string,
  query: Readonly<Record<string, string | undefined>>,
): boolean => {
  const { vnp_SecureHash: given = '', vnp_SecureHashType: _, ...rest } = query;
  const fields = Object.entries(rest).flatMap(([name, value]) =>
    name.startsWith('vnp_') && value !== undefined ? [[name, value] as const] : [],
  );
  const expected = Buffer.from(vnpayHash(secret, vnpayText(Object.fromEntries(fields))));
  const actual = Buffer.from(given.toLowerCase());
  return actual.length === expected.length && timingSafeEqual(actual, expected);
};

/** Signs the values of an API call in VNPay's order, joined by `|`. */
export const vnpaySeal = (secret: string, values: readonly (string | number)[]): string =>
  vnpayHash(secret, values.join('|'));

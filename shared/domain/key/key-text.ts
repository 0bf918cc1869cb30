import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomDigits = 40;
const checksumDigits = 6;
const pattern = /^nl_([a-z0-9-]{1,32})_([0-9A-Za-z]{32,64})_([0-9A-Za-z]{6})$/;

const base62 = (value: number): string =>
  value < digits.length
    ? digits.charAt(value)
    : base62(Math.floor(value / digits.length)) + digits.charAt(value % digits.length);

const checksumOf = (body: string): string => base62(crc32(body)).padStart(checksumDigits, '0');

/** A new key, `nl_<stage>_<random>_<checksum>`: its prefix and checksum let scanners find a leaked one and us refuse a typo unread. */
export const newKeyText = (stage: string): string => {
  const random = Array.from({ length: randomDigits }, () => digits.charAt(randomInt(digits.length))).join('');
  const body = `nl_${stage}_${random}`;
  return `${body}_${checksumOf(body)}`;
};

/** Whether the text can be a key of this stage at all. */
export const isKeyText = (text: string, stage: string): boolean => {
  const [, textStage, random, checksum] = pattern.exec(text) ?? [];
  if (textStage !== stage || random === undefined || checksum === undefined) return false;
  return sameText(checksum, checksumOf(`nl_${stage}_${random}`));
};

/** What is kept of a key. 40 random digits need no slow hash. */
export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Compares texts in a time that does not tell where they differ. */
export const sameText = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

import { createHmac, randomBytes } from 'node:crypto';

/** An authenticator app of an account. */
export interface Totp {
  secret: string;
  /** The step of the code that was used last: a code works once. */
  last_step: number;
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const stepMs = 30_000;

/** Returns a secret of 160 bits in base32, as authenticator apps take it. */
export const newTotpSecret = (): string =>
  Array.from(randomBytes(32), (byte) => alphabet[byte % alphabet.length]).join('');

const bytesOf = (secret: string): Buffer => {
  const bits = Array.from(secret, (letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
};

/** Returns the code of a moment, in epoch milliseconds: RFC 6238 with SHA-1, six digits and 30 seconds. */
export const totpCode = (secret: string, at: number): string => {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(at / stepMs)));
  const digest = createHmac('sha1', bytesOf(secret)).update(counter).digest();
  const offset = digest.readUInt8(digest.length - 1) & 0xf;
  return String((digest.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, '0');
};

/**
 * Returns the step of a code that is right now, or was or will be within one step; undefined if there is none after the
 * step that was used last.
 */
export const stepOfCode = ({ secret, last_step }: Totp, code: string, now: number): number | undefined => {
  const present = Math.floor(now / stepMs);
  return [present - 1, present, present + 1].find(
    (step) => step > last_step && totpCode(secret, step * stepMs) === code,
  );
};

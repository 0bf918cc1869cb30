import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

const derive = (password: string, salt: Buffer, cost: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, 32, { cost }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });

/** Low, because every start hashes the passwords of the demo, and no account is of more than this machine. */
const cost = 2 ** 11;
/** That of hashes without one. */
const earlierCost = 2 ** 14;

export const hashPassword = async (password: string): Promise<string> => {
  const salt = randomBytes(16);
  const key = await derive(password, salt, cost);
  return `${salt.toString('base64url')}.${key.toString('base64url')}.${cost}`;
};

export const isPassword = async (password: string, stored: string): Promise<boolean> => {
  const [salt = '', key = '', itsCost = earlierCost] = stored.split('.');
  const derived = await derive(password, Buffer.from(salt, 'base64url'), Number(itsCost));
  return timingSafeEqual(derived, Buffer.from(key, 'base64url'));
};

/** The rules for passwords, as the pages show them. */
export const passwordRules: readonly { text: string; holds: (password: string) => boolean }[] = [
  { text: 'at least 8 characters', holds: (password) => Array.from(password).length >= 8 },
  { text: 'an upper-case letter', holds: (password) => /\p{Lu}/u.test(password) },
  { text: 'a lower-case letter', holds: (password) => /\p{Ll}/u.test(password) },
  { text: 'a digit', holds: (password) => /\d/.test(password) },
];

const maxPasswordLength = 72;

export const isStrongPassword = (password: string): boolean =>
  password.length <= maxPasswordLength && passwordRules.every(({ holds }) => holds(password));

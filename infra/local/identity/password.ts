import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

const derive = (password: string, salt: Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, 32, (error, key) => (error ? reject(error) : resolve(key)));
  });

export const hashPassword = async (password: string): Promise<string> => {
  const salt = randomBytes(16);
  return `${salt.toString('base64url')}.${(await derive(password, salt)).toString('base64url')}`;
};

export const isPassword = async (password: string, stored: string): Promise<boolean> => {
  const [salt = '', key = ''] = stored.split('.').map((part) => Buffer.from(part, 'base64url'));
  return timingSafeEqual(await derive(password, Buffer.from(salt)), Buffer.from(key));
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

import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { type Clock, instantText } from '../../../shared/platform/time/clock.ts';
import { normalEmail } from '../../../shared/platform/text/normal-email.ts';
import { hashPassword } from './password.ts';
import type { Totp } from './totp.ts';

export interface User {
  subject: string;
  email: string;
  email_verified: boolean;
  full_name?: string;
  phone?: string;
  password_hash: string;
  blocked: boolean;
  created_at: string;
  updated_at: string;
  last_login?: string;
  last_password_reset?: string;
  logins_count: number;
  /** The authenticator app, once a first code has confirmed it. */
  totp?: Totp | undefined;
}

export interface NewUser {
  email: string;
  password: string;
  full_name?: string | undefined;
  phone?: string | undefined;
  email_verified: boolean;
}

export class EmailTakenError extends Error {}

export interface UserStore {
  /** Throws EmailTakenError. */
  create(input: NewUser): Promise<User>;
  find(subject: string): User | undefined;
  findByEmail(email: string): User | undefined;
  update(subject: string, change: Partial<Omit<User, 'subject'>>): User | undefined;
  remove(subject: string): void;
}

/** Deliberately loose: the verification mail proves the address. */
export const isEmail = (email: string) => email.length <= 254 && /^[^\s@<>"]+@[^\s@<>"]+$/.test(email);

const newRecord = async (input: NewUser, now: string): Promise<User> => ({
  subject: `auth0|${randomBytes(12).toString('hex')}`,
  email: normalEmail(input.email),
  email_verified: input.email_verified,
  ...(input.full_name !== undefined && { full_name: input.full_name }),
  ...(input.phone !== undefined && { phone: input.phone }),
  password_hash: await hashPassword(input.password),
  blocked: false,
  created_at: now,
  updated_at: now,
  logins_count: 0,
});

export const createUserStore = (database: DatabaseSync, clock: Clock): UserStore => {
  const insert = database.prepare('INSERT OR IGNORE INTO users (subject, email, record) VALUES (?, ?, ?)');
  const save = database.prepare('UPDATE users SET email = ?, record = ? WHERE subject = ?');
  const bySubject = database.prepare('SELECT record FROM users WHERE subject = ?');
  const byEmail = database.prepare('SELECT record FROM users WHERE email = ?');
  const read = (row: ReturnType<typeof bySubject.get>) =>
    typeof row?.['record'] === 'string' ? (JSON.parse(row['record']) as User) : undefined;
  const find = (subject: string) => read(bySubject.get(subject));
  const findByEmail = (email: string) => read(byEmail.get(normalEmail(email)));
  return {
    create: async (input) => {
      const user = await newRecord(input, instantText(clock.now()));
      const { changes } = insert.run(user.subject, user.email, JSON.stringify(user));
      if (changes === 0) throw new EmailTakenError('The user already exists.');
      return user;
    },
    find,
    findByEmail,
    update: (subject, change) => {
      const user = find(subject);
      if (!user) return undefined;
      const changed: User = { ...user, ...change, subject, updated_at: instantText(clock.now()) };
      const other = findByEmail(changed.email);
      if (other && other.subject !== subject)
        throw new EmailTakenError('The specified new email already exists');
      save.run(changed.email, JSON.stringify(changed), subject);
      return changed;
    },
    remove: (subject) => void database.prepare('DELETE FROM users WHERE subject = ?').run(subject),
  };
};

/** Returns a user's claims for /userinfo and ID tokens. */
export const profileClaims = (user: User) => ({
  sub: user.subject,
  name: user.full_name ?? user.email,
  email: user.email,
  email_verified: user.email_verified,
  updated_at: user.updated_at,
});

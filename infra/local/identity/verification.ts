import { hash, randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../../shared/platform/time/clock.ts';
import { escapeHtml } from './pages.ts';
import type { User, UserStore } from './users.ts';

export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

export type SendMail = (mail: Mail) => void | Promise<void>;

const ticketLifeMs = 5 * 24 * 3600_000;

const verificationMail = (user: User, link: string): Mail => {
  const hello = `Hello${user.full_name === undefined ? '' : ` ${user.full_name}`},`;
  return {
    to: user.email,
    subject: 'Verify your e-mail address',
    text: `${hello}\n\nplease verify your e-mail address by opening this link:\n${link}\n\nIt works for five days.\n`,
    html: `<p>${escapeHtml(hello)}</p><p>please verify your e-mail address:</p>
<p><a href="${escapeHtml(link)}">Verify my e-mail address</a></p><p>The link works for five days.</p>`,
  };
};

export interface Verification {
  /** Mails a new link. A failed mail does not undo the sign-up. */
  sendLink(user: User): Promise<void>;
  /** Verifies the address and returns the user; undefined if the ticket is unknown, used or expired. */
  redeem(ticket: string): User | undefined;
}

export const createVerification = (settings: {
  database: DatabaseSync;
  users: UserStore;
  clock: Clock;
  baseUrl: string;
  sendMail: SendMail;
}): Verification => {
  const { database, users, clock, baseUrl, sendMail } = settings;
  const insert = database.prepare('INSERT INTO tickets (hash, subject, expires_at) VALUES (?, ?, ?)');
  const take = database.prepare('DELETE FROM tickets WHERE hash = ? RETURNING subject, expires_at');
  return {
    sendLink: async (user) => {
      const ticket = randomBytes(24).toString('base64url');
      insert.run(hash('sha256', ticket), user.subject, clock.now() + ticketLifeMs);
      try {
        await sendMail(verificationMail(user, `${baseUrl}/verify?ticket=${ticket}`));
      } catch (error) {
        process.emitWarning(`The verification mail was not sent: ${String(error)}`);
      }
    },
    redeem: (ticket) => {
      const row = take.get(hash('sha256', ticket));
      if (typeof row?.['subject'] !== 'string' || Number(row['expires_at']) < clock.now()) return undefined;
      return users.update(row['subject'], { email_verified: true });
    },
  };
};

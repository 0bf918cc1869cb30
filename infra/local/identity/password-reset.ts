import { hash, randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { type Clock, instantText } from '../../../shared/platform/time/clock.ts';
import { escapeHtml } from './pages.ts';
import { hashPassword, isStrongPassword } from './password.ts';
import type { User, UserStore } from './users.ts';
import type { Mail, SendMail } from './verification.ts';

const ticketLifeMs = 3600_000;

const resetMail = (user: User, link: string): Mail => {
  const hello = `Hello${user.full_name === undefined ? '' : ` ${user.full_name}`},`;
  const ignore = 'If you did not ask for it, ignore this mail: your password stays as it is.';
  return {
    to: user.email,
    subject: 'Set a new password',
    text: `${hello}\n\nset a new password by opening this link:\n${link}\n\nIt works once, for an hour. ${ignore}\n`,
    html: `<p>${escapeHtml(hello)}</p><p>set a new password:</p>
<p><a href="${escapeHtml(link)}">Set a new password</a></p><p>The link works once, for an hour. ${ignore}</p>`,
  };
};

type ResetOutcome = 'changed' | 'weak' | 'stale';

export interface PasswordReset {
  /** Mails a link to the user with this address, if any; the caller cannot see whether there is one. */
  sendLink(email: string): Promise<void>;
  /** Returns whether a link is still valid. */
  isGood(ticket: string): boolean;
  /** Sets the password, verifies the address, ends the user's sessions and invalidates the user's other links. */
  redeem(ticket: string, password: string): Promise<ResetOutcome>;
}

export const createPasswordReset = (settings: {
  database: DatabaseSync;
  users: UserStore;
  clock: Clock;
  baseUrl: string;
  sendMail: SendMail;
}): PasswordReset => {
  const { database, users, clock, baseUrl, sendMail } = settings;
  const insert = database.prepare('INSERT INTO reset_tickets (hash, subject, expires_at) VALUES (?, ?, ?)');
  const find = database.prepare('SELECT subject FROM reset_tickets WHERE hash = ? AND expires_at >= ?');
  const take = database.prepare(
    'DELETE FROM reset_tickets WHERE hash = ? AND expires_at >= ? RETURNING subject',
  );
  const dropTickets = database.prepare('DELETE FROM reset_tickets WHERE subject = ?');
  const endSessions = database.prepare(
    "DELETE FROM artifacts WHERE json_extract(payload, '$.accountId') = ?",
  );
  const hashOf = (ticket: string) => hash('sha256', ticket);
  return {
    sendLink: async (email) => {
      const user = users.findByEmail(email);
      if (!user) return;
      const ticket = randomBytes(24).toString('base64url');
      insert.run(hashOf(ticket), user.subject, clock.now() + ticketLifeMs);
      try {
        await sendMail(resetMail(user, `${baseUrl}/u/reset-password?ticket=${ticket}`));
      } catch (error) {
        process.emitWarning(`The mail with a link to set a new password was not sent: ${String(error)}`);
      }
    },
    isGood: (ticket) => find.get(hashOf(ticket), clock.now()) !== undefined,
    redeem: async (ticket, password) => {
      if (find.get(hashOf(ticket), clock.now()) === undefined) return 'stale';
      if (!isStrongPassword(password)) return 'weak';
      const password_hash = await hashPassword(password);
      // Of two requests with one link, only one succeeds.
      const subject = take.get(hashOf(ticket), clock.now())?.['subject'];
      // As at Auth0, the link verifies the address that it was mailed to.
      const set = { password_hash, email_verified: true, last_password_reset: instantText(clock.now()) };
      if (typeof subject !== 'string' || !users.update(subject, set)) return 'stale';
      dropTickets.run(subject);
      endSessions.run(subject);
      return 'changed';
    },
  };
};

import { instantText } from '../../../shared/platform/time/clock.ts';
import { hourMs } from '../../../shared/platform/time/time.ts';
import { mailedLinks, type Mailing } from './mailed-links.ts';
import { hashPassword, isStrongPassword } from './password.ts';

type ResetOutcome = 'changed' | 'weak' | 'stale';

export interface PasswordReset {
  /** Mails a link to the user with this address, if any; the caller cannot see whether there is one. */
  sendLink(email: string): Promise<void>;
  /** Returns whether a link is still valid. */
  isGood(ticket: string): boolean;
  /** Sets the password, verifies the address, ends the user's sessions and invalidates the user's other links. */
  redeem(ticket: string, password: string): Promise<ResetOutcome>;
}

export const createPasswordReset = (mailing: Mailing): PasswordReset => {
  const { database, users, clock } = mailing;
  const links = mailedLinks(mailing, {
    table: 'reset_tickets',
    lifeMs: hourMs,
    path: '/u/reset-password',
    subject: 'Set a new password',
    ask: 'set a new password',
    label: 'Set a new password',
    works:
      'works once, for an hour. If you did not ask for it, ignore this mail: your password stays as it is.',
  });
  const endSessions = database.prepare(
    "DELETE FROM artifacts WHERE json_extract(payload, '$.accountId') = ?",
  );
  return {
    sendLink: async (email) => {
      const user = users.findByEmail(email);
      if (user) await links.send(user);
    },
    isGood: (ticket) => links.isGood(ticket),
    redeem: async (ticket, password) => {
      if (!links.isGood(ticket)) return 'stale';
      if (!isStrongPassword(password)) return 'weak';
      const password_hash = await hashPassword(password);
      // Of two requests with one link, only one succeeds.
      const subject = links.take(ticket) ?? '';
      // As at Auth0, the link verifies the address that it was mailed to.
      const set = { password_hash, email_verified: true, last_password_reset: instantText(clock.now()) };
      if (!users.update(subject, set)) return 'stale';
      links.drop(subject);
      endSessions.run(subject);
      return 'changed';
    },
  };
};

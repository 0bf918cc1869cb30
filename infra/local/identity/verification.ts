import { dayMs } from '../../../shared/platform/time/time.ts';
import { mailedLinks, type Mailing } from './mailed-links.ts';
import type { User } from './users.ts';

export interface Verification {
  /** Mails a new link. A failed mail does not undo the sign-up. */
  sendLink(user: User): Promise<void>;
  /** Verifies the address and returns the user; undefined if the ticket is unknown, used or expired. */
  redeem(ticket: string): User | undefined;
}

export const createVerification = (mailing: Mailing): Verification => {
  const links = mailedLinks(mailing, {
    table: 'tickets',
    lifeMs: 5 * dayMs,
    path: '/verify',
    subject: 'Verify your e-mail address',
    ask: 'please verify your e-mail address',
    label: 'Verify my e-mail address',
    works: 'works for five days.',
  });
  return {
    sendLink: (user) => links.send(user),
    redeem: (ticket) => mailing.users.update(links.take(ticket) ?? '', { email_verified: true }),
  };
};

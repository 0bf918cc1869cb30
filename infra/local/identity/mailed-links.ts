import { hash, randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { escapedHtml } from '../../../shared/platform/text/escaped-html.ts';
import type { Clock } from '../../../shared/platform/time/clock.ts';
import type { User, UserStore } from './users.ts';

export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

export type SendMail = (mail: Mail) => void | Promise<void>;

/** What verification and a new password need to mail their links. */
export interface Mailing {
  database: DatabaseSync;
  users: UserStore;
  clock: Clock;
  baseUrl: string;
  sendMail: SendMail;
}

/** A kind of link, and the mail with it. */
interface LinkKind {
  table: 'tickets' | 'reset_tickets';
  lifeMs: number;
  /** The path of its page. */
  path: string;
  subject: string;
  /** What the person is asked to do: "<ask> by opening this link". */
  ask: string;
  label: string;
  /** How long the link works, and what else to know: "The link <works>". */
  works: string;
}

const mailOf = (user: User, { subject, ask, label, works }: LinkKind, link: string): Mail => {
  const hello = `Hello${user.full_name === undefined ? '' : ` ${user.full_name}`},`;
  return {
    to: user.email,
    subject,
    text: `${hello}\n\n${ask} by opening this link:\n${link}\n\nIt ${works}\n`,
    html: `<p>${escapedHtml(hello)}</p><p>${ask}:</p>
<p><a href="${escapedHtml(link)}">${label}</a></p><p>The link ${works}</p>`,
  };
};

/** Returns mailed links of a kind; each works once. The database has only hashes of their tickets. */
export const mailedLinks = ({ database, clock, baseUrl, sendMail }: Mailing, kind: LinkKind) => {
  const { table, lifeMs, path, subject } = kind;
  const isGood = 'WHERE hash = ? AND expires_at >= ?';
  const insert = database.prepare(`INSERT INTO ${table} (hash, subject, expires_at) VALUES (?, ?, ?)`);
  const find = database.prepare(`SELECT subject FROM ${table} ${isGood}`);
  const take = database.prepare(`DELETE FROM ${table} ${isGood} RETURNING subject`);
  const drop = database.prepare(`DELETE FROM ${table} WHERE subject = ?`);
  const keyOf = (ticket: string) => [hash('sha256', ticket), clock.now()] as const;
  return {
    /** Mails a new link. A failed mail does not undo what it is about. */
    send: async (user: User): Promise<void> => {
      const ticket = randomBytes(24).toString('base64url');
      insert.run(hash('sha256', ticket), user.subject, clock.now() + lifeMs);
      try {
        await sendMail(mailOf(user, kind, `${baseUrl}${path}?ticket=${ticket}`));
      } catch (error) {
        process.emitWarning(`The mail "${subject}" was not sent: ${String(error)}`);
      }
    },
    isGood: (ticket: string): boolean => find.get(...keyOf(ticket)) !== undefined,
    /** Returns whose link it is, once; undefined if it is unknown, used or too old. */
    take: (ticket: string): string | undefined =>
      take.get(...keyOf(ticket))?.['subject'] as string | undefined,
    /** Ends all links of a person. */
    drop: (userSubject: string): void => void drop.run(userSubject),
  };
};

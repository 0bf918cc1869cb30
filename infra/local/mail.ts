import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, instantText } from '../../shared/platform/time/clock.ts';
import { replaceFile } from './replace-file.ts';
import { type JsonReply, type JsonServer, startJsonServer } from './json-server.ts';
import type { Log } from './log.ts';

/** A mail as `/_local/mailbox.json` shows it (D71). */
interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
  links: string[];
  sent_at: string;
}
export interface Mailbox {
  add(mail: { to: string; subject: string; text?: string; html?: string }): Mail;
  /** Newest first. */
  list(): readonly Mail[];
}

const mailsKept = 1000;

const linksIn = (text: string): string[] => [
  ...new Set(
    [...text.matchAll(/https?:\/\/[^\s"'<>]+/g)].map(([url]) =>
      url.replaceAll('&amp;', '&').replace(/[.,;:!?)]+$/, ''),
    ),
  ),
];

const loadMails = (path: string): Mail[] => {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  // The last line may be incomplete after a kill: that mail is sent again.
  const mails = lines.flatMap((line): Mail[] => {
    try {
      return [JSON.parse(line) as Mail];
    } catch {
      return [];
    }
  });
  return mails.slice(-mailsKept);
};

export const openMailbox = ({ clock, dataDir }: { clock: Clock; dataDir?: string }): Mailbox => {
  if (dataDir !== undefined) mkdirSync(dataDir, { recursive: true });
  const path = dataDir === undefined ? undefined : join(dataDir, 'mailbox.jsonl');
  const mails = path === undefined ? [] : loadMails(path);
  if (path !== undefined) replaceFile(path, mails.map((mail) => `${JSON.stringify(mail)}\n`).join(''));
  return {
    add: ({ to, subject, text = '', html = '' }) => {
      const mail = {
        to,
        subject,
        text,
        html,
        links: linksIn(`${html}\n${text}`),
        sent_at: instantText(clock.now()),
      };
      mails.push(mail);
      if (mails.length > mailsKept) mails.shift();
      if (path !== undefined) appendFileSync(path, `${JSON.stringify(mail)}\n`);
      return mail;
    },
    list: () => mails.toReversed(),
  };
};

interface SendEmail {
  FromEmailAddress?: string;
  Destination?: Partial<Record<'ToAddresses' | 'CcAddresses' | 'BccAddresses', string[]>>;
  Content?: {
    Simple?: { Subject?: { Data?: string }; Body?: { Text?: { Data?: string }; Html?: { Data?: string } } };
  };
}

const refused = (message: string): JsonReply => ({
  status: 400,
  body: { message },
  headers: { 'x-amzn-errortype': 'BadRequestException' },
});

const sendEmail = (mail: SendEmail, mailbox: Mailbox): JsonReply => {
  const { ToAddresses = [], CcAddresses = [], BccAddresses = [] } = mail.Destination ?? {};
  const to = [...ToAddresses, ...CcAddresses, ...BccAddresses];
  const simple = mail.Content?.Simple;
  if (!mail.FromEmailAddress) return refused('FromEmailAddress is missing.');
  if (to.length === 0) return refused('A mail needs a recipient.');
  if (simple === undefined) return refused('The local mailbox takes Content.Simple alone.');
  mailbox.add({
    to: to.join(', '),
    subject: simple.Subject?.Data ?? '',
    text: simple.Body?.Text?.Data ?? '',
    html: simple.Body?.Html?.Data ?? '',
  });
  return { status: 200, body: { MessageId: randomUUID() } };
};

/** Starts a local SES v2 endpoint whose SendEmail writes to a mailbox. */
export const startMail = ({ mailbox, log }: { mailbox: Mailbox; log: Log }): Promise<JsonServer> =>
  startJsonServer(({ method, path, body }) => {
    if (method === 'POST' && path === '/v2/email/outbound-emails')
      return sendEmail(body as SendEmail, mailbox);
    return { ...refused(`The local mail service knows SendEmail alone, not ${method} ${path}`), status: 404 };
  }, log);

import { SendEmailCommand, type SESv2Client } from '@aws-sdk/client-sesv2';
import { cannotReceive } from './cannot-receive.ts';
import type { MailEnv } from './env.ts';
import type { Mailer } from './mailer.ts';

const utf8 = (Data: string) => ({ Data, Charset: 'UTF-8' });

/**
 * Sends mail through SES. Sending is not idempotent, so the client must not retry: the queue does, after checking what
 * was sent.
 */
export const sesMailer = (
  client: Pick<SESv2Client, 'send'>,
  { MAIL_SENDER, MAIL_CONFIGURATION_SET }: MailEnv,
): Mailer => ({
  async send({ to, subject, text, html }) {
    // SES would count a bounce.
    if (cannotReceive(to)) return;
    const command = new SendEmailCommand({
      FromEmailAddress: MAIL_SENDER,
      ConfigurationSetName: MAIL_CONFIGURATION_SET,
      Destination: { ToAddresses: [to] },
      Content: {
        Simple: { Subject: utf8(subject), Body: { Text: utf8(text), Html: utf8(html) } },
      },
    });
    try {
      await client.send(command);
    } catch (error) {
      throw withoutAddresses(error, MAIL_SENDER);
    }
  },
});

/** SES names addresses in its errors, and errors are logged. The sender is no person. */
const withoutAddresses = (error: unknown, sender: string): Error => {
  const { name, message } = error as Error;
  const masked = message.replaceAll(/[^\s<>(),;:"']+@[^\s<>(),;:"']+/g, (address) =>
    address.toLowerCase() === sender.toLowerCase() ? address : '…',
  );
  return Object.assign(new Error(masked), { name });
};

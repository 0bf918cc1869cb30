import { SESv2Client } from '@aws-sdk/client-sesv2';
import type { Dependencies } from '../context.ts';
import { readEnv } from './env.ts';
import { MailEnv } from '../mail/env.ts';
import { environment } from './environment.ts';
import type { Mailer } from '../mail/mailer.ts';
import { sesMailer } from '../mail/ses-mailer.ts';
import { once } from '../once.ts';
import { withSealing } from './sealing-environment.ts';
import { timeLimits } from '../sdk/time-limits.ts';

const sesClient = (): SESv2Client =>
  new SESv2Client({
    maxAttempts: 1,
    requestHandler: timeLimits({ requestTimeout: 10_000, connectionTimeout: 2000 }),
  });

/** Returns the dependencies of a function that sends mails: those of every function, the mailer, and the key of what mails show. */
export const mailEnvironment = once((): Dependencies & { mailer: Mailer; pages: string | undefined } => {
  const variables = readEnv(MailEnv);
  return {
    ...withSealing(environment)(),
    mailer: sesMailer(sesClient(), variables),
    pages: variables.PAGES_URL,
  };
});

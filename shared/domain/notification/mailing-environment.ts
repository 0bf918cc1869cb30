import { SESv2Client } from '@aws-sdk/client-sesv2';
import type { Dependencies } from '../../platform/context.ts';
import { MailEnv, readEnv } from '../../platform/env.ts';
import { environment } from '../../platform/environment.ts';
import { once } from '../../platform/once.ts';
import { timeLimits } from '../../platform/sdk/time-limits.ts';
import type { NotificationDependencies } from './notify-people.ts';
import { sesMailer } from './ses-mailer.ts';

const sesClient = (): SESv2Client =>
  new SESv2Client({
    maxAttempts: 1,
    requestHandler: timeLimits({ requestTimeout: 10_000, connectionTimeout: 2000 }),
  });

/** Returns the dependencies of a function that sends mails. */
export const mailingEnvironment = once((): Dependencies & NotificationDependencies => ({
  ...environment(),
  mailer: sesMailer(sesClient(), readEnv(MailEnv).MAIL_SENDER),
}));

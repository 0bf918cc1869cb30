import { SESv2Client } from '@aws-sdk/client-sesv2';
import type { Dependencies } from '../../platform/context.ts';
import { MailEnv, readEnv } from '../../platform/env.ts';
import { environment } from '../../platform/environment.ts';
import { timeLimits } from '../../platform/sdk/time-limits.ts';
import type { NotificationDependencies } from './notification-dependencies.ts';
import { sesMailer } from './ses-mailer.ts';

let made: (Dependencies & NotificationDependencies) | undefined;

/** The dependencies of a function that writes mails: those of every function, and SES. */
export const mailingEnvironment = (): Dependencies & NotificationDependencies =>
  (made ??= { ...environment(), mailer: sesMailer(sesClient(), readEnv(MailEnv).MAIL_SENDER) });

const sesClient = (): SESv2Client =>
  new SESv2Client({
    maxAttempts: 1,
    requestHandler: timeLimits({ requestTimeout: 10_000, connectionTimeout: 2000 }),
  });

import { SESv2Client } from '@aws-sdk/client-sesv2';
import {
  type NotificationDependencies,
  notify,
  sesMailer,
} from '../../../shared/domain/notification/index.ts';
import type { Dependencies } from '../../../shared/platform/context.ts';
import { readEnv } from '../../../shared/platform/env.ts';
import { environment } from '../../../shared/platform/environment.ts';
import { consume } from '../../../shared/platform/events/consume.ts';
import { NotificationEnv } from './env.ts';
import { timeLimits } from '../../../shared/platform/sdk/time-limits.ts';

/** Writes to guests and hosts about their bookings, and to owners about their partners' webhooks. */
export const notificationWorker = consume(notify);

const fromEnvironment = (): NotificationDependencies & Dependencies => {
  const client = new SESv2Client({
    maxAttempts: 1,
    requestHandler: timeLimits({ requestTimeout: 10_000, connectionTimeout: 2000 }),
  });
  return { ...environment(), mailer: sesMailer(client, readEnv(NotificationEnv).MAIL_SENDER) };
};

let made: ReturnType<typeof fromEnvironment> | undefined;

/** The Lambda handler of the queue `notification`. */
export const handler = notificationWorker(() => (made ??= fromEnvironment()));

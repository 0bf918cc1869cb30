import { sendDueMails } from '../../../shared/domain/notification/index.ts';
import type { DrainResult } from '../../../shared/platform/due/index.ts';
import { mailEnvironment } from '../../../shared/platform/environment/mail-environment.ts';
import { scheduled } from '../../../shared/scheduled.ts';

/** The Lambda handler of the schedule: reminders before check-in, and news of messages that were not read (D91). */
export const handler = scheduled('send-due-mails', (): Promise<DrainResult> =>
  sendDueMails(mailEnvironment()),
);

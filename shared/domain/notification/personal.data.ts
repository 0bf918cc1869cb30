import type { ClassifiedFields } from '../../platform/table/personal-data.ts';

/** The classes of the texts of mails: scheduled ones are written from the records when they are due. */
export const notificationData: Record<string, ClassifiedFields> = {
  DueMail: { none: 'event_id host' },
  Outage: { none: 'host' },
  MailTurns: { none: 'by turns[].mail', personal: 'address' },
  KeyMails: {},
  TeamMail: { none: 'name updated_at', free: 'subject text' },
};

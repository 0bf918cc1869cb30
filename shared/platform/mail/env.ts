import * as z from 'zod';

/** The environment variables of a function that sends mails. */
export const MailEnv = z.object({
  /** The sender of every mail; it, or its domain, is a verified SES identity. */
  MAIL_SENDER: z.email(),
  /** The configuration set of SES; on a laptop none. */
  MAIL_CONFIGURATION_SET: z.string().min(1).optional(),
  /** The address of the pages that mails lead to, where the stage has a name of its own; without it mails have no link (D122). */
  PAGES_URL: z.url().optional(),
});
export type MailEnv = z.infer<typeof MailEnv>;

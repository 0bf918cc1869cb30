/** The subject of a mail, and what it says before its facts. */
export interface MailWords {
  subject: string;
  text: string;
}

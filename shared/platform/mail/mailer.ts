/** A mail to one person. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** Sends mails: SES, or a list in tests. */
export interface Mailer {
  send(mail: Mail): Promise<void>;
}

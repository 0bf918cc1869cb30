/** A mail to one person. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** Where mail goes: SES, or a test's list. */
export interface Mailer {
  send(mail: Mail): Promise<void>;
}

export { type Mail, type Mailer } from './mail.ts';
export { mailingEnvironment } from './mailing-environment.ts';
export { notify } from './notify.ts';
export { sendDueMails } from './send-due-mails.ts';
export { sesMailer } from './ses-mailer.ts';

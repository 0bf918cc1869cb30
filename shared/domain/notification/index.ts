export { type Mail, type Mailer } from './mail.ts';
export { notify } from './notify.ts';
export type { NotificationDependencies } from './notification-dependencies.ts';
export { sesMailer } from './ses-mailer.ts';

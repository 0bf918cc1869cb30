export { type Mail, type Mailer } from './mail.ts';
export { notify } from './notify.ts';
export { type NotificationDependencies, notifyBooking } from './notify-booking.ts';
export { sesMailer } from './ses-mailer.ts';

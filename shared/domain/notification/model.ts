export { type DueMail, DueMailEntity, dueMails } from './due-mail.entity.ts';
export { KeyMailsEntity, MailTurnsEntity } from './mail-turns.store.ts';
export { OutageEntity } from './outage.entity.ts';
export { bookingLabels } from './words/booking-labels.ts';
export { folioWords } from './words/folio-words.ts';
export { TeamMailEntity } from './team-mail.entity.ts';

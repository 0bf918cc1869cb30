export { notify } from './notify.ts';
export { sendDueMails } from './send-due-mails.ts';

export { notify } from './notify.ts';
export { sendDueMails } from './send-due-mails.ts';
export { listTeamMails, previewTeamMail, removeTeamMail, setTeamMail } from './team-mails.ts';

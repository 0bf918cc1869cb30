export { DueMailEntity } from './due-mail.entity.ts';

import type { Dependencies } from '../../platform/context.ts';
import type { Mailer } from './mail.ts';

/** What mails are written with. */
export interface NotificationDependencies extends Pick<Dependencies, 'table' | 'clock'> {
  mailer: Mailer;
}

import type { Dependencies } from '../../platform/context.ts';
import { drainDueList, type DrainResult } from '../../platform/due/index.ts';
import { remove } from '../../platform/table/index.ts';
import { readAbout } from './booking-facts.ts';
import { bookingMail } from './booking-mail.ts';
import { bookingMailOf, mailFor } from './booking-mails.ts';
import { type DueMail, DueMailEntity, dueMails } from './due-mail.entity.ts';
import { mailUnread } from './mail-unread.ts';
import { type NotificationDependencies, notifyPeople } from './notify-people.ts';
import { recipientsOf } from './recipients.ts';

/** Writes the mails whose time has come, if they are still true, once for each person (D91); one that fails is put off. */
export const sendDueMails = (
  deps: NotificationDependencies & Pick<Dependencies, 'log'>,
): Promise<DrainResult> =>
  drainDueList(deps, 'send-due-mails', dueMails, async (due) => {
    await send[due.kind](deps, due.id);
    await deps.table.transact([remove(DueMailEntity, due)]);
  });

/** Reminds of a booking, once however often it was scheduled; of one that was cancelled meanwhile, not at all. */
const remind = async (deps: NotificationDependencies, reservation_id: number): Promise<void> => {
  const about = await readAbout(deps, reservation_id);
  const name = mailFor(null, about);
  if (name === undefined) return;
  const { to } = bookingMailOf(name);
  const people = (await recipientsOf(deps, about.stay)).filter(({ side }) => to.includes(side));
  await notifyPeople(deps, `${name}_${reservation_id}`, people, (person) => bookingMail(person, name, about));
};

const send: Record<DueMail['kind'], typeof remind> = { reminder: remind, messages: mailUnread };

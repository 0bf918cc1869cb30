import type { Dependencies } from '../../platform/context.ts';
import { drainDueList, type DrainResult } from '../../platform/due/index.ts';
import { remove } from '../../platform/table/index.ts';
import { readBookingFacts } from './booking-facts.ts';
import { bookingMail } from './booking-mail.ts';
import { bookingMailOf, mailFor } from './booking-mails.ts';
import { type DueMail, DueMailEntity, dueMails } from './due-mail.entity.ts';
import { mailUnread } from './mail-unread.ts';
import { type NotificationDependencies, notifyPeople } from './notify-people.ts';
import { recipientsOf } from './recipients.ts';

/** Sends the due mails that still apply, once for each person (D91); a failing one is deferred. */
export const sendDueMails = (
  deps: NotificationDependencies & Pick<Dependencies, 'log'>,
): Promise<DrainResult> =>
  drainDueList(deps, 'send-due-mails', dueMails, async (due) => {
    await send[due.kind](deps, due.id);
    await deps.table.transact([remove(DueMailEntity, due)]);
  });

/** Sends the reminder of a booking once for each home and check-in that it was changed to; none if it was cancelled. */
const remind = async (deps: NotificationDependencies, reservationId: number): Promise<void> => {
  const about = await readBookingFacts(deps, reservationId);
  const name = mailFor(null, about);
  if (name === undefined) return;
  const { to } = bookingMailOf(name);
  const people = (await recipientsOf(deps, about.stay)).filter(({ side }) => to.includes(side));
  const { listing_id, start_at } = about.stay;
  const reminder = `${name}_${reservationId}_${listing_id}_${start_at}`;
  await notifyPeople(deps, reminder, people, (person) => bookingMail(person, name, about));
};

const send: Record<DueMail['kind'], typeof remind> = { reminder: remind, messages: mailUnread };

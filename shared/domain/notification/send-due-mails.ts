import type { Dependencies } from '../../platform/context.ts';
import { drainDueList, type DrainResult } from '../../platform/due/index.ts';
import { remove } from '../../platform/table/index.ts';
import { type BookingFacts, readBookingFacts, readChangeFacts } from './booking-facts.ts';
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
  const { listing_id, start_at } = about.stay;
  await mail(deps, 'reminder', about, `reminder_${reservationId}_${listing_id}_${start_at}`);
};

/** Sends the page of a change that a host asks for, once; none if it no longer waits for its payment (D84). */
const askForPayment = async (deps: NotificationDependencies, reservationId: number): Promise<void> => {
  const about = await readChangeFacts(deps, reservationId);
  await mail(deps, 'change_to_pay', about, `change_${about.stay.pending_change}`);
};

const mail = async (
  deps: NotificationDependencies,
  kind: 'reminder' | 'change_to_pay',
  about: BookingFacts,
  once: string,
): Promise<void> => {
  const name = mailFor(kind, about);
  if (name === undefined) return;
  const { to } = bookingMailOf(name);
  const people = (await recipientsOf(deps, about.stay)).filter(({ side }) => to.includes(side));
  await notifyPeople(deps, once, people, (person) => bookingMail(person, name, about));
};

const send: Record<DueMail['kind'], typeof remind> = {
  reminder: remind,
  messages: mailUnread,
  change_to_pay: askForPayment,
};
